//! What summarisers say: summaries made of what they were given, and every way in which those go wrong.

use mind::Asking;

use crate::chance::Chance;

/// A sound summary stays well below its limit.
const SOUND_CHARS_MAX: usize = 900;
/// Words of a line that make it into a summary.
const WORDS_MAX: usize = 6;

/// A summary of what was asked for: the newest of the previous one, and a sentence for each line that was folded.
pub(crate) fn sound(asking: &Asking) -> String {
    let section = |name: &str| {
        let section = asking
            .request
            .sections
            .iter()
            .find(|section| section.name == name);
        section.map_or("", |section| section.text.as_str())
    };
    let mut sentences: Vec<String> = section("previous_summary")
        .split_inclusive(". ")
        .map(|sentence| sentence.trim().to_owned())
        .collect();
    sentences.extend(section("folded_turns").lines().map(turn));
    sentences.extend(section("folded_notes").lines().map(first_words));
    let length = |sentence: &String| sentence.chars().count() + 1;
    let mut total: usize = sentences.iter().map(length).sum();
    let mut from = 0;
    while total > SOUND_CHARS_MAX && from + 1 < sentences.len() {
        total -= length(&sentences[from]);
        from += 1;
    }
    sentences[from..]
        .join(" ")
        .chars()
        .take(SOUND_CHARS_MAX)
        .collect()
}

/// `[12:03] Alice: words` as a sentence about Alice.
fn turn(line: &str) -> String {
    let said = line.split_once("] ").map_or(line, |(_, said)| said);
    match said.split_once(": ") {
        Some((name, words)) => format!("{name} said {}", first_words(words)),
        None => format!("{} said nothing.", said.trim_end_matches(':')),
    }
}

fn first_words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(WORDS_MAX).collect();
    let words = words.join(" ");
    format!("{}.", words.trim_end_matches(['.', '!', '?', ';', ':', ',']))
}

/// A summary that is too long, of sentences that are all true.
pub(crate) fn over_long(asking: &Asking, chance: &mut Chance) -> String {
    let sentence = sound(asking);
    let times = chance.between(2, 6) as usize;
    vec![sentence; times].join(" ")
}

/// A summary with somebody in it who was never there.
pub(crate) fn inventing(asking: &Asking, chance: &mut Chance) -> String {
    let invented = if chance.percent(50) {
        "Everybody waited for Zelda to come back from Atlantis."
    } else {
        "They owe 4711 euros."
    };
    format!("{} {invented}", sound(asking))
}

/// Answers that are about the task and not about the conversation.
pub(crate) const NO_SUMMARIES: &[&str] = &[
    "",
    "  \n ",
    "Summary unavailable.",
    "**Summary unavailable**",
    "I'm sorry, but I cannot help with that.",
    "N/A",
    "<think>so they talk about pizza and",
    "…",
];
