//! Hours of rooms, with every fault there is, over several seeds: nothing that must hold may break.

use simulator::{Options, Outcome, simulate};

#[track_caller]
fn all_hold(seeds: std::ops::Range<u64>, hours: u64, options: Options) -> Vec<Outcome> {
    let outcomes: Vec<Outcome> = seeds.map(|seed| simulate(seed, hours, options)).collect();
    let broken: Vec<String> = outcomes
        .iter()
        .filter(|outcome| !outcome.violations.is_empty())
        .map(ToString::to_string)
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    outcomes
}

#[test]
fn every_property_holds_through_storms() {
    let outcomes = all_hold(1..7, 2, Options::default());
    // A storm in which nothing strikes proves nothing.
    let struck = |fault: &str| {
        outcomes
            .iter()
            .any(|outcome| outcome.stats.faults.contains_key(fault))
    };
    for fault in [
        "ask_failed",
        "ask_never_answered",
        "ask_answered_too_late",
        "ask_answered_twice",
        "answer_odd",
    ] {
        assert!(struck(fault), "no run has {fault}");
    }
    for fault in [
        "send_failed",
        "send_landed_but_reported_failed",
        "recall_late",
        "tool_not_offered",
    ] {
        assert!(struck(fault), "no run has {fault}");
    }
    let happened = |event: &str| {
        outcomes
            .iter()
            .any(|outcome| outcome.stats.events.contains_key(event))
    };
    for event in [
        "process_restarted",
        "settings_changed",
        "ask_cancelled",
        "text_message_deleted",
        "ask_answer_discarded",
    ] {
        assert!(happened(event), "no run has {event}");
    }
}

#[test]
fn every_property_holds_in_fair_weather() {
    let fair = Options {
        faults: false,
        ..Options::default()
    };
    let outcomes = all_hold(20..23, 2, fair);
    assert!(outcomes.iter().all(|outcome| outcome.stats.faults.is_empty()));
    let failed = |outcome: &Outcome| outcome.stats.turns_by_outcome.contains_key("failed");
    assert!(!outcomes.iter().any(failed), "a healthy model fails nobody");
}

#[test]
fn a_long_day_holds_too() {
    let once = Options {
        twice: false,
        ..Options::default()
    };
    all_hold(40..41, 24, once);
}

#[test]
fn an_outcome_reads_like_a_report() {
    let outcome = simulate(3, 1, Options::default());
    let report = outcome.to_string();
    for part in [
        "seed 3: 1 h",
        "messages read",
        "turns ",
        "skips ",
        "faults put in",
        "every standing property held",
    ] {
        assert!(report.contains(part), "{part:?} is missing in:\n{report}");
    }
}
