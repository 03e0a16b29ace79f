//! The failures that other rolling summaries are known for, each with the case that would show it.

use super::bench::{bench, folding, sentences};
use crate::journal::JournalEvent;

#[test]
fn known_failure_a_fixed_prompt_over_the_limit_makes_no_trigger_permanent() {
    let mut bench = bench();
    bench.settings.llm.context_tokens = 2_000;
    bench.settings.identity.persona = "You are gloomy. ".repeat(240);
    bench.say(61);
    bench.consider();
    bench.answer("Alice counted turns.");
    for _ in 0..9 {
        bench.say(1);
        bench.consider();
        assert!(
            bench.compaction.run_under_way().is_none(),
            "ten turns per run, whatever a prompt weighs"
        );
    }
}

#[test]
fn known_failure_a_second_pass_does_not_crush_a_summary_that_was_good() {
    let mut bench = folding(61);
    bench.answer(&sentences(1_201));
    bench.answer("Alice talked.");
    assert!(bench.compaction.summary.chars().count() > 1_100);
    // And a summary within the limit is never sent through a second pass.
    let mut bench = folding(61);
    bench.answer(&sentences(1_200));
    assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
}

#[test]
fn known_failure_summary_unavailable_never_replaces_a_good_summary() {
    let mut bench = folding(61);
    bench.answer("Alice counted turns.");
    bench.say(10);
    bench.consider();
    bench.answer("Summary unavailable.");
    assert_eq!(bench.names(), ["voice_context_compaction_failed"]);
    assert_eq!(bench.compaction.summary, "Alice counted turns.");
    assert_eq!(bench.place(), (10, 10, 61));
}

#[test]
fn known_failure_summarised_turns_leave_the_context() {
    let mut bench = folding(61);
    bench.answer("Alice counted turns.");
    bench.say(10);
    bench.consider();
    let (_, prompt) = bench.asked().expect("the next batch is due");
    assert!(prompt.contains("Alice counted turns."), "{prompt}");
    assert!(
        prompt.contains("turn 10 of the game") && !prompt.contains("turn 9 of"),
        "{prompt}"
    );
    let oldest = bench.compaction.log.verbatim().next().map(|said| said.seq.0);
    assert_eq!(oldest, Some(10));
}

#[test]
fn known_failure_success_is_never_told_without_anything_done() {
    // Turns that are being folded are not let go meanwhile, so that the cursor has somewhere to go.
    let mut bench = bench();
    bench.say(201);
    assert_eq!(bench.compaction.run_under_way().map(|run| run.turns), Some(150));
    bench.say(150 + 1_000 - 201);
    assert!(
        bench.names().is_empty(),
        "a hundred and fifty are on their way out"
    );
    bench.say(1);
    assert_eq!(bench.names(), ["voice_context_turns_dropped"]);
    bench.answer("Alice counted turns.");
    let Some(JournalEvent::CompactionCompleted {
        old_cursor, cursor, ..
    }) = bench.events().first().copied()
    else {
        panic!("{:?}", bench.names());
    };
    assert_eq!((old_cursor.0, cursor.0), (0, 150));
}
