//! A small model's summary is held against the one that is written without it: whichever tells more is kept.

use settings::{ModelOrOffline, PromptProfile};

use super::bench::{Bench, bench};
use super::outdone::Outdone;
use crate::journal::JournalEvent;

const TOLD: &str = "Quill is a hedgehog that Ann adopted in Lisbon";

/// A room of a small model that is asked for a summary of what was said.
fn asked() -> Bench {
    let mut bench = bench();
    bench.settings.llm.profile = PromptProfile::Plain;
    for number in 0..61 {
        match number {
            3 => bench.say_words("Ann", "I adopted a hedgehog in Lisbon, it is called Quill."),
            5 => bench.say_words("Bob", "My trombone was stolen in Vienna in 2019."),
            _ => bench.say_words("Bob", "oh well"),
        }
    }
    bench
}

fn summariser(bench: &Bench) -> Option<&str> {
    bench.events().iter().find_map(|event| match event {
        JournalEvent::CompactionCompleted { summariser, .. } => Some(summariser.as_str()),
        _ => None,
    })
}

#[test]
fn what_tells_less_than_the_offline_summary_gives_way_to_it_and_the_journal_says_so() {
    let mut bench = asked();
    bench.consider();
    bench.answer(&format!("{TOLD}."));
    assert_eq!(
        bench.names(),
        [
            "voice_context_summary_outdone",
            "voice_context_compaction_completed"
        ]
    );
    assert_eq!(summariser(&bench), Some("offline"));
    let summary = &bench.compaction.summary;
    assert!(
        summary.contains("trombone") && summary.contains("Quill"),
        "{summary}"
    );
    assert_eq!(bench.compaction.failures, 0);
}

#[test]
fn what_tells_as_much_is_taken() {
    let mut bench = asked();
    bench.consider();
    bench.answer(&format!(
        "{TOLD}, where it was called that. Bob said well: his trombone was stolen in Vienna in 2019."
    ));
    assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
    assert_eq!(summariser(&bench), Some("openai small"));
}

#[test]
fn where_only_a_model_may_write_or_a_large_one_does_its_summary_stands() {
    let mut alone = asked();
    alone.settings.compaction.summariser = ModelOrOffline::Model;
    let mut large = asked();
    large.settings.llm.profile = PromptProfile::Full;
    let mut chosen = asked();
    chosen.settings.compaction.model = "large".to_owned();
    for bench in [&mut alone, &mut large, &mut chosen] {
        bench.consider();
        bench.answer(&format!("{TOLD}."));
        assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
    }
}

#[test]
fn a_small_model_that_is_outdone_again_and_again_is_left_alone_for_a_while() {
    let mut bench = asked();
    bench.compaction.outdone = Outdone(2);
    bench.consider();
    bench.answer(&format!("{TOLD}."));
    assert_eq!(bench.compaction.outdone, Outdone(3));
    assert!(!bench.compaction.outdone.may_do_better());
    bench.compaction.outdone = Outdone(20);
    assert!(bench.compaction.outdone.may_do_better(), "it is tried once more");
}

#[test]
fn where_words_do_not_stand_apart_nothing_is_weighed() {
    let mut bench = bench();
    bench.settings.llm.profile = PromptProfile::Plain;
    for _ in 0..61 {
        bench.say_words(
            "Ann",
            "我在里斯本收养了一只刺猬它叫奎尔我们每天晚上都会喂它吃苹果",
        );
    }
    bench.consider();
    bench.answer("安在里斯本收养了一只叫奎尔的刺猬，每晚喂它苹果。");
    assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
}
