//! What is said over the socket of a share page.

use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use vocabulary::{FrameId, RoomId, ShareId};

use super::state::State;

/// Longest text message that is taken.
pub(super) const TEXT_BYTES_MAX: usize = 4 * 1024;

/// What somebody who shares says; frames come as they are. It may hold a token, so it cannot be shown.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Said {
    Hello {
        token: String,
    },
    /// Nothing changes, and the screen is still shared.
    Still,
    Stop,
}

/// What is said to them.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(super) enum Say {
    Welcome {
        share: ShareId,
        room: RoomId,
        /// What people call the room; that of a platform has a number for an id.
        room_name: String,
        /// Where the room is, if not here.
        #[serde(skip_serializing_if = "Option::is_none")]
        platform: Option<&'static str>,
        name: String,
        denizen: String,
        #[serde(flatten)]
        limits: PageLimits,
        watched: bool,
    },
    Refused {
        reason: String,
        detail: String,
    },
    Taken {
        frame: FrameId,
        score: f64,
        ema: f64,
        scene_cut: bool,
    },
    State(State),
    Limits(PageLimits),
    Ended {
        reason: &'static str,
    },
}

/// What the page keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageLimits {
    max_width_px: u64,
    jpeg_quality: f64,
    max_frame_bytes: u64,
    max_frames_per_minute: u64,
    keyframe_interval_ms: u64,
}

impl PageLimits {
    /// A socket takes no larger messages than it was opened for, so neither may its frames be larger.
    pub fn new(settings: &StreamWatchSettings, frame_bytes_max: u64) -> Self {
        Self {
            max_width_px: settings.share_page_max_width_px,
            jpeg_quality: settings.share_page_jpeg_quality,
            max_frame_bytes: settings.max_frame_bytes.min(frame_bytes_max),
            max_frames_per_minute: settings.max_frames_per_minute,
            keyframe_interval_ms: settings.keyframe_interval_ms,
        }
    }
}

impl Said {
    pub fn read(text: &str) -> Result<Self, &'static str> {
        if text.len() > TEXT_BYTES_MAX {
            return Err("A message of words has at most 4096 bytes.");
        }
        // What serde says about it may quote the token.
        serde_json::from_str(text)
            .map_err(|_| "A message of words is {\"type\":\"hello\",\"token\":…}, {\"type\":\"still\"} or {\"type\":\"stop\"}.")
    }
}
