//! Expectations about a room's session: what is summarised, what stands word for word, what waits.

use mind::text::SessionView;

use super::words::Words;

#[derive(Debug)]
pub(super) struct SessionLine {
    line: usize,
    written: String,
    wanted: Wanted,
}

#[derive(Debug)]
enum Wanted {
    Cursor(u64),
    Turns(u64),
    /// How many turns stand word for word.
    Verbatim(usize),
    /// What the oldest of them says.
    Oldest(String),
    Notes(usize),
    Summary(String),
    SummaryHas(String),
    NoSummary,
    Running(bool),
}

type Wrong = (usize, String);

impl SessionLine {
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
    if words.eat("no summary") {
        return Ok(Wanted::NoSummary);
    }
    if words.eat("no run under way") {
        return Ok(Wanted::Running(false));
    }
    if words.eat("a run under way") {
        return Ok(Wanted::Running(true));
    }
    if words.eat("summary has") {
        return Ok(Wanted::SummaryHas(words.expect_quoted()?));
    }
    let wanted = match words.take().unwrap_or_default() {
        "cursor" => Wanted::Cursor(words.expect_number()?),
        "turns" => Wanted::Turns(words.expect_number()?),
        "verbatim" => Wanted::Verbatim(words.expect_number()? as usize),
        "oldest" => Wanted::Oldest(words.expect_quoted()?),
        "notes" => Wanted::Notes(words.expect_number()? as usize),
        "summary" => Wanted::Summary(words.expect_quoted()?),
        other => {
            return Err(format!(
                "expected cursor, turns, verbatim, oldest, notes, summary, summary has, no summary or a run under way, found {other:?}"
            ));
        }
    };
    Ok(wanted)
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

impl Wanted {
    fn holds(&self, view: &SessionView) -> bool {
        match self {
            Wanted::Cursor(cursor) => view.cursor == *cursor,
            Wanted::Turns(turns) => view.turns == *turns,
            Wanted::Verbatim(count) => view.verbatim.len() == *count,
            Wanted::Oldest(text) => view.verbatim.first().is_some_and(|turn| turn.text == *text),
            Wanted::Notes(count) => view.pending_notes.len() == *count,
            Wanted::Summary(text) => view.summary == *text,
            Wanted::SummaryHas(text) => view.summary.contains(text),
            Wanted::NoSummary => view.summary.is_empty(),
            Wanted::Running(running) => view.run.is_some() == *running,
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
