//! What the built-in model says of itself, and to whoever goes on with it.

use vocabulary::{AskPurpose, ContentPart, ModelRequest, SectionFate, SectionReport};

use super::tests::{TALK, asked, reply, said};

/// A prompt for somebody who goes on with an exchange: nothing is owed.
fn following_up(before: &str, current: &str) -> (String, String) {
    let request = asked("no", before, &format!("[12:09] Alice: {current}"));
    let turns = request.turns.iter().cloned().map(|mut turn| {
        for part in &mut turn.parts {
            if let ContentPart::Text(text) = part {
                *text = text.replace(
                    "It names you.",
                    "It seems to go on with the exchange you two are in.",
                );
            }
        }
        turn
    });
    reply(&ModelRequest {
        turns: turns.collect(),
        ..request
    })
}

#[test]
fn whoever_goes_on_with_it_is_answered() {
    let before = format!("{TALK}\n[12:08] Alice: Denizen, hello\n[12:08] Denizen: Hello, Alice.");
    for text in [
        "and how are you doing?",
        "I am planning a trip to Norway",
        "thanks!",
    ] {
        assert_eq!(following_up(&before, text).0, "reply", "{text}");
    }
    for text in ["ok", "hm"] {
        assert_eq!(following_up(&before, text).0, "skip", "{text}");
    }
}

#[test]
fn it_says_once_what_it_is_and_how_to_get_a_real_model() {
    let first = said(TALK, "Denizen, what is the capital of Peru?");
    for words in ["offline model", "ANTHROPIC_API_KEY", "Ollama", "denizen doctor"] {
        assert!(first.contains(words), "{first}");
    }
    let later = said(
        &format!("{TALK}\n[12:08] Denizen: {first}"),
        "Denizen, and of Chile?",
    );
    assert!(
        later.contains("offline model") && !later.contains("ANTHROPIC_API_KEY"),
        "{later}"
    );
}

#[test]
fn aloud_it_reads_nobody_the_names_of_variables() {
    for question in ["what is the capital of Peru?", "what can you do?"] {
        let mut request = asked("yes", TALK, &format!("[12:09] Alice: Denizen, {question}"));
        request.purpose = AskPurpose::VoiceReply;
        let (_, first) = reply(&request);
        assert!(
            first.contains("denizen doctor") && !first.contains("_API_KEY"),
            "{first}"
        );
        request = asked(
            "yes",
            &format!("{TALK}\n[12:08] Denizen: {first}"),
            &format!("[12:09] Alice: Denizen, {question}"),
        );
        request.purpose = AskPurpose::VoiceReply;
        assert!(!reply(&request).1.contains("denizen doctor"), "once is enough");
    }
}

#[test]
fn asked_what_it_can_do_it_says_what_to_try() {
    let text = said(TALK, "Denizen, what can you do?");
    for words in ["offline model", "summarise", "what did Bob say", "/help"] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_summary_tells_what_was_said_before_too() {
    let mut request = asked("yes", TALK, "[12:09] Alice: Denizen, summarise please");
    request.sections.push(SectionReport {
        name: "session_summary".to_owned(),
        fate: SectionFate::Kept,
        priority: 65,
        wanted_chars: 0,
        kept_chars: 0,
        cap_chars: 0,
        remark: String::new(),
        text: "Bob booked the cabin for May.".to_owned(),
    });
    let (_, text) = reply(&request);
    assert!(
        text.contains("Before that: Bob booked the cabin for May."),
        "{text}"
    );
    assert!(text.contains("Lately: ") && text.contains("Biscuit"), "{text}");
}
