//! Expectations about a room's session: what is summarised, what stands word for word, what waits.

use mind::context::compaction::SessionView;

use super::expected::{Expected, Wanted, Wrong};
use super::words::Words;

/// One line of such a block.
pub(super) type SessionLine = Expected<SessionWanted>;

#[derive(Debug)]
pub(super) enum SessionWanted {
    Cursor(u64),
    Turns(u64),
    /// How many turns stand word for word.
    Verbatim(usize),
    /// What the oldest of them says.
    Oldest(String),
    Notes(usize),
    Summary(String),
    SummaryHas(String),
    SummaryLacks(String),
    NoSummary,
    Running(bool),
}

impl Wanted for SessionWanted {
    fn read(words: &mut Words<'_>) -> Result<Self, String> {
        if words.eat("no summary") {
            return Ok(SessionWanted::NoSummary);
        }
        if words.eat("no run under way") {
            return Ok(SessionWanted::Running(false));
        }
        if words.eat("a run under way") {
            return Ok(SessionWanted::Running(true));
        }
        if words.eat("summary has") {
            return Ok(SessionWanted::SummaryHas(words.expect_quoted()?));
        }
        if words.eat("summary lacks") {
            return Ok(SessionWanted::SummaryLacks(words.expect_quoted()?));
        }
        let wanted = match words.take().unwrap_or_default() {
            "cursor" => SessionWanted::Cursor(words.expect_number()?),
            "turns" => SessionWanted::Turns(words.expect_number()?),
            "verbatim" => SessionWanted::Verbatim(words.expect_number()? as usize),
            "oldest" => SessionWanted::Oldest(words.expect_quoted()?),
            "notes" => SessionWanted::Notes(words.expect_number()? as usize),
            "summary" => SessionWanted::Summary(words.expect_quoted()?),
            other => {
                return Err(format!(
                    "expected cursor, turns, verbatim, oldest, notes, summary, summary has, no summary or a run under way, found {other:?}"
                ));
            }
        };
        Ok(wanted)
    }
}

pub(super) fn check(lines: &[SessionLine], line: usize, view: Option<&SessionView>) -> Result<(), Wrong> {
    let view = view.ok_or((line, "nothing was ever said in this room".to_owned()))?;
    match lines.iter().find(|line| !line.wanted.holds(view)) {
        None => Ok(()),
        Some(wrong) => {
            let what = format!("`{}` does not hold. The session:\n{}", wrong.written, shown(view));
            Err((wrong.line, what))
        }
    }
}

impl SessionWanted {
    fn holds(&self, view: &SessionView) -> bool {
        match self {
            SessionWanted::Cursor(cursor) => view.cursor == *cursor,
            SessionWanted::Turns(turns) => view.turns == *turns,
            SessionWanted::Verbatim(count) => view.verbatim.len() == *count,
            SessionWanted::Oldest(text) => view.verbatim.first().is_some_and(|turn| turn.text == *text),
            SessionWanted::Notes(count) => view.pending_notes.len() == *count,
            SessionWanted::Summary(text) => view.summary == *text,
            SessionWanted::SummaryHas(text) => view.summary.contains(text),
            SessionWanted::SummaryLacks(text) => !(view.summary.contains(text)),
            SessionWanted::NoSummary => view.summary.is_empty(),
            SessionWanted::Running(running) => view.run.is_some() == *running,
        }
    }
}

fn shown(view: &SessionView) -> String {
    let oldest = view.verbatim.first().map_or("", |turn| turn.text.as_str());
    let lines = [
        format!("cursor {}", view.cursor),
        format!("turns {}", view.turns),
        format!("verbatim {}", view.verbatim.len()),
        format!("oldest {oldest:?}"),
        format!("notes {}", view.pending_notes.len()),
        format!("summary {:?}", view.summary),
    ];
    lines.map(|line| format!("      {line}")).join("\n")
}
