//! Words of others as a prompt quotes them: one line each, marked, and nothing in it that passes for the prompt's own.

use vocabulary::text::one_line;

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
    let shown = |letter: char| match letter {
        ' '..='~' => letter,
        '＝' | '═' | '⩵' | '⩶' => '=',
        letter if letter.is_control() => ' ',
        letter => letter,
    };
    let mut seen = defused(text);
    if !seen.chars().all(|letter| shown(letter) == letter) {
        seen = seen.chars().map(shown).collect();
    }
    let mut line = one_line(&seen);
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
