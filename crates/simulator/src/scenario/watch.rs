//! Expectations about what is watched in a room, and what was noted.

use mind::watch::view::WatchView;

use super::expected::{Expected, Wanted, Wrong};
use super::words::Words;

/// One line of such a block.
pub(super) type WatchLine = Expected<WatchWanted>;

#[derive(Debug)]
pub(super) enum WatchWanted {
    /// Whose screen is watched, by name; none: nobody's.
    Watched(Option<String>),
    Generation(u64),
    Shares(usize),
    Notes(usize),
    /// Some rolling note says just this.
    Note(String, bool),
    Newest(String),
    Oldest(String),
    Failures(u64),
    Waits(Option<String>),
}

impl Wanted for WatchWanted {
    fn read(words: &mut Words<'_>) -> Result<Self, String> {
        let name = |words: &mut Words<'_>| words.take().unwrap_or_default().to_owned();
        Ok(match words.take().unwrap_or_default() {
            "nobody" if words.eat("is watched") => WatchWanted::Watched(None),
            "watched" => WatchWanted::Watched(Some(name(words))),
            "generation" => WatchWanted::Generation(words.expect_number()?),
            "shares" => WatchWanted::Shares(words.expect_number()? as usize),
            "notes" => WatchWanted::Notes(words.expect_number()? as usize),
            "note" => WatchWanted::Note(words.expect_quoted()?, true),
            "no" if words.eat("note") => WatchWanted::Note(words.expect_quoted()?, false),
            "newest" => WatchWanted::Newest(words.expect_quoted()?),
            "oldest" => WatchWanted::Oldest(words.expect_quoted()?),
            "failures" => WatchWanted::Failures(words.expect_number()?),
            "nothing" if words.eat("waits") => WatchWanted::Waits(None),
            "waits" => WatchWanted::Waits(Some(name(words))),
            other => {
                return Err(format!(
                    "expected watched, nobody is watched, generation, shares, notes, note, no note, newest, oldest, failures, waits or nothing waits, found {other:?}"
                ));
            }
        })
    }
}

pub(super) fn check(lines: &[WatchLine], line: usize, view: Option<&WatchView>) -> Result<(), Wrong> {
    let view = view.ok_or((line, "nothing ever happened in this room".to_owned()))?;
    match lines.iter().find(|line| !line.wanted.holds(view)) {
        None => Ok(()),
        Some(wrong) => {
            let what = format!("`{}` does not hold. The watch:\n{}", wrong.written, shown(view));
            Err((wrong.line, what))
        }
    }
}

impl WatchWanted {
    fn holds(&self, view: &WatchView) -> bool {
        let mut texts = view.notes.iter().map(|note| &note.text);
        match self {
            WatchWanted::Watched(name) => watched(view) == name.as_deref(),
            WatchWanted::Generation(generation) => view.generation == *generation,
            WatchWanted::Shares(count) => view.shares.len() == *count,
            WatchWanted::Notes(count) => view.notes.len() == *count,
            WatchWanted::Note(text, wanted) => texts.any(|note| note == text) == *wanted,
            WatchWanted::Newest(text) => texts.next_back() == Some(text),
            WatchWanted::Oldest(text) => texts.next() == Some(text),
            WatchWanted::Failures(count) => view.note_taker.failures == *count,
            WatchWanted::Waits(trigger) => view.commentary.waiting == *trigger,
        }
    }
}

fn watched(view: &WatchView) -> Option<&str> {
    let share = view.shares.iter().find(|share| share.watched);
    share.map(|share| share.name.as_str())
}

fn shown(view: &WatchView) -> String {
    let mut lines = vec![
        match watched(view) {
            Some(name) => format!("watched {name}"),
            None => "nobody is watched".to_owned(),
        },
        format!("generation {}", view.generation),
        format!("shares {}", view.shares.len()),
        format!("failures {}", view.note_taker.failures),
        match &view.commentary.waiting {
            Some(trigger) => format!("waits {trigger}"),
            None => "nothing waits".to_owned(),
        },
        format!("notes {}", view.notes.len()),
    ];
    lines.extend(view.notes.iter().map(|note| format!("note {:?}", note.text)));
    lines
        .iter()
        .map(|line| format!("      {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
