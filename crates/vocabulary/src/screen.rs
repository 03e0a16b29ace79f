//! Shared screens: who shares, how a picture came in, and what was seen of it without looking at its meaning.

use serde::{Deserialize, Serialize};

use crate::{AttachmentId, FrameId, PersonId, RoomId, ShareId, named};

named! {
    /// By which way a screen comes in. What happens to a frame does not depend on it.
    pub enum ShareSource {
        /// The share page: a browser's own picker, pictures over a WebSocket.
        SharePage = "share_page",
        /// A WebRTC stream, from OBS or a browser.
        Whip = "whip",
        /// Pictures that a program posts.
        FrameApi = "frame_api",
        /// A file that somebody tunes with.
        File = "file",
    }
}

/// One screen that somebody shares in a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    pub share: ShareId,
    pub room: RoomId,
    pub person: PersonId,
    pub name: String,
    pub source: ShareSource,
}

named! {
    /// Why a share is over.
    pub enum ShareEnd {
        /// Whoever shares stopped it.
        Stopped = "stopped",
        /// Nothing came for too long, or the connection broke.
        Lost = "lost",
        /// Whoever shares has left the room.
        SharerLeft = "sharer_left",
        /// An operator ended it.
        EndedByOperator = "ended_by_operator",
        /// What whoever shares came in with was taken back, or is over.
        AccessEnded = "access_ended",
        /// The process ended; a link does not outlive it.
        Restarted = "restarted",
        /// The room is gone.
        RoomEnded = "room_ended",
    }
}

/// Where on the screen most of a change was: a field of three by three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ScreenRegion {
    TopLeft,
    Top,
    TopRight,
    Left,
    Centre,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
    /// No one field has most of it.
    Everywhere,
}

impl ScreenRegion {
    /// In words, as in "in the top left".
    pub fn words(self) -> &'static str {
        match self {
            ScreenRegion::TopLeft => "in the top left",
            ScreenRegion::Top => "at the top",
            ScreenRegion::TopRight => "in the top right",
            ScreenRegion::Left => "on the left",
            ScreenRegion::Centre => "in the middle",
            ScreenRegion::Right => "on the right",
            ScreenRegion::BottomLeft => "in the bottom left",
            ScreenRegion::Bottom => "at the bottom",
            ScreenRegion::BottomRight => "in the bottom right",
            ScreenRegion::Everywhere => "all over the screen",
        }
    }
}

/// How much an emitted frame differs from the one emitted before it, held at its greatest in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangeScore {
    /// Mean absolute luma difference on the grid, 0 to 1; 0 for the first frame.
    pub score: f64,
    /// The smoothed score.
    pub ema: f64,
    pub scene_cut: bool,
    /// Where most of the change was; none where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<ScreenRegion>,
}

/// An emitted frame as the mind knows it: everything but the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Glimpse {
    pub frame: FrameId,
    pub kind: PictureKind,
    pub width: u32,
    pub height: u32,
    #[serde(flatten)]
    pub change: ChangeScore,
}

/// The kinds of picture that are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PictureKind {
    Jpeg,
    Png,
    Webp,
}

impl PictureKind {
    /// The kind a content type names, parameters aside.
    pub fn of_mime(mime: &str) -> Option<Self> {
        let kind = mime.split(';').next().unwrap_or_default().trim();
        match kind.to_ascii_lowercase().as_str() {
            "image/jpeg" | "image/jpg" => Some(PictureKind::Jpeg),
            "image/png" => Some(PictureKind::Png),
            "image/webp" => Some(PictureKind::Webp),
            _ => None,
        }
    }

    pub fn mime(self) -> &'static str {
        match self {
            PictureKind::Jpeg => "image/jpeg",
            PictureKind::Png => "image/png",
            PictureKind::Webp => "image/webp",
        }
    }
}

named! {
    /// Why a frame was not taken, in the order in which it is looked for.
    pub enum FrameRefusal {
        SessionNotFound = "session_not_found",
        StreamWatchDisabled = "stream_watch_disabled",
        WatchNotActive = "watch_not_active",
        TargetUserMismatch = "target_user_mismatch",
        InvalidMimeType = "invalid_mime_type",
        FrameDataRequired = "frame_data_required",
        FrameTooLarge = "frame_too_large",
        FrameRateLimited = "frame_rate_limited",
        FrameUndecodable = "frame_undecodable",
    }
}

impl FrameId {
    /// The name under which a request refers to the picture of a frame.
    pub fn attachment(self) -> AttachmentId {
        AttachmentId::new(format!("{FRAME_PREFIX}{self}"))
    }

    /// The frame that an attachment is, if it is one.
    pub fn of_attachment(id: &AttachmentId) -> Option<Self> {
        let number = id.as_str().strip_prefix(FRAME_PREFIX)?;
        number.parse().ok().map(FrameId)
    }
}

const FRAME_PREFIX: &str = "frame:";
