//! What a room is shown while an answer is being written, letter by letter.

use super::Draft;

/// Everything that was shown of an answer, in order.
fn shown(answer: &str) -> Vec<String> {
    let mut draft = Draft::default();
    let letters = answer.chars();
    letters
        .filter_map(|letter| {
            draft
                .push(&letter.to_string(), "Denizen", Some("Bob"), None)
                .map(str::to_owned)
        })
        .collect()
}

fn last(answer: &str) -> String {
    shown(answer).pop().unwrap_or_default()
}

#[test]
fn nothing_of_a_silence_is_shown() {
    for silence in [
        "[SKIP]",
        "**[SKIP]**",
        "[No response]",
        "<silence>",
        "(stays silent)",
        "No reply needed.",
        "*stays silent*",
        "I will stay silent.",
        "I’ll stay silent for now.",
        "...",
        "…",
        "No.",
        "{\"action\": \"skip\", \"text\": \"\"}",
        "```json\n{\"action\":\"skip\"}",
    ] {
        assert_eq!(shown(silence), Vec::<String>::new(), "{silence}");
    }
}

#[test]
fn of_a_typed_answer_only_its_text_is_shown() {
    let typed = "{\"action\": \"reply\", \"text\": \"Hello there\", \"reason\": \"\"}";
    assert_eq!(last(typed), "Hello there");
    assert_eq!(last(&format!("```json\n{typed}\n```")), "Hello there");
    assert_eq!(last(&format!("Sure! {typed}")), "Sure! ");
}

#[test]
fn each_draft_goes_on_from_the_one_before() {
    for answer in [
        "@Bob look, @Bobby and @everyone are here",
        "Look! ![cat](x) and more",
        "```json\nnot typed after all",
    ] {
        let drafts = shown(answer);
        for (earlier, later) in drafts.iter().zip(&drafts[1..]) {
            assert!(later.starts_with(earlier.as_str()), "{earlier:?} then {later:?}");
        }
    }
}

#[test]
fn a_mention_is_shown_once_it_is_clear_whom_it_calls() {
    assert_eq!(shown("hi @B"), ["h", "hi", "hi "]);
    assert_eq!(last("hi @Bob!?"), "hi @Bob!?");
    assert_eq!(last("hi @Bobby"), "hi @\u{200b}Bobby");
}

#[test]
fn pictures_that_are_cut_out_of_the_message_are_not_shown() {
    assert_eq!(last("Look ![cat](x) here"), "Look ");
}
