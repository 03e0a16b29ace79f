//! What the note-taker keeps of a screen between two notes: how busy it is, and what has happened that no note tells of.

use serde::{Deserialize, Serialize};
use settings::StreamWatchSettings;
use vocabulary::{ChangeScore, Moment, ScreenRegion};

use super::activity::{Activity, Baseline, Judged, Thresholds};
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
    /// The same as of the last attempt, should that come to nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attempted_for: Option<(f64, Option<ScreenRegion>)>,
    /// Attempts since anything at all has changed.
    still_attempts: u64,
}

impl Attention {
    /// Takes a frame in. The strongest reason to look is kept until a note was attempted, so that no change is lost to
    /// a cooldown. What the smoothed score holds of a change is no reason to look at it once more.
    pub fn see(&mut self, at: Moment, change: &ChangeScore, settings: &StreamWatchSettings) -> Judged {
        let judged = self.baseline.judge(at, change, settings);
        let trigger = match judged.news {
            _ if self.activity.is_none() => Some(NoteTrigger::FirstFrame),
            _ if change.scene_cut => Some(NoteTrigger::SceneCut),
            news => news.then_some(NoteTrigger::Change),
        };
        self.hold(trigger);
        self.moved_by(change.score, change.region);
        self.activity = Some(judged.activity);
        judged
    }

    fn moved_by(&mut self, score: f64, region: Option<ScreenRegion>) {
        if score > self.moved {
            (self.moved, self.moved_where) = (score, region);
        }
    }

    /// A note is attempted: what has happened so far is what it is for.
    pub fn attempted(&mut self) {
        self.still_attempts = if self.moved == 0.0 {
            self.still_attempts + 1
        } else {
            0
        };
        self.attempted_for = Some(self.moved());
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
        if let Some((score, region)) = self.attempted_for.take() {
            self.moved_by(score, region);
        }
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
