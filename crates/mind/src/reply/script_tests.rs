//! What small models write around their line, and what is left of it.

use super::{Cast, own_line, own_line_so_far};

const QUESTION: &str = "Denizen, what is flaky again?";

fn others() -> Vec<String> {
    ["Alice", "Bob", "Ann Lee"].map(str::to_owned).to_vec()
}

fn cast(others: &[String]) -> Cast<'_> {
    Cast {
        own_name: "Denizen",
        others,
        answered: Some("Alice"),
    }
}

fn cleaned(answer: &str) -> String {
    own_line(answer, cast(&others()), QUESTION).to_owned()
}

#[test]
fn a_line_keeps_its_words_and_loses_what_the_script_put_around_them() {
    for (answer, line) in [
        ("The upload test.", "The upload test."),
        ("Denizen: The upload test.", "The upload test."),
        ("denizen: The upload test.", "The upload test."),
        ("**Denizen**: The upload test.", "The upload test."),
        ("**Denizen:** The upload test.", "The upload test."),
        ("Denizen, the upload test is flaky.", "the upload test is flaky."),
        ("\"The upload test.\"", "The upload test."),
        ("He said \"upload\"", "He said \"upload\""),
        ("Two things:\n- upload\n- login", "Two things:\n- upload\n- login"),
        ("Note: it is the upload test.", "Note: it is the upload test."),
        ("Alice: The upload test.", "The upload test."),
        ("", ""),
        ("  \n ", ""),
    ] {
        assert_eq!(cleaned(answer), line, "{answer:?}");
    }
}

#[test]
fn lines_of_others_are_never_said() {
    for (answer, line) in [
        (
            "The upload test.\nAlice: thanks!\nDenizen: welcome",
            "The upload test.",
        ),
        ("The upload test.\n\nBob: oh no", "The upload test."),
        ("The upload test. Alice: thanks!", "The upload test."),
        ("Bob: it is the upload test", ""),
        ("Bob: hm\nAnn Lee: hm", ""),
        ("Zoe: hi\nDenizen: The upload test.", "The upload test."),
        (
            "**Zoe Q.**: hi\nMax: hm\n**Denizen**: The upload test.",
            "The upload test.",
        ),
        (
            "The upload test: it fails.\nDenizen: yes",
            "The upload test: it fails.",
        ),
        ("User: what is flaky?", ""),
        (
            "Alice: Denizen, what is flaky again?\nDenizen: The upload test.",
            "The upload test.",
        ),
        (
            "Bob: the proxy\nAlice: ah\nDenizen: The upload test.\nBob: yes",
            "The upload test.",
        ),
        (
            "Denizen: The upload test.\nDenizen: And more.",
            "The upload test.",
        ),
        ("ann lee: me too", ""),
    ] {
        assert_eq!(cleaned(answer), line, "{answer:?}");
    }
}

#[test]
fn to_repeat_the_question_is_no_answer() {
    for answer in [
        "Denizen, what is flaky again?",
        "What is flaky again?",
        "Alice: Denizen, what is flaky again?",
    ] {
        assert_eq!(cleaned(answer), "", "{answer:?}");
    }
}

#[test]
fn while_it_is_written_no_word_of_another_is_shown_and_nothing_is_taken_back() {
    let others = others();
    for answer in [
        "Denizen: The upload test.\nAlice: thanks!",
        "The upload test.\nBob: oh no",
        "Alice: Denizen, what is flaky again?\nDenizen: The upload test.",
        "Bob: it is the proxy, I think",
    ] {
        let mut shown = String::new();
        for (at, letter) in answer.char_indices() {
            let visible = own_line_so_far(&answer[..at + letter.len_utf8()], cast(&others));
            assert!(
                !visible.contains("thanks") && !visible.contains("oh no"),
                "{visible:?}"
            );
            assert!(
                !visible.contains("proxy") && !visible.contains("what is"),
                "{visible:?}"
            );
            if visible.len() >= shown.len() {
                assert!(visible.starts_with(&shown), "{shown:?} became {visible:?}");
                visible.clone_into(&mut shown);
            }
        }
        let end = cleaned(answer);
        assert!(end.starts_with(&shown), "{end:?} does not go on from {shown:?}");
    }
}
