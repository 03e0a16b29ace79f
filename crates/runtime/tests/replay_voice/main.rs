//! A recording of people who talk, stepped again with other settings: every decision about what was said is compared.

mod evening;

use evening::Evening;
use runtime::ports::Recording;
use runtime::replay::{self, Comparison, Difference, NOT_KNOWN, Rerunning, VoiceThoughtDecisions};
use serde_json::{Value, json};

fn rerun(recording: &Recording, key: &str, value: Value) -> Rerunning {
    replay::with_settings(recording, vec![(key.to_owned(), value)]).unwrap()
}

fn as_it_was(recording: &Recording) -> Rerunning {
    replay::with_settings(recording, Vec::new()).unwrap()
}

/// What differs, by the message: outcome and admission, before and after.
fn told(differences: &[Difference]) -> Vec<[&str; 5]> {
    differences
        .iter()
        .map(|one| {
            [
                one.message.as_str(),
                &one.before.outcome,
                &one.before.admission,
                &one.after.outcome,
                &one.after.admission,
            ]
        })
        .collect()
}

#[test]
fn stepped_again_it_comes_to_the_same() {
    let recording = Evening::recorded();
    assert_eq!(replay::again(&recording).unwrap(), recording.journal);
    let before = as_it_was(&recording);
    assert_eq!(before.not_known.len(), 0, "every question was asked");
    let recorded = Rerunning {
        journal: recording.journal.clone(),
        ..Rerunning::default()
    };
    assert_eq!(replay::differences(&recorded, &before), []);
    assert_eq!(replay::stay_differences(&recorded, &before), []);
    assert_eq!(
        replay::spoken_over_differences(&recording, &recorded, &before),
        []
    );
    let thoughts = VoiceThoughtDecisions::of(&before);
    assert_eq!(thoughts.said, ["The comet is back."], "{thoughts:?}");
    let same = rerun(&recording, "llm.temperature", json!(0.1));
    assert_eq!(replay::differences(&before, &same), []);
}

/// A recording of which the lines from the last of them on are not written yet, so many.
fn without_last(lines: usize) -> Recording {
    let mut recording = Evening::recorded();
    let kept = recording.journal.len() - lines;
    recording.journal.truncate(kept);
    recording
}

#[test]
fn a_recording_that_was_taken_before_the_lines_of_its_last_inputs_were_written_is_whole() {
    let recording = Evening::recorded();
    let replayed = replay::again_telling(&recording, |_| {}).unwrap();
    assert_eq!(replay::compared(&recording, &replayed), Comparison::Same);
    let by_input = &replayed.lines_by_input;
    let (before_last, all) = (
        by_input
            .iter()
            .rfind(|lines| **lines < by_input[by_input.len() - 1]),
        by_input[by_input.len() - 1],
    );
    let lines = all - before_last.unwrap();
    let inputs = by_input.iter().filter(|count| **count == all).count();
    assert_eq!(
        replay::compared(&without_last(lines), &replayed),
        Comparison::TakenMeanwhile { inputs, lines }
    );
}

#[test]
fn a_recording_that_lacks_what_was_long_written_differs() {
    let recording = Evening::recorded();
    let mut replayed = replay::again_telling(&recording, |_| {}).unwrap();
    let all = recording.journal.len();
    assert_eq!(
        replay::compared(&without_last(all), &replayed),
        Comparison::TakenMeanwhile {
            inputs: recording.inputs.len(),
            lines: all
        }
    );
    // More inputs than one write holds came after it.
    replayed.lines_by_input.extend([all; 64]);
    assert_eq!(
        replay::compared(&without_last(all), &replayed),
        Comparison::DiffersAt { line: 0 }
    );
    // One of the lines that one input led to is missing: no write leaves that.
    let by_input = &replayed.lines_by_input;
    let several = (1..by_input.len())
        .rfind(|input| by_input[*input] - by_input[input - 1] > 1)
        .unwrap();
    let half = all - (by_input[several] - 1);
    assert_eq!(
        replay::compared(&without_last(half), &replayed),
        Comparison::DiffersAt { line: all - half }
    );
    let mut longer = Evening::recorded();
    longer.journal.push(recording.journal[0].clone());
    assert_eq!(
        replay::compared(&longer, &replayed),
        Comparison::GoesOn { lines: 1 }
    );
    let mut other = Evening::recorded();
    other.journal.swap(2, 3);
    assert_eq!(
        replay::compared(&other, &replayed),
        Comparison::DiffersAt { line: 2 }
    );
}

