//! When is it time to fold, and what? One question, asked in one place, whoever builds a prompt or says something.

use vocabulary::TurnSeq;

use crate::log::{Log, Said};
use crate::prompt::request::CHARS_PER_TOKEN;
use crate::prompt::transcript;
use crate::reasons::{CompactionSkip, Outgrown};

/// Turns that are never summarised for being many: the model sees them word for word.
pub const RECENT_WINDOW: usize = 50;
/// Turns that are folded at a time, once that many lie outside the window.
pub const BATCH_SIZE: usize = 10;
/// Notes that are folded without waiting for turns.
pub const NOTES_ALONE: usize = 12;
/// Turns that may stand word for word before they are folded without a prompt being built.
pub const OUTGROWN_TURNS: usize = 200;
/// More turns outside the window than this are far behind: they are folded in few runs, whatever their number.
const FAR_BEHIND: usize = 100;
/// Turns that are folded at a time when far behind; a small model takes fewer.
const LARGE_BATCH_MAX: usize = 150;
/// What a turn of a large batch should at least be given of the summariser's prompt.
const LARGE_BATCH_TURN_CHARS: usize = 240;
/// What else stands in that prompt: its wording, the summary so far and notes.
const BESIDE_THE_BATCH_CHARS: usize = 4_000;
/// However long they are, so many of the newest turns stand word for word.
pub const NEWEST_TURNS: usize = 5;

/// What the plan looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// The turns that are kept word for word, in order.
    pub verbatim: &'a [Verbatim],
    /// The first turn that is not in the summary.
    pub cursor: TurnSeq,
    /// The number the next turn will have.
    pub next: TurnSeq,
    /// Characters of turns that a prompt holds word for word. It is a share of the model's window and does not shrink with
    /// the rest of the prompt, so that no prompt can make the answer permanently yes.
    pub holds_chars: usize,
    /// Turns that may be folded at once when far behind.
    pub large_batch: usize,
    pub pending_notes: usize,
    pub in_flight: bool,
    pub ending: bool,
    pub summariser_available: bool,
}

/// A turn that stands word for word, as far as the plan has to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verbatim {
    pub seq: TurnSeq,
    /// What its line takes in a prompt.
    pub chars: usize,
}

impl From<&Said> for Verbatim {
    fn from(said: &Said) -> Self {
        Self {
            seq: said.seq,
            chars: transcript::line_chars(&said.message),
        }
    }
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    Fold {
        /// How many of the oldest turns; may be none, when notes alone are folded.
        turns: usize,
        /// The number of the first turn of the protected window.
        recent_start: TurnSeq,
    },
    Skip(CompactionSkip),
}

/// Characters of turns that a prompt holds word for word: three fifths of the model's window. Persona, facts, summary
/// and the turn at hand have the rest.
pub fn holds_chars(prompt_tokens: u64) -> usize {
    prompt_tokens as usize * CHARS_PER_TOKEN / 5 * 3
}

/// How many turns a summariser takes at once, each with enough of its words.
pub fn large_batch(prompt_tokens: u64) -> usize {
    let whole = prompt_tokens as usize * CHARS_PER_TOKEN;
    let turns = whole.saturating_sub(BESIDE_THE_BATCH_CHARS) / LARGE_BATCH_TURN_CHARS;
    turns.clamp(BATCH_SIZE, LARGE_BATCH_MAX)
}

/// In which way more stands word for word than should, where nobody builds a prompt.
pub fn outgrown(log: &Log, holds_chars: usize) -> Option<Outgrown> {
    if log.verbatim().len() > OUTGROWN_TURNS {
        return Some(Outgrown::Count);
    }
    // Characters are counted only where bytes, which cost nothing to count, would be too many.
    let bytes = log.verbatim().map(|said| transcript::line_bytes(&said.message));
    if bytes.sum::<usize>() <= holds_chars {
        return None;
    }
    let characters = log.verbatim().map(|said| Verbatim::from(said).chars);
    (characters.sum::<usize>() > holds_chars).then_some(Outgrown::Size)
}

/// Decides whether to fold, and which turns: only the oldest, only a whole batch, none of the recent window.
pub fn plan(question: &Question<'_>) -> Plan {
    if question.ending {
        return Plan::Skip(CompactionSkip::SessionEnding);
    }
    if question.in_flight {
        return Plan::Skip(CompactionSkip::AlreadyInFlight);
    }
    let said = question.next.0.saturating_sub(question.cursor.0);
    let enough_turns = said > (RECENT_WINDOW + BATCH_SIZE) as u64;
    let characters: usize = question.verbatim.iter().map(|turn| turn.chars).sum();
    let too_long = characters > question.holds_chars;
    let enough_notes = question.pending_notes >= NOTES_ALONE;
    if !enough_turns && !too_long && !enough_notes {
        return Plan::Skip(CompactionSkip::BelowThreshold);
    }
    let count = question.verbatim.len();
    let outside = count.saturating_sub(RECENT_WINDOW);
    let by_count = if enough_turns {
        batch(outside, question.large_batch)
    } else {
        0
    };
    let by_size = if too_long { unheld(question) } else { 0 };
    let turns = by_count.max(by_size.min(question.large_batch));
    if turns == 0 && !enough_notes {
        return Plan::Skip(CompactionSkip::NoEligibleBatch);
    }
    if !question.summariser_available {
        return Plan::Skip(CompactionSkip::ModelUnavailable);
    }
    let recent_start = question
        .verbatim
        .get(outside.max(turns))
        .or(question.verbatim.first())
        .map_or(question.next, |turn| turn.seq);
    Plan::Fold { turns, recent_start }
}

/// How many of the turns outside the window are folded at once.
fn batch(outside: usize, large_batch: usize) -> usize {
    match outside {
        0..BATCH_SIZE => 0,
        BATCH_SIZE..=FAR_BEHIND => BATCH_SIZE,
        _ => (outside - outside % BATCH_SIZE).min(large_batch),
    }
}

/// How many of the oldest turns have to go so that half of what a prompt holds is free again: otherwise each turn that
/// is said would be a fold of its own.
fn unheld(question: &Question<'_>) -> usize {
    let mut left = question.holds_chars / 2;
    let newest = question.verbatim.iter().rev().enumerate();
    let held = newest.take_while(|(index, turn)| {
        let fits = turn.chars <= left;
        left = left.saturating_sub(turn.chars);
        fits || *index < NEWEST_TURNS
    });
    question.verbatim.len() - held.count()
}
