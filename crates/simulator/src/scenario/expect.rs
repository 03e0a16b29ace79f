//! What must come of a script, and whether it did.

use std::str::SplitWhitespace;

use mind::JournalEntry;
use mind::journal::event_docs;
use serde_json::Value;
use vocabulary::{Moment, RoomId};

use super::ambient::AmbientLine;
use super::memory::MemoryLine;
use super::prompt::{AskNumber, PromptLine};
use super::prompter::Prompter;
use super::session::SessionLine;
use super::transcript;
use super::watch::WatchLine;
use super::words::{Expected, Words, span};
use crate::render;
use crate::world::World;

/// What is shown of a journal in which something is missing.
const SHOWN_BEFORE: usize = 10;
const SHOWN_MAX: usize = 40;
const SHOWN_WIDTH: usize = 240;

/// One block of expectations.
#[derive(Debug)]
pub(super) struct Expectation {
    line: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Journal(Vec<Pattern>),
    /// Everything Denizen wrote.
    Sent(Vec<TextAndTime>),
    /// Everything that stands in the rooms at the end.
    Room(Vec<TextAndTime>),
    /// Everything that was shown of answers in the making.
    Drafts(Vec<TextAndTime>),
    /// Everything that Denizen's voice was given to say.
    Spoken(Vec<TextAndTime>),
    /// What the n-th ask (of a purpose) was given.
    Prompt(AskNumber, Vec<PromptLine>),
    /// A room's session at the end.
    Session(RoomId, Vec<SessionLine>),
    /// What is watched in a room, and what was noted, at the end.
    Watch(RoomId, Vec<WatchLine>),
    /// Its own thoughts at the end.
    Ambient(Vec<AmbientLine>),
    /// Everything that was offered to memory.
    Offered(Vec<TextAndTime>),
    /// What memory holds at the end.
    Memory(Vec<MemoryLine>),
}

/// A line of text, perhaps with its time.
#[derive(Debug)]
struct TextAndTime {
    time: Option<Expected>,
    text: String,
}

/// A journal line, by name and some of its fields.
#[derive(Debug)]
struct Pattern {
    line: usize,
    written: String,
    never: bool,
    time: Option<Expected>,
    name: String,
    fields: Vec<(String, String)>,
}

type Wrong = (usize, String);

