//! Pictures, clips and GIFs for posts and replies: which may be had now, and how many were had in the last 24 hours.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{MediaKind, Moment, Span};

use crate::reasons::SpendingPurpose;

/// How long an allowance lasts.
const DAY: Span = Span::hours(24);

/// What something that is made or found goes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaUse {
    Thought,
    Reply,
}

impl MediaUse {
    /// What it is paid for.
    pub fn purpose(self) -> SpendingPurpose {
        match self {
            MediaUse::Thought => SpendingPurpose::Thoughts,
            MediaUse::Reply => SpendingPurpose::Replies,
        }
    }
}

/// What was wanted, and when; for posts and replies together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct MediaBook(Vec<(Moment, MediaKind)>);

impl MediaBook {
    /// One more is wanted.
    pub fn wanted(&mut self, kind: MediaKind, now: Moment) {
        self.0.retain(|(at, _)| now.since(*at) < DAY);
        self.0.push((now, kind));
    }

    /// How many of a kind were had in the last 24 hours, and when the oldest of them is forgotten.
    pub fn had(&self, kind: MediaKind, now: Moment) -> (u64, Option<Span>) {
        let recent = || {
            let of_kind = self.0.iter().filter(move |(_, of)| *of == kind);
            of_kind.filter(move |(at, _)| now.since(*at) < DAY)
        };
        let frees_in = recent().next().map(|(at, _)| Span(DAY.0 - now.since(*at).0));
        (recent().count() as u64, frees_in)
    }

    /// Why no more of a kind may be had for now.
    pub fn used_up(&self, kind: MediaKind, now: Moment, settings: &Settings) -> Option<String> {
        let limit = limit(kind, settings);
        let used_up = self.had(kind, now).0 >= limit;
        used_up.then(|| {
            format!("{limit} in 24 hours are allowed, and as many were ordered; what failed counts, for it may be paid for")
        })
    }
}

/// Why a kind cannot be had at all: the switch, the model or the maker is missing.
pub(crate) fn not_set_up(
    kind: MediaKind,
    goes_with: MediaUse,
    settings: &Settings,
    makers: &[MediaKind],
) -> Option<String> {
    let discovery = &settings.discovery;
    let (allowed, switch) = match (kind, goes_with) {
        (MediaKind::Image, MediaUse::Thought) => (discovery.allow_image_posts, "allowImagePosts"),
        (MediaKind::Image, MediaUse::Reply) => (discovery.allow_reply_images, "allowReplyImages"),
        (MediaKind::Video, MediaUse::Thought) => (discovery.allow_video_posts, "allowVideoPosts"),
        (MediaKind::Video, MediaUse::Reply) => {
            return Some("a clip takes longer than a room waits for a reply".to_owned());
        }
        (MediaKind::Gif, _) => (discovery.allow_reply_gifs, "allowReplyGifs"),
    };
    if !allowed {
        Some(format!("initiative.discovery.{switch} is off"))
    } else if model(kind, settings).is_none() {
        let models = match kind {
            MediaKind::Image => "allowedImageModels",
            _ => "allowedVideoModels",
        };
        Some(format!(
            "no model may make it: name one in initiative.discovery.{models}"
        ))
    } else if !makers.contains(&kind) {
        let kind = kind.name();
        Some(format!(
            "nobody makes it here: set media.{kind}Provider and its key"
        ))
    } else {
        None
    }
}

/// How many of a kind may be had in 24 hours.
pub(crate) fn limit(kind: MediaKind, settings: &Settings) -> u64 {
    let discovery = &settings.discovery;
    match kind {
        MediaKind::Image => discovery.max_images_per_day,
        MediaKind::Video => discovery.max_videos_per_day,
        MediaKind::Gif => discovery.max_gifs_per_day,
    }
}

/// The model that makes a kind: the first that is allowed to. A GIF is found, and needs none.
pub(crate) fn model(kind: MediaKind, settings: &Settings) -> Option<&str> {
    let allowed = match kind {
        MediaKind::Image => &settings.discovery.allowed_image_models,
        MediaKind::Video => &settings.discovery.allowed_video_models,
        MediaKind::Gif => return Some(""),
    };
    allowed.first().map(String::as_str)
}
