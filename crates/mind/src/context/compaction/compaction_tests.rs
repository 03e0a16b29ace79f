//! Runs from start to end: what moves, what failure leaves as it was, who writes when no model does, and the end.

use vocabulary::{AskAllowance, AskFailureKind, AskId, AskPurpose, Moment};

use super::Compaction;
use super::bench::{Bench, bench, folding};
use crate::effect::Effect;
use crate::journal::JournalEvent;

#[test]
fn a_good_summary_moves_the_cursor_and_takes_the_turns_out() {
    let mut bench = folding(61);
    bench.say(3);
    assert_eq!(bench.place(), (0, 0, 64), "the window stretches meanwhile");
    bench.now = Moment(3_000);
    bench.answer("Alice counted turns.");
    assert_eq!(bench.place(), (10, 10, 54));
    assert_eq!(bench.compaction.summary, "Alice counted turns.");
    let [
        JournalEvent::CompactionCompleted {
            old_cursor,
            cursor,
            covered_through_turn,
            summary_chars,
            latency_ms,
            summariser,
            ..
        },
    ] = bench.events()[..]
    else {
        panic!("{:?}", bench.names());
    };
    assert_eq!(
        (old_cursor.0, cursor.0, covered_through_turn.unwrap().0),
        (0, 10, 9)
    );
    assert_eq!(
        (*summary_chars, *latency_ms, summariser.as_str()),
        (20, 3_000, "openai small")
    );
}

#[test]
fn failure_changes_nothing_and_the_next_look_tries_again() {
    for kind in [
        AskFailureKind::TimedOut,
        AskFailureKind::RateLimited,
        AskFailureKind::Refused,
        AskFailureKind::Malformed,
        AskFailureKind::Rejected,
    ] {
        let mut bench = folding(61);
        bench.fail(kind);
        assert_eq!(bench.names(), ["voice_context_compaction_failed"]);
        assert_eq!(
            (bench.place(), bench.compaction.summary.as_str()),
            ((0, 0, 61), "")
        );
        bench.consider();
        assert_eq!(bench.names(), ["voice_context_compaction_started"]);
    }
}

#[test]
fn a_failure_names_who_was_asked() {
    let mut bench = folding(61);
    bench.settings.llm.provider = settings::ModelProvider::OpenAi;
    bench.settings.llm.model = "large".to_owned();
    bench.fail(AskFailureKind::TimedOut);
    let [JournalEvent::CompactionFailed { model, retryable, .. }] = bench.events()[..] else {
        panic!("{:?}", bench.names());
    };
    assert_eq!((model.as_str(), *retryable), ("openai large", true));
}

#[test]
fn a_run_has_twenty_seconds_and_a_late_answer_is_nobodys() {
    let mut bench = folding(61);
    let wake = bench.flights.next_wake().map(|wake| wake.at);
    assert_eq!(wake, Some(Moment(20_000)));
    bench.after(19);
    assert!(bench.effects.is_empty());
    bench.after(1);
    assert_eq!(bench.names(), ["voice_context_compaction_failed"]);
    assert!(bench.flights.land(AskId(1)).is_none());
    bench.answer("Alice came late.");
    assert_eq!(
        (bench.place(), bench.compaction.summary.as_str()),
        ((0, 0, 61), "")
    );
}

#[test]
fn a_backlog_is_folded_batch_after_batch_without_waiting_for_a_reply() {
    let mut bench = folding(100);
    let mut runs = 0;
    while bench.compaction.run_under_way().is_some() {
        bench.answer(
            [
                "Alice counted.",
                "Alice counted on.",
                "Alice still counted.",
                "Alice never stopped.",
            ][runs],
        );
        runs += 1;
    }
    assert_eq!((runs, bench.place()), (4, (40, 40, 60)));
}

#[test]
fn the_old_summary_given_back_is_no_new_one() {
    let mut bench = folding(100);
    bench.answer("Alice counted.");
    bench.answer("Alice counted.");
    assert_eq!(
        bench.place(),
        (10, 10, 90),
        "nothing of the second batch was taken in"
    );
}

#[test]
fn exactly_the_notes_that_were_sent_are_folded() {
    let mut bench = bench();
    for number in 0..12 {
        bench.note(&format!(
            "screen number {number}, with a map of the whole city on it"
        ));
    }
    let [
        JournalEvent::CompactionStarted {
            batch_size,
            pending_note_count,
            ..
        },
    ] = bench.events()[..]
    else {
        panic!("{:?}", bench.names());
    };
    assert_eq!((*batch_size, *pending_note_count), (0, 12));
    let (_, prompt) = bench.asked().expect("a model was asked");
    let sent = prompt.matches("screen number").count();
    assert!((2..12).contains(&sent), "{sent} notes in 400 characters");
    bench.note("came meanwhile");
    bench.answer("James shared screen after screen.");
    let [
        JournalEvent::CompactionCompleted {
            folded_note_count,
            cursor,
            ..
        },
    ] = bench.events()[..]
    else {
        panic!("{:?}", bench.names());
    };
    assert_eq!((*folded_note_count, cursor.0), (sent, 0));
    let held: Vec<u64> = bench.compaction.notes.iter().map(|note| note.seq.0).collect();
    assert_eq!(held, (sent as u64..=12).collect::<Vec<_>>());
}

