//! Long texts in parts that Discord takes, cut where a reader would.
//!
//! Discord counts code points, other servers of its kind count UTF-16 units; a part is measured in the latter, which are
//! never fewer, and fits both.

/// The most that one message holds.
pub const PART_MAX: usize = 2_000;
const FENCE: &str = "```";
/// What ends a fence that is cut.
const CLOSING: &str = "\n```";
/// A fence's language may be this long; anything longer is no language.
const LANGUAGE_MAX: usize = 20;
/// Marks in angle brackets, and signs that belong together, are at most this long.
const TOGETHER_MAX: usize = 130;

/// The parts, none of them empty or over the limit. A fence is only cut where it is longer than a part, at the end of a
/// line where there is one, and goes on in the next.
pub fn split(text: &str, limit: usize) -> Vec<String> {
    let parts = slices(text, limit).into_iter().map(|slice| slice.part());
    parts.filter(|part| !part.trim().is_empty()).collect()
}

/// A stretch of the text, and whether a fence was open before and after it.
#[derive(Debug)]
struct Slice<'a> {
    opened: Option<&'a str>,
    body: &'a str,
    closes: bool,
}

impl Slice<'_> {
    fn part(&self) -> String {
        let body = match self.opened {
            // What is indented stays so.
            Some(_) => self.body.trim_start_matches('\n'),
            None => self.body.trim_start(),
        };
        let mut part = self.opened.map(opening).unwrap_or_default();
        part.push_str(body.trim_end());
        if self.closes {
            part.push_str(CLOSING);
        }
        part
    }
}

fn opening(language: &str) -> String {
    format!("{FENCE}{language}\n")
}

/// Consecutive stretches that are the whole text.
fn slices(text: &str, limit: usize) -> Vec<Slice<'_>> {
    // Room for a fence's two ends and something between them.
    let limit = limit.max(2 * (FENCE.len() + LANGUAGE_MAX + CLOSING.len()) + TOGETHER_MAX);
    let mut slices = Vec::new();
    let mut rest = text;
    let mut opened: Option<&str> = None;
    loop {
        let before = opened.map_or(0, |language| units(&opening(language)));
        let state = Fences::along(rest, opened);
        // The end of a fence that was cut is its own, or is added.
        let closes = opened.is_some() && state.last_open().is_some();
        let after = if closes { units(CLOSING) } else { 0 };
        if before + units(rest) + after <= limit {
            slices.push(Slice {
                opened,
                body: rest,
                closes,
            });
            return slices;
        }
        let room = limit - before - units(CLOSING);
        let cut = cut(rest, room, limit, &state);
        let (body, next) = rest.split_at(cut);
        let after = state.open_at(cut);
        slices.push(Slice {
            opened,
            body,
            closes: after.is_some(),
        });
        opened = after;
        rest = next;
    }
}

/// Where fences open and close in a text.
struct Fences<'a> {
    /// Open from the start.
    first: Option<&'a str>,
    /// Positions of fence marks in their order, and the language that one opens.
    marks: Vec<(usize, &'a str)>,
}

impl<'a> Fences<'a> {
    fn along(text: &'a str, first: Option<&'a str>) -> Self {
        let marks = text.match_indices(FENCE);
        let marks = marks.map(|(at, _)| (at, language(&text[at + FENCE.len()..])));
        Self {
            first,
            marks: marks.collect(),
        }
    }

    /// The language of the fence that is open at a position.
    fn open_at(&self, position: usize) -> Option<&'a str> {
        let before = self.marks.iter().take_while(|(at, _)| *at < position).count();
        self.open_after(before)
    }

    fn last_open(&self) -> Option<&'a str> {
        self.open_after(self.marks.len())
    }

    fn open_after(&self, marks: usize) -> Option<&'a str> {
        let is_open = self.first.is_some() == marks.is_multiple_of(2);
        match marks.checked_sub(1) {
            _ if !is_open => None,
            None => self.first,
            Some(last) => Some(self.marks[last].1),
        }
    }

    /// Of a fence that is open at a position and began in this text: from where to where it goes.
    fn around(&self, position: usize, length: usize) -> Option<(usize, usize)> {
        self.open_at(position)?;
        let before = self.marks.iter().take_while(|(at, _)| *at < position).count();
        let from = self.marks[before.checked_sub(1)?].0;
        let to = self.marks.get(before).map_or(length, |(at, _)| at + FENCE.len());
        Some((from, to))
    }
}

