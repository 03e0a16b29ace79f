//! A small model's summary is held against the one that is written without it: whichever tells more is kept.

use settings::{ModelOrOffline, PromptProfile};

use super::bench::{Bench, bench};
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
    for bench in [&mut alone, &mut large] {
        bench.consider();
        bench.answer(&format!("{TOLD}."));
        assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
    }
}
