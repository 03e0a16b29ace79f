//! The settings that a stream goes by, read at the moment they are needed.

use std::sync::Arc;
use std::time::Duration;

use settings::Settings;

/// Tells the settings in force.
#[derive(Clone)]
pub(super) struct SettingsNow(Arc<dyn Fn() -> Arc<Settings> + Send + Sync>);

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
        Self(Arc::new(settings))
    }

    pub(super) fn knobs(&self) -> Knobs {
        let settings = (self.0)();
        let watch = &settings.stream_watch;
        Knobs {
            frame_interval: Duration::from_secs(1)
                / watch.native_discord_max_frames_per_second.clamp(1, 60) as u32,
            key_frame_interval: Duration::from_millis(watch.keyframe_interval_ms),
            quality: watch.native_discord_preferred_quality.min(100) as u8,
            pixels: watch.native_discord_preferred_pixel_count as usize,
            max_bytes: watch.max_frame_bytes as usize,
        }
    }
}