/// The word behind a fence's beginning, if a line ends after it.
fn language(text: &str) -> &str {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_+-.#".contains(&byte);
    let end = text.bytes().take_while(|byte| is_letter(*byte)).count();
    match text[end..].starts_with('\n') && end <= LANGUAGE_MAX {
        true => &text[..end],
        false => "",
    }
}

/// How good a place is, and how much of a part must stand before it so that it is taken.
const PLACES: [(Place, usize); 5] = [
    (Place::Paragraph, 50),
    (Place::Line, 40),
    (Place::Sentence, 40),
    (Place::FencedLine, 20),
    (Place::Space, 10),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Paragraph,
    Line,
    Sentence,
    FencedLine,
    Space,
}

/// Where to cut, so that what stands before takes no more than the room.
fn cut(text: &str, room: usize, limit: usize, fences: &Fences<'_>) -> usize {
    let end = fitting(text, room);
    if let Some((from, to)) = fences.around(end, text.len()) {
        let stands_before = !text[..from].trim().is_empty();
        if stands_before && units(&text[from..to]) <= limit {
            return from;
        }
    }
    for (wanted, share) in PLACES {
        let least = fitting(text, room * share / 100);
        let places = text[..end].char_indices().rev();
        let found = places
            .map(|(at, letter)| at + letter.len_utf8())
            .take_while(|at| *at > least)
            .find(|at| place(text, *at, fences) == Some(wanted));
        if let Some(at) = found {
            return at;
        }
    }
    together(text, end)
}

/// What kind of place a position is, with all that stands before it.
fn place(text: &str, at: usize, fences: &Fences<'_>) -> Option<Place> {
    let before = &text[..at];
    let is_fenced = fences.open_at(at).is_some();
    if before.ends_with('\n') {
        // Right behind a fence's first line there would be nothing in it.
        let begins = fences.around(at, text.len()).is_some_and(|(from, _)| {
            let inside = &before[from + FENCE.len()..];
            !inside.trim_end().contains('\n') && inside.trim_end().len() <= LANGUAGE_MAX
        });
        return match is_fenced {
            true if begins => None,
            true => Some(Place::FencedLine),
            false if before.ends_with("\n\n") => Some(Place::Paragraph),
            false => Some(Place::Line),
        };
    }
    let word = before.strip_suffix(' ')?;
    match is_fenced || is_in_mark(text, at) {
        true => None,
        false if word.ends_with(['.', '!', '?', '…', ':', ';']) => Some(Place::Sentence),
        false => Some(Place::Space),
    }
}

/// Whether a position is inside of angle brackets that may be a mark.
fn is_in_mark(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let near = at.saturating_sub(TOGETHER_MAX);
    let Some(from) = bytes[near..at].iter().rposition(|byte| *byte == b'<') else {
        return false;
    };
    let mut inside = bytes[near + from..].iter().take(TOGETHER_MAX);
    let end = inside.position(|byte| matches!(byte, b'>' | b'\n'));
    end.is_some_and(|length| at <= near + from + length && bytes[near + from + length] == b'>')
}

/// The last position at or before this one that takes nothing apart: no fence mark, no mark in brackets, no emoji of
/// several signs. Never the beginning.
fn together(text: &str, end: usize) -> usize {
    let is_good = |at: usize| {
        let (before, after) = text.split_at(at);
        let joins =
            |letter: char| vocabulary::text::is_joiner(letter) || matches!(letter, '\u{1f3fb}'..='\u{1f3ff}');
        let joined = after.starts_with(joins) || before.ends_with('\u{200d}');
        let fence = before.ends_with('`') && after.starts_with('`');
        !joined && !fence && !is_in_mark(text, at)
    };
    let positions = text[..end].char_indices().rev().map(|(at, _)| at);
    let mut positions = std::iter::once(end).chain(positions).take(TOGETHER_MAX);
    positions.find(|at| *at > 0 && is_good(*at)).unwrap_or(end)
}

/// The longest beginning of a text that has no more units, as a position; at least one letter.
fn fitting(text: &str, max: usize) -> usize {
    let mut used = 0;
    for (at, letter) in text.char_indices() {
        used += letter.len_utf16();
        if used > max && at > 0 {
            return at;
        }
    }
    text.len()
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
#[path = "split_tests.rs"]
mod tests;