#[test]
fn the_offline_summariser_takes_over_after_three_failures_and_at_once_when_there_is_no_model() {
    let mut bench = folding(61);
    for _ in 0..2 {
        bench.fail(AskFailureKind::Unreachable);
        bench.consider();
    }
    bench.fail(AskFailureKind::Unreachable);
    let offline = [
        "voice_context_compaction_failed",
        "voice_context_compaction_completed",
    ];
    assert_eq!(bench.names(), offline);
    assert_eq!(bench.place().0, 10);
    let mut bench = folding(61);
    bench.fail(AskFailureKind::Unavailable);
    assert_eq!(bench.names(), offline);
}

#[test]
fn without_a_fallback_failures_are_tried_again_for_ever() {
    let mut bench = bench();
    bench.settings.compaction.summariser = settings::ModelOrOffline::Model;
    bench.say(61);
    for _ in 0..20 {
        bench.consider();
        assert_eq!(bench.names(), ["voice_context_compaction_started"]);
        bench.fail(AskFailureKind::Unreachable);
    }
    bench.consider();
    bench.answer("Alice counted turns.");
    assert_eq!(bench.place().0, 10);
}

#[test]
fn a_model_that_is_not_there_is_left_alone_for_a_while_and_then_asked_again() {
    let mut bench = bench();
    bench.settings.compaction.summariser = settings::ModelOrOffline::Model;
    bench.say(61);
    bench.consider();
    bench.fail(AskFailureKind::Unavailable);
    bench.consider();
    assert_eq!(bench.names(), ["voice_context_compaction_skipped"]);
    bench.after(299);
    bench.consider();
    assert!(bench.effects.is_empty(), "the same skip again is only counted");
    bench.after(1);
    bench.consider();
    assert_eq!(
        bench.names(),
        [
            "voice_context_compaction_skipped",
            "voice_context_compaction_started"
        ]
    );
}

#[test]
fn equal_skips_in_a_row_are_one_line_and_a_count() {
    let mut bench = bench();
    bench.say(5);
    bench.consider();
    assert_eq!(bench.names(), ["voice_context_compaction_skipped"]);
    for _ in 0..4 {
        bench.consider();
        assert!(bench.effects.is_empty());
    }
    bench.say(56);
    bench.consider();
    let [JournalEvent::CompactionSkipped { repeated, .. }, _] = bench.events()[..] else {
        panic!("{:?}", bench.names());
    };
    assert_eq!(*repeated, 4);
}

#[test]
fn what_is_said_and_seen_while_a_session_ends_belongs_to_the_next_one() {
    let mut bench = folding(61);
    bench.note("of the old session");
    bench.with(Compaction::end_session);
    assert_eq!(bench.names(), ["voice_context_compaction_skipped"]);
    bench.say(2);
    bench.note("of the new session");
    bench.answer("Alice counted turns.");
    assert_eq!(
        bench.names(),
        [
            "voice_context_compaction_completed",
            "voice_context_notes_dropped",
            "voice_context_session_ended"
        ]
    );
    let offered = bench.effects.iter().find_map(|effect| match effect {
        Effect::OfferToMemory { text, .. } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(offered, Some("Alice counted turns."));
    assert_eq!(
        (bench.place(), bench.compaction.summary.as_str()),
        ((61, 61, 2), "")
    );
    let held: Vec<u64> = bench.compaction.notes.iter().map(|note| note.seq.0).collect();
    assert_eq!(held, [1]);
}

#[test]
fn the_question_fits_a_small_window_and_holds_every_turn_of_the_batch() {
    let mut bench = bench();
    bench.settings.llm.context_tokens = 1_000;
    fits(bench, 4_000);
}

#[test]
fn the_question_fits_what_the_summarisers_server_reads_whatever_is_set() {
    let mut bench = bench();
    let allowance = AskAllowance {
        reads_tokens: Some(1_256),
        ..AskAllowance::default()
    };
    for purpose in [AskPurpose::ContextCompaction, AskPurpose::TextReply] {
        bench.outside.allowances.insert(purpose, allowance);
    }
    assert_eq!(bench.settings.llm.context_tokens, 12_000);
    fits(bench, 4_000);
}

#[test]
fn a_batch_that_is_too_long_for_its_model_is_summed_up_without_one_at_once() {
    let mut bench = folding(61);
    bench.fail(AskFailureKind::ContextTooLong);
    assert_eq!(
        bench.names(),
        [
            "voice_context_compaction_failed",
            "voice_context_compaction_completed",
        ]
    );
    assert_eq!(bench.place().0, 10);
}

/// Fifteen long turns are said; the question about the first ten has no more characters than these.
fn fits(mut bench: Bench, characters: usize) {
    let text = "a rather long turn ".repeat(100);
    for number in 0..15 {
        bench.say_words("Alice", &format!("turn number {number}: {text}"));
        if bench.asked().is_some() && number < 14 {
            bench.fail(AskFailureKind::Unreachable);
        }
    }
    bench.consider();
    let Some(Effect::Ask(asking)) = bench
        .effects
        .iter()
        .find(|effect| matches!(effect, Effect::Ask(_)))
    else {
        panic!("no model was asked");
    };
    let (_, prompt) = bench.asked().expect("a model was asked");
    for number in 0..10 {
        assert!(prompt.contains(&format!("turn number {number}:")), "{prompt}");
    }
    let task: usize = asking
        .request
        .turns
        .iter()
        .flat_map(|turn| &turn.parts)
        .map(|part| match part {
            vocabulary::ContentPart::Text(text) => text.chars().count(),
            _ => 0,
        })
        .sum();
    let whole = asking.request.system.chars().count() + task;
    assert!(whole <= characters, "{whole} characters");
}
