//! Where a gem really comes from: the turns that a model cites if any of them shares a word with it, else the turn of
//! the same speaker that does. Small models miscount.

use vocabulary::{Author, CapturedTurn};

use super::folding::{sentences, words};
use crate::context::summary::{is_function_word, stem};

/// Words by which somebody tells of themselves even in a question.
const OWN: &str = " i im ive id ill my mine me we our us ";

/// The turns that a gem comes from, oldest first; none if nobody said anything like it.
pub(super) fn sources<'a>(
    content: &str,
    cited: &[&'a CapturedTurn],
    speaker: &Author,
    batch: &'a [CapturedTurn],
) -> Vec<&'a CapturedTurn> {
    let telling = telling(content, batch);
    // Without a word to go by, as in other scripts, the model is believed.
    if telling.is_empty() || !batch.iter().any(|turn| shared(&telling, &turn.text) > 0) {
        return cited.to_vec();
    }
    if cited.iter().any(|turn| shared(&telling, &turn.text) > 0) {
        return cited.to_vec();
    }
    let own = batch.iter().filter(|turn| turn.speaker.id == speaker.id);
    let best = own
        .filter(|turn| shared(&telling, &turn.text) > 0)
        .max_by_key(|turn| (shared(&telling, &turn.text), turn.number));
    // What may stem from a private turn stays private.
    let private = cited.iter().copied().filter(|turn| turn.place.private);
    let mut turns: Vec<&CapturedTurn> = best
        .map(|best| private.chain([best]).collect())
        .unwrap_or_default();
    turns.sort_by_key(|turn| turn.number);
    turns.dedup_by_key(|turn| turn.number);
    turns
}

/// Whether all it goes back to is a question, in which nobody tells of themselves.
pub(super) fn is_of_a_question(content: &str, turns: &[&CapturedTurn], batch: &[CapturedTurn]) -> bool {
    let telling = telling(content, batch);
    let nearest = turns
        .iter()
        .flat_map(|turn| sentences(&turn.text))
        .max_by_key(|sentence| shared(&telling, sentence));
    nearest.is_some_and(|sentence| {
        let tells_of_self = words(sentence)
            .iter()
            .any(|word| OWN.contains(&format!(" {word} ")));
        sentence.ends_with(['?', '？']) && !tells_of_self && shared(&telling, sentence) > 0
    })
}

/// The stems of the words that say something, without those who speak.
fn telling(content: &str, batch: &[CapturedTurn]) -> Vec<String> {
    let names: Vec<String> = batch.iter().flat_map(|turn| words(&turn.speaker.name)).collect();
    let is_name = |word: &String| {
        let owner = word.strip_suffix('s').unwrap_or(word);
        names.iter().any(|name| name == word || name == owner)
    };
    words(content)
        .iter()
        .filter(|word| !is_function_word(word) && !is_name(word))
        .map(|word| stem(word))
        .collect()
}

fn shared(telling: &[String], text: &str) -> usize {
    let said: Vec<String> = words(text).iter().map(|word| stem(word)).collect();
    telling.iter().filter(|word| said.contains(word)).count()
}

#[cfg(test)]
#[path = "sourcing_tests.rs"]
mod sourcing_tests;
