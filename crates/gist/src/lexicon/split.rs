//! Where a text parts: whoever reads sentences says what ends one.

/// The parts of a text, trimmed. `ends` is given the part so far, a character and the one after it, and says whether the
/// character ends the part.
pub fn split_after(text: &str, mut ends: impl FnMut(&str, char, Option<char>) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        if ends(&text[start..at], letter, next) {
            let end = at + letter.len_utf8();
            parts.push(text[start..end].trim());
            start = end;
        }
    }
    parts.push(text[start..].trim());
    parts
}
