//! What a channel looks like to somebody who thinks of saying something there.

use vocabulary::text::one_line;
use vocabulary::{AuthorKind, Message, MessageId, Span, WallTime};

use crate::prompt::speaker;
use crate::watch::reading::wording::shortened;

/// Longest line, its head included.
const LINE_CHARS_MAX: usize = 240;
const NAME_CHARS_MAX: usize = 40;
const HOUR: Span = Span::hours(1);

/// A channel of the pool, as the prompt tells of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelSummary {
    pub room: String,
    /// One line a message, oldest first: a handle such as `m3`, how long ago, who, `[vc]` where it was spoken, the words.
    pub lines: Vec<String>,
    /// The handles of `lines`, for a post that answers one of them.
    pub handles: Vec<(String, MessageId)>,
    /// Messages by people in the last hour, and how many people wrote them.
    pub messages_last_hour: usize,
    pub people_last_hour: usize,
    /// Since a person last wrote here, and since Denizen did, in words; empty: never.
    pub last_human: String,
    pub last_own: String,
    /// What was said before those lines, summed up; empty: nothing, or nobody has summed it up.
    pub before: String,
}

/// Tells of a channel by its newest messages, oldest first. `first_handle` is the number of its first handle, so that
/// handles differ between channels.
pub fn summarise(room: &str, newest: &[&Message], now: WallTime, first_handle: usize) -> ChannelSummary {
    let handle = |index: usize| format!("m{}", first_handle + index);
    let lines = newest.iter().enumerate().map(|(index, message)| {
        let target = message.reply_to.as_ref();
        let answered = target.and_then(|id| newest.iter().position(|other| other.id == *id));
        line(&handle(index), message, answered.map(handle).as_deref(), now)
    });
    let handles = newest.iter().enumerate();
    let of_people = || {
        newest
            .iter()
            .filter(|message| message.author.kind == AuthorKind::Person)
    };
    let last_hour: Vec<_> = of_people()
        .filter(|message| between(message.at, now) < HOUR)
        .collect();
    let mut people: Vec<_> = last_hour.iter().map(|message| &message.author.id).collect();
    people.sort();
    people.dedup();
    let latest = |kind: AuthorKind| {
        let times = newest
            .iter()
            .filter(|message| message.author.kind == kind)
            .map(|message| message.at);
        times.max().map_or_else(String::new, |at| ago(at, now))
    };
    ChannelSummary {
        room: room.to_owned(),
        lines: lines.collect(),
        handles: handles
            .map(|(index, message)| (handle(index), message.id.clone()))
            .collect(),
        messages_last_hour: last_hour.len(),
        people_last_hour: people.len(),
        last_human: latest(AuthorKind::Person),
        last_own: latest(AuthorKind::Denizen),
        before: String::new(),
    }
}

/// How long ago something was, in words.
pub(crate) fn ago(at: WallTime, now: WallTime) -> String {
    match between(at, now) {
        span if span < Span::minutes(1) => "just now".to_owned(),
        span => format!("{} ago", in_words(span)),
    }
}

/// A length of time in words: `40 s`, `12 min`, `3 h`, `2 days`.
pub(crate) fn in_words(span: Span) -> String {
    let minutes = span.0 / 60_000;
    match minutes {
        0 => format!("{} s", span.0 / 1_000),
        1..60 => format!("{minutes} min"),
        60..2_880 => format!("{} h", minutes / 60),
        _ => format!("{} days", minutes / 1_440),
    }
}

fn between(earlier: WallTime, later: WallTime) -> Span {
    Span(later.0.saturating_sub(earlier.0).max(0).unsigned_abs())
}

/// `m3 · 12 min ago · Alice: (to m1) [vc] words [picture: cat.png]`, all on one line.
fn line(handle: &str, message: &Message, answered: Option<&str>, now: WallTime) -> String {
    let mut head = format!("{handle} · {} · {}: ", ago(message.at, now), author(message));
    if let Some(answered) = answered {
        head.push_str(&format!("(to {answered}) "));
    }
    if message.spoken {
        head.push_str("[vc] ");
    }
    let mut words = folded(&message.text);
    for attachment in &message.attachments {
        let kind = match () {
            () if attachment.is_image() => "picture",
            () if attachment.mime.starts_with("video/") => "clip",
            () if attachment.mime.starts_with("audio/") => "sound",
            () => "file",
        };
        let name = shortened(&folded(&speaker(&attachment.name)), NAME_CHARS_MAX);
        words.push_str(&format!(" [{kind}: {name}]"));
    }
    let words = match words.trim() {
        "" => "(no words)",
        words => words,
    };
    let room = LINE_CHARS_MAX.saturating_sub(head.chars().count());
    if words.chars().count() <= room {
        return head + words;
    }
    format!("{head}{} […]", shortened(words, room.saturating_sub(4)))
}

/// Whoever wrote a message. Nobody but Denizen is "you", whatever they call themselves.
fn author(message: &Message) -> String {
    if message.author.kind == AuthorKind::Denizen {
        return "you".to_owned();
    }
    let name = folded(&speaker(&message.author.name).replace('·', " "));
    let name = match shortened(&name, NAME_CHARS_MAX) {
        name if name.is_empty() => "somebody".to_owned(),
        name if name.eq_ignore_ascii_case("you") => "somebody called “you”".to_owned(),
        name => name,
    };
    match message.author.kind {
        AuthorKind::OtherBot => format!("{name} (a bot)"),
        AuthorKind::Person | AuthorKind::Denizen => name,
    }
}

fn folded(text: &str) -> String {
    if !text.contains(char::is_control) {
        return one_line(text);
    }
    let visible: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    one_line(&visible)
}

#[cfg(test)]
#[path = "channels_tests.rs"]
mod channels_tests;
