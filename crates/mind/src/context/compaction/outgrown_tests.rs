//! What is folded although nobody asks: by count, by size, and at what cost.

use vocabulary::AskFailureKind;

use super::bench::{Bench, bench};
use super::{OUTGROWN_TURNS, UNASKED_RUNS_MAX, holds_chars};
use crate::journal::JournalEvent;
use crate::prompt::transcript;

/// Says `count` turns, answering whatever a model is asked; how often one was.
fn talk(bench: &mut Bench, count: u64, words: &str) -> u64 {
    let mut asked = 0;
    for number in 0..count {
        bench.say_words("Alice", &format!("turn {number} {words}"));
        while bench.compaction.run_under_way().is_some() {
            let summary = if bench.compaction.summary.ends_with("on.") {
                "Alice counted."
            } else {
                "Alice counted on."
            };
            asked += 1;
            bench.answer(summary);
        }
    }
    asked
}

fn covered(bench: &Bench) -> u64 {
    let log = &bench.compaction.log;
    log.cursor().0 + log.verbatim().len() as u64
}

#[test]
fn three_hundred_turns_that_nobody_answers_are_summarised_or_there() {
    let mut bench = bench();
    assert_eq!(talk(&mut bench, 300, "of the game"), 1);
    assert_eq!(covered(&bench), 300);
    assert_eq!(bench.place(), (150, 150, 150));
    assert!(!bench.compaction.summary.is_empty());
}

#[test]
fn five_thousand_turns_that_nobody_answers_cost_ten_questions() {
    let mut bench = bench();
    assert_eq!(talk(&mut bench, 5_000, "of the game"), UNASKED_RUNS_MAX);
    assert_eq!(covered(&bench), 5_000);
    assert!(bench.compaction.log.verbatim().len() <= OUTGROWN_TURNS);
    assert!(
        bench
            .compaction
            .finished
            .iter()
            .all(|run| run.summariser == "offline")
    );
    // Somebody asks: models are asked again.
    bench.say(60);
    bench.consider();
    assert!(bench.asked().is_some());
}

#[test]
fn what_is_folded_unasked_says_why_and_who_writes_it() {
    let mut bench = bench();
    talk(&mut bench, 200, "of the game");
    bench.say(1);
    let [
        JournalEvent::ContextOutgrown {
            verbatim_turns,
            asks_model,
            ..
        },
        _,
    ] = bench.events()[..]
    else {
        panic!("{:?}", bench.names());
    };
    assert_eq!((*verbatim_turns, *asks_model), (201, true));
    bench.answer("Alice counted turns.");
    bench.compaction.unasked_runs = UNASKED_RUNS_MAX;
    bench.say(149);
    assert!(bench.effects.is_empty(), "two hundred may stand there");
    bench.say(1);
    let [
        JournalEvent::ContextOutgrown {
            asks_model: false, ..
        },
        JournalEvent::CompactionStarted { batch_size: 150, .. },
        JournalEvent::CompactionCompleted { summariser, .. },
    ] = bench.events()[..]
    else {
        panic!("{:?}", bench.names());
    };
    assert_eq!(summariser, "offline");
}

#[test]
fn long_turns_are_folded_before_a_prompt_has_to_hide_them() {
    let mut bench = bench();
    let words = "and so on ".repeat(109);
    for _ in 0..60 {
        talk(&mut bench, 1, &words);
        let log = &bench.compaction.log;
        let characters: usize = log
            .verbatim()
            .map(|said| transcript::line_chars(&said.message))
            .sum();
        assert!(
            characters <= holds_chars(bench.settings.llm.context_tokens),
            "{characters} characters stand there"
        );
    }
    assert_eq!(covered(&bench), 60);
    assert!(bench.place().0 > 30);
}

#[test]
fn a_room_that_only_listens_does_not_hurry_a_model_that_fails() {
    let mut bench = bench();
    bench.settings.compaction.summariser = settings::ModelOrOffline::Model;
    bench.say(201);
    bench.fail(AskFailureKind::RateLimited);
    bench.say(50);
    assert!(bench.effects.is_empty());
    bench.after(60);
    bench.say(1);
    assert_eq!(
        bench.names(),
        ["voice_context_outgrown", "voice_context_compaction_started"]
    );
}
