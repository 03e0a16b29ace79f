//! Comments on screens as they come from models, and what is made of each.

use super::{
    COMMENT_CHARS_MAX, COMMENT_NOTES_MAX, CommentaryReading, NoteReading, read_commentary, read_note,
};

fn comment(answer: &str) -> CommentaryReading {
    read_commentary(answer, "Denizen")
}

fn said(answer: &str) -> Option<String> {
    comment(answer).say
}

fn noted(answer: &str) -> Vec<String> {
    comment(answer).notes.into_iter().map(|(text, _)| text).collect()
}

#[test]
fn a_comment_is_found_in_whatever_stands_around_it() {
    let typed = r#"{"action": "say", "text": "So close!", "reason": "he nearly won", "notes": []}"#;
    for answer in [
        typed.to_owned(),
        format!("```json\n{typed}\n```"),
        format!("Here you go: {typed} — done"),
        r#"Hm. {"notes": [], "text": "So close!", "action": "SAY"}"#.to_owned(),
        r#"{"text": "So close!"}"#.to_owned(),
        r#"{"action": "say", "text": "Denizen: So close!"}"#.to_owned(),
        "So close!".to_owned(),
        "Denizen: So close!".to_owned(),
        "[12:03] Denizen: So close!".to_owned(),
        "<think>hm</think>So close!".to_owned(),
    ] {
        assert_eq!(said(&answer).as_deref(), Some("So close!"), "{answer}");
        assert_eq!(noted(&answer), Vec::<String>::new(), "{answer}");
    }
    assert_eq!(
        said("Denizen: So close!\nDenizen: Again!").as_deref(),
        Some("So close!\nAgain!")
    );
}

#[test]
fn silence_is_silence_in_any_dress() {
    for answer in [
        "",
        "[SKIP]",
        "[skip].",
        "**[Skip]**",
        "skip",
        "[SKIP] nothing happened",
        "Denizen: [SKIP]",
        r#"{"action": "skip", "text": "", "reason": "nothing new", "notes": []}"#,
        r#"{"action": "skip", "text": "words it keeps to itself"}"#,
        r#"{"action": "say", "text": ""}"#,
        r#"{"action": "say", "text": "[SKIP]"}"#,
        r#"{"action": "wait", "text": "hello"}"#,
        r#"{"notes": []}"#,
        "I'm sorry, but I can't assist with that.",
        "...",
    ] {
        assert_eq!(said(answer), None, "{answer}");
    }
    let quiet = comment(r#"{"action": "skip", "text": "", "reason": "nothing new"}"#);
    assert_eq!(quiet.why, "nothing new");
    assert_eq!(quiet.repaired, None);
}

#[test]
fn what_only_sounds_like_a_refusal_is_said() {
    for words in [
        "I can't believe he survived that!",
        "Sorry, that was my hint, wasn't it",
        "I can't see the minimap from here, is it off?",
    ] {
        assert_eq!(said(words).as_deref(), Some(words));
    }
}

#[test]
fn inline_notes_are_taken_out_of_what_is_said() {
    for (answer, words, notes) in [
        (
            "Nice one! [[NOTE: Boss down to 43k]]",
            Some("Nice one!"),
            vec!["Boss down to 43k"],
        ),
        (
            "Nice [[note: Boss at 43k]] one [[ NOTE : Alice has 2 potions ]]!",
            Some("Nice one!"),
            vec!["Boss at 43k", "Alice has 2 potions"],
        ),
        (
            "[SKIP] [[NOTE: The build failed with E0432]]",
            None,
            vec!["The build failed with E0432"],
        ),
        ("[[NOTE: level 3]]", None, vec!["level 3"]),
        ("[[NOTE: list[0]]] ok", Some("ok"), vec!["list[0]"]),
        (
            "Wow [[NOTE: nobody closes this\nGo on!",
            Some("Wow\nGo on!"),
            vec!["nobody closes this"],
        ),
        ("Wow [[NOTE: one [[NOTE: two]]", Some("Wow"), vec!["one", "two"]),
        (
            r#"{"action": "say", "text": "Wow! [[NOTE: the \"Eye\" appears]]", "notes": [{"note": "night falls", "why": "danger"}]}"#,
            Some("Wow!"),
            vec!["night falls", "the \"Eye\" appears"],
        ),
        (
            r#"{"action": "skip", "text": "[[NOTE: night falls]]"}"#,
            None,
            vec!["night falls"],
        ),
    ] {
        assert_eq!(said(answer).as_deref(), words, "{answer}");
        assert_eq!(noted(answer), notes, "{answer}");
    }
}

#[test]
fn notes_beside_a_comment_may_be_written_in_several_ways() {
    for notes in [
        r#"[{"note": "night falls", "why": ""}]"#,
        r#"["night falls"]"#,
        r#""night falls""#,
        r#"{"note": "night falls"}"#,
        r#"[{"note": "night falls"}, {"note": "Night falls."}, {"note": "no change"}, {"note": ""}, 7, null]"#,
    ] {
        let answer = format!(r#"{{"action": "skip", "text": "", "reason": "", "notes": {notes}}}"#);
        assert_eq!(noted(&answer), ["night falls"], "{answer}");
    }
}

#[test]
fn a_comment_gives_at_most_four_notes() {
    let many: String = (1..9).map(|n| format!("[[NOTE: thing number {n}]] ")).collect();
    assert_eq!(noted(&many).len(), COMMENT_NOTES_MAX);
}

#[test]
fn a_torn_comment_says_what_came_and_never_its_envelope() {
    let torn = r#"{"action": "say", "text": "So close!", "reason": "", "notes": [{"note": "night falls", "why": ""}, {"no"#;
    assert_eq!(said(torn).as_deref(), Some("So close!"));
    assert_eq!(noted(torn), ["night falls"]);
    for answer in [
        "{",
        "{\"act",
        "```json\n{\"action\"",
        r#"{"notes": [{"note": "night falls", "why": ""}], "action": "say", "text": "So cl"#,
        r#"{"text": "So cl"#,
    ] {
        assert_eq!(said(answer), None, "{answer}");
        assert!(comment(answer).repaired.is_some(), "{answer}");
    }
}

#[test]
fn braces_in_plain_words_are_words() {
    for answer in ["{1, 2} is a set", "that {x} should be {y}"] {
        assert_eq!(said(answer).as_deref(), Some(answer));
        let note = NoteReading::Note {
            text: answer.to_owned(),
            why: String::new(),
        };
        assert_eq!(read_note(answer), note);
    }
}

#[test]
fn a_lecture_is_cut() {
    let long = comment(&"And another thing about this level. ".repeat(60));
    let text = long.say.expect("it says something");
    assert!(
        text.chars().count() <= COMMENT_CHARS_MAX && text.ends_with('.'),
        "{text}"
    );
    assert_eq!(long.repaired, Some("a comment that was too long was cut"));
}
