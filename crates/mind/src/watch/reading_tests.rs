//! Notes on screens as they come from models, and what is made of each; and that nothing that comes breaks a limit.

use proptest::prelude::*;

use super::{
    COMMENT_CHARS_MAX, COMMENT_NOTES_MAX, CommentaryReading, NoteReading, read_commentary, read_note,
};
use crate::watch::note::{NOTE_CHARS_MAX, WHY_CHARS_MAX};

fn note(text: &str) -> NoteReading {
    NoteReading::Note {
        text: text.to_owned(),
        why: String::new(),
    }
}

fn comment(answer: &str) -> CommentaryReading {
    read_commentary(answer, "Denizen")
}

#[test]
fn a_note_is_found_in_whatever_stands_around_it() {
    let typed = r#"{"note": "Boss at 43k HP", "why": "it was 80k", "nothing_new": false}"#;
    let expected = NoteReading::Note {
        text: "Boss at 43k HP".to_owned(),
        why: "it was 80k".to_owned(),
    };
    for answer in [
        typed.to_owned(),
        format!("```json\n{typed}\n```"),
        format!("```\n{typed}\n```"),
        format!("Sure, here is the note: {typed} Hope that helps!"),
        format!("Looking at {{the}} picture:\n{typed}"),
        format!("<think>it fights a boss</think>{typed}"),
        format!("[{typed}]"),
    ] {
        assert_eq!(read_note(&answer), expected, "{answer}");
    }
}

#[test]
fn a_plain_answer_is_the_note_itself() {
    for answer in [
        "Boss at 43k HP",
        "  Boss at\n  43k HP\n",
        "Note: Boss at 43k HP",
        "**Note:** Boss at 43k HP",
        "- Boss at 43k HP",
        "\"Boss at 43k HP",
        "Here is the note:\nBoss at 43k HP",
        "[[NOTE: Boss at 43k HP]]",
        "ok [[note: Boss at 43k HP]] done",
        r#"{"note": "Boss at 43k HP"}"#,
        r#"{"note": "[[NOTE: Boss at 43k HP]]", "why": null, "nothing_new": "false"}"#,
    ] {
        assert_eq!(read_note(answer), note("Boss at 43k HP"), "{answer}");
    }
}

#[test]
fn a_note_by_another_name_is_found_and_another_object_is_none() {
    for answer in [
        r#"{"description": "Boss at 43k HP"}"#,
        "```json\n{\"observation\": \"Boss at 43k HP\"}\n```",
        r#"{"action": "reply", "text": "Boss at 43k HP", "reason": ""}"#,
    ] {
        assert_eq!(read_note(answer), note("Boss at 43k HP"), "{answer}");
    }
    for answer in ["{}", r#"{"boss": "43k"}"#, r#"{"objects": ["boss", "player"]}"#] {
        assert_eq!(read_note(answer), NoteReading::Unreadable, "{answer}");
    }
}

#[test]
fn a_note_that_says_nothing_new_is_none() {
    for answer in [
        "",
        "   \n",
        "[SKIP]",
        "[skip]",
        "**[Skip]**.",
        "skip",
        "None.",
        "n/a",
        "...",
        "No change.",
        "No changes since the last note",
        "No significant changes on the screen since my previous note.",
        "Nothing new.",
        "There is nothing new to see here",
        "Nothing has changed on the screen.",
        "The screen has not changed.",
        "The screen hasn’t changed",
        "Same as before",
        "Same screen as before.",
        "The picture is exactly the same as in the previous note.",
        "The screen remains unchanged",
        "UNCHANGED",
        "Keine Änderung.",
        "Keine sichtbaren Veränderungen auf dem Bildschirm",
        "Nichts Neues",
        "Es hat sich nichts geändert",
        "Rien de nouveau",
        "Rien n'a changé",
        "Aucun changement sur l’écran",
        "Sin cambios",
        "No hay cambios en la pantalla",
        "Nada nuevo",
        "Nessun cambiamento",
        "Sem alterações",
        "Без изменений",
        "没有变化",
        r#"{"note": "", "why": "", "nothing_new": false}"#,
        r#"{"note": "the editor is open", "why": "", "nothing_new": true}"#,
        r#"{"nothing_new": true}"#,
        r#"{"note": "No change.", "why": "", "nothing_new": "False"}"#,
        r#"{"note": "[SKIP]", "why": "", "nothing_new": false}"#,
    ] {
        assert_eq!(read_note(answer), NoteReading::Nothing, "{answer}");
    }
}

#[test]
fn a_note_that_only_begins_like_that_is_kept() {
    for answer in [
        "No change in the score: 3 to 2, but 80th minute",
        "Nothing new in the inbox except a mail from Bob",
        "Same menu, now with the sound options open",
        "The build is unchanged, the tests fail with E0432",
        "No image loads on the page: error 404",
        "Sorry page of the web shop: out of stock",
    ] {
        assert_eq!(read_note(answer), note(answer), "{answer}");
    }
}

