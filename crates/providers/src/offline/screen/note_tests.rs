use runtime::ports::ReadLine;

use super::asked::Asked;
use super::note::{Noted, read, unread};

fn line(text: &str, left: f32, top: f32, height: f32) -> ReadLine {
    ReadLine {
        text: text.to_owned(),
        left,
        top,
        width: 0.1,
        height,
        confidence: 0.9,
    }
}

fn asked(region: &str, notes: &[&str]) -> Asked {
    Asked {
        region: region.to_owned(),
        is_static: false,
        size: "1280x720".to_owned(),
        notes: notes.iter().map(|note| (*note).to_owned()).collect(),
    }
}

fn screen() -> Vec<ReadLine> {
    vec![
        line("Build failed: 3 errors", 0.45, 0.05, 0.06),
        line("src/main.rs", 0.02, 0.5, 0.02),
        line("let answer = 42;", 0.4, 0.55, 0.02),
    ]
}

#[test]
fn a_first_note_lists_the_text_with_the_title_first() {
    let noted = read(&asked("in the top left", &[]), &screen(), None);
    assert_eq!(
        noted,
        Noted {
            note: "Text on the screen: “Build failed: 3 errors” (top), “src/main.rs” (left), “let answer = 42;”.".to_owned(),
            why: "it says that something went wrong",
            nothing_new: false,
        }
    );
}

#[test]
fn a_later_note_says_what_is_new_and_where_the_change_was() {
    let before = screen();
    let mut now = screen();
    now.push(line("Tests passed", 0.9, 0.95, 0.02));
    let noted = read(&asked("in the bottom right", &["Whatever."]), &now, Some(&before));
    assert_eq!(
        noted.note,
        "New on the screen: “Tests passed” (bottom right); most of the change was in the bottom right."
    );
    assert_eq!((noted.why, noted.nothing_new), ("", false));
}

#[test]
fn the_same_text_is_nothing_new() {
    let newest = "Text on the screen: “Build failed: 3 errors”.";
    let noted = read(&asked("in the middle", &[newest]), &screen(), Some(&screen()));
    assert!(noted.nothing_new);
    assert_eq!(noted.note, newest);
}

#[test]
fn another_screen_is_told_as_a_whole() {
    let before = [line("something else entirely", 0.1, 0.1, 0.02)];
    let noted = read(
        &asked("all over the screen", &["Whatever."]),
        &screen(),
        Some(&before),
    );
    assert!(
        noted.note.starts_with("Text on the screen: “Build failed"),
        "{}",
        noted.note
    );
    assert!(
        noted.note.ends_with("; the change was all over the screen."),
        "{}",
        noted.note
    );
}

#[test]
fn a_note_has_four_hundred_characters_at_most_and_says_that_there_is_more() {
    for words in [1, 4, 30] {
        let lines: Vec<ReadLine> = (0..60)
            .map(|index| {
                line(
                    &format!("wörd{index} ").repeat(words),
                    0.1,
                    index as f32 / 60.0,
                    0.02,
                )
            })
            .collect();
        let noted = read(&asked("in the middle", &["Whatever."]), &lines, Some(&[]));
        let length = noted.note.chars().count();
        assert!((250..=400).contains(&length), "{length}: {}", noted.note);
        assert!(noted.note.contains(" …;"), "{}", noted.note);
    }
}

#[test]
fn one_endless_line_is_clipped() {
    let lines = [line(&"x".repeat(5_000), 0.1, 0.1, 0.02)];
    let noted = read(&asked("", &[]), &lines, None);
    assert!(
        noted.note.chars().count() < 130 && noted.note.contains('…'),
        "{}",
        noted.note
    );
}

#[test]
fn a_screen_without_text_is_said_once() {
    let first = read(&asked("in the middle", &[]), &[], None);
    assert_eq!(
        first.note,
        "No text can be read on the screen; most of the change was in the middle."
    );
    assert!(read(&asked("on the left", &[&first.note]), &[], None).nothing_new);
    let gone = read(&asked("", &["Text on the screen: “a”."]), &[], None);
    assert_eq!(gone.note, "No text can be read on the screen any more.");
}

#[test]
fn without_a_reader_it_says_what_changed_and_once_what_to_do_about_it() {
    let first = unread(&asked("", &[]));
    assert_eq!(
        first.note,
        "A screen of 1280x720 is shared (nobody here can read it: set a model that sees, or install tesseract)."
    );
    let later = unread(&asked("in the top left", &[&first.note]));
    assert_eq!(later.note, "The screen changed, most of it in the top left.");
    // The first note may have been folded away.
    let after = unread(&asked("in the top left", &["The screen changed."]));
    assert_eq!(
        after.note,
        "The screen changed, most of it in the top left (nobody here can read it: set a model that sees, or install tesseract)."
    );
    let mut still = asked("", &[&first.note]);
    still.is_static = true;
    assert!(unread(&still).nothing_new);
}
