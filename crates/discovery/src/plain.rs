//! Plain text out of what strangers write: no markup, no entities, nothing that cannot be seen, one line.

use fetching::character_of;
use vocabulary::text::{is_joiner, is_plain};

/// The text of a piece of HTML, at most `limit` characters long.
pub(crate) fn plain(html: &str, limit: usize) -> String {
    let mut line = PlainText {
        text: String::new(),
        characters: 0,
        // What is cut off needs room to see that there is more.
        most: limit + 1,
        space: false,
    };
    let mut rest = html;
    while let Some(next) = rest.chars().next() {
        if line.characters >= line.most {
            break;
        }
        rest = match next {
            '<' => after_markup(rest, &mut line),
            '&' => after_entity(rest, &mut line),
            character => {
                line.push(character);
                &rest[character.len_utf8()..]
            }
        };
    }
    shortened(&line.text, limit)
}

/// At most `limit` characters of a text, cut between words where that is not far.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    // One character less: the ellipsis counts as well.
    let end = text[..end].char_indices().next_back().map_or(0, |(at, _)| at);
    let cut = &text[..end];
    let cut = match cut.rfind(' ') {
        Some(space) if space * 5 >= cut.len() * 4 => &cut[..space],
        _ => cut,
    };
    format!("{}…", cut.trim_end_matches([' ', ',', '.', ';', ':', '-']))
}

struct PlainText {
    text: String,
    characters: usize,
    most: usize,
    /// White space was met and is owed.
    space: bool,
}

impl PlainText {
    fn push(&mut self, character: char) {
        if character.is_whitespace() {
            self.space = true;
        } else if !cannot_be_seen(character) {
            if self.space && !self.text.is_empty() {
                self.text.push(' ');
                self.characters += 1;
            }
            self.space = false;
            self.text.push(character);
            self.characters += 1;
        }
    }
}

/// Joiners stay: emoji of several people and some scripts need them.
fn cannot_be_seen(character: char) -> bool {
    !is_plain(character) && !is_joiner(character)
}

/// What follows a tag, a comment or the contents of a script; a sign that only looks like one is taken as it is.
fn after_markup<'a>(text: &'a str, line: &mut PlainText) -> &'a str {
    if let Some(comment) = text.strip_prefix("<!--") {
        return comment.find("-->").map_or("", |end| &comment[end + 3..]);
    }
    if let Some(data) = text.strip_prefix("<![CDATA[") {
        return data;
    }
    let inside = &text[1..];
    let begins_tag = inside.starts_with(|first: char| first.is_ascii_alphabetic() || "/!?".contains(first));
    let Some(end) = inside.find('>').filter(|_| begins_tag) else {
        line.push('<');
        return inside;
    };
    let after = &inside[end + 1..];
    let name_end = inside.find(|letter: char| !letter.is_ascii_alphanumeric());
    let name = inside[..name_end.unwrap_or(end)].to_ascii_lowercase();
    let is_inline = INLINE.contains(
        &inside[..end]
            .trim_start_matches('/')
            .split(' ')
            .next()
            .unwrap_or_default(),
    );
    if !is_inline {
        line.push(' ');
    }
    if ["script", "style", "head", "template"].contains(&name.as_str()) && !inside[..end].ends_with('/') {
        return after_closing(after, &name);
    }
    after
}

/// Tags that stand inside of words.
const INLINE: [&str; 12] = [
    "a", "b", "i", "em", "strong", "span", "u", "s", "code", "sup", "sub", "mark",
];

fn after_closing<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        let closing = &rest[at + 2..];
        if closing
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name))
        {
            return closing.find('>').map_or("", |end| &closing[end + 1..]);
        }
        rest = closing;
    }
    ""
}

/// What follows an entity; one that nobody knows is taken as it is.
fn after_entity<'a>(text: &'a str, line: &mut PlainText) -> &'a str {
    let inside = &text[1..];
    let end = inside
        .char_indices()
        .take(LONGEST_ENTITY)
        .find(|(_, letter)| *letter == ';');
    let meant = end.and_then(|(end, _)| Some((end, character_of(&inside[..end])?)));
    match meant {
        Some((end, character)) => {
            line.push(character);
            &inside[end + 1..]
        }
        None => {
            line.push('&');
            inside
        }
    }
}

const LONGEST_ENTITY: usize = 12;

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
