//! The two clocks. A community's moments go on where they stopped, however long the process was away.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use vocabulary::{Moment, Now, Span, WallTime};

/// Tells the time of one community.
#[derive(Clone, Debug)]
pub struct Clock {
    base: Moment,
    started: Instant,
}

impl Clock {
    /// Goes on after `last`; the time that passed meanwhile counts, unless the machine's clock went back.
    pub fn resume(last: Now) -> (Self, Span) {
        let away = Span(u64::try_from(wall().0 - last.wall.0).unwrap_or(0));
        let first_time = last == Now::default();
        let base = if first_time {
            Moment::default()
        } else {
            last.moment + away.max(Span(1))
        };
        (
            Self {
                base,
                started: Instant::now(),
            },
            if first_time { Span::ZERO } else { away },
        )
    }

    pub fn now(&self) -> Now {
        let elapsed = Span(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX));
        Now {
            moment: self.base + elapsed,
            wall: wall(),
        }
    }

    /// The instant at which a moment comes.
    pub fn instant_of(&self, moment: Moment) -> Instant {
        self.started + std::time::Duration::from_millis(moment.since(self.base).0)
    }
}

/// What the machine's clock says.
pub fn wall() -> WallTime {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    WallTime(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
