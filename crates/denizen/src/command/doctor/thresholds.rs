//! Thresholds of screens that somebody has chosen and that have no effect.

use providers::Finding;
use settings::{Settings, StreamWatchSettings, ThresholdMode};

use super::noted;

/// A threshold that somebody has chosen, and that counts for the first seconds of a share only.
pub fn without_effect(watch: &StreamWatchSettings) -> Option<Finding> {
    let usual = Settings::default().stream_watch;
    let chosen = watch.change_threshold != usual.change_threshold || watch.static_floor != usual.static_floor;
    (chosen && watch.threshold_mode == ThresholdMode::Relative).then(|| {
        noted(
            "changes on screens",
            "voice.streamWatch.changeThreshold and staticFloor hold for the first seconds of a share, then what is usual on that screen"
                .to_owned(),
            "to go by them alone: denizen settings set voice.streamWatch.thresholdMode absolute",
        )
    })
}
