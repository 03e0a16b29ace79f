//! Words that speak to the room at large, and words that merely come before a call.

use super::words::Words;

/// Whoever says one of these is asking around, not talking with one person.
const ANYBODY: [&str; 6] = [
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "everyone",
    "everybody",
];
/// "hi all", "thanks guys": a greeting makes these a call to the room; alone they are ordinary words.
const GREETINGS: [&str; 13] = [
    "hi",
    "hello",
    "hey",
    "hallo",
    "hiya",
    "greetings",
    "morning",
    "afternoon",
    "evening",
    "night",
    "thanks",
    "sorry",
    "bye",
];
const CROWD: [&str; 4] = ["all", "guys", "folks", "people"];
/// "hey bob", "ok bob": what follows still stands at the head of the line.
const LEAD_INS: [&str; 16] = [
    "hi", "hello", "hey", "yo", "ok", "okay", "thanks", "thx", "sorry", "and", "oh", "ah", "well", "so",
    "yes", "no",
];

/// Whether a line is said to everybody in the room.
pub(super) fn is_for_everybody(text: &str, words: &Words) -> bool {
    if text.contains("@here") {
        return true;
    }
    let mut before = "";
    for word in words.iter() {
        if ANYBODY.contains(&word) || (CROWD.contains(&word) && GREETINGS.contains(&before)) {
            return true;
        }
        before = word;
    }
    false
}

/// Whether a word only leads in to a call.
pub(super) fn leads_in(word: &str) -> bool {
    LEAD_INS.contains(&word)
}

#[cfg(test)]
#[path = "everybody_tests.rs"]
mod tests;