impl Expectation {
    pub fn read(
        kind: &str,
        rest: &mut SplitWhitespace<'_>,
        line: usize,
        lines: &[(usize, &str)],
    ) -> Result<Self, Wrong> {
        let lines: Vec<(usize, &str)> = lines
            .iter()
            .map(|(number, line)| (*number, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with("# "))
            .collect();
        let plain = || {
            let texts = lines.iter().map(|(_, line)| {
                let mut words = Words::of(line);
                let time = words.moment();
                let text = words.rest().to_owned();
                TextAndTime { time, text }
            });
            texts.collect()
        };
        let kind = match kind {
            "journal" if lines.is_empty() => {
                return Err((line, "expected at least one journal line".to_owned()));
            }
            "journal" => Kind::Journal(lines.iter().map(pattern).collect::<Result<_, _>>()?),
            "sent" => Kind::Sent(plain()),
            "room" => Kind::Room(plain()),
            "drafts" => Kind::Drafts(plain()),
            "spoken" => Kind::Spoken(plain()),
            "prompt" => {
                let number = AskNumber::read(rest).map_err(|what| (line, what))?;
                let lines = lines.iter().map(|(line, text)| PromptLine::read(*line, text));
                Kind::Prompt(number, lines.collect::<Result<_, _>>()?)
            }
            "watch" => {
                let room = room(rest);
                let lines = lines.iter().map(|(line, text)| WatchLine::read(*line, text));
                Kind::Watch(room, lines.collect::<Result<_, _>>()?)
            }
            "session" => {
                let room = room(rest);
                let lines = lines.iter().map(|(line, text)| SessionLine::read(*line, text));
                Kind::Session(room, lines.collect::<Result<_, _>>()?)
            }
            "ambient" => {
                let lines = lines.iter().map(|(line, text)| AmbientLine::read(*line, text));
                Kind::Ambient(lines.collect::<Result<_, _>>()?)
            }
            "offered" => Kind::Offered(plain()),
            "memory" => {
                let lines = lines.iter().map(|(line, text)| MemoryLine::read(*line, text));
                Kind::Memory(lines.collect::<Result<_, _>>()?)
            }
            other => {
                let what = format!(
                    "expected a block called script, settings, journal, sent, room, drafts, spoken, prompt, session, watch, ambient, offered or memory, found {other:?}"
                );
                return Err((line, what));
            }
        };
        Ok(Self { line, kind })
    }

    pub fn check(&self, world: &World<Prompter>) -> Result<(), Wrong> {
        match &self.kind {
            Kind::Journal(patterns) => journal(patterns, &world.trace.journal().collect::<Vec<_>>()),
            Kind::Sent(lines) => self.same(lines, &transcript::room(&world.platform, true), "what was sent"),
            Kind::Room(lines) => self.same(lines, &transcript::room(&world.platform, false), "the room"),
            Kind::Drafts(lines) => self.same(lines, &transcript::drafts(&world.trace), "the drafts"),
            Kind::Spoken(lines) => self.same(lines, &transcript::spoken(&world.trace), "what was said aloud"),
            Kind::Prompt(number, lines) => super::prompt::check(number, self.line, lines, &world.trace),
            Kind::Session(room, lines) => {
                super::session::check(lines, self.line, world.session(room).as_ref())
            }
            Kind::Watch(room, lines) => super::watch::check(lines, self.line, world.watch(room).as_ref()),
            Kind::Ambient(lines) => super::ambient::check(lines, &world.ambient()),
            Kind::Memory(lines) => super::memory::check(lines, &world.trace.memory),
            Kind::Offered(lines) => self.same(
                lines,
                &transcript::offered(&world.trace),
                "what was offered to memory",
            ),
        }
    }

    fn same(&self, expected: &[TextAndTime], actual: &[(Moment, String)], what: &str) -> Result<(), Wrong> {
        let fits = |line: &TextAndTime, (at, text): &(Moment, String)| {
            line.text == *text && line.time.is_none_or(|time| time.is(*at))
        };
        let same = expected.len() == actual.len()
            && expected.iter().zip(actual).all(|(line, real)| fits(line, real));
        if same {
            return Ok(());
        }
        let shown = transcript::shown(actual);
        Err((
            self.line,
            format!("{what} is not as expected. It really is:\n{shown}"),
        ))
    }
}

/// The room that is named behind the kind of a block; the lobby otherwise.
fn room(rest: &mut SplitWhitespace<'_>) -> RoomId {
    RoomId::from(rest.next().map_or("lobby", |word| word.trim_start_matches('#')))
}

fn pattern((line, text): &(usize, &str)) -> Result<Pattern, Wrong> {
    let mut words = Words::of(text);
    let never = words.eat("not");
    let time = words.moment();
    let name = words.take().unwrap_or_default().to_owned();
    let Some(doc) = event_docs().iter().find(|doc| doc.name == name) else {
        return Err((
            *line,
            format!("expected the name of a journal event, found {name:?}"),
        ));
    };
    let mut fields = Vec::new();
    while let Some(word) = words.take() {
        let Some((key, value)) = word.split_once('=') else {
            return Err((*line, format!("expected key=value, found {word:?}")));
        };
        if !["room", "turn", "about"].contains(&key) && !doc.fields.contains(&key) {
            let what = format!("{name} has no field {key:?}; it has {}", doc.fields.join(", "));
            return Err((*line, what));
        }
        fields.push((key.to_owned(), value.to_owned()));
    }
    Ok(Pattern {
        line: *line,
        written: (*text).to_owned(),
        never,
        time,
        name,
        fields,
    })
}

/// The expected lines must occur in this order, with any others between them.
fn journal(patterns: &[Pattern], actual: &[&JournalEntry]) -> Result<(), Wrong> {
    let mut next = 0;
    for pattern in patterns {
        let found = |from: usize| actual[from..].iter().position(|entry| pattern.fits(entry));
        let what = match (pattern.never, found(if pattern.never { 0 } else { next })) {
            (true, None) => continue,
            (false, Some(place)) => {
                next += place + 1;
                continue;
            }
            (true, Some(place)) => format!("must not occur, and does: {}", render::line(actual[place])),
            (false, None) if found(0).is_some() => "occurs, but earlier than the line above".to_owned(),
            (false, None) => "does not occur".to_owned(),
        };
        return Err((
            pattern.line,
            format!(
                "`{}` {what}. The journal:\n{}",
                pattern.written,
                shown(actual, next)
            ),
        ));
    }
    Ok(())
}

/// The journal from a little before `place` on; lines that are very long are cut.
fn shown(actual: &[&JournalEntry], place: usize) -> String {
    let from = place.saturating_sub(SHOWN_BEFORE);
    let lines = actual[from..].iter().take(SHOWN_MAX).map(|entry| {
        let line = render::line(entry);
        match line.char_indices().nth(SHOWN_WIDTH) {
            Some((end, _)) => format!("      {}…", &line[..end]),
            None => format!("      {line}"),
        }
    });
    let mut lines: Vec<String> = lines.collect();
    if from > 0 {
        lines.insert(0, format!("      … {from} lines before"));
    }
    let left = actual.len().saturating_sub(from + SHOWN_MAX);
    if left > 0 {
        lines.push(format!("      … {left} lines more"));
    }
    lines.join("\n")
}

impl Pattern {
    fn fits(&self, entry: &JournalEntry) -> bool {
        if entry.event.name() != self.name || self.time.is_some_and(|time| !time.is(entry.moment)) {
            return false;
        }
        let actual = render::fields(entry);
        self.fields.iter().all(|(key, wanted)| {
            let value = actual.iter().find(|(name, _)| name == key);
            equals(value.map_or(&Value::Null, |(_, value)| value), wanted)
        })
    }
}

/// A value as it is written in a scenario: `5`, `2.5s`, `true`, `alice-1`, `[alice-1,alice-2]`, `"with blanks"`, `none`.
fn equals(actual: &Value, wanted: &str) -> bool {
    let quoted = serde_json::from_str::<String>(wanted).ok();
    match actual {
        Value::Null => wanted == "none",
        Value::String(text) => quoted.as_deref() == Some(text) || text == wanted,
        Value::Number(number) => {
            let length = span(wanted).map(|length| length.0);
            length.is_some_and(|length| number.as_u64() == Some(length)) || number.to_string() == wanted
        }
        Value::Array(items) if !wanted.starts_with('[') => items.iter().any(|item| equals(item, wanted)),
        // `interval:3,cooldown:1` fits whatever else is counted beside.
        Value::Object(counted) => wanted.split(',').all(|part| {
            let (key, value) = part.split_once(':').unwrap_or((part, "none"));
            equals(counted.get(key).unwrap_or(&Value::Null), value)
        }),
        other => render::shown(other) == wanted,
    }
}
