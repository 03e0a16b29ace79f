//! What became of something that was said aloud, from the lines about it; and why Denizen said something.

use mind::admission::VoiceAdmissionReason;
use mind::journal::{JournalEntry, JournalEvent};
use mind::reasons::{VoiceTurnOutcome, VoiceTurnReason};
use vocabulary::{AskFailureKind, MessageId, Span};

use crate::verdict::{Outcome, Verdict};
use crate::voice;
use crate::words::{failure, span, with_detail};

/// The verdict a line about what was said gives by itself, if it settles anything.
pub(super) fn decisive(chain: &[JournalEntry], entry: &JournalEntry) -> Option<Verdict> {
    let verdict = |outcome, sentence| Some(Verdict { outcome, sentence });
    match &entry.event {
        JournalEvent::VoiceTurnEnded {
            outcome,
            reason,
            detail,
            ..
        } => {
            let why = voice::turn_reason(*reason);
            let detail = &plain_detail(*reason, detail);
            match outcome {
                VoiceTurnOutcome::Spoken => verdict(Outcome::Answered, answered(chain, entry, *reason)),
                VoiceTurnOutcome::Written => verdict(
                    Outcome::Answered,
                    with_detail(&format!("Denizen answered it in text: {why}."), detail),
                ),
                VoiceTurnOutcome::Failed => verdict(
                    Outcome::Failed,
                    with_detail(&format!("An answer was attempted and failed: {why}."), detail),
                ),
                VoiceTurnOutcome::Skipped | VoiceTurnOutcome::Superseded => {
                    let came_of_it = match had_begun(chain, entry) {
                        true => "An answer was begun, and no sentence of it was heard to its end",
                        false => "An answer was attempted, and nothing was said",
                    };
                    verdict(
                        Outcome::Silent,
                        with_detail(&format!("{came_of_it}: {why}."), detail),
                    )
                }
            }
        }
        JournalEvent::VoiceTurnAddressing {
            allow: false,
            retry_after: None,
            reason,
            ..
        } if *reason != VoiceAdmissionReason::AskClassifier => verdict(
            Outcome::Silent,
            format!("No answer was attempted, because {}.", voice::addressing(*reason)),
        ),
        JournalEvent::UtteranceIgnored { .. } => verdict(Outcome::Silent, voice::sentence(&entry.event)?),
        _ => None,
    }
}

/// What is said besides of how an attempt ended; of a model that failed the journal has the kind of failure.
pub(super) fn plain_detail(reason: VoiceTurnReason, detail: &str) -> String {
    let kind = (reason == VoiceTurnReason::AskFailed).then(|| AskFailureKind::named(detail));
    match kind.flatten() {
        Some(kind) => failure(kind).to_owned(),
        None => detail.to_owned(),
    }
}

/// Whether something of the answer of a turn had begun to be heard.
fn had_begun(chain: &[JournalEntry], ended: &JournalEntry) -> bool {
    chain.iter().any(|entry| {
        entry.scope.turn == ended.scope.turn && matches!(entry.event, JournalEvent::VoiceAnswerHeard { .. })
    })
}

fn answered(chain: &[JournalEntry], ended: &JournalEntry, reason: VoiceTurnReason) -> String {
    let of_the_turn = || {
        chain
            .iter()
            .rev()
            .filter(|entry| entry.scope.turn == ended.scope.turn)
    };
    let because = chain.iter().rev().find_map(|entry| match &entry.event {
        JournalEvent::VoiceTurnAddressing {
            allow: true, reason, ..
        } => Some(format!(", because {}", voice::addressing(*reason))),
        _ => None,
    });
    let after: Option<Span> = of_the_turn().find_map(|entry| match &entry.event {
        JournalEvent::VoiceAnswerHeard { heard, .. } => Some(*heard),
        _ => None,
    });
    let after = after.map(|after| {
        format!(
            " Its first words were heard {} after the last of it.",
            span(after)
        )
    });
    let cut = match reason {
        VoiceTurnReason::Said => String::new(),
        VoiceTurnReason::CutShort => " Somebody spoke over it, and it was not heard to its end.".to_owned(),
        other => format!(" It was not heard to its end: {}.", voice::turn_reason(other)),
    };
    format!(
        "Denizen answered it aloud{}.{}{cut}",
        because.unwrap_or_default(),
        after.unwrap_or_default()
    )
}

/// How far it has come, for something about which nothing is decided yet.
pub(super) fn waiting(event: &JournalEvent) -> Option<&'static str> {
    match event {
        JournalEvent::VoiceAnswerHeard { .. } => Some("It is being answered aloud."),
        JournalEvent::VoiceTurnOpened { .. } => Some("An answer is being attempted."),
        JournalEvent::VoiceTurnAddressing { allow: true, .. } => {
            Some("It was let in, and an answer is about to be attempted.")
        }
        JournalEvent::VoiceTurnAddressing {
            retry_after: Some(_), ..
        } => Some("It is looked at again in a moment."),
        JournalEvent::VoiceTurnAddressing { .. } => Some("A model is asked whether Denizen is meant."),
        JournalEvent::UtteranceHeard { .. } => Some("It was heard, and nothing is decided yet."),
        _ => None,
    }
}

/// Why Denizen said something: the utterances that its turn was about, or nobody's.
pub(super) fn own(chain: &[JournalEntry], message: &MessageId) -> Option<String> {
    let said = chain.iter().find(|entry| {
        matches!(&entry.event, JournalEvent::ReplySpoken { delivery, .. } if delivery.as_str() == message.as_str())
    })?;
    let opened = chain.iter().find_map(|entry| match &entry.event {
        JournalEvent::VoiceTurnOpened {
            trigger_message_ids, ..
        } if entry.scope.turn == said.scope.turn => trigger_message_ids.last(),
        _ => None,
    });
    Some(match opened {
        Some(trigger) => format!("Denizen said this aloud, in answer to message {trigger}."),
        None => "Denizen said this aloud.".to_owned(),
    })
}
