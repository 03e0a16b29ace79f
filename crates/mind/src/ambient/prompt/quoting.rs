//! Words of others as a prompt quotes them: one line each, marked, and nothing in it that passes for the prompt's own.

use crate::prompt::outside::defused;
use crate::watch::reading::wording::shortened;

/// Every quoted line begins with this; no heading does.
const QUOTED: &str = "| ";

/// A quoted line of at most `limit` characters, its mark not counted.
pub(super) fn quoted(text: &str, limit: usize) -> String {
    format!("{QUOTED}{}", plain(text, limit))
}

/// The same without the mark, for a few words amid the prompt's own.
pub(super) fn plain(text: &str, limit: usize) -> String {
    let seen: String = defused(text)
        .chars()
        .map(|letter| match letter {
            '＝' | '═' | '⩵' | '⩶' => '=',
            letter if letter.is_control() => ' ',
            letter => letter,
        })
        .collect();
    let mut line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    // Three in a row are the mark of a heading.
    while line.contains("===") {
        line = line.replace("===", "==");
    }
    shortened(&line, limit)
}

/// A name between quotation marks, without any of its own.
pub(super) fn named(name: &str, limit: usize) -> String {
    plain(name, limit).replace('"', "'")
}
