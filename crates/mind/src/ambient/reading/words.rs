//! The words of a thought, without what a model has taken over from the prompt: names, handles, heads of lines.

use std::sync::LazyLock;

use gist::gems::folding::words;
use gist::gems::pattern::Pattern;

use crate::reply::without_own_name;

/// How words begin that are about whether to say something.
static DELIBERATION: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| Pattern::read_all(include_str!("deliberation.txt")));

/// A head of a line as the prompt writes it is no longer than this.
const HEAD_CHARS_MAX: usize = 120;

/// White space folded into single spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words as they can stand in a room: every line without a "Name:" in front that is Denizen's own, no control characters.
pub(super) fn cleaned(text: &str, name: &str) -> String {
    let text: String = text
        .chars()
        .filter(|letter| *letter == '\n' || *letter == '\t' || !letter.is_control())
        .collect();
    let lines = text.lines().map(|line| {
        let line = line.trim_end();
        let own = without_own_name(line.trim_start(), name);
        // What is indented, such as code, stays so.
        if own.len() < line.trim_start().len() {
            own
        } else {
            line
        }
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let text = text.trim();
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    quoted
        .filter(|inside| !inside.contains('"'))
        .unwrap_or(text)
        .to_owned()
}

/// Whether words that were to be posted only weigh whether to post, as small models write them.
pub(super) fn deliberates(text: &str) -> bool {
    let words = words(text);
    DELIBERATION
        .iter()
        .any(|pattern| pattern.at_start(&words).is_some())
}

/// Words without handles such as `[m3]`, which mean nothing in a room; and the handle they begin with, for whoever they
/// answer. A bare `m3` amid words stays: it may be a car.
pub(super) fn without_handles(text: &str) -> (String, Option<String>) {
    let (text, first) = without_leading_handle(text);
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '(', '@']) {
        let Some(length) =
            marked_handle(&rest[at..]).filter(|_| !rest[..at].ends_with(char::is_alphanumeric))
        else {
            left.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
            continue;
        };
        left.push_str(&rest[..at]);
        rest = &rest[at + length..];
        if left.is_empty() || left.ends_with(char::is_whitespace) {
            rest = rest.trim_start_matches(' ');
        }
        if rest.starts_with(['.', ',', '!', '?', ';', ':']) || rest.is_empty() {
            left.truncate(left.trim_end_matches(' ').len());
        }
    }
    left.push_str(rest);
    (left.trim().to_owned(), first)
}

/// `m3:`, `[m3]`, `@m3`, `re m3:`, or the whole head of a line of the prompt: `m3 · 2 min ago · you: `.
fn without_leading_handle(text: &str) -> (&str, Option<String>) {
    let lead = ["re: ", "re ", "to ", "replying to ", "reply to "]
        .iter()
        .find_map(|lead| {
            let head = text.get(..lead.len())?;
            head.eq_ignore_ascii_case(lead).then_some(&text[lead.len()..])
        });
    let from = lead.unwrap_or(text);
    let marked = marked_handle(from).map(|length| {
        (
            from[..length].trim_matches(['[', ']', '(', ')', '@']),
            &from[length..],
        )
    });
    let bare = handle_length(from).map(|length| from.split_at(length));
    let Some((handle, behind)) = marked.or(bare) else {
        return (text, None);
    };
    let said = match behind.trim_start() {
        behind if behind.starts_with('·') => {
            let head = &behind[..behind
                .char_indices()
                .nth(HEAD_CHARS_MAX)
                .map_or(behind.len(), |(end, _)| end)];
            head.find(": ").map(|end| &behind[end + 2..])
        }
        behind => match behind.strip_prefix([':', ',', '—', '–', '-']) {
            Some(said) => Some(said),
            None => marked.map(|_| behind),
        },
    };
    match said {
        Some(said) => (said.trim_start(), Some(handle.to_owned())),
        None => (text, None),
    }
}

/// How long a handle is that stands in brackets, or behind an at sign.
fn marked_handle(text: &str) -> Option<usize> {
    let mut letters = text.chars();
    let closing = match letters.next()? {
        '[' => "]",
        '(' => ")",
        '@' => "",
        _ => return None,
    };
    let length = handle_length(letters.as_str())?;
    let behind = &letters.as_str()[length..];
    behind.starts_with(closing).then_some(1 + length + closing.len())
}

fn handle_length(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('m')?;
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let ends = !digits[count..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    (1..=6).contains(&count).then_some(1 + count).filter(|_| ends)
}
