//! A message as a line of transcript: when, who, what — and no way for what to look like who.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use vocabulary::text::head;
use vocabulary::{Attachment, Message, WallTime};

/// Longest text of one message that goes into a prompt.
const LINE_TEXT_CHARS_MAX: usize = 2_000;

/// Before the name of whoever spoke, and did not write.
const SPOKEN: &str = "[vc] ";

/// `[12:03] Alice: words`, further lines indented so that they cannot pass for somebody's.
pub(crate) fn line(message: &Message, replies_to: Option<&str>) -> String {
    line_within(message, replies_to, LINE_TEXT_CHARS_MAX)
}

/// A line of another day.
pub(crate) fn dated_line(message: &Message) -> String {
    format!("({}) {}", date(message.at), line(message, None))
}

/// How many characters of a message its line leaves out.
pub(crate) fn line_cut(message: &Message) -> usize {
    let chars = message.text.trim_end().chars().count();
    chars.saturating_sub(LINE_TEXT_CHARS_MAX)
}

/// The same with so many characters of its text at most; what is left out is left out of its middle.
pub(crate) fn line_within(message: &Message, replies_to: Option<&str>, text_chars_max: usize) -> String {
    let mut line = String::with_capacity(message.text.len() + message.author.name.len() + 16);
    line.push('[');
    line.extend(digits(message.at));
    line.push_str("] ");
    if message.spoken {
        line.push_str(SPOKEN);
    }
    line.push_str(&name_in_line(&message.author.name));
    line.push_str(": ");
    if let Some(other) = replies_to {
        line.push_str("(to ");
        line.push_str(&name_in_line(other));
        line.push_str(") ");
    }
    push_indented(&mut line, &message.text, text_chars_max);
    for attachment in &message.attachments {
        line.push_str(&format!(" [{}]", attached(attachment)));
    }
    line
}

/// Something attached: what is to be seen on it where that is known, else its name.
pub(crate) fn attached(attachment: &Attachment) -> String {
    let noun = if attachment.is_image() { "picture" } else { "file" };
    let seen = [&attachment.description, &attachment.name];
    let seen = seen.into_iter().find(|words| !words.is_empty());
    format!("{noun}: {}", speaker(seen.map_or("", String::as_str)))
}

/// What a line takes at most, and one character to end it.
pub(crate) fn line_chars(message: &Message) -> usize {
    let text = message.text.chars().count().min(LINE_TEXT_CHARS_MAX);
    text + around_text(message)
}

/// The same in bytes, without a look at the words: never less than [`line_chars`].
pub(crate) fn line_bytes(message: &Message) -> usize {
    message.text.len() + around_text(message)
}

fn around_text(message: &Message) -> usize {
    const MARKS: usize = 14;
    let attachments = message.attachments.iter();
    let attachments: usize = attachments
        .map(|attachment| attachment.name.len().max(attachment.description.len()) + MARKS)
        .sum();
    message.author.name.len() + MARKS + attachments
}

/// A name on one line, without what a line uses to tell names from words.
pub(crate) fn speaker(name: &str) -> String {
    name_in_line(name).into_owned()
}

/// The same, which is mostly the name as it stands.
pub(super) fn name_in_line(name: &str) -> Cow<'_, str> {
    let tells_apart = |letter: char| letter.is_control() || ":[]".contains(letter);
    if !name.contains(tells_apart) {
        return Cow::Borrowed(name);
    }
    let letters = name.chars();
    letters
        .map(|letter| if tells_apart(letter) { ' ' } else { letter })
        .collect()
}

pub(crate) fn clock(at: WallTime) -> String {
    digits(at).into_iter().collect()
}

/// Every line of a prompt begins with it.
fn digits(at: WallTime) -> [char; 5] {
    let minutes = at.0.div_euclid(60_000).rem_euclid(24 * 60);
    let digit = |number: i64| char::from(b'0' + (number % 10) as u8);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    [
        digit(hours / 10),
        digit(hours),
        ':',
        digit(minutes / 10),
        digit(minutes),
    ]
}

pub(crate) fn date(at: WallTime) -> String {
    utc(at).strftime("%A, %-d %B %Y").to_string()
}

/// Such as "14:05 on 3 May".
pub(crate) fn date_and_time(at: WallTime) -> String {
    utc(at).strftime("%H:%M on %-d %B").to_string()
}

fn utc(at: WallTime) -> jiff::Zoned {
    Timestamp::from_millisecond(at.0)
        .unwrap_or(Timestamp::UNIX_EPOCH)
        .to_zoned(TimeZone::UTC)
}

fn push_indented(line: &mut String, text: &str, chars_max: usize) {
    let text = text.trim_end();
    let chars = text.chars().count();
    if chars <= chars_max {
        return push_lines(line, text);
    }
    // A question mostly stands at the end, and what it is about at the beginning.
    let tail = chars_max / 3;
    let end = text.char_indices().rev().take(tail).last();
    push_lines(line, head(text, chars_max - tail).trim_end());
    line.push_str(" […] ");
    push_lines(line, end.map_or("", |(at, _)| text[at..].trim_start()));
}

fn push_lines(line: &mut String, text: &str) {
    for (count, piece) in text.split('\n').enumerate() {
        if count > 0 {
            line.push_str("\n  ");
        }
        line.push_str(piece.trim_end_matches('\r'));
    }
}
