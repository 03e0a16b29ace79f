//! Instructions for a realtime session: never too long, by priority, whole sentences and lines only.

use proptest::prelude::*;
use vocabulary::SectionFate;

use super::{INSTRUCTIONS_CHARS_MAX, Instructions, RealtimeBrief, realtime_instructions};

fn sentences(count: usize, about: &str) -> String {
    let sentences: Vec<String> = (0..count)
        .map(|n| format!("Sentence {n} about {about}."))
        .collect();
    sentences.join(" ")
}

fn lines(count: usize, about: &str) -> Vec<String> {
    (0..count)
        .map(|n| format!("Alice: line {n} about {about}"))
        .collect()
}

fn fate(instructions: &Instructions, name: &str) -> SectionFate {
    let section = instructions.sections.iter().find(|section| section.name == name);
    section.expect("every section is reported").fate
}

fn text<'a>(instructions: &'a Instructions, name: &str) -> &'a str {
    let section = instructions.sections.iter().find(|section| section.name == name);
    &section.expect("every section is reported").text
}

#[test]
fn the_summary_stands_between_participant_memory_and_continuity() {
    let (memory, verbatim) = (lines(2, "memory"), lines(30, "talk"));
    let brief = RealtimeBrief {
        persona: "You are Denizen.",
        participant_memory: &memory,
        summary: "Bob keeps dying as Hulk.",
        verbatim: &verbatim,
        current_turn: "Bob: and now?",
    };
    let text = realtime_instructions(&brief).text;
    let place = |words: &str| {
        text.find(words)
            .unwrap_or_else(|| panic!("{words:?} is missing in:\n{text}"))
    };
    let order = [
        place("You are Denizen."),
        place("line 1 about memory"),
        place("\n\nSession conversation summary:\nBob keeps dying as Hulk.\n\n"),
        place("line 0 about talk"),
        place("line 29 about talk"),
        place("Bob: and now?"),
    ];
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn what_is_not_there_has_no_heading() {
    let brief = RealtimeBrief {
        current_turn: "Bob: hello",
        ..RealtimeBrief::default()
    };
    assert_eq!(realtime_instructions(&brief).text, "Being said:\nBob: hello");
}

#[test]
fn squeezed_it_gives_up_older_continuity_first_and_then_the_summary() {
    let memory = lines(70, "memory");
    let (summary, persona) = (sentences(35, "the summary"), sentences(30, "the persona"));
    let current = sentences(30, "the current turn");
    let long_line = |n: usize| format!("Alice: {n} {}", "words and words ".repeat(11));
    let verbatim: Vec<String> = (0..40).map(long_line).collect();
    let nothing = RealtimeBrief {
        verbatim: &verbatim,
        ..RealtimeBrief::default()
    };
    // Each step asks for more; what matters least goes first.
    let with_summary = RealtimeBrief {
        summary: &summary,
        ..nothing
    };
    let with_memory = RealtimeBrief {
        participant_memory: &memory,
        ..with_summary
    };
    let with_current = RealtimeBrief {
        current_turn: &current,
        ..with_memory
    };
    let all = RealtimeBrief {
        persona: &persona,
        ..with_current
    };
    let fates = |brief: &RealtimeBrief<'_>| {
        let instructions = realtime_instructions(brief);
        [
            "older_continuity",
            "session_summary",
            "participant_memory",
            "newest_turns",
            "current_turn",
        ]
        .map(|name| fate(&instructions, name))
    };
    use SectionFate::{Dropped, Empty, Kept, Trimmed};
    assert_eq!(fates(&nothing), [Trimmed, Empty, Empty, Kept, Empty]);
    assert_eq!(fates(&with_summary), [Trimmed, Kept, Empty, Kept, Empty]);
    assert_eq!(fates(&with_memory), [Dropped, Kept, Trimmed, Kept, Empty]);
    assert_eq!(fates(&with_current), [Dropped, Trimmed, Trimmed, Kept, Kept]);
    assert_eq!(fates(&all), [Dropped, Dropped, Trimmed, Kept, Kept]);
}

#[test]
fn what_is_cut_ends_with_a_whole_sentence_or_line() {
    let (summary, verbatim) = (sentences(200, "everything"), lines(400, "talk"));
    let brief = RealtimeBrief {
        summary: &summary,
        verbatim: &verbatim,
        current_turn: "Bob: hello",
        ..RealtimeBrief::default()
    };
    let instructions = realtime_instructions(&brief);
    let kept = text(&instructions, "session_summary");
    assert!(
        summary.starts_with(kept) && kept.ends_with("about everything."),
        "{kept}"
    );
    for name in ["older_continuity", "newest_turns"] {
        for line in text(&instructions, name).lines() {
            assert!(verbatim.iter().any(|whole| whole == line), "{line:?}");
        }
    }
    let newest = text(&instructions, "newest_turns");
    assert!(newest.ends_with("line 399 about talk"), "the newest turn stays");
}

#[test]
fn one_endless_line_does_not_cost_the_newest_turns() {
    let mut verbatim = lines(20, "talk");
    verbatim.push(format!("Bob: {}", sentences(300, "himself")));
    let brief = RealtimeBrief {
        verbatim: &verbatim,
        ..RealtimeBrief::default()
    };
    let instructions = realtime_instructions(&brief);
    let newest = text(&instructions, "newest_turns");
    assert!(newest.contains("Bob: Sentence 0 about himself."), "{newest}");
    assert!(newest.contains("line 19 about talk"), "{newest}");
}

/// Words in several scripts, with and without sentence ends, up to far too long.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zé.。!? \n]{0,80}",
        ("[a-zA-Zß漢字.! ]{1,30}", 0..400usize).prop_map(|(piece, times)| piece.repeat(times)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn instructions_never_exceed_their_limit(
        persona in words(),
        memory in prop::collection::vec(words(), 0..12),
        summary in words(),
        verbatim in prop::collection::vec(words(), 0..60),
        current in words(),
    ) {
        let brief = RealtimeBrief {
            persona: &persona,
            participant_memory: &memory,
            summary: &summary,
            verbatim: &verbatim,
            current_turn: &current,
        };
        let instructions = realtime_instructions(&brief);
        prop_assert!(instructions.text.chars().count() <= INSTRUCTIONS_CHARS_MAX);
        for section in &instructions.sections {
            prop_assert!(section.kept_chars <= section.cap_chars);
        }
        // What is being said is always there, from its beginning.
        let said = text(&instructions, "current_turn");
        prop_assert!(current.starts_with(said));
        prop_assert!(current.trim().is_empty() || !said.is_empty());
    }
}
