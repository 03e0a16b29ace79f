//! What a change score means on this screen: something happened, something moves, or nothing does.

use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use vocabulary::{ChangeScore, Moment};

/// How busy a screen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Nothing moves, or only what always does.
    Static,
    /// Something moves.
    Moving,
    /// Something happened.
    Significant,
}

/// The lines a score is held against, as a page draws them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thresholds {
    /// From here on something happened.
    pub change: f64,
    /// Below this the screen is static.
    pub static_floor: f64,
}

/// What is usual on one screen; follows its scores, and starts anew with each watch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Baseline {}

impl Baseline {
    /// Judges a score, then learns from it.
    pub fn judge(&mut self, at: Moment, change: &ChangeScore, settings: &StreamWatchSettings) -> Activity {
        let _ = at;
        let Thresholds {
            change: threshold,
            static_floor,
        } = self.thresholds(settings);
        if change.scene_cut || change.score >= threshold || change.ema >= threshold {
            Activity::Significant
        } else if change.score < static_floor && change.ema < static_floor {
            Activity::Static
        } else {
            Activity::Moving
        }
    }

    /// The lines that hold now.
    pub fn thresholds(&self, settings: &StreamWatchSettings) -> Thresholds {
        Thresholds {
            change: settings.change_threshold,
            static_floor: settings.static_floor,
        }
    }
}
