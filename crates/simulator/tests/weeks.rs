//! Weeks with thoughts of its own, in seconds: every kind of model, every setting, crashes, days without power, sleep.

use simulator::{Options, Outcome, simulate_weeks};

#[track_caller]
fn all_hold(seeds: std::ops::Range<u64>, weeks: u64, options: Options) -> Vec<Outcome> {
    let outcomes: Vec<Outcome> = seeds.map(|seed| simulate_weeks(seed, weeks, options)).collect();
    let broken: Vec<String> = outcomes
        .iter()
        .filter(|outcome| !outcome.violations.is_empty())
        .map(ToString::to_string)
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    outcomes
}

fn events(outcomes: &[Outcome], event: &str) -> u64 {
    let count = |outcome: &Outcome| outcome.stats.events.get(event).copied().unwrap_or_default();
    outcomes.iter().map(count).sum()
}

#[test]
fn every_property_holds_through_stormy_weeks() {
    let outcomes = all_hold(1..5, 1, Options::default());
    // Storms in which nothing strikes prove nothing.
    let struck = |fault: &str| {
        outcomes
            .iter()
            .any(|outcome| outcome.stats.faults.contains_key(fault))
    };
    for fault in [
        "thought_odd",
        "thought_failed",
        "thought_never",
        "thought_late",
        "thought_twice",
        "thought_slow",
        "thought_calls_for_ever",
        "thought_lies_about_usage",
        "feed_nothing",
        "feed_never",
        "feed_late",
        "feed_twice",
        "media_failed",
    ] {
        assert!(struck(fault), "no week has {fault}");
    }
    for event in [
        "initiative_post",
        "initiative_skip",
        "ambient_media_made",
        "ambient_media_failed",
        "ambient_source_added",
        "ambient_source_removed",
        "ambient_outcome_counted",
        "process_restarted",
        "settings_changed",
        "capabilities_changed",
    ] {
        assert!(events(&outcomes, event) > 0, "no week has {event}");
    }
    for gate in [
        "disabled",
        "daily_cap",
        "budget_calls",
        "attention_active",
        "thinking_already",
        "gap",
        "eagerness",
    ] {
        let stopped = |outcome: &Outcome| outcome.stats.ticks_by_gate.contains_key(gate);
        assert!(outcomes.iter().any(stopped), "no tick was stopped by {gate}");
    }
}

#[test]
fn every_property_holds_in_a_calm_week() {
    let calm = Options {
        faults: false,
        ..Options::default()
    };
    let outcomes = all_hold(20..21, 1, calm);
    let (posts, runs) = (
        events(&outcomes, "initiative_post"),
        events(&outcomes, "ambient_run_started"),
    );
    assert!(posts >= 20 && runs >= 100, "{posts} posts of {runs} thoughts");
    assert!(outcomes.iter().all(|outcome| outcome.stats.faults.is_empty()));
    let failed = |outcome: &Outcome| outcome.stats.thoughts_by_outcome.contains_key("failed");
    assert!(!outcomes.iter().any(failed), "a healthy model fails no thought");
}

#[test]
fn a_month_holds_too() {
    let once = Options {
        twice: false,
        ..Options::default()
    };
    all_hold(40..41, 4, once);
}
