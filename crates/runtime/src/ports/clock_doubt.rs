//! What retention did, and whether it believes the clock.

use std::fmt;

use vocabulary::{Span, WallTime};

const HOUR_MS: i64 = 3_600_000;

/// What a sweep came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// How many rows went, for the log.
    pub rows: u64,
    /// Why less went than the settings say.
    pub doubt: Option<ClockDoubt>,
}

/// A clock that jumped, and is not believed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockDoubt {
    /// The time that is sure.
    pub sure: WallTime,
    /// By how much the clock is ahead of it; negative where it is behind.
    pub ahead_ms: i64,
    /// It is believed once it has gone right for so much longer.
    pub believed_in: Span,
}

impl fmt::Display for ClockDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hours = self.ahead_ms.saturating_abs() / HOUR_MS;
        let by = match hours {
            0..48 => format!("{hours} hours"),
            _ => format!("{} days", hours / 24),
        };
        let direction = if self.ahead_ms < 0 { "back" } else { "forward" };
        let believed = self.believed_in.0.div_ceil(HOUR_MS.unsigned_abs());
        write!(
            f,
            "the clock went {direction} by {by}, so nothing is deleted for its age by that clock. If it is right, run \
             `denizen doctor --trust-clock`, or wait: it is believed after {believed} more hours in which it goes right. \
             If it is wrong, set it"
        )
    }
}
