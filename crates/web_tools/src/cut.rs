//! What fits: a window on a text, and where to read on.

/// Characters of a result; what a model can be given of one look-up.
pub(crate) const RESULT_CHARS_MAX: usize = 3_500;

/// The text from a character on, at most so many characters, and a line that says how much is left. Ends between
/// words where that costs little.
pub(crate) fn window(text: &str, from: usize, chars_max: usize) -> String {
    let total = text.chars().count();
    if from >= total && from > 0 {
        return format!("[nothing more: the text has {total} characters]");
    }
    let rest = &text[byte_of(text, from)..];
    if total - from <= chars_max {
        return rest.to_owned();
    }
    let shown_max = chars_max.saturating_sub(NOTE_CHARS);
    let shown = &rest[..byte_of(rest, shown_max)];
    let end = shown.rfind(char::is_whitespace).unwrap_or(shown.len());
    let shown = if (shown.len() - end) * 8 < shown.len() {
        &shown[..end]
    } else {
        shown
    };
    let next = from + shown.chars().count();
    format!(
        "{}\n[cut: {} more characters; read on with from={next}]",
        shown.trim_end(),
        total - next
    )
}

/// Room for the line that says how much is left.
const NOTE_CHARS: usize = 70;

fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(byte, _)| byte)
}

#[cfg(test)]
#[path = "cut_tests.rs"]
mod tests;
