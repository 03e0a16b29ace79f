//! Refusals are folded without one being lost.

use std::time::Duration;

use mind::watch::intake::RefusedFrame;
use tokio::time::Instant;
use vocabulary::FrameRefusal;

use super::{Refusals, Telling};

fn refused(reason: FrameRefusal, detail: &str) -> RefusedFrame {
    RefusedFrame {
        reason,
        detail: detail.to_owned(),
    }
}

fn folded(telling: Option<Telling>) -> Option<u64> {
    telling.map(|telling| telling.folded)
}

#[test]
fn the_first_is_told_at_once_and_the_next_after_ten_seconds_with_those_between() {
    let began = Instant::now();
    let at = |seconds: u64| began + Duration::from_secs(seconds);
    let mut refusals = Refusals::default();
    let slow = refused(FrameRefusal::FrameRateLimited, "too many");
    assert_eq!(folded(refusals.note(at(0), &slow)), Some(0));
    assert_eq!(folded(refusals.note(at(1), &slow)), None);
    assert_eq!(folded(refusals.note(at(9), &slow)), None);
    // Another reason is told by itself.
    let large = refused(FrameRefusal::FrameTooLarge, "too large");
    assert_eq!(folded(refusals.note(at(9), &large)), Some(0));
    assert_eq!(folded(refusals.note(at(10), &slow)), Some(2));
    assert_eq!(folded(refusals.note(at(19), &slow)), None);
    assert_eq!(folded(refusals.note(at(40), &slow)), Some(1));
}

#[test]
fn refusals_that_nothing_follows_are_told_when_it_is_time() {
    let began = Instant::now();
    let at = |seconds: u64| began + Duration::from_secs(seconds);
    let mut refusals = Refusals::default();
    for detail in ["one", "two", "three"] {
        refusals.note(at(0), &refused(FrameRefusal::FrameTooLarge, detail));
    }
    assert_eq!(refusals.due(at(9)), []);
    let told = Telling {
        refused: refused(FrameRefusal::FrameTooLarge, "three"),
        folded: 1,
    };
    assert_eq!(refusals.due(at(10)), [told]);
    assert_eq!(refusals.due(at(30)), []);
    assert_eq!(refusals.rest(at(30)), []);
}

#[test]
fn what_could_not_be_told_is_told_with_the_next_one() {
    let began = Instant::now();
    let mut refusals = Refusals::default();
    let slow = refused(FrameRefusal::FrameRateLimited, "too many");
    let telling = refusals.note(began, &slow).unwrap();
    refusals.not_told(&telling);
    refusals.note(began, &slow);
    let later = began + Duration::from_secs(10);
    assert_eq!(folded(refusals.note(later, &slow)), Some(2));
}
