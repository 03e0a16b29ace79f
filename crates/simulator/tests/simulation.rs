//! Hours of rooms, with every fault there is, over several seeds: nothing that must hold may break.

use simulator::{Options, Outcome, simulate, simulate_long_session};

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
    for fault in [
        "summary_slow",
        "summary_no_summary",
        "summary_over_long",
        "summary_inventing",
        "summary_failed",
        "summary_never",
        "summary_late",
        "summary_twice",
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
        "tool_completed",
        "tool_refused",
        "settings_changed",
        "ask_cancelled",
        "text_message_deleted",
        "ask_answer_discarded",
        "voice_context_compaction_completed",
        "voice_context_compaction_failed",
        "voice_context_summary_suspected",
        "voice_context_summary_recompacted",
        "voice_context_session_ended",
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
fn in_one_conversation_of_thousands_of_turns_nothing_is_lost() {
    let once = Options {
        twice: false,
        ..Options::default()
    };
    for (seed, options) in [
        (60, once),
        (
            61,
            Options {
                faults: false,
                ..once
            },
        ),
    ] {
        let outcome = simulate_long_session(seed, 2_400, options);
        assert!(outcome.violations.is_empty(), "{outcome}");
        let count = |event: &str| outcome.stats.events.get(event).copied().unwrap_or_default();
        // Ten turns a run: nearly all of them were folded, hours after any fixed list would have been full.
        let folded = count("voice_context_compaction_completed");
        assert!(folded >= 200, "{folded} runs:\n{outcome}");
        assert_eq!(count("voice_context_turns_dropped"), 0);
    }
}

#[test]
fn a_long_conversation_comes_out_the_same_again() {
    let outcome = simulate_long_session(62, 400, Options::default());
    assert!(outcome.violations.is_empty(), "{outcome}");
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
        "summaries ",
        "faults put in",
        "every standing property held",
    ] {
        assert!(report.contains(part), "{part:?} is missing in:\n{report}");
    }
}
