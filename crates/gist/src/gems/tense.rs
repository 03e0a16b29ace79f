//! Whether a sentence looks back or ahead where it names a day: "we decided on Tuesday", "we decided to meet on Tuesday".
//!
//! The words are English.

use std::ops::Range;

use super::folding::joined;

/// Verbs of the past that do not end in -ed, and words that go with them.
const PAST: &str = " was were wasnt werent had hadnt did didnt been went met came saw took made ate bought brought left lost sold \
    sent began built broke fell flew got gave ran spoke wrote won said told heard found thought knew chose drove held kept \
    paid rode sang sat slept spent stood swam taught threw wore woke forgot gone done seen already ";
/// Words that end like verbs of the past and are none.
const NOT_PAST: &str =
    " need bed red feed speed seed indeed hundred wed shed weed proceed exceed succeed unless united ";
/// Words after which what is spoken of lies ahead, or a new clause begins that may.
const AHEAD: &str = " is are am be isnt arent will wont must should shall can could would may might has have to until till by that \
    going gonna plan planning ill well youll theyll itll lets let need meet due deadline tomorrow soon upcoming coming ";

/// Which way a plain weekday looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lean {
    Past,
    Future,
}

/// "did you see it on Tuesday"
const AUXILIARIES: &str = " did didnt was wasnt were werent had hadnt ";
/// Whose verb follows: one that tells no past ("we ship on Tuesday") looks ahead.
const SUBJECTS: &str = " i we they he she you ";

/// Which way a text looks around one of its phrases: as the last verb before it does, or else the first one after it.
pub(super) fn around(pieces: &[&str], phrase: Range<usize>) -> Option<Lean> {
    let before = &pieces[..phrase.start];
    let begins = before.iter().rposition(|piece| ends_clause(piece));
    let before = &before[begins.map_or(0, |at| at + 1)..];
    // "On Tuesday, we met": a sign after what opens a sentence ends nothing.
    let ended = !before.is_empty()
        && pieces[phrase.clone()]
            .last()
            .is_some_and(|piece| ends_clause(piece));
    let after = if ended { &[] } else { &pieces[phrase.end..] };
    let until = after.iter().position(|piece| ends_clause(piece));
    let after = &after[..until.map_or(after.len(), |at| at + 1)];
    of_clause(before).or_else(|| after.iter().find_map(|piece| of_word(piece)))
}

/// Which way words look at their end; none where a sign ends them.
pub(super) fn at_the_end(pieces: &[&str]) -> Option<Lean> {
    let ended = pieces.last().is_some_and(|piece| ends_clause(piece));
    of_clause(pieces).filter(|_| !ended)
}

/// Which way the last verb of a clause looks.
fn of_clause(pieces: &[&str]) -> Option<Lean> {
    for (at, piece) in pieces.iter().enumerate().rev() {
        if let Some(lean) = of_word(piece) {
            return Some(lean);
        }
        let has_verb = at + 1 < pieces.len();
        if has_verb && SUBJECTS.contains(&format!(" {} ", joined(piece))) {
            let before = at.checked_sub(1).map(|before| joined(pieces[before]));
            let asks_back = before.is_some_and(|word| AUXILIARIES.contains(&format!(" {word} ")));
            return Some(if asks_back { Lean::Past } else { Lean::Future });
        }
    }
    None
}

fn of_word(piece: &str) -> Option<Lean> {
    let word = joined(piece);
    let is_in = |list: &str| !word.is_empty() && list.contains(&format!(" {word} "));
    if is_in(AHEAD) {
        Some(Lean::Future)
    } else if is_in(PAST) || (word.len() > 3 && word.ends_with("ed") && !is_in(NOT_PAST)) {
        Some(Lean::Past)
    } else {
        None
    }
}

fn ends_clause(piece: &str) -> bool {
    piece.ends_with(['.', ',', '!', '?', ';', ':'])
}

#[cfg(test)]
#[path = "tense_tests.rs"]
mod tests;
