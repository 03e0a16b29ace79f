//! Scores against what is usual on this very screen.
//!
//! Four things make a frame significant: a cut; a jump of the score, once it has settled; motion that has come to rest;
//! and background that has stopped. Looking while something still changes would show neither the old nor the new.

use serde::{Deserialize, Serialize};
use vocabulary::{ChangeScore, Moment, Span};

use super::jumps::Jumps;
use super::motion::{Motion, Stillness};
use super::usual::{Recent, Usual};
use super::{Activity, Judged, Thresholds, judge_absolute};

/// A score this many deviations above the usual is no chance.
const DEVIATIONS: f64 = 4.0;
/// Whatever is usual, less than this is no change: about two lines of small text.
const CHANGE_MIN: f64 = 0.002;
/// Whatever is usual, less than this is no motion: a cursor that blinks, a clock that ticks.
const STILL: f64 = 0.001;
/// Motion whose deviation is a smaller share of its level is background, like drifting particles. What varies more, like a
/// fight, is somebody's doing.
const STEADY: f64 = 0.15;
/// A jump rises this much higher above the usual than any score just before it: going on is no jump.
const RISE: f64 = 1.5;
const JUST_BEFORE: Span = Span(1_600);
/// A jump has settled when a frame has less than this share of it, or after so long.
const SETTLED_SHARE: f64 = 0.5;
const SETTLING_MAX: Span = Span::seconds(2);
/// Frames that are further apart cannot be waited for.
const FLOWING: Span = Span::seconds(1);
/// Background has stopped when it has been below this share of its level for so long.
const STOPPED_SHARE: f64 = 0.25;
const STOPPED_AFTER: Span = Span::seconds(3);

/// What is known of a screen; bounded, and small.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Relative {
    last_frame: Option<Moment>,
    recent: Recent,
    jumps: Jumps,
    motion: Option<Motion>,
    settling: Option<Settling>,
    /// Motion that was usual; none once it was told that it has stopped.
    background: Option<Background>,
    /// Whether something moved, as of the last frame that was judged for good.
    moving: bool,
}

/// A jump that may not be over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Settling {
    since: Moment,
    score: f64,
}

/// Motion that was usual when it was last seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Background {
    last: Moment,
    level: f64,
}

impl Relative {
    pub fn judge(&mut self, at: Moment, change: &ChangeScore, absolute: Thresholds) -> Judged {
        let judged = match self.recent.usual() {
            None => judge_absolute(change, absolute),
            Some(usual) => Judged::by_itself(self.judge_against(&usual, at, change, absolute)),
        };
        self.recent.add(at, change.score);
        self.last_frame = Some(at);
        judged
    }

    /// The lines that hold now; the absolute ones until something is usual.
    pub fn lines(&self, absolute: Thresholds) -> Thresholds {
        let Some(usual) = self.recent.usual() else {
            return absolute;
        };
        self.lines_against(&usual, absolute)
    }

    fn lines_against(&self, usual: &Usual, absolute: Thresholds) -> Thresholds {
        let change = usual.change_line();
        Thresholds {
            change: self.jumps.line().map_or(change, |line| line.max(change)),
            static_floor: usual.static_line(absolute.static_floor).min(change),
        }
    }

    fn judge_against(
        &mut self,
        usual: &Usual,
        at: Moment,
        change: &ChangeScore,
        absolute: Thresholds,
    ) -> Activity {
        let &ChangeScore { score, region, .. } = change;
        self.jumps.forget_before(at);
        let lines = self.lines_against(usual, absolute);
        let is_often = self.jumps.are_often_like(score, region);
        let jumps = score >= usual.change_line() && self.rises(usual, at, score) && !change.scene_cut;
        let moves = score >= lines.static_floor && !is_often;
        let news = jumps && !is_often && score >= lines.change;
        if jumps {
            self.jumps.add(at, score, region);
        }
        let settled = self.has_settled(at, score, news);
        // What happens all the time says nothing about other motion.
        let rested = !is_often && self.has_come_to_rest(usual, at, score, moves);
        let stopped = self.has_stopped(usual, at, score);
        if change.scene_cut || settled || rested || stopped {
            self.settling = None;
            if let Some(motion) = &mut self.motion {
                motion.told();
            }
            return Activity::Significant;
        }
        // While a jump settles, the screen is what it was before: an early look would show half of it.
        if self.settling.is_none() {
            self.moving = moves || self.motion.as_ref().is_some_and(Motion::goes_on);
        }
        if self.moving {
            Activity::Moving
        } else {
            Activity::Static
        }
    }

    fn rises(&self, usual: &Usual, at: Moment, score: f64) -> bool {
        let before = self.recent.highest(at - JUST_BEFORE);
        score - usual.level >= RISE * (before - usual.level)
    }

    fn has_settled(&mut self, at: Moment, score: f64, news: bool) -> bool {
        let flows = self.last_frame.is_some_and(|last| at.since(last) <= FLOWING);
        if news && !flows {
            return true;
        }
        match self.settling {
            Some(jump) => score < SETTLED_SHARE * jump.score || at.since(jump.since) >= SETTLING_MAX,
            None => {
                self.settling = news.then_some(Settling { since: at, score });
                false
            }
        }
    }

    fn has_come_to_rest(&mut self, usual: &Usual, at: Moment, score: f64, moves: bool) -> bool {
        if moves {
            self.motion = Some(Motion::moved(self.motion.take(), at, score));
            return false;
        }
        match self.motion.as_mut().map(|motion| motion.still(at, score)) {
            Some(Stillness::Rest { untold }) => untold >= usual.change_line(),
            Some(Stillness::Usual) => {
                self.motion = None;
                false
            }
            Some(Stillness::Nothing) | None => false,
        }
    }

    fn has_stopped(&mut self, usual: &Usual, at: Moment, score: f64) -> bool {
        if usual.level >= CHANGE_MIN && score >= STOPPED_SHARE * usual.level {
            self.background = Some(Background {
                last: at,
                level: usual.level,
            });
        }
        let stopped = self.background.take_if(|background| {
            score < STOPPED_SHARE * background.level && at.since(background.last) >= STOPPED_AFTER
        });
        stopped.is_some()
    }
}

impl Usual {
    /// From here on it is a change.
    fn change_line(&self) -> f64 {
        self.highest_by_chance().max(CHANGE_MIN)
    }

    /// Below this it is background. Motion below the absolute floor is background whatever it does.
    fn static_line(&self, static_floor: f64) -> f64 {
        let is_background = self.level < static_floor || self.deviation <= STEADY * self.level;
        let line = if is_background {
            self.highest_by_chance()
        } else {
            self.level / 2.0
        };
        line.max(STILL)
    }

    fn highest_by_chance(&self) -> f64 {
        self.level + DEVIATIONS * self.deviation
    }
}
