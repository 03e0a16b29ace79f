//! The door frames come in by: what is refused, why, and in which order. The shell asks; it decides nothing.

use std::collections::VecDeque;

use settings::StreamWatchSettings;
use vocabulary::{FrameRefusal, Moment, PictureKind, ShareId, Span};

/// A frame at the door, before anybody looks at its picture.
#[derive(Clone, Copy, Debug)]
pub struct AtDoor<'a> {
    /// The share its sender has proved to own; none: no such share.
    pub share: Option<&'a ShareId>,
    /// The share that is watched in the room.
    pub watched: Option<&'a ShareId>,
    pub mime: &'a str,
    pub bytes: usize,
}

/// When the frames of one share came in.
#[derive(Clone, Debug, Default)]
pub struct FrameRate {
    taken: VecDeque<Moment>,
}

/// What is said to the sender of a refused frame: the reason, and for a person what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFrame {
    pub reason: FrameRefusal,
    pub detail: String,
}

/// Lets a frame in, or says why not. Whether its picture can be read is seen after this.
pub fn admit(
    now: Moment,
    frame: AtDoor<'_>,
    rate: &mut FrameRate,
    settings: &StreamWatchSettings,
) -> Result<PictureKind, RefusedFrame> {
    let refuse = |reason, detail: &str| {
        Err(RefusedFrame {
            reason,
            detail: detail.to_owned(),
        })
    };
    let Some(share) = frame.share else {
        return Err(unknown_share());
    };
    if !settings.enabled {
        let detail = "Watching screens is switched off: voice.streamWatch.enabled is false.";
        return refuse(FrameRefusal::StreamWatchDisabled, detail);
    }
    match frame.watched {
        None => {
            let detail = "No screen is watched in this room now. Where several people share, somebody has to choose one.";
            return refuse(FrameRefusal::WatchNotActive, detail);
        }
        Some(watched) if watched != share => {
            let detail =
                "Somebody else's screen is watched in this room. Choose this one to have it watched.";
            return refuse(FrameRefusal::TargetUserMismatch, detail);
        }
        Some(_) => {}
    }
    let Some(kind) = PictureKind::of_mime(frame.mime) else {
        let said: String = frame.mime.chars().take(60).collect();
        let detail = format!("A frame is image/jpeg, image/png or image/webp; this one says “{said}”.");
        return refuse(FrameRefusal::InvalidMimeType, &detail);
    };
    let (bytes, limit) = (frame.bytes, settings.max_frame_bytes);
    if bytes == 0 {
        let detail = "The frame is empty. Send the picture's bytes.";
        return refuse(FrameRefusal::FrameDataRequired, detail);
    }
    if bytes > limit as usize {
        let detail = format!(
            "The frame has {bytes} bytes; voice.streamWatch.maxFrameBytes allows {limit}. Send a smaller picture or a lower quality."
        );
        return refuse(FrameRefusal::FrameTooLarge, &detail);
    }
    let per_minute = settings.max_frames_per_minute;
    if !rate.take(now, per_minute as usize) {
        let detail = format!(
            "voice.streamWatch.maxFramesPerMinute allows {per_minute} frames in a minute. Send fewer."
        );
        return refuse(FrameRefusal::FrameRateLimited, &detail);
    }
    Ok(kind)
}

/// What is said of a share that nobody knows, or not any more.
pub fn unknown_share() -> RefusedFrame {
    RefusedFrame {
        reason: FrameRefusal::SessionNotFound,
        detail: "There is no such share, or its link has expired. Ask the room for a new link.".to_owned(),
    }
}

impl FrameRate {
    /// Counts a frame in if the last minute has room for it.
    fn take(&mut self, now: Moment, per_minute: usize) -> bool {
        while self
            .taken
            .front()
            .is_some_and(|&first| now.since(first) >= Span::minutes(1))
        {
            self.taken.pop_front();
        }
        let room = self.taken.len() < per_minute;
        if room {
            self.taken.push_back(now);
        }
        room
    }
}
