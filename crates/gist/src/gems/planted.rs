//! Tells words that try to plant instructions for the assistant from what people may well want remembered.
//!
//! Planted is what would change the assistant for others: orders to ignore its rules, a new role, what to tell people
//! who ask, whom to obey, fake system messages, also where they hide behind invisible, spaced-out or look-alike letters.
//! Not planted is how a person wants to be treated: "call me Bob", "always answer me in German", "I prefer short
//! answers". That holds for this person only, so it does no harm. The phrases are English, the bluntest also in other
//! languages; what slips through is still a gem of that person, shown as what they said.

mod disguise;

use std::sync::LazyLock;

use super::folding::{sentences, words};
use super::pattern::Pattern;

/// Never meant well, whoever it is about.
static ORDERS: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| Pattern::read_all(include_str!("planted/orders.txt")));
/// Meant well where the speaker asks for it for themselves.
static RULES: LazyLock<Vec<Pattern>> = LazyLock::new(|| Pattern::read_all(include_str!("planted/rules.txt")));
/// The speaker asks for themselves.
static FOR_ONESELF: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| Pattern::read_all(include_str!("planted/for_oneself.txt")));
/// It is about others all the same.
const OTHERS: &str = " everyone everybody anyone anybody someone somebody others people users user members newcomers admins \
    moderators ";
/// Marks of a chat template; nobody writes them in a conversation by chance.
const TEMPLATE_MARKS: &str = "<|im_start|> <|im_end|> <|system|> <|assistant|> <|user|> [inst] [/inst] <<sys>> <system> \
    </system> <start_of_turn> <|endoftext|>";
/// Openings of a line that claim to be somebody else's, and words after them that show what for.
const ROLES: [&str; 8] = [
    "system:",
    "[system]",
    "(system)",
    "system message:",
    "assistant:",
    "### instruction",
    "### system",
    "developer:",
];
const ROLE_WORDS: &str = " you your must always never ignore obey remember instructions instruction override rules \
    assistant bot denizen respond reply say tell comply admin granted enabled mode ";

/// Whether a text tries to give the assistant instructions by way of memory.
pub fn is_planted(text: &str) -> bool {
    is_planted_by(text, "")
}

/// The same where it is known who speaks: in "the assistant should always answer Alice in German", Alice may ask so.
pub fn is_planted_by(text: &str, speaker: &str) -> bool {
    planted_part(text, speaker).is_some()
}

/// The part of a text that is planted: a sentence, or all of it where it hides across sentences.
pub(super) fn planted_part<'a>(text: &'a str, speaker: &str) -> Option<&'a str> {
    let sentence = sentences(text)
        .into_iter()
        .find(|part| is_planted_sentence(part, speaker));
    sentence.or_else(|| {
        (has_marks(text) || has_role_heading(text) || disguise::hides_orders(text)).then_some(text)
    })
}

fn is_planted_sentence(sentence: &str, speaker: &str) -> bool {
    if has_marks(sentence) || claims_a_role(sentence) {
        return true;
    }
    let words = words(sentence);
    if ORDERS.iter().any(|order| order.find(&words).is_some()) {
        return true;
    }
    RULES.iter().any(|rule| rule.find(&words).is_some()) && !is_for_oneself(&words, speaker)
}

fn is_for_oneself(said: &[String], speaker: &str) -> bool {
    let name = words(speaker);
    let as_me = |word: &String| {
        if name.contains(word) {
            "me".to_owned()
        } else {
            word.clone()
        }
    };
    // A name at the beginning is who speaks, not whom it is for.
    let read: Vec<String> = said
        .iter()
        .take(1)
        .cloned()
        .chain(said.iter().skip(1).map(as_me))
        .collect();
    let is_about_others = said.iter().any(|word| is_among(word, OTHERS));
    !is_about_others && FOR_ONESELF.iter().any(|form| form.find(&read).is_some())
}

fn is_among(word: &str, list: &str) -> bool {
    list.contains(&format!(" {word} "))
}

fn has_marks(text: &str) -> bool {
    let lower = super::folding::fold(text);
    TEMPLATE_MARKS.split_whitespace().any(|mark| lower.contains(mark))
}

/// `System: you must …`; but `System: Ubuntu 24.04` is a machine.
fn claims_a_role(sentence: &str) -> bool {
    let lower = super::folding::fold(sentence);
    let line =
        lower.trim_start_matches(|letter: char| letter.is_whitespace() || "*_>-/#`\"'<!".contains(letter));
    let hash_kept = lower.trim_start();
    let role = ROLES
        .iter()
        .find_map(|role| line.strip_prefix(role).or_else(|| hash_kept.strip_prefix(role)));
    role.is_some_and(|rest| words(rest).iter().any(|word| is_among(word, ROLE_WORDS)))
}

/// A line `## System`, with orders below it.
fn has_role_heading(text: &str) -> bool {
    let mut lines = text.lines().map(words);
    let is_role = |line: &Vec<String>| {
        matches!(
            line.join(" ").as_str(),
            "system" | "system prompt" | "system message" | "developer"
        )
    };
    lines.by_ref().any(|line| is_role(&line)) && lines.flatten().any(|word| is_among(&word, ROLE_WORDS))
}

#[cfg(test)]
#[path = "planted_tests.rs"]
mod planted_tests;
