//! The conversation of a room as a prompt shows it: its lines, who takes part, and the turns they make.

use std::borrow::Cow;
use std::ops::Range;

use vocabulary::{AuthorKind, ChatRole, ChatTurn, ContentPart, Message};

use super::transcript;

const PARTICIPANTS_MAX: usize = 12;

/// Every message of a window as a line.
pub(crate) fn lines(window: &[&Message]) -> Vec<String> {
    let lines = window.iter().map(|message| line_in(message, window));
    lines.collect()
}

/// How many characters each of these lines leaves out.
pub(crate) fn cuts(window: &[&Message]) -> Vec<usize> {
    window
        .iter()
        .map(|message| transcript::line_cut(message))
        .collect()
}

/// A message as a line, which names whom it replies to where that is in the window.
fn line_in(message: &Message, window: &[&Message]) -> String {
    transcript::line(message, replies_to(message, window))
}

/// The same with so many characters of its text at most.
pub(crate) fn line_within(message: &Message, window: &[&Message], text_chars_max: usize) -> String {
    transcript::line_within(message, replies_to(message, window), text_chars_max)
}

fn replies_to<'a>(message: &Message, window: &[&'a Message]) -> Option<&'a str> {
    let id = message.reply_to.as_ref()?;
    let target = window.iter().find(|other| other.id == *id)?;
    Some(target.author.name.as_str())
}

/// Who wrote lately, the latest first.
pub(crate) fn participants(window: &[&Message]) -> String {
    let mut names: Vec<Cow<'_, str>> = Vec::new();
    for message in window.iter().rev() {
        let name = transcript::name_in_line(&message.author.name);
        if message.author.kind != AuthorKind::Denizen
            && !names.contains(&name)
            && names.len() < PARTICIPANTS_MAX
        {
            names.push(name);
        }
    }
    names.join(", ")
}

/// The conversation as turns: Denizen's words are the assistant's, everybody else's lines the user's. `last` ends it, as
/// the user's.
pub(crate) fn turns(
    window: &[&Message],
    lines: &[String],
    kept: Range<usize>,
    last: Vec<ContentPart>,
) -> Vec<ChatTurn> {
    let mut turns: Vec<ChatTurn> = Vec::new();
    let mut said: Vec<Cow<'_, str>> = Vec::new();
    for (message, line) in window[kept.clone()].iter().zip(&lines[kept]) {
        if message.author.kind != AuthorKind::Denizen {
            said.push(line.into());
            continue;
        }
        if turns.is_empty() && said.is_empty() {
            said.push("(The conversation before this is not shown.)".into());
        }
        if !message.text.is_empty() {
            close_user_turn(&mut turns, &mut said);
            match turns.last_mut() {
                Some(ChatTurn {
                    role: ChatRole::Assistant,
                    parts,
                }) => parts.push(ContentPart::Text(message.text.clone())),
                _ => turns.push(text_turn(ChatRole::Assistant, message.text.clone())),
            }
        }
        said.extend(sent_along(message).map(Cow::from));
    }
    close_user_turn(&mut turns, &mut said);
    match turns.last_mut() {
        Some(ChatTurn {
            role: ChatRole::User,
            parts,
        }) => parts.extend(last),
        _ => turns.push(ChatTurn {
            role: ChatRole::User,
            parts: last,
        }),
    }
    turns
}

/// What went with Denizen's own words. It is told beside them, for a model writes like what it seems to have written.
fn sent_along(message: &Message) -> Option<String> {
    let attached: Vec<String> = message.attachments.iter().map(transcript::attached).collect();
    (!attached.is_empty()).then(|| format!("(You sent along a {})", attached.join(" and a ")))
}

fn close_user_turn(turns: &mut Vec<ChatTurn>, said: &mut Vec<Cow<'_, str>>) {
    if !said.is_empty() {
        turns.push(text_turn(ChatRole::User, said.join("\n")));
        said.clear();
    }
}

fn text_turn(role: ChatRole, text: String) -> ChatTurn {
    ChatTurn {
        role,
        parts: vec![ContentPart::Text(text)],
    }
}
