//! Time that passes while nobody looks counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use vocabulary::{Moment, Now, Span, WallTime};

use super::{Clock, MachineTime, TimeSource};

#[derive(Debug, Default)]
struct ByHand(AtomicU64);

impl TimeSource for ByHand {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }

    fn wall(&self) -> WallTime {
        WallTime(1_000_000 + i64::try_from(self.0.load(Ordering::SeqCst)).expect("small"))
    }
}

#[test]
fn sleep_of_the_machine_moves_the_moment_on() {
    let time = Arc::new(ByHand::default());
    let (clock, away) = Clock::resume(time.clone(), Now::default());
    assert_eq!((clock.now().moment, away), (Moment(0), Span::ZERO));
    let wanted = Moment(5_000);
    assert_eq!(clock.until(wanted), Duration::from_secs(5));
    time.0.store(8 * 3_600_000, Ordering::SeqCst);
    assert_eq!(clock.now().moment, Moment(8 * 3_600_000));
    assert_eq!(clock.until(wanted), Duration::ZERO);
}

#[test]
fn time_between_two_processes_counts_and_a_wall_clock_that_went_back_does_not() {
    let time = Arc::new(ByHand::default());
    let last = |wall| Now {
        moment: Moment(70),
        wall: WallTime(wall),
    };
    let (clock, away) = Clock::resume(time.clone(), last(1_000_000 - 400));
    assert_eq!((clock.now().moment, away), (Moment(470), Span(400)));
    let (clock, away) = Clock::resume(time, last(1_000_000 + 400));
    assert_eq!((clock.now().moment, away), (Moment(71), Span::ZERO));
}

#[test]
fn the_clock_of_the_machine_does_not_go_back() {
    let time = MachineTime::default();
    let first = time.elapsed();
    assert!(time.elapsed() >= first);
}
