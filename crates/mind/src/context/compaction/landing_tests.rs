//! What a summary must pass before it is taken: the ladder for one that is too long, the guard for one that invents.

use vocabulary::{AskFailureKind, Finish};

use super::SUMMARY_CHARS_MAX;
use super::bench::{answered, bench, folding, sentences};

#[test]
fn an_over_long_summary_is_condensed_once_and_then_taken() {
    let mut bench = folding(61);
    let (long, good) = (sentences(1_500), sentences(1_100));
    bench.answer(&long);
    assert_eq!(bench.names(), ["voice_context_summary_recompacted"]);
    let (_, prompt) = bench.asked().expect("a second pass was asked for");
    assert_eq!(
        prompt.trim(),
        long,
        "the second pass is about the long text alone"
    );
    assert_eq!(bench.place().0, 0, "nothing moves before it has landed");
    bench.answer(&good);
    assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
    assert_eq!(bench.compaction.summary, good);
}

#[test]
fn a_summary_that_stays_too_long_is_cut_at_a_sentence_end() {
    let mut bench = folding(61);
    bench.answer(&sentences(1_500));
    bench.answer(&sentences(1_450));
    assert_eq!(
        bench.names(),
        [
            "voice_context_summary_trimmed",
            "voice_context_compaction_completed"
        ]
    );
    let summary = &bench.compaction.summary;
    assert!(summary.chars().count() <= SUMMARY_CHARS_MAX);
    assert!(summary.ends_with("game."), "…{}", &summary[summary.len() - 20..]);
}

#[test]
fn the_limit_counts_characters_not_bytes() {
    let mut bench = bench();
    bench.say(61);
    bench.consider();
    let short_enough = format!("{}.", "é".repeat(1_199));
    bench.answer(&short_enough);
    assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
    let mut bench = folding(61);
    let sentence = "ééé éé ø. ";
    bench.answer(&sentence.repeat(150));
    bench.answer(&sentence.repeat(150));
    let summary = &bench.compaction.summary;
    assert!(summary.chars().count() <= SUMMARY_CHARS_MAX);
    assert!(summary.chars().count() > SUMMARY_CHARS_MAX - 20);
    assert!(summary.ends_with("ø."));
}

#[test]
fn a_second_pass_that_fails_leaves_the_long_text_trimmed() {
    for end in ["failed", "timed_out", "empty", "invents", "restarted"] {
        let mut bench = folding(61);
        bench.answer(&sentences(1_500));
        match end {
            "failed" => bench.fail(AskFailureKind::Unreachable),
            "timed_out" => bench.after(20),
            "empty" => bench.answer(""),
            "invents" => bench.answer(&format!("{} Then Zelda won.", sentences(900))),
            _ => bench.restart(),
        }
        let names = bench.names();
        let completed = names.last() == Some(&"voice_context_compaction_completed");
        assert!(completed, "{end}: {names:?}");
        assert_eq!(bench.place().0, 10, "{end}");
        let length = bench.compaction.summary.chars().count();
        assert!((1_100..=SUMMARY_CHARS_MAX).contains(&length), "{end}: {length}");
        assert!(!bench.compaction.summary.contains("Zelda"));
    }
}

#[test]
fn a_summary_that_invents_is_sent_back_once() {
    let mut bench = folding(61);
    bench.answer("Alice met Zelda.");
    assert_eq!(bench.names(), ["voice_context_summary_suspected"]);
    assert!(bench.asked().is_some());
    bench.answer("Alice counted turns.");
    assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
    assert_eq!(bench.compaction.summary, "Alice counted turns.");
}

#[test]
fn what_it_invents_again_is_left_out() {
    let mut bench = folding(61);
    bench.answer("Alice met Zelda.");
    bench.answer("Alice met Zelda. Alice counted turns.");
    assert_eq!(
        bench.names(),
        [
            "voice_context_summary_suspected",
            "voice_context_compaction_completed"
        ]
    );
    assert_eq!(bench.compaction.summary, "Alice counted turns.");
    let mut bench = folding(61);
    bench.answer("Alice met Zelda.");
    bench.answer("Alice met Zelda.");
    assert_eq!(
        bench.names(),
        [
            "voice_context_summary_suspected",
            "voice_context_compaction_failed"
        ]
    );
    assert_eq!(bench.place(), (0, 0, 61));
}

#[test]
fn denizens_own_name_and_the_time_of_a_line_are_no_inventions() {
    let mut bench = folding(61);
    bench.answer("Alice asked Denizen for turns at 12:26.");
    assert_eq!(bench.names(), ["voice_context_compaction_completed"]);
}

#[test]
fn a_summary_that_hit_the_output_cap_loses_its_torn_sentence() {
    let mut bench = folding(61);
    bench.end(answered("Alice counted turns. Then she", Finish::Length));
    assert_eq!(bench.compaction.summary, "Alice counted turns.");
}
