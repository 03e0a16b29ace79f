//! The settings that a stream goes by, read at the moment they are needed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use settings::Settings;

/// Settings are read again after this; every frame of every stream asks for them.
const READ_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// Tells the settings in force, give or take a moment.
#[derive(Clone)]
pub(super) struct SettingsNow {
    read: Arc<dyn Fn() -> Arc<Settings> + Send + Sync>,
    last: Arc<Mutex<Option<(Instant, Knobs)>>>,
}

/// What a stream goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knobs {
    /// Between two frames that are given.
    pub(super) frame_interval: Duration,
    /// Between two key frames that are asked for, where only those can be decoded.
    pub(super) key_frame_interval: Duration,
    pub(super) quality: u8,
    pub(super) pixels: usize,
    pub(super) max_bytes: usize,
}

impl SettingsNow {
    pub(super) fn new(settings: impl Fn() -> Arc<Settings> + Send + Sync + 'static) -> Self {
        Self {
            read: Arc::new(settings),
            last: Arc::default(),
        }
    }

    pub(super) fn knobs(&self) -> Knobs {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        match *last {
            Some((read, knobs)) if now.duration_since(read) < READ_AGAIN_AFTER => knobs,
            _ => last.insert((now, Knobs::of(&(self.read)()))).1,
        }
    }
}

impl Knobs {
    fn of(settings: &Settings) -> Self {
        let watch = &settings.stream_watch;
        let by_second =
            Duration::from_secs(1) / watch.native_discord_max_frames_per_second.clamp(1, 60) as u32;
        let by_minute = Duration::from_secs(60) / watch.max_frames_per_minute.clamp(1, 3600) as u32;
        Self {
            // More would be refused at the door; a little less, so that none is by a hair.
            frame_interval: by_second.max(by_minute + by_minute / 50),
            key_frame_interval: Duration::from_millis(watch.keyframe_interval_ms),
            quality: watch.native_discord_preferred_quality.min(100) as u8,
            pixels: watch.native_discord_preferred_pixel_count as usize,
            max_bytes: watch.max_frame_bytes as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_are_those_of_the_settings() {
        let settings = Arc::new(Settings::default());
        let now = SettingsNow::new(move || settings.clone());
        let expected = Knobs {
            frame_interval: Duration::from_millis(500),
            key_frame_interval: Duration::from_millis(1200),
            quality: 100,
            pixels: 230_400,
            max_bytes: 350_000,
        };
        assert_eq!((now.knobs(), now.knobs()), (expected, expected));
    }

    #[test]
    fn no_more_frames_are_given_than_are_taken_in_a_minute() {
        let mut settings = Settings::default();
        settings.stream_watch.native_discord_max_frames_per_second = 10;
        settings.stream_watch.max_frames_per_minute = 60;
        assert_eq!(Knobs::of(&settings).frame_interval, Duration::from_millis(1020));
    }
}
