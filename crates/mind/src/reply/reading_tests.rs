//! Answers of every shape, as they come from models, and what is made of each.

use super::{Reading, ReplyOutcome, read_answer, read_heard};

fn asked(answer: &str) -> ReplyOutcome {
    read_answer(answer, "Denizen", true).outcome
}

fn unasked(answer: &str) -> ReplyOutcome {
    read_answer(answer, "Denizen", false).outcome
}

fn says(words: &str) -> ReplyOutcome {
    ReplyOutcome::Say(words.to_owned())
}

fn silence() -> ReplyOutcome {
    ReplyOutcome::Skip { why: String::new() }
}

#[test]
fn a_no_is_an_answer_where_something_was_asked() {
    assert_eq!(asked("No."), says("No."));
    assert_eq!(
        asked(r#"{"action": "reply", "text": "No", "reason": ""}"#),
        says("No")
    );
    assert_eq!(
        unasked(r#"{"action": "reply", "text": "No", "reason": ""}"#),
        says("No")
    );
}

#[test]
fn a_bare_no_from_a_model_that_was_not_asked_is_silence() {
    assert_eq!(unasked("No."), silence());
    assert_eq!(unasked("none"), silence());
    assert_eq!(asked("skip"), silence());
}

#[test]
fn a_typed_answer_that_cannot_be_read_says_nothing() {
    for broken in [
        "{",
        "{\"act",
        "{\"action\"",
        "{\"text\": \"half of it",
        "{\"mood\": 1, \"action\": \"reply\", \"text\": \"half",
        "```json",
        "``",
        "```json\n{",
    ] {
        let Reading { outcome, repaired } = read_answer(broken, "Denizen", true);
        assert_eq!(outcome, ReplyOutcome::Empty, "{broken}");
        assert!(repaired.is_some(), "{broken}");
    }
}

#[test]
fn braces_in_plain_words_are_words() {
    assert_eq!(asked("{1, 2} is a set"), says("{1, 2} is a set"));
    assert_eq!(asked("{\"name\": \"Bob\"}"), says("{\"name\": \"Bob\"}"));
}

#[test]
fn words_in_front_of_a_typed_answer_are_dropped() {
    let typed = "{\"action\": \"reply\", \"text\": \"hello\", \"reason\": \"\"}";
    for answer in [
        format!("Sure! {typed}"),
        format!("[{typed}]"),
        format!("Hm.\n```json\n{typed}\n```"),
    ] {
        let Reading { outcome, repaired } = read_answer(&answer, "Denizen", true);
        assert_eq!(outcome, says("hello"), "{answer}");
        assert!(repaired.is_some(), "{answer}");
    }
}

#[test]
fn the_marks_around_a_silence_token_are_not_said() {
    assert_eq!(asked("**[SKIP]**"), silence());
    assert_eq!(asked("[SKIP]."), silence());
    assert_eq!(asked("[SKIP] I do not know"), says("I do not know"));
    assert_eq!(unasked("[SKIP] I do not know"), silence());
}

#[test]
fn silence_spelled_otherwise_is_silence_and_says_how_it_was_spelled() {
    for answer in [
        "[SKIPPED]",
        "<silence>",
        "[No response]",
        "(silence)",
        "[silent]",
        "*stays silent*",
        "No reply needed.",
        "No response needed",
        "...",
        "…",
        "—",
        "[pass]",
        "(Nothing to add.)",
        "[keine Antwort]",
    ] {
        let ReplyOutcome::Skip { why } = unasked(answer) else {
            panic!("{answer:?} was said");
        };
        assert!(why.contains(answer), "{answer:?}: {why:?}");
    }
    let ReplyOutcome::Skip { why } = unasked("[SKIPPED]") else {
        panic!("it was said");
    };
    assert_eq!(why, "it wrote “[SKIPPED]”, which says that it has nothing to say");
}

#[test]
fn silence_in_brackets_or_of_dots_is_silence_also_where_an_answer_is_owed() {
    for answer in [
        "[No response]",
        "(stays silent)",
        "<silence>",
        "...",
        "[NO_REPLY]",
    ] {
        assert!(matches!(asked(answer), ReplyOutcome::Skip { .. }), "{answer:?}");
        let typed = format!(r#"{{"action": "reply", "text": "{answer}", "reason": ""}}"#);
        assert!(matches!(asked(&typed), ReplyOutcome::Skip { .. }), "{typed}");
    }
}

#[test]
fn answers_that_begin_like_silence_are_said() {
    for answer in [
        "[SKIPPED] means that the test was not run.",
        "No reply needed, but thank you for asking!",
        "Nothing to add to that list but milk.",
        "...and then it broke.",
        "Silent film, 1927.",
        "No response? Try again.",
        "(pass the salt)",
        "Pass.",
        "No comment.",
        "?",
        "👍",
        "-1",
    ] {
        assert_eq!(unasked(answer), says(answer), "{answer:?}");
    }
    for answer in [
        "Nothing to add.",
        "Skipped.",
        "I will stay silent until you ask me.",
        "I am not sure.",
    ] {
        assert_eq!(asked(answer), says(answer), "{answer:?}");
    }
}

#[test]
fn what_only_a_model_says_that_may_stay_silent_is_never_said() {
    for answer in [
        "No reply needed.",
        "No response is needed",
        "*stays silent*",
        "_Stays silent._",
        "I will stay silent.",
        "I'll stay silent.",
        "I’m staying silent for now.",
        "I choose to remain silent here.",
        "I will not respond.",
        "Denizen: *stays quiet*",
    ] {
        let typed = format!(r#"{{"action": "reply", "text": "{answer}", "reason": ""}}"#);
        let beside = format!(r#"{{"action": "skip", "text": "{answer}", "reason": ""}}"#);
        for said in [answer, &typed, &beside] {
            assert!(matches!(asked(said), ReplyOutcome::Skip { .. }), "{said}");
            assert!(matches!(unasked(said), ReplyOutcome::Skip { .. }), "{said}");
        }
    }
}

#[test]
fn of_what_was_heard_only_words_are_left_whole_or_cut() {
    for (heard, words) in [
        ("It is Paris.", "It is Paris."),
        ("[SKIP]", ""),
        ("**[SKIP]**", ""),
        ("Skip.", ""),
        ("I would rather not. [SKIP]", "I would rather not."),
        ("It is [silence] Paris. [no re", "It is Paris."),
        ("**It is** [Paris](https://example.org).", "It is Paris."),
        (
            "<tool_call>{\"name\": \"look_up\"}</tool_call> It is Paris.",
            "It is Paris.",
        ),
        ("It is Paris. <tool_call>{\"name\": \"look", "It is Paris."),
        ("It is Paris. <tool_c", "It is Paris."),
        (
            "{\"action\": \"reply\", \"text\": \"It is Paris.\", \"reas",
            "It is Paris.",
        ),
        ("{\"action\": \"skip\", \"text\": \"\", \"reason\": \"\"}", ""),
        ("Denizen: It is Paris.", "It is Paris."),
        // Whoever asked gets these as answers, also where they are all.
        ("No.", "No."),
        ("No, ", "No,"),
    ] {
        assert_eq!(read_heard(heard, "Denizen"), words, "{heard:?}");
    }
}