#[test]
fn a_refusal_or_a_blind_model_gives_no_note() {
    for answer in [
        "I'm sorry, but I can't help with that.",
        "Sorry, I cannot assist with this request",
        "I’m unable to view images.",
        "I cannot see any image in our conversation.",
        "Unfortunately, I don't have the ability to see pictures.",
        "As an AI language model, I can't look at screens",
        "No image was provided.",
        "Please provide the image",
        "Leider kann ich das Bild nicht sehen.",
        "Lo siento, pero no puedo ver imágenes",
        r#"{"note": "I'm sorry, I cannot process images.", "why": "", "nothing_new": false}"#,
    ] {
        assert_eq!(read_note(answer), NoteReading::Unreadable, "{answer}");
    }
}

#[test]
fn a_torn_note_gives_its_whole_words_or_nothing() {
    assert_eq!(
        read_note(r#"{"note": "Alice opens the sett"#),
        note("Alice opens the")
    );
    assert_eq!(
        read_note(r#"{"note": "Alice opens the settings", "wh"#),
        note("Alice opens the settings")
    );
    for answer in [
        "{",
        "{\"no",
        "{\"note\"",
        "{\"note\": 7, \"why",
        "```json",
        "```json\n{",
        "{\"note\": \"Ali",
    ] {
        assert_eq!(read_note(answer), NoteReading::Unreadable, "{answer}");
    }
}

#[test]
fn a_long_note_ends_with_a_sentence_or_a_word() {
    let sentences = "The graph climbs to 12 percent. ".repeat(40);
    let NoteReading::Note { text, .. } = read_note(&sentences) else {
        panic!("it is a note");
    };
    assert!(text.ends_with("percent."), "{text}");
    assert!(text.chars().count() > NOTE_CHARS_MAX - 40, "{text}");
    let words = format!("Ok. {}", "graph ".repeat(200));
    let NoteReading::Note { text, .. } = read_note(&words) else {
        panic!("it is a note");
    };
    assert!(
        text.ends_with(" graph") && text.chars().count() > NOTE_CHARS_MAX / 2,
        "{text}"
    );
}

#[test]
fn secrets_that_stood_on_the_screen_are_in_no_note() {
    let NoteReading::Note { text, .. } =
        read_note("The terminal shows the key sk-abcdefghij1234567890ABCD in .env")
    else {
        panic!("it is a note");
    };
    assert_eq!(text, "The terminal shows the key [redacted: api key] in .env");
    let heard = comment("Careful, sk-abcdefghij1234567890ABCD is on the screen [[NOTE: password: hunter2]]");
    assert_eq!(
        heard.say.as_deref(),
        Some("Careful, [redacted: api key] is on the screen")
    );
    assert_eq!(heard.notes[0].0, "password: [redacted: password]");
    assert_eq!(
        comment("Your password is visible up there!").say.as_deref(),
        Some("Your password is visible up there!")
    );
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[[NOTE: "),
        Just("[[note:"),
        Just("]]"),
        Just("]"),
        Just("[SKIP]"),
        Just("```json\n"),
        Just("```"),
        Just("{\"action\": \"say\", \"text\": \""),
        Just("{\"note\": \""),
        Just("\", \"notes\": ["),
        Just("\"why\": \"x\""),
        Just("\"}"),
        Just("}"),
        Just("{"),
        Just("]}"),
        Just("\"nothing_new\": true"),
        Just("Denizen: "),
        Just("<think>"),
        Just("</think>"),
        Just("\\u00"),
        Just("\\"),
        Just("no change"),
        Just("ü😀 "),
        Just("word "),
        Just("\n"),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_comes_is_read_within_the_limits(answer in prop_oneof![any::<String>(), "\\PC{0,2000}", pieces()]) {
        if let NoteReading::Note { text, why } = read_note(&answer) {
            prop_assert!(!text.trim().is_empty());
            prop_assert!(text.chars().count() <= NOTE_CHARS_MAX && !text.contains('\n'), "{}", text);
            prop_assert!(why.chars().count() <= WHY_CHARS_MAX);
        }
        let CommentaryReading { say, notes, why, .. } = comment(&answer);
        prop_assert!(notes.len() <= COMMENT_NOTES_MAX);
        for (text, why) in &notes {
            prop_assert!(!text.is_empty() && text.chars().count() <= NOTE_CHARS_MAX);
            prop_assert!(why.chars().count() <= WHY_CHARS_MAX);
        }
        prop_assert!(why.chars().count() <= WHY_CHARS_MAX);
        if let Some(words) = say {
            prop_assert!(!words.trim().is_empty() && words.chars().count() <= COMMENT_CHARS_MAX);
            let lower = words.to_ascii_lowercase();
            prop_assert!(!lower.contains("[skip]") && !lower.contains("[[note:"), "{}", words);
        }
    }
}
