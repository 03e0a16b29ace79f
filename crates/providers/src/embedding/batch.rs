//! How many texts go into one request, and how much of each.

/// More characters than this are not put into one request.
const REQUEST_CHARS_MAX: usize = 300_000;

/// Places of texts that say something, in groups that fit one request each.
pub(super) fn batches(texts: &[String], texts_max: usize, chars_each_max: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for (place, text) in texts.iter().enumerate().filter(|(_, text)| says_something(text)) {
        let chars = text.chars().take(chars_each_max).count();
        match batches.last_mut() {
            Some(batch) if batch.len() < texts_max && chars <= room => batch.push(place),
            _ => {
                room = REQUEST_CHARS_MAX;
                batches.push(vec![place]);
            }
        }
        room = room.saturating_sub(chars);
    }
    batches
}

/// Servers refuse texts of blanks, and there is nothing in them that could be meant.
pub(super) fn says_something(text: &str) -> bool {
    !text.trim().is_empty()
}

/// The beginning of a text, cut between words where there is a gap near the end.
pub(super) fn clipped(text: &str, chars_max: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(chars_max) else {
        return text;
    };
    let head = &text[..end];
    match head.rfind(char::is_whitespace) {
        Some(gap) if gap >= end - end / 4 => head[..gap].trim_end(),
        _ => head,
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
