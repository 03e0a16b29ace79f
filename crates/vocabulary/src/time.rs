//! Two clocks: `Moment` only moves forward and is what decisions compare; `WallTime` is what people read.

use std::fmt;
use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

/// Milliseconds on a community's own time line, which never goes back and counts on across restarts.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Moment(pub u64);

/// A length of time in milliseconds.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Span(pub u64);

/// Milliseconds since 1970, as the machine's clock told them.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct WallTime(pub i64);

/// Both clocks, sampled once for a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Now {
    pub moment: Moment,
    pub wall: WallTime,
}

impl Moment {
    /// How long ago `earlier` was; zero if it lies ahead.
    pub fn since(self, earlier: Moment) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    pub const ZERO: Span = Span(0);

    pub const fn seconds(seconds: u64) -> Span {
        Span(seconds * 1_000)
    }

    pub const fn minutes(minutes: u64) -> Span {
        Span(minutes * 60_000)
    }

    pub const fn hours(hours: u64) -> Span {
        Span(hours * 3_600_000)
    }

    /// A length given in seconds with a fraction, as settings give it.
    pub fn from_seconds(seconds: f64) -> Span {
        Span((seconds.max(0.0) * 1_000.0).round() as u64)
    }
}

impl Add<Span> for Moment {
    type Output = Moment;

    fn add(self, span: Span) -> Moment {
        Moment(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Moment {
    type Output = Moment;

    fn sub(self, span: Span) -> Moment {
        Moment(self.0.saturating_sub(span.0))
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}ms", self.0)
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.0)
    }
}

impl fmt::Debug for WallTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wall {}ms", self.0)
    }
}
