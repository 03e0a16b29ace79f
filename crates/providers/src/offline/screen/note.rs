//! The words of a note.

use runtime::ports::ReadLine;

use super::asked::Asked;
use super::lines::{Ranked, ranked};

/// Longest note.
const NOTE_CHARS_MAX: usize = 400;
/// Longest quotation of a line.
const LINE_CHARS_MAX: usize = 90;
/// Lines of which it is said where they stand.
const PLACED_MAX: usize = 2;
/// From this share of new lines on, the screen is another one.
const ANOTHER_SCREEN_FROM: f32 = 0.8;
const NO_READER: &str = "nobody here can read it: set a model that sees, or install tesseract";
/// As the measurement says that no place has most of a change.
const EVERYWHERE: &str = "all over the screen";
const NO_TEXT: &str = "No text can be read on the screen";

/// A note as it will be answered.
#[derive(Debug, PartialEq)]
pub(super) struct Noted {
    pub(super) note: String,
    pub(super) why: &'static str,
    pub(super) nothing_new: bool,
}

/// A note without a reader: that something changed, and where.
pub(super) fn unread(asked: &Asked) -> Noted {
    let told_already = asked.notes.iter().any(|note| note.contains(NO_READER));
    if asked.is_static && asked.newest().is_some() {
        return unchanged(asked);
    }
    let what = match (asked.newest(), asked.region.as_str()) {
        (Some(_), "") => "The screen changed".to_owned(),
        (Some(_), EVERYWHERE) => format!("The screen changed, {EVERYWHERE}"),
        (Some(_), region) => format!("The screen changed, most of it {region}"),
        (None, _) if asked.size.is_empty() => "A screen is shared".to_owned(),
        (None, _) => format!("A screen of {} is shared", asked.size),
    };
    fresh(if told_already {
        format!("{what}.")
    } else {
        format!("{what} ({NO_READER}).")
    })
}

/// A note on what was read, the new before the old.
pub(super) fn read(asked: &Asked, lines: &[ReadLine], before: Option<&[ReadLine]>) -> Noted {
    let lines = ranked(lines, asked, before);
    if lines.is_empty() {
        return without_text(asked);
    }
    let new = lines.iter().filter(|line| line.is_fresh).count();
    if new == 0 {
        return unchanged(asked);
    }
    let another = asked.newest().is_none() || new as f32 >= lines.len() as f32 * ANOTHER_SCREEN_FROM;
    let (opening, told): (&str, &[Ranked<'_>]) = if another {
        ("Text on the screen: ", &lines)
    } else {
        ("New on the screen: ", &lines[..new])
    };
    let ending = match asked.region.as_str() {
        region if region.is_empty() || asked.newest().is_none() => ".".to_owned(),
        region => format!("; {}.", most(region)),
    };
    let mut note = fresh(listed(opening, told, &ending));
    if lines[..new].iter().any(|line| line.is_telling) {
        note.why = "it says that something went wrong";
    }
    note
}

fn without_text(asked: &Asked) -> Noted {
    let newest = asked.newest().unwrap_or("");
    if newest.starts_with(NO_TEXT) {
        return unchanged(asked);
    }
    let any_more = if newest.is_empty() { "" } else { " any more" };
    let moving = match asked.region.as_str() {
        _ if asked.is_static => String::new(),
        "" => String::new(),
        region => format!("; {}", most(region)),
    };
    fresh(format!("{NO_TEXT}{any_more}{moving}."))
}

/// As many lines as there is room for, quoted.
fn listed(opening: &str, lines: &[Ranked<'_>], ending: &str) -> String {
    let mut note = opening.to_owned();
    let mut room = NOTE_CHARS_MAX - opening.chars().count() - ending.chars().count();
    for (index, ranked) in lines.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let quoted = format!(
            "{comma}“{}”{}",
            clipped(&ranked.line.text),
            place(ranked.line, index)
        );
        // Room must be left to say that there is more.
        let needed = quoted.chars().count() + if index + 1 < lines.len() { 2 } else { 0 };
        if needed > room {
            note.push_str(" …");
            break;
        }
        room -= quoted.chars().count();
        note.push_str(&quoted);
    }
    note + ending
}

/// " (top left)", for the first few.
fn place(line: &ReadLine, index: usize) -> String {
    if index >= PLACED_MAX {
        return String::new();
    }
    let third = |middle: f32| (middle * 3.0).clamp(0.0, 2.0) as usize;
    let column = third(line.left + line.width / 2.0);
    let row = third(line.top + line.height / 2.0);
    let words = [
        ["top left", "top", "top right"],
        ["left", "middle", "right"],
        ["bottom left", "bottom", "bottom right"],
    ];
    format!(" ({})", words[row][column])
}

/// On one line, without quotation marks of its own, and not too long.
fn clipped(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.replace(['“', '”'], "\"");
    if text.chars().count() <= LINE_CHARS_MAX {
        return text;
    }
    let mut short: String = text.chars().take(LINE_CHARS_MAX - 1).collect();
    if let Some(end) = short.rfind(' ').filter(|end| *end > LINE_CHARS_MAX / 2) {
        short.truncate(end);
    }
    short + "…"
}

fn most(region: &str) -> String {
    match region {
        EVERYWHERE => format!("the change was {EVERYWHERE}"),
        region => format!("most of the change was {region}"),
    }
}

fn fresh(note: String) -> Noted {
    Noted {
        note,
        why: "",
        nothing_new: false,
    }
}

/// The newest note still says all there is to say.
fn unchanged(asked: &Asked) -> Noted {
    Noted {
        note: asked.newest().unwrap_or("").to_owned(),
        why: "",
        nothing_new: true,
    }
}