#[test]
fn a_gate_that_is_shut_leads_to_a_question_that_nobody_asked() {
    let recording = Evening::recorded();
    let before = as_it_was(&recording);
    let after = rerun(&recording, "voice.relaxGateWhenAlone", json!(false));
    let differences = replay::differences(&before, &after);
    let first = told(&differences)
        .into_iter()
        .find(|[message, ..]| *message == "u1");
    let Some([_, was, let_in, is, _]) = first else {
        panic!("{differences:#?}");
    };
    assert_eq!((was, let_in), ("spoken: said", "let in: alone_with_denizen"));
    assert_eq!(is, NOT_KNOWN);
    assert!(!format!("{differences:?}").contains("failed"), "{differences:#?}");
}

#[test]
fn where_voice_is_switched_off_nothing_that_was_said_is_answered() {
    let recording = Evening::recorded();
    let before = as_it_was(&recording);
    let after = rerun(&recording, "voice.enabled", json!(false));
    let differences = replay::differences(&before, &after);
    let told = told(&differences);
    assert_eq!(told.len(), 3, "{differences:#?}");
    for [_, was, _, is, _] in told {
        assert!(was.starts_with("spoken: "), "{differences:#?}");
        assert_eq!(is, "silent: not_in_voice");
    }
    let stays = replay::stay_differences(&before, &after);
    assert_eq!(stays.len(), 1, "{stays:?}");
    assert_eq!(
        (stays[0].before.as_str(), stays[0].after.as_str()),
        ("in: with_people, out: nobody_left", "")
    );
    assert!(VoiceThoughtDecisions::of(&after).said.is_empty());
}

#[test]
fn whoever_speaks_over_it_is_told_with_their_words() {
    let recording = Evening::recorded();
    let before = as_it_was(&recording);
    let after = rerun(&recording, "voice.bargeInMs", json!(3_000));
    let over = replay::spoken_over_differences(&recording, &before, &after);
    assert_eq!(over.len(), 1, "{over:#?}");
    assert_eq!(over[0].name.as_deref(), Some("Alice"));
    assert_eq!(over[0].words.as_deref(), Some("no, another one"));
    assert_eq!(
        (over[0].before.as_str(), over[0].after.as_str()),
        ("falls silent: spoken_over", "goes on: too_short")
    );
    let differences = replay::differences(&before, &after);
    let story = told(&differences)
        .into_iter()
        .find(|[message, ..]| *message == "u2");
    assert_eq!(
        story.map(|[_, was, _, is, _]| (was, is)),
        Some(("spoken: cut_short", "spoken: said")),
        "{differences:#?}"
    );
}

#[test]
fn a_speech_is_no_longer_than_its_voice() {
    // A speech is open until its silence is over, and what is told of it while Denizen is heard is less than it where
    // somebody pauses.
    for (lasts, voiced) in [(500, 500), (1_000, 500)] {
        let recording = Evening::spoken_over(lasts, voiced);
        let recorded = Rerunning {
            journal: recording.journal.clone(),
            ..Rerunning::default()
        };
        let before = as_it_was(&recording);
        let over = replay::spoken_over_differences(&recording, &recorded, &before);
        assert_eq!(over, [], "as it was, of {lasts} ms");
        assert_eq!(replay::differences(&recorded, &before), []);

        let after = rerun(&recording, "voice.bargeInMs", json!(200));
        let over = replay::spoken_over_differences(&recording, &before, &after);
        assert_eq!(over.len(), 1, "{lasts} ms: {over:#?}");
        assert_eq!(
            (over[0].before.as_str(), over[0].after.as_str()),
            ("goes on: too_short", "falls silent: spoken_over")
        );
        let after = rerun(&recording, "voice.bargeInMs", json!(3_000));
        assert_eq!(replay::spoken_over_differences(&recording, &before, &after), []);
        assert_eq!(replay::differences(&before, &after), []);
    }
}

#[test]
fn whoever_was_not_told_of_any_more_speaks_on_until_their_words_end() {
    let recording = Evening::spoken_over(1_200, 1_200);
    let before = as_it_was(&recording);
    for (limit, differs) in [(1_100, false), (1_300, true)] {
        let after = rerun(&recording, "voice.bargeInMs", json!(limit));
        let over = replay::spoken_over_differences(&recording, &before, &after);
        assert_eq!(over.len(), usize::from(differs), "{limit}: {over:#?}");
    }
}

#[test]
fn a_thought_that_would_not_have_been_said_is_told() {
    let recording = Evening::recorded();
    let after = rerun(&recording, "voice.thoughts.enabled", json!(false));
    let thoughts = VoiceThoughtDecisions::of(&after);
    assert!(thoughts.said.is_empty(), "{thoughts:?}");
    assert_ne!(thoughts, VoiceThoughtDecisions::of(&as_it_was(&recording)));
}
