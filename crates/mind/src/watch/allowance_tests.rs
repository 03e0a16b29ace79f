//! Calls an hour: never more than allowed, never long without one.

use settings::{Settings, StreamWatchSettings};
use vocabulary::{Moment, Span};

use super::{Allowance, CallKind, NEVER};

fn allowing(calls: u64) -> StreamWatchSettings {
    StreamWatchSettings {
        max_calls_per_hour: calls,
        ..Settings::default().stream_watch
    }
}

/// Calls of somebody who asks every second for three hours.
fn greedy(kind: CallKind, settings: &StreamWatchSettings) -> Vec<Moment> {
    let mut allowance = Allowance::default();
    let seconds = (0..3 * 3_600).map(|second| Moment(second * 1_000));
    seconds
        .filter(|now| {
            let may = allowance.next(kind, settings) <= *now;
            if may {
                allowance.spend(*now, kind, settings);
            }
            may
        })
        .collect()
}

#[test]
fn no_hour_has_more_calls_than_allowed() {
    for allowed in [1, 2, 3, 10, 60, 900, 3_600] {
        let settings = allowing(allowed);
        let mut calls = greedy(CallKind::Note, &settings);
        calls.extend(greedy(CallKind::Comment, &settings));
        calls.sort_unstable();
        for (place, first) in calls.iter().enumerate() {
            let within = calls[place..]
                .iter()
                .take_while(|at| at.since(*first) < Span::hours(1));
            let within = within.count() as u64;
            assert!(within <= allowed, "{within} calls in an hour, {allowed} allowed");
        }
        assert!(!calls.is_empty(), "{allowed}");
    }
}

#[test]
fn a_screen_that_never_rests_is_looked_at_all_the_time() {
    let calls = greedy(CallKind::Note, &allowing(900));
    let longest = calls.windows(2).map(|pair| pair[1].since(pair[0])).max();
    assert!(longest <= Some(Span::seconds(9)), "{longest:?}");
    assert!(calls.len() > 1_300, "{} calls in three hours", calls.len());
}

#[test]
fn none_allowed_is_none() {
    assert_eq!(Allowance::default().next(CallKind::Note, &allowing(0)), NEVER);
    assert!(greedy(CallKind::Comment, &allowing(0)).is_empty());
}
