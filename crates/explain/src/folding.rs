//! What the lines about folding a long conversation mean, in plain words.

use mind::journal::JournalEvent;
use mind::reasons::{CompactionSkip, Outgrown};
use vocabulary::Span;
use vocabulary::text::counted;

use crate::words::{failure, span};

/// The sentence for a line about folding; none for any other.
pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::CompactionSkipped { reason, repeated, .. } => {
            let why = match reason {
                CompactionSkip::BelowThreshold => "too little has left the recent window",
                CompactionSkip::AlreadyInFlight => "a summary is being written already",
                CompactionSkip::NoEligibleBatch => "nothing lies outside the recent window",
                CompactionSkip::SessionEnding => "the session is ending",
                CompactionSkip::BudgetSpent => "nothing may be spent on it today",
                CompactionSkip::ModelUnavailable => "no model can be asked for a summary",
            };
            match repeated {
                0 => format!("Nothing was folded into the summary: {why}."),
                times => format!(
                    "Nothing was folded into the summary {} more: {why}.",
                    counted(*times as usize, "time")
                ),
            }
        }
        JournalEvent::ContextOutgrown {
            by,
            verbatim_turns,
            verbatim_chars,
            asks_model,
        } => format!(
            "{} stand word for word, which is too {}; the oldest are folded {}.",
            counted(*verbatim_turns, "turn"),
            match by {
                Outgrown::Count => "many".to_owned(),
                Outgrown::Size => format!("long with {verbatim_chars} characters"),
            },
            if *asks_model {
                "now"
            } else {
                "without a model, because nobody has asked Denizen anything for long"
            }
        ),
        JournalEvent::CompactionStarted {
            batch_size,
            cursor,
            pending_note_count,
            ..
        } => format!(
            "{} from turn {cursor} on and {} are being folded into the summary.",
            counted(*batch_size, "turn"),
            counted(*pending_note_count, "note")
        ),
        JournalEvent::CompactionCompleted {
            cursor,
            summary_chars,
            latency_ms,
            summariser,
            ..
        } => format!(
            "The summary now covers everything before turn {cursor}, in {summary_chars} characters by {summariser}, after {}.",
            span(Span(*latency_ms))
        ),
        JournalEvent::CompactionFailed {
            error,
            detail,
            falls_back,
            ..
        } => format!(
            "No summary was written, because {} ({detail}); {}.",
            failure(*error),
            if *falls_back {
                "it is written without a model instead"
            } else {
                "it is tried again at the next look"
            }
        ),
        JournalEvent::SummarySuspected {
            inventions,
            sent_back,
            ..
        } => format!(
            "The summary names {} that nobody mentioned; {}.",
            counted(*inventions, "thing"),
            if *sent_back {
                "it was sent back once"
            } else {
                "the sentences with them were left out"
            }
        ),
        JournalEvent::SummaryRecompacted { summary_chars, .. } => {
            format!("The summary came out too long ({summary_chars} characters) and is condensed once more.")
        }
        JournalEvent::SummaryTrimmed {
            old_chars,
            summary_chars,
            ..
        } => {
            format!(
                "The summary was cut from {old_chars} to {summary_chars} characters at the end of a sentence."
            )
        }
        JournalEvent::SummaryOutdone {
            model,
            told,
            offline_told,
            ..
        } => format!(
            "The summary by {model} told less of what was said than one without it would ({told} against {offline_told}), which was taken instead."
        ),
        JournalEvent::ContextTurnsDropped {
            dropped_turn_count, ..
        } => format!(
            "{} left the context without being summarised: too many waited.",
            counted(*dropped_turn_count, "turn")
        ),
        JournalEvent::ContextNotesDropped { dropped_note_count } => format!(
            "{} left the context without being summarised: too many waited.",
            counted(*dropped_note_count, "note")
        ),
        JournalEvent::ContextSessionEnded {
            turns, offered_chars, ..
        } => format!(
            "The session ended after {}; a summary of {offered_chars} characters was offered to memory.",
            counted(usize::try_from(*turns).unwrap_or(usize::MAX), "turn")
        ),
        _ => return None,
    })
}
