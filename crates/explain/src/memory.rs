//! What the lines about memory mean, in plain words.

use mind::journal::JournalEvent;
use mind::reasons::{ExtractionDrop, ExtractionSkip, ExtractionTrigger};
use vocabulary::AskFailureKind;
use vocabulary::text::counted;

use crate::words::{failure, percent, span, with_detail};

/// The sentence for a line about memory; none for any other.
pub(super) fn sentence(event: &JournalEvent) -> Option<String> {
    Some(match event {
        JournalEvent::MemoryExtractionStarted {
            reason,
            turns,
            waiting,
            context_share,
            ..
        } => {
            let left = match waiting {
                0 => String::new(),
                waiting => format!("; {} more wait", waiting),
            };
            format!(
                "Gems are being made of {}: {}{left}.",
                counted(*turns, "turn"),
                trigger(*reason, *context_share)
            )
        }
        JournalEvent::MemoryExtractionSkipped {
            reason,
            pending,
            repeated,
            ..
        } => {
            let again = match repeated {
                0 => String::new(),
                repeated => format!(" (found so {repeated} more times)"),
            };
            format!(
                "No gems are made now of {}: {}{again}.",
                counted(*pending, "turn"),
                skip(*reason)
            )
        }
        JournalEvent::MemoryExtractionCompleted {
            by,
            gems,
            rejected,
            took,
            ..
        } => {
            let made = match by.as_str() {
                "offline" => "by patterns, without a model".to_owned(),
                model => format!("by {}", model.rsplit('/').next().unwrap_or(model)),
            };
            let refused = rejected
                .iter()
                .map(|(reason, number)| format!("{number} {}", reason.replace('_', " ")))
                .collect::<Vec<_>>();
            let refused = match refused.as_slice() {
                [] => String::new(),
                refused => format!("; rejected: {}", refused.join(", ")),
            };
            format!("{} {made} in {}{refused}.", made_gems(*gems), span(*took))
        }
        JournalEvent::MemoryExtractionFailed {
            error,
            detail,
            turns,
            retry_in,
            falls_back,
            ..
        } => extraction_failed(*error, detail, *turns, retry_in.map(span), *falls_back),
        JournalEvent::MemoryGemsStored {
            added,
            strengthened,
            superseded,
            already_there,
            changed,
            ..
        } => {
            let parts = [
                (added.len(), "new"),
                (strengthened.len(), "known and said again"),
                (superseded.len(), "no longer holding"),
                (*already_there, "stored by an earlier try"),
                (
                    changed.unwrap_or(0),
                    "left out, of words that were changed meanwhile",
                ),
            ];
            let told: Vec<String> = parts
                .iter()
                .filter(|(number, _)| *number > 0)
                .map(|(number, what)| format!("{number} {what}"))
                .collect();
            match told.as_slice() {
                [] => "There was nothing worth remembering in them.".to_owned(),
                told => format!("The gems are stored: {}.", told.join(", ")),
            }
        }
        JournalEvent::MemoryExtractionDropped { because, .. } => match because {
            ExtractionDrop::TurnsGone => {
                "It was ended: something it was reading is gone. What is left is read anew.".to_owned()
            }
            ExtractionDrop::WordsChanged => {
                "Everything in it was edited meanwhile, and is read again as it stands.".to_owned()
            }
            ExtractionDrop::QuestionLost => {
                "Its question was lost with a part of the state; the turns are read again.".to_owned()
            }
        },
        JournalEvent::MemoryStoringFailed { detail, retry_in, .. } => with_detail(
            &format!(
                "The gems could not be stored; they are kept and tried again in {}.",
                span(*retry_in)
            ),
            detail,
        ),
        JournalEvent::MemoryForgotten {
            kind,
            gems,
            turns,
            summaries,
            failure,
        } => match failure {
            Some(failure) => with_detail("Something was to be forgotten, and could not be.", failure),
            None => format!(
                "Forgotten for good ({}): {}, {} and what {} said of it.",
                kind.name(),
                counted(*gems, "gem"),
                counted(*turns, "turn"),
                match summaries {
                    1 => "1 summary".to_owned(),
                    many => format!("{many} summaries"),
                }
            ),
        },
        _ => return None,
    })
}

fn made_gems(gems: usize) -> String {
    match gems {
        0 => "No gem was found".to_owned(),
        1 => "1 gem was made".to_owned(),
        many => format!("{many} gems were made"),
    }
}

fn trigger(trigger: ExtractionTrigger, context_share: Option<f64>) -> String {
    match trigger {
        ExtractionTrigger::TurnEnd => "a batch is complete".to_owned(),
        ExtractionTrigger::Idle => "nobody has said anything for a while".to_owned(),
        ExtractionTrigger::Context => {
            format!(
                "the context is {} full",
                percent(context_share.unwrap_or_default())
            )
        }
        ExtractionTrigger::SessionEnd => "the conversation is over".to_owned(),
        ExtractionTrigger::New => "somebody began a new conversation with /new".to_owned(),
        ExtractionTrigger::Reset => "somebody began anew with /reset".to_owned(),
    }
}

fn skip(skip: ExtractionSkip) -> &'static str {
    match skip {
        ExtractionSkip::NothingPending => "none wait",
        ExtractionSkip::BelowBatchSize => "the batch is not complete",
        ExtractionSkip::TalkGoesOn => "people are talking; it is read when they pause",
        ExtractionSkip::AlreadyInFlight => "others are being worked on",
        ExtractionSkip::Resting => "the last try failed a moment ago",
        ExtractionSkip::MemoryOff => "memory is switched off (memory.enabled)",
    }
}

fn extraction_failed(
    error: AskFailureKind,
    detail: &str,
    turns: usize,
    retry_in: Option<String>,
    falls_back: bool,
) -> String {
    let next = match retry_in {
        _ if falls_back => "patterns are used instead".to_owned(),
        Some(wait) => format!("they are kept and tried again in {wait}"),
        None => "they are kept".to_owned(),
    };
    with_detail(
        &format!(
            "No gems could be made of {}, because {}; {next}.",
            counted(turns, "turn"),
            failure(error)
        ),
        detail,
    )
}
