//! Where sentences end: not after "Dr.", in "3.5", at an initial, or after the number of a list.

/// What ends a sentence where a space follows.
const ENDS: [char; 4] = ['.', '!', '?', '…'];
/// What ends one whatever follows.
const WIDE_ENDS: [char; 3] = ['。', '！', '？'];
/// What may follow the end of a sentence and belongs to it.
const CLOSERS: [char; 9] = ['"', '\'', ')', ']', '”', '’', '»', '*', '_'];
/// What may stand before a word.
const OPENERS: [char; 9] = ['"', '\'', '(', '[', '“', '‘', '«', '*', '_'];
/// Words whose full stop ends no sentence.
const NEVER_LAST: [&str; 24] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "mt", "rev", "gen", "capt", "lt", "vs", "cf", "eg",
    "ie", "approx", "fig", "bzw", "ca", "nr", "sig", "inkl",
];
/// Words whose full stop ends a sentence only where the next begins large.
const SELDOM_LAST: [&str; 5] = ["etc", "no", "usw", "inc", "ltd"];
/// A longer row of letters with full stops between is an address rather than a shortened word.
const DOTTED_CHARS_MAX: usize = 7;

/// Where the sentence ends that the mark at a place ends, with what closes it; none where it ends none. At the end of a
/// text that was cut, the full stop of a number may be its decimal point, and ends none.
pub fn sentence_end(text: &str, at: usize) -> Option<usize> {
    let mark = text[at..].chars().next()?;
    let rest = text[at + mark.len_utf8()..].trim_start_matches(CLOSERS);
    let end = text.len() - rest.len();
    if WIDE_ENDS.contains(&mark) {
        return Some(end);
    }
    let is_end = ENDS.contains(&mark) && (rest.is_empty() || rest.starts_with(char::is_whitespace));
    (is_end && (mark != '.' || full_stop_ends(&text[..at], rest))).then_some(end)
}

fn full_stop_ends(before: &str, rest: &str) -> bool {
    let is_outside = |letter: char| letter.is_whitespace() || OPENERS.contains(&letter);
    let word = before.rsplit(is_outside).next().unwrap_or_default();
    let start = &before[..before.len() - word.len()];
    let word = word.to_lowercase();
    if NEVER_LAST.contains(&word.as_str()) {
        return false;
    }
    if SELDOM_LAST.contains(&word.as_str()) {
        let next = rest.chars().find(|letter| !is_outside(*letter));
        return next.is_some_and(char::is_uppercase);
    }
    if word.ends_with(|letter: char| letter.is_ascii_digit()) {
        let begins_line = start
            .rsplit('\n')
            .next()
            .is_none_or(|line| line.trim().is_empty());
        let numbers_a_line = begins_line && word.chars().all(|letter| letter.is_ascii_digit());
        return !numbers_a_line && !rest.is_empty();
    }
    // "J. Doe", "U.S.", "e.g."
    let is_letter = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
    let is_shortened = word.len() <= DOTTED_CHARS_MAX && word != "i" && word.split('.').all(is_letter);
    !is_shortened
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
