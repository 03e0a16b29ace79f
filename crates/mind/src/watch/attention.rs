//! What the note-taker keeps of a screen between two notes: how busy it is, and what has happened that no note tells of.

use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use vocabulary::{ChangeScore, Moment, ScreenRegion};

use super::activity::{Activity, Baseline, Thresholds};
use super::note::NoteTrigger;

/// One screen as far as it matters for when it is looked at; starts anew with each watch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attention {
    baseline: Baseline,
    /// How busy the newest frame is; none before the first.
    activity: Option<Activity>,
    /// Why a note is to be taken at once.
    urgent: Option<NoteTrigger>,
    /// The greatest change since a note was last attempted, and where it was.
    moved: f64,
    moved_where: Option<ScreenRegion>,
    /// Attempts since anything at all has changed.
    still_attempts: u64,
}

impl Attention {
    /// Takes a frame in. The strongest reason to look is kept until a note was attempted, so that no change is lost to
    /// a cooldown.
    pub fn see(&mut self, at: Moment, change: &ChangeScore, settings: &StreamWatchSettings) -> Activity {
        let activity = self.baseline.judge(at, change, settings);
        let trigger = match activity {
            _ if self.activity.is_none() => Some(NoteTrigger::FirstFrame),
            _ if change.scene_cut => Some(NoteTrigger::SceneCut),
            Activity::Significant => Some(NoteTrigger::Change),
            Activity::Moving | Activity::Static => None,
        };
        self.hold(trigger);
        if change.score > self.moved {
            self.moved = change.score;
            self.moved_where = change.region;
        }
        self.activity = Some(activity);
        activity
    }

    /// A note is attempted: what has happened so far is what it is for.
    pub fn attempted(&mut self) {
        self.still_attempts = if self.moved == 0.0 {
            self.still_attempts + 1
        } else {
            0
        };
        self.urgent = None;
        self.moved = 0.0;
        self.moved_where = None;
    }

    /// It came to nothing, so that what it was for is still not noted.
    pub fn attempt_failed(&mut self, trigger: NoteTrigger) {
        self.still_attempts = 0;
        let urgent = matches!(
            trigger,
            NoteTrigger::FirstFrame | NoteTrigger::SceneCut | NoteTrigger::Change
        );
        self.hold(urgent.then_some(trigger));
    }

    fn hold(&mut self, trigger: Option<NoteTrigger>) {
        self.urgent = self.urgent.into_iter().chain(trigger).min();
    }

    pub fn activity(&self) -> Option<Activity> {
        self.activity
    }

    pub fn urgent(&self) -> Option<NoteTrigger> {
        self.urgent
    }

    /// Not a single area has changed since the last note, and that note said so already.
    pub fn is_frozen(&self) -> bool {
        self.moved == 0.0 && self.still_attempts > 0
    }

    /// The greatest change since a note was last attempted, and where it was.
    pub fn moved(&self) -> (f64, Option<ScreenRegion>) {
        (self.moved, self.moved_where)
    }

    /// The lines that hold now.
    pub fn thresholds(&self, settings: &StreamWatchSettings) -> Thresholds {
        self.baseline.thresholds(settings)
    }
}
