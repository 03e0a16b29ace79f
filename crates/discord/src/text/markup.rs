//! The marks in angle brackets by which Discord's text names people, channels, emoji, times and commands.

use crate::wire::Snowflake;

/// The longest mark: an emoji's name has 32 letters, a command's three names have 32 each.
const MARK_MAX: usize = 130;

/// One mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark<'a> {
    Person(Snowflake),
    Role(Snowflake),
    Channel(Snowflake),
    /// Its name.
    Emoji(&'a str),
    /// Seconds since 1970.
    Time(i64),
    /// Its names, with spaces between.
    Command(&'a str),
    /// A page of the server's own: `customize`, `browse`, `guide`.
    Page(&'a str),
    /// A link that is to have no preview.
    Link(&'a str),
}

/// A text as what stands between marks, and the marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Plain(&'a str),
    /// With the text that it stands for.
    Mark(Mark<'a>, &'a str),
}

/// Everything of a text, in its order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut plain = 0;
    let mut from = 0;
    while let Some(at) = text[from..].find('<').map(|at| from + at) {
        let Some((mark, length)) = mark_at(&text[at..]) else {
            from = at + 1;
            continue;
        };
        if plain < at {
            pieces.push(Piece::Plain(&text[plain..at]));
        }
        pieces.push(Piece::Mark(mark, &text[at..at + length]));
        plain = at + length;
        from = plain;
    }
    if plain < text.len() {
        pieces.push(Piece::Plain(&text[plain..]));
    }
    pieces
}

/// The mark that a text begins with, and its length.
fn mark_at(text: &str) -> Option<(Mark<'_>, usize)> {
    let inner = text.strip_prefix('<')?;
    if inner.starts_with("http://") || inner.starts_with("https://") {
        let end = inner.find(['>', '<', '\n', ' '])?;
        let is_closed = inner[end..].starts_with('>');
        return is_closed.then(|| (Mark::Link(&inner[..end]), end + 2));
    }
    let end = inner.bytes().take(MARK_MAX).position(|byte| byte == b'>')?;
    let mark = mark(&inner[..end])?;
    Some((mark, end + 2))
}

fn mark(inner: &str) -> Option<Mark<'_>> {
    if let Some(id) = inner.strip_prefix("@&") {
        return Snowflake::parse(id).map(Mark::Role);
    }
    if let Some(id) = inner.strip_prefix('@') {
        return Snowflake::parse(id.strip_prefix('!').unwrap_or(id)).map(Mark::Person);
    }
    if let Some(id) = inner.strip_prefix('#') {
        return Snowflake::parse(id).map(Mark::Channel);
    }
    if let Some(time) = inner.strip_prefix("t:") {
        let time = time.split(':').next()?;
        return time.parse().ok().map(Mark::Time);
    }
    if let Some(page) = inner.strip_prefix("id:") {
        let page = page.split(':').next()?;
        return is_word(page).then_some(Mark::Page(page));
    }
    if let Some(command) = inner.strip_prefix('/') {
        let (names, id) = command.rsplit_once(':')?;
        Snowflake::parse(id)?;
        return names.split(' ').all(is_word).then_some(Mark::Command(names));
    }
    let emoji = inner.strip_prefix("a:").or_else(|| inner.strip_prefix(':'))?;
    let (name, id) = emoji.split_once(':')?;
    Snowflake::parse(id)?;
    is_word(name).then_some(Mark::Emoji(name))
}

fn is_word(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '~');
    !text.is_empty() && text.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use hostile::{cases, wounded_text};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_are_told_from_what_looks_like_them() {
        let id = Snowflake::new(12).unwrap();
        for (text, mark) in [
            ("<@12>", Some(Mark::Person(id))),
            ("<@!12>", Some(Mark::Person(id))),
            ("<@&12>", Some(Mark::Role(id))),
            ("<#12>", Some(Mark::Channel(id))),
            ("<:blob:12>", Some(Mark::Emoji("blob"))),
            ("<a:blob:12>", Some(Mark::Emoji("blob"))),
            ("<t:1700000000>", Some(Mark::Time(1_700_000_000))),
            ("<t:-5:R>", Some(Mark::Time(-5))),
            ("</denizen why:12>", Some(Mark::Command("denizen why"))),
            ("<id:customize>", Some(Mark::Page("customize"))),
            (
                "<https://a.example/?x=1>",
                Some(Mark::Link("https://a.example/?x=1")),
            ),
            ("<@>", None),
            ("<@x>", None),
            ("<@0>", None),
            ("<@ 12>", None),
            ("<@12", None),
            ("<:bl ob:12>", None),
            ("</why>", None),
            ("<div>", None),
            ("<https://a b>", None),
            ("<", None),
        ] {
            let found = pieces(text).into_iter().find_map(|piece| match piece {
                Piece::Mark(mark, _) => Some(mark),
                Piece::Plain(_) => None,
            });
            assert_eq!(found, mark, "{text}");
        }
        assert_eq!(
            pieces("a <<@12> b"),
            [
                Piece::Plain("a <"),
                Piece::Mark(Mark::Person(id), "<@12>"),
                Piece::Plain(" b")
            ]
        );
    }

    mod hostile_marks {
        use super::*;

        proptest! {
            #![proptest_config(cases(300))]

            #[test]
            fn the_pieces_are_the_text(text in wounded_text(&["a <@12> <#3> </x y:4> <https://é.example> <t:5:R> 🎉"])) {
                let joined: String = pieces(&text).into_iter().map(|piece| match piece {
                    Piece::Plain(text) | Piece::Mark(_, text) => text,
                }).collect();
                prop_assert_eq!(joined, text);
            }
        }
    }
}
