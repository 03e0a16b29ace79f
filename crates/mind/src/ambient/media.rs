//! Pictures, clips and GIFs for posts: which may be had now, and how many were had in the last 24 hours.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{MediaKind, Moment, Span};

use super::DAY;
use super::view::{MediaMeter, Meter};
use crate::step_context::{Capabilities, StepContext};

/// What was wanted, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct MediaBook(Vec<(Moment, MediaKind)>);

impl MediaBook {
    /// One more is wanted.
    pub fn wanted(&mut self, kind: MediaKind, now: Moment) {
        self.0.retain(|(at, _)| now.since(*at) < DAY);
        self.0.push((now, kind));
    }

    /// What a model may wish for now.
    pub fn on_offer(&self, step: &StepContext<'_>) -> Vec<MediaKind> {
        let can = |kind: &MediaKind| {
            self.refusal(*kind, step.moment(), step.settings, step.outside)
                .is_none()
        };
        MediaKind::ALL.into_iter().filter(can).collect()
    }

    /// Why a kind cannot be had now.
    pub fn refusal(
        &self,
        kind: MediaKind,
        now: Moment,
        settings: &Settings,
        outside: &Capabilities,
    ) -> Option<String> {
        let discovery = &settings.discovery;
        let (allowed, switch) = match kind {
            MediaKind::Image => (discovery.allow_image_posts, "allowImagePosts"),
            MediaKind::Video => (discovery.allow_video_posts, "allowVideoPosts"),
            MediaKind::Gif => (discovery.allow_reply_gifs, "allowReplyGifs"),
        };
        let meter = self.meter(kind, now, settings);
        if !allowed {
            Some(format!("initiative.discovery.{switch} is off"))
        } else if model(kind, settings).is_none() {
            Some(format!(
                "no model may make it: name one in initiative.discovery.allowed{}Models",
                if kind == MediaKind::Image {
                    "Image"
                } else {
                    "Video"
                }
            ))
        } else if !outside.media.contains(&kind) {
            Some(format!(
                "nobody makes it here: set media.{}Provider and its key",
                kind.name()
            ))
        } else if meter.used >= meter.limit {
            Some(format!("{} in 24 hours are allowed, and were had", meter.limit))
        } else {
            None
        }
    }

    fn meter(&self, kind: MediaKind, now: Moment, settings: &Settings) -> Meter {
        let discovery = &settings.discovery;
        let recent = || {
            let of_kind = self.0.iter().filter(move |(_, of)| *of == kind);
            of_kind.filter(move |(at, _)| now.since(*at) < DAY)
        };
        Meter {
            used: recent().count() as u64,
            limit: match kind {
                MediaKind::Image => discovery.max_images_per_day,
                MediaKind::Video => discovery.max_videos_per_day,
                MediaKind::Gif => discovery.max_gifs_per_day,
            },
            frees_in: recent().next().map(|(at, _)| Span(DAY.0 - now.since(*at).0)),
        }
    }

    pub fn meters(&self, now: Moment, settings: &Settings, outside: &Capabilities) -> Vec<MediaMeter> {
        let meter = |kind| MediaMeter {
            kind,
            meter: self.meter(kind, now, settings),
            why_not: self.refusal(kind, now, settings, outside).unwrap_or_default(),
        };
        MediaKind::ALL.into_iter().map(meter).collect()
    }
}

/// The model that makes a kind: the first that is allowed to. A GIF is found, and needs none.
pub(super) fn model(kind: MediaKind, settings: &Settings) -> Option<&str> {
    let allowed = match kind {
        MediaKind::Image => &settings.discovery.allowed_image_models,
        MediaKind::Video => &settings.discovery.allowed_video_models,
        MediaKind::Gif => return Some(""),
    };
    allowed.first().map(String::as_str)
}
