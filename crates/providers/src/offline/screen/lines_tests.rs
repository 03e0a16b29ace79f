use runtime::ports::ReadLine;

use super::asked::Asked;
use super::lines::{ranked, worth_reading};

fn line(text: &str, top: f32, height: f32) -> ReadLine {
    ReadLine {
        text: text.to_owned(),
        left: 0.1,
        top,
        width: 0.3,
        height,
        confidence: 0.9,
    }
}

fn texts(lines: &[ReadLine], asked: &Asked, before: Option<&[ReadLine]>) -> Vec<String> {
    let ranked = ranked(lines, asked, before);
    ranked.iter().map(|ranked| ranked.line.text.clone()).collect()
}

#[test]
fn guesses_crumbs_and_drawings_are_left_out() {
    let mut guessed = line("something", 0.1, 0.02);
    guessed.confidence = 0.2;
    let lines = vec![
        guessed,
        line("OK", 0.2, 0.02),
        line("12:03", 0.3, 0.02),
        line("|= abc /// ---- ====", 0.4, 0.02),
        line("Chapter 3", 0.5, 0.02),
    ];
    let kept: Vec<String> = worth_reading(lines).into_iter().map(|line| line.text).collect();
    assert_eq!(kept, ["Chapter 3"]);
}

#[test]
fn there_is_a_most_that_is_looked_at() {
    let lines = (0..1_000).map(|index| line(&format!("line {index}"), 0.1, 0.02));
    assert_eq!(worth_reading(lines.collect()).len(), 200);
}

#[test]
fn large_and_telling_lines_come_first_and_equals_from_top_to_bottom() {
    let lines = [
        line("first small line", 0.1, 0.02),
        line("second small line", 0.2, 0.0201),
        line("THE TITLE", 0.3, 0.06),
        line("error: no such file", 0.4, 0.02),
        line("third small line", 0.5, 0.02),
    ];
    assert_eq!(
        texts(&lines, &Asked::default(), None),
        [
            "THE TITLE",
            "error: no such file",
            "first small line",
            "second small line",
            "third small line"
        ]
    );
}

#[test]
fn what_is_new_goes_before_what_is_large() {
    let before = [line("THE TITLE", 0.1, 0.06), line("an old line", 0.2, 0.02)];
    let now = [
        line("THE T1TLE", 0.1, 0.06),
        line("an old line", 0.2, 0.02),
        line("just appeared", 0.3, 0.02),
    ];
    assert_eq!(
        texts(&now, &Asked::default(), Some(&before)),
        ["just appeared", "THE T1TLE", "an old line"]
    );
}

#[test]
fn without_the_reading_behind_it_the_notes_tell_what_is_known() {
    let asked = Asked {
        notes: vec!["Text on the screen: “an old line”.".to_owned()],
        ..Asked::default()
    };
    let now = [line("an old line", 0.1, 0.02), line("just appeared", 0.3, 0.02)];
    let ranked = ranked(&now, &asked, None);
    let fresh: Vec<bool> = ranked.iter().map(|ranked| ranked.is_fresh).collect();
    assert_eq!(fresh, [true, false]);
    assert_eq!(ranked[0].line.text, "just appeared");
}
