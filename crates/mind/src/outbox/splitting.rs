//! A long text in pieces that a room takes.

use crate::parcel::PARTS_MAX;

const FENCE: &str = "```";

/// Splits a text into pieces of at most `limit` characters at the best place there is: a blank line, a line end,
/// a sentence end, a space. A code block that is cut is closed and opened again.
pub fn split(text: &str, limit: usize) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text.trim().to_owned();
    while !rest.is_empty() {
        if rest.chars().count() <= limit {
            parts.push(rest);
            break;
        }
        if parts.len() + 1 == PARTS_MAX {
            let end = byte_index(&rest, limit - 2);
            parts.push(format!("{} …", rest[..end].trim_end()));
            break;
        }
        // Room for a closing fence is kept back, in case the cut falls into a code block.
        let end = cut_place(&rest[..byte_index(&rest, limit - FENCE.len() - 1)]);
        let mut part = rest[..end].trim_end().to_owned();
        let mut left = rest[end..].trim_start_matches([' ', '\n']).to_owned();
        if part.matches(FENCE).count() % 2 == 1 {
            part.push_str("\n```");
            left = format!("```\n{left}");
        }
        parts.push(part);
        rest = left;
    }
    parts
}

fn byte_index(text: &str, characters: usize) -> usize {
    text.char_indices()
        .nth(characters)
        .map_or(text.len(), |(index, _)| index)
}

/// Where to cut: the last good place in the second half, else as late as possible.
fn cut_place(head: &str) -> usize {
    let late_enough = head.len() / 2;
    let after = |mark: &str| {
        head.rfind(mark)
            .map(|at| at + mark.len())
            .filter(|&at| at > late_enough)
    };
    let sentence = [". ", "! ", "? ", "… ", "。"]
        .iter()
        .filter_map(|mark| after(mark))
        .max();
    after("\n\n")
        .or_else(|| after("\n"))
        .or(sentence)
        .or_else(|| after(" "))
        .unwrap_or(head.len())
}

#[cfg(test)]
#[path = "splitting_tests.rs"]
mod splitting_tests;
