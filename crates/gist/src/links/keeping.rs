//! Takes links out of a text without leaving holes: labels stay as words, empty brackets and doubled spaces go.

use std::ops::Range;

use super::finding::{Found, addresses};

/// Signs that point at a link, and say nothing once it is gone.
const POINTING: [char; 9] = [':', '-', '–', '—', '→', '>', '•', '*', '|'];
/// Pairs that are left empty when what stood between them is gone.
const PAIRS: [(&str, &str); 9] = [
    ("(", ")"),
    ("[", "]"),
    ("<", ">"),
    ("\"", "\""),
    ("“", "”"),
    ("```", "```"),
    ("`", "`"),
    ("||", "||"),
    ("**", "**"),
];

/// Takes links out of a text beyond the first `limit`, and what would be left hanging around them. An address that is
/// none of a page (with a password in it, or far too long) is taken out in any case.
pub fn keep_links(text: &str, limit: usize) -> String {
    let mut text = text.to_owned();
    // Each pass makes the text shorter, so there is a last one.
    while let Some(surplus) = first_surplus(&text, limit) {
        text = without(&text, &surplus.place);
    }
    text
}

fn first_surplus(text: &str, limit: usize) -> Option<Found> {
    let mut kept: Vec<String> = Vec::new();
    addresses(text).find(|found| match &found.link {
        Some(link) if kept.contains(link) => false,
        Some(link) if kept.len() < limit => {
            kept.push(link.clone());
            false
        }
        _ => true,
    })
}

fn without(text: &str, place: &Range<usize>) -> String {
    let neat = match markdown_around(text, place) {
        Some((whole, label)) => {
            let (before, behind) = (&text[..whole.start], &text[whole.end..]);
            match text[label].trim() {
                "" => joined(before, behind),
                label => format!("{before}{label}{behind}"),
            }
        }
        None => joined(&text[..place.start], &text[place.end..]),
    };
    let kept: Vec<_> = addresses(text)
        .take_while(|found| found.place.start < place.start)
        .map(|found| found.link)
        .collect();
    let links_of_neat = addresses(&neat).map(|found| found.link);
    if links_of_neat.take(kept.len()).eq(kept.iter().cloned()) {
        neat
    } else {
        // What follows would have become part of a link that is to stay.
        format!("{} {}", &text[..place.start], &text[place.end..])
    }
}

/// The `[label](address "title")` that an address is the target of, and where its label stands.
fn markdown_around(text: &str, place: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let before = text[..place.start].trim_end();
    let before = before.strip_suffix('<').unwrap_or(before).trim_end();
    let label_end = before.strip_suffix("](")?.len();
    let behind = &text[place.end..];
    let line = &behind[..behind.find('\n').unwrap_or(behind.len())];
    let end = place.end + line.find(')')? + 1;
    let mut depth = 0;
    let opening = text[..label_end].char_indices().rev().find(|(_, letter)| {
        match letter {
            ']' => depth += 1,
            '[' if depth > 0 => depth -= 1,
            '[' => return true,
            _ => {}
        }
        false
    })?;
    let start = opening.0;
    // A picture has a mark in front of its label.
    let is_picture = text[..start].ends_with('!');
    Some((start - usize::from(is_picture)..end, start + 1..label_end))
}

/// Two pieces of a text as if nothing had stood between them.
fn joined(before: &str, behind: &str) -> String {
    const SPACES: [char; 2] = [' ', '\t'];
    let (mut before, mut behind) = (before, behind);
    while let Some((left, right)) = without_pair(before, behind) {
        (before, behind) = (left, right);
    }
    let mut head = before.trim_end_matches(SPACES);
    let mut tail = behind.trim_start_matches(SPACES);
    if tail.is_empty() || tail.starts_with('\n') {
        head = head.trim_end_matches(|letter| SPACES.contains(&letter) || POINTING.contains(&letter));
        if head.is_empty() || head.ends_with('\n') {
            // Nothing is left of the line.
            tail = tail.strip_prefix('\n').unwrap_or(tail);
        }
        if tail.is_empty() {
            head = head.trim_end();
        }
        return format!("{head}{tail}");
    }
    let goes_on = tail.starts_with(['.', ',', ';', ':', '!', '?', ')', ']', '…']);
    if goes_on || head.is_empty() || head.ends_with(['\n', '(', '[']) {
        format!("{head}{tail}")
    } else {
        format!("{head} {tail}")
    }
}

fn without_pair<'a>(before: &'a str, behind: &'a str) -> Option<(&'a str, &'a str)> {
    PAIRS.iter().find_map(|(opening, closing)| {
        let left = before.trim_end().strip_suffix(opening)?;
        let right = behind.trim_start().strip_prefix(closing)?;
        Some((left, right))
    })
}
