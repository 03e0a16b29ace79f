//! Expectations about what is watched in a room, and what was noted.

use mind::watch::view::WatchView;

use super::words::Words;

#[derive(Debug)]
pub(super) struct WatchLine {
    line: usize,
    written: String,
    wanted: Wanted,
}

#[derive(Debug)]
enum Wanted {
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

type Wrong = (usize, String);

impl WatchLine {
    pub fn read(line: usize, text: &str) -> Result<Self, Wrong> {
        let mut words = Words::of(text);
        let wanted = wanted(&mut words).and_then(|wanted| words.expect_end().map(|()| wanted));
        Ok(Self {
            line,
            written: text.to_owned(),
            wanted: wanted.map_err(|what| (line, what))?,
        })
    }
}

fn wanted(words: &mut Words<'_>) -> Result<Wanted, String> {
    let name = |words: &mut Words<'_>| words.take().unwrap_or_default().to_owned();
    Ok(match words.take().unwrap_or_default() {
        "nobody" if words.eat("is watched") => Wanted::Watched(None),
        "watched" => Wanted::Watched(Some(name(words))),
        "generation" => Wanted::Generation(words.expect_number()?),
        "shares" => Wanted::Shares(words.expect_number()? as usize),
        "notes" => Wanted::Notes(words.expect_number()? as usize),
        "note" => Wanted::Note(words.expect_quoted()?, true),
        "no" if words.eat("note") => Wanted::Note(words.expect_quoted()?, false),
        "newest" => Wanted::Newest(words.expect_quoted()?),
        "oldest" => Wanted::Oldest(words.expect_quoted()?),
        "failures" => Wanted::Failures(words.expect_number()?),
        "nothing" if words.eat("waits") => Wanted::Waits(None),
        "waits" => Wanted::Waits(Some(name(words))),
        other => {
            return Err(format!(
                "expected watched, nobody is watched, generation, shares, notes, note, no note, newest, oldest, failures, waits or nothing waits, found {other:?}"
            ));
        }
    })
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

impl Wanted {
    fn holds(&self, view: &WatchView) -> bool {
        let mut texts = view.notes.iter().map(|note| &note.text);
        match self {
            Wanted::Watched(name) => watched(view) == name.as_deref(),
            Wanted::Generation(generation) => view.generation == *generation,
            Wanted::Shares(count) => view.shares.len() == *count,
            Wanted::Notes(count) => view.notes.len() == *count,
            Wanted::Note(text, wanted) => texts.any(|note| note == text) == *wanted,
            Wanted::Newest(text) => texts.next_back() == Some(text),
            Wanted::Oldest(text) => texts.next() == Some(text),
            Wanted::Failures(count) => view.note_taker.failures == *count,
            Wanted::Waits(trigger) => view.commentary.waiting == *trigger,
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
