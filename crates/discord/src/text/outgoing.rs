//! What a model wrote, as Discord takes it: names of people who are there become mentions, and nothing else does.

use vocabulary::names::{ends_before, folded};

use super::markup::{Mark, Piece, pieces};
use super::split::{PART_MAX, split};
use crate::wire::Snowflake;

/// Nobody sees it, and a mention with it inside is none.
const BREAK: char = '\u{200b}';
const EVERYBODY: [&str; 2] = ["everyone", "here"];
const FENCE: &str = "```";

/// Whom and what a text can name where it will stand.
#[derive(Clone, Debug, Default)]
pub struct Here {
    /// Who is in the room, by each name that they go by there.
    pub people: Vec<(Snowflake, String)>,
    /// Channels that everybody in the room can see.
    pub channels: Vec<(Snowflake, String)>,
    /// The server's own emoji by their names, each with its mark: `<:blob:1>`.
    pub emoji: Vec<(String, String)>,
    /// Who may be notified by a mention.
    pub may_notify: Vec<Snowflake>,
}

/// One message of a text that is ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingPart {
    pub content: String,
    /// Who is mentioned in it and may be notified.
    pub notifies: Vec<Snowflake>,
}

/// Makes a text ready to be sent, in as many messages as it takes; none where there is nothing to say.
pub fn written(text: &str, here: &Here) -> Vec<OutgoingPart> {
    let text = marked(text, here);
    let parts = split(&text, PART_MAX).into_iter().map(|content| OutgoingPart {
        notifies: notified(&content, here),
        content,
    });
    parts.collect()
}

fn notified(content: &str, here: &Here) -> Vec<Snowflake> {
    let mut found = Vec::new();
    for piece in pieces(content) {
        if let Piece::Mark(Mark::Person(id), _) = piece
            && here.may_notify.contains(&id)
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    found
}

/// The text with marks for names, and without marks that are not to be.
fn marked(text: &str, here: &Here) -> String {
    let mut marked = String::with_capacity(text.len() + 64);
    for (stretch, is_code) in stretches(text) {
        for piece in pieces(stretch) {
            match piece {
                Piece::Plain(plain) => push_plain(&mut marked, plain, here, is_code),
                Piece::Mark(Mark::Person(id), mark)
                    if here.people.iter().any(|(person, _)| *person == id) =>
                {
                    marked.push_str(mark);
                }
                Piece::Mark(Mark::Person(_) | Mark::Role(_), mark) => {
                    marked.push_str("<@");
                    marked.push(BREAK);
                    push_safe(&mut marked, &mark[2..]);
                }
                Piece::Mark(_, mark) => push_safe(&mut marked, mark),
            }
        }
    }
    marked
}

/// Whether this goes on behind an `@` as a mention of everybody, in whatever case.
fn is_everybody(rest: &str) -> bool {
    let begins = |word: &&str| {
        rest.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    EVERYBODY.iter().any(begins)
}

/// Text with mentions of everybody broken.
fn push_safe(into: &mut String, text: &str) {
    let mut from = 0;
    for (at, _) in text.match_indices('@') {
        if is_everybody(&text[at + 1..]) {
            into.push_str(&text[from..=at]);
            into.push(BREAK);
            from = at + 1;
        }
    }
    into.push_str(&text[from..]);
}

fn push_plain(into: &mut String, text: &str, here: &Here, is_code: bool) {
    if is_code {
        return push_safe(into, text);
    }
    let mut before: Option<char> = into.chars().next_back();
    let (mut done, mut at) = (0, 0);
    while let Some(letter) = text[at..].chars().next() {
        let next = at + letter.len_utf8();
        // `ann@work` and `c#general` name nobody.
        let is_free = before.is_none_or(|before| !before.is_alphanumeric() && !"@#:/".contains(before));
        let rest = &text[next..];
        let found = match letter {
            '@' if is_free && !is_everybody(rest) => {
                named(rest, &here.people).map(|(id, length)| (format!("<@{id}>"), length))
            }
            '#' if is_free => named(rest, &here.channels).map(|(id, length)| (format!("<#{id}>"), length)),
            ':' if is_free => emoji(rest, here),
            _ => None,
        };
        match found {
            Some((mark, length)) => {
                push_safe(into, &text[done..at]);
                into.push_str(&mark);
                at = next + length;
                done = at;
                before = Some('>');
            }
            None => {
                before = Some(letter);
                at = next;
            }
        }
    }
    push_safe(into, &text[done..]);
}

/// The longest name that a text begins with, if it is one's alone; and how long it is there.
fn named(text: &str, names: &[(Snowflake, String)]) -> Option<(Snowflake, usize)> {
    let mut best: Option<(Option<Snowflake>, usize)> = None;
    for (id, name) in names {
        let count = name.chars().count();
        let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
        let (start, rest) = text.split_at(end);
        if count == 0 || start.chars().count() < count || !ends_before(rest) || folded(start) != folded(name)
        {
            continue;
        }
        best = match best {
            Some((_, length)) if length > end => best,
            // Two people of one name: nobody knows who is meant.
            Some((other, length)) if length == end && other != Some(*id) => Some((None, end)),
            _ => Some((Some(*id), end)),
        };
    }
    best.and_then(|(id, length)| Some((id?, length)))
}

fn emoji(text: &str, here: &Here) -> Option<(String, usize)> {
    let (name, _) = text.split_once(':')?;
    let (_, mark) = here.emoji.iter().find(|(known, _)| known == name)?;
    let is_emoji = matches!(pieces(mark)[..], [Piece::Mark(Mark::Emoji(_), _)]);
    is_emoji.then(|| (mark.clone(), name.len() + 1))
}

/// A text as stretches of code and of what is none, with the marks of code in the former.
fn stretches(text: &str) -> Vec<(&str, bool)> {
    let mut stretches = Vec::new();
    let mut from = 0;
    let mut search = 0;
    while let Some(at) = text[search..].find('`').map(|at| search + at) {
        let ticks = text[at..].bytes().take_while(|byte| *byte == b'`').count();
        let ticks = if ticks >= FENCE.len() { FENCE.len() } else { ticks };
        let inside = at + ticks;
        let Some(end) = text[inside..]
            .find(&"`".repeat(ticks))
            .map(|end| inside + end + ticks)
        else {
            search = inside;
            continue;
        };
        stretches.push((&text[from..at], false));
        stretches.push((&text[at..end], true));
        from = end;
        search = end;
    }
    stretches.push((&text[from..], false));
    stretches.retain(|(text, _)| !text.is_empty());
    stretches
}

#[cfg(test)]
#[path = "outgoing_tests.rs"]
mod tests;
