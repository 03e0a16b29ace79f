//! The two clocks. A community's moments go on where they stopped, however long the process was away or the machine slept.

use std::fmt::Debug;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use vocabulary::{Moment, Now, Span, WallTime};

/// Where time comes from: the machine, or a test.
pub trait TimeSource: Debug + Send + Sync {
    /// How long it has been since some fixed point. It never goes back, and time in which the machine slept counts.
    fn elapsed(&self) -> Duration;
    /// What a clock on the wall says.
    fn wall(&self) -> WallTime;
    /// How often it has to be looked at, however far off the next wake is: timers stand still while the machine sleeps.
    fn looked_at_every(&self) -> Duration {
        Duration::from_secs(30)
    }
}

/// The machine's own clocks.
#[derive(Debug)]
pub struct MachineTime {
    started: Instant,
    #[cfg_attr(
        target_os = "linux",
        allow(dead_code, reason = "Linux has a clock that counts sleep")
    )]
    started_wall: WallTime,
}

impl Default for MachineTime {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            started_wall: wall(),
        }
    }
}

impl TimeSource for MachineTime {
    #[cfg(target_os = "linux")]
    fn elapsed(&self) -> Duration {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::Boottime);
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
        // A kernel without that clock answers zero, and the clock that stops in sleep is the nearest there is.
        let elapsed = match Duration::new(seconds, nanoseconds) {
            Duration::ZERO => self.started.elapsed(),
            since_boot => since_boot,
        };
        elapsed + ahead()
    }

    /// Elsewhere: what the wall clock ran ahead by a good deal was sleep, or somebody set it, which is as good a guess.
    #[cfg(not(target_os = "linux"))]
    fn elapsed(&self) -> Duration {
        const JUMP: Duration = Duration::from_secs(60);
        let running = self.started.elapsed();
        let by_wall =
            u64::try_from(wall().0 - self.started_wall.0).map_or(Duration::ZERO, Duration::from_millis);
        if by_wall > running + JUMP {
            by_wall
        } else {
            running
        }
    }

    fn wall(&self) -> WallTime {
        wall()
    }
}

/// Tells the time of one community.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    source: Arc<dyn TimeSource>,
    base: Moment,
    started: Duration,
}

impl Clock {
    /// Goes on after `last`; the time that passed meanwhile counts, unless the machine's clock went back.
    pub fn resume(source: Arc<dyn TimeSource>, last: Now) -> (Self, Span) {
        let away = Span(u64::try_from(source.wall().0 - last.wall.0).unwrap_or(0));
        let first_time = last == Now::default();
        let base = if first_time {
            Moment::default()
        } else {
            last.moment + away.max(Span(1))
        };
        let started = source.elapsed();
        let clock = Self {
            source,
            base,
            started,
        };
        (clock, if first_time { Span::ZERO } else { away })
    }

    pub fn now(&self) -> Now {
        let elapsed = self.source.elapsed().saturating_sub(self.started);
        Now {
            moment: self.base + Span(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)),
            wall: self.source.wall(),
        }
    }

    /// How long it is until a moment comes.
    pub fn until(&self, moment: Moment) -> Duration {
        Duration::from_millis(moment.since(self.now().moment).0)
    }

    /// How long may be slept until a wake, or until the clock has to be looked at again.
    pub fn sleep(&self, wake: Option<Moment>) -> Duration {
        let longest = self.source.looked_at_every();
        wake.map_or(longest, |wake| self.until(wake).min(longest))
    }
}

static AHEAD: OnceLock<fn() -> Duration> = OnceLock::new();

/// For simulations, in which hours pass in seconds: the clocks of this process are ahead by what this says.
pub fn run_ahead(by: fn() -> Duration) {
    // A process has one simulation.
    let _ = AHEAD.set(by);
}

fn ahead() -> Duration {
    AHEAD.get().map_or(Duration::ZERO, |by| by())
}

/// What the machine's clock says.
pub fn wall() -> WallTime {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + ahead();
    WallTime(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;
