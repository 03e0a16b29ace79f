//! When a sender is asked for a key frame: whenever one is needed, but not all the time; and at a steady rate where
//! nothing but key frames can be decoded.

use std::time::{Duration, Instant};

/// A key frame that was asked for is given this long to come.
pub(super) const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct KeyFrames {
    asked: Option<Instant>,
}

impl KeyFrames {
    /// Whether to ask now; if so, it counts as asked. `steadily` is the rate at which they are asked for in any case.
    pub(super) fn ask(&mut self, now: Instant, needed: bool, steadily: Option<Duration>) -> bool {
        let interval = match (needed, steadily) {
            (true, Some(steadily)) => ASK_AGAIN_AFTER.min(steadily),
            (true, None) => ASK_AGAIN_AFTER,
            (false, Some(steadily)) => steadily,
            (false, None) => return false,
        };
        let due = self
            .asked
            .is_none_or(|asked| now.duration_since(asked) >= interval);
        if due {
            self.asked = Some(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEADILY: Duration = Duration::from_millis(1200);

    #[test]
    fn a_key_frame_that_is_needed_is_asked_for_at_once_and_then_now_and_again() {
        let start = Instant::now();
        let mut key_frames = KeyFrames::default();
        assert!(!key_frames.ask(start, false, None));
        assert!(key_frames.ask(start, true, None));
        assert!(!key_frames.ask(start + ASK_AGAIN_AFTER / 2, true, None));
        assert!(key_frames.ask(start + ASK_AGAIN_AFTER, true, None));
        assert!(!key_frames.ask(start + ASK_AGAIN_AFTER * 9, false, None));
    }

    #[test]
    fn where_only_key_frames_are_decoded_they_are_asked_for_steadily() {
        let start = Instant::now();
        let mut key_frames = KeyFrames::default();
        assert!(key_frames.ask(start, false, Some(STEADILY)));
        assert!(!key_frames.ask(start + Duration::from_millis(1199), false, Some(STEADILY)));
        assert!(key_frames.ask(start + STEADILY, false, Some(STEADILY)));
    }
}
