//! What a change score means on this screen: something happened, something moves, or nothing does.

mod jumps;
mod motion;
mod relative;
mod usual;

use relative::Relative;
use serde::{Deserialize, Serialize};
use settings::{StreamWatchSettings, ThresholdMode};
use vocabulary::{ChangeScore, Moment};

/// How busy a screen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Nothing moves, or only what always does.
    Static,
    /// Something moves.
    Moving,
    /// Something happened.
    Significant,
}

/// What a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// How busy the screen is.
    pub activity: Activity,
    /// Whether this very frame makes it significant, and not only what the smoothed score still holds of one before it.
    pub news: bool,
}

impl Judged {
    /// Nothing but this frame says so.
    fn by_itself(activity: Activity) -> Self {
        Self {
            activity,
            news: activity == Activity::Significant,
        }
    }
}

/// The lines a score is held against, as a page draws them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
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
pub struct Baseline {
    #[serde(default)]
    relative: Relative,
}

impl Baseline {
    /// Judges a score, then learns from it.
    pub fn judge(&mut self, at: Moment, change: &ChangeScore, settings: &StreamWatchSettings) -> Judged {
        let change = sound(change);
        if is_relative(settings) {
            return self.relative.judge(at, &change, absolute(settings));
        }
        self.relative = Relative::default();
        judge_absolute(&change, absolute(settings))
    }

    /// The lines that hold now.
    pub fn thresholds(&self, settings: &StreamWatchSettings) -> Thresholds {
        let absolute = absolute(settings);
        if is_relative(settings) {
            self.relative.lines(absolute)
        } else {
            absolute
        }
    }
}

fn judge_absolute(change: &ChangeScore, lines: Thresholds) -> Judged {
    let news = change.scene_cut || change.score >= lines.change;
    let activity = if news || change.ema >= lines.change {
        Activity::Significant
    } else if change.score < lines.static_floor && change.ema < lines.static_floor {
        Activity::Static
    } else {
        Activity::Moving
    };
    Judged { activity, news }
}

fn is_relative(settings: &StreamWatchSettings) -> bool {
    settings.threshold_mode == ThresholdMode::Relative
}

fn absolute(settings: &StreamWatchSettings) -> Thresholds {
    Thresholds {
        change: settings.change_threshold,
        static_floor: settings.static_floor,
    }
}

/// A score as it must be: what is no number is nothing, and nothing is more than everything.
fn sound(change: &ChangeScore) -> ChangeScore {
    let within = |value: f64| {
        if value.is_nan() {
            0.0
        } else {
            value.clamp(0.0, 1.0)
        }
    };
    ChangeScore {
        score: within(change.score),
        ema: within(change.ema),
        ..*change
    }
}
