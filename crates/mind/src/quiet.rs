//! A quiet that somebody wants in a room: until when it holds.

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, Now, QuietWish, Span, WallTime};

use crate::effect::{Wake, WakeReason};
use crate::prompt::date_and_time;

/// Nobody means longer, who does not mean for good.
const LASTS_MAX: Span = Span::hours(24 * 30);

/// A quiet that holds; without an end it holds until somebody ends it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Quiet {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ends: Option<(Moment, WallTime)>,
}

impl Quiet {
    /// What somebody wants from now on; none: nothing quiet.
    pub fn wanted(wish: QuietWish, now: Now) -> Option<Self> {
        let lasts = match wish {
            QuietWish::Over => return None,
            QuietWish::ForGood => return Some(Self { ends: None }),
            QuietWish::For(lasts) => lasts.min(LASTS_MAX),
        };
        let millis = i64::try_from(lasts.0).unwrap_or(i64::MAX);
        let until = WallTime(now.wall.0.saturating_add(millis));
        let ends = Some((now.moment + lasts, until));
        Some(Self { ends })
    }

    pub fn holds(&self, now: Moment) -> bool {
        self.ends.is_none_or(|(ends, _)| now < ends)
    }

    /// Until when, by everybody's clock; none: for good.
    pub fn until(&self) -> Option<WallTime> {
        self.ends.map(|(_, until)| until)
    }

    pub fn next_wake(&self) -> Option<Wake> {
        let reason = WakeReason::QuietEnds;
        self.ends.map(|(at, _)| Wake { at, reason })
    }

    /// In words, behind "quiet ".
    pub fn words(&self) -> String {
        match self.until() {
            Some(until) => format!("until {} UTC", date_and_time(until)),
            None => "until somebody ends it".to_owned(),
        }
    }
}
