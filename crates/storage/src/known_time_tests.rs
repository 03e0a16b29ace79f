//! Which clock is believed, and when.

use vocabulary::{Span, WallTime};

use super::KnownTime;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
const NOON: i64 = 20_000 * DAY;

fn known(at: i64) -> KnownTime {
    KnownTime::first(WallTime(at))
}

/// Looks once an hour for so long, with a clock that says `ahead` more than it should.
fn run(mut known: KnownTime, from: i64, hours: i64, ahead: i64) -> KnownTime {
    for hour in 1..=hours {
        let wall = WallTime(from + hour * HOUR + ahead);
        known = known.looked_at(wall, Span::hours(1));
    }
    known
}

#[test]
fn a_clock_that_goes_right_is_believed() {
    let later = run(known(NOON), NOON, 500, 0);
    assert_eq!((later.surely().0, later.doubt()), (NOON + 500 * HOUR, None));
}

#[test]
fn a_machine_that_was_off_for_a_weekend_needs_nobody() {
    let monday = NOON + 2 * DAY - HOUR;
    let started = known(NOON).looked_at(WallTime(monday), Span::ZERO);
    assert_eq!((started.surely().0, started.doubt()), (monday, None));
}

#[test]
fn a_start_with_a_wrong_clock_ages_nothing() {
    let started = known(NOON).looked_at(WallTime(NOON + 60 * DAY), Span::ZERO);
    assert_eq!(started.surely().0, NOON);
    assert_eq!(started.doubt().map(|doubt| doubt.ahead_ms), Some(60 * DAY));
    let corrected = started.looked_at(WallTime(NOON + HOUR), Span::hours(1));
    assert_eq!((corrected.surely().0, corrected.doubt()), (NOON + HOUR, None));
}

#[test]
fn a_machine_that_was_off_for_long_is_believed_after_a_day_in_which_it_went_right() {
    let back = NOON + 60 * DAY;
    let started = known(NOON).looked_at(WallTime(back), Span::ZERO);
    let evening = run(started, back, 23, 0);
    assert!(evening.doubt().is_some());
    assert_eq!(
        evening.surely().0,
        NOON + 23 * HOUR,
        "time goes on by what it ran"
    );
    let next_day = run(evening, back + 23 * HOUR, 1, 0);
    assert_eq!((next_day.surely().0, next_day.doubt()), (back + DAY, None));
}

#[test]
fn the_day_may_be_made_of_several_runs() {
    let mut wall = NOON + 60 * DAY;
    let mut known = known(NOON).looked_at(WallTime(wall), Span::ZERO);
    for _ in 0..3 {
        assert!(known.doubt().is_some());
        known = run(known, wall, 8, 0);
        // Off for the night.
        wall += DAY;
        known = known.looked_at(WallTime(wall), Span::ZERO);
    }
    assert_eq!((known.surely().0, known.doubt()), (wall, None));
}

#[test]
fn a_clock_that_jumps_again_begins_its_day_anew() {
    let wrong = known(NOON).looked_at(WallTime(NOON + 60 * DAY), Span::ZERO);
    let held = run(wrong, NOON, 20, 60 * DAY);
    let again = held.looked_at(WallTime(NOON + 900 * DAY), Span::hours(1));
    let told = again.doubt().map(|doubt| doubt.believed_in);
    assert_eq!(told, Some(Span::hours(24)));
}

#[test]
fn a_clock_that_was_set_back_makes_nothing_old_either() {
    let back = known(NOON).looked_at(WallTime(5 * DAY), Span::ZERO);
    assert_eq!(back.surely().0, 5 * DAY, "old is what is old by both clocks");
    assert!(back.doubt().is_some());
    let righted = back.looked_at(WallTime(NOON + HOUR), Span::hours(1));
    assert_eq!((righted.surely().0, righted.doubt()), (NOON + HOUR, None));
}
