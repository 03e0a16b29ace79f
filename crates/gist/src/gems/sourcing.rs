//! Where a gem really comes from: the turns that a model cites if any of them shares a word with it, else the turn of
//! the same speaker that does. Small models miscount.

use vocabulary::{Author, CapturedTurn};

use super::folding::{sentences, words};
use super::rejection::RejectReason;
use crate::lexicon::{is_function_word, stem};

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

/// Why what a gem goes back to tells nothing: it only asks, and nobody tells of themselves in it, or it says what would
/// be if something else were.
pub(super) fn untold(content: &str, turns: &[&CapturedTurn], batch: &[CapturedTurn]) -> Option<RejectReason> {
    let telling = telling(content, batch);
    let nearest = turns
        .iter()
        .flat_map(|turn| sentences(&turn.text))
        .max_by_key(|sentence| shared(&telling, sentence))
        .filter(|sentence| shared(&telling, sentence) > 0)?;
    let said = words(nearest);
    let has = |list: &str| said.iter().any(|word| list.contains(&format!(" {word} ")));
    if nearest.ends_with(['?', '？']) && !has(OWN) {
        Some(RejectReason::Question)
    } else if has(" if ") && has(" would wouldnt id wed ") {
        Some(RejectReason::Hypothetical)
    } else {
        None
    }
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
