//! What became of a message, from the journal lines about it: one outcome and one sentence.

use mind::AskUnderWay;
use mind::journal::{JournalEntry, JournalEvent};
use mind::reasons::{DelayReason, DropReason, TurnOutcome};
use mind::reply::SkipReason;
use serde::{Deserialize, Serialize};
use vocabulary::{AskPurpose, MessageId};

use crate::gates::text_gate;
use crate::own_words::{comment, own, thought};
use crate::spoken;
use crate::words::{self, span, with_detail};

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Answered,
    /// Denizen stayed silent, on purpose or because it had to.
    Silent,
    /// Nothing is decided yet.
    Waiting,
    /// A reply was wanted and could not be made.
    Failed,
    /// Denizen wrote the message itself.
    Own,
    /// Denizen wrote the message itself, and nobody had asked: a thought of its own.
    OwnAccord,
}

/// The outcome and why, for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    pub outcome: Outcome,
    pub sentence: String,
}

/// Judges a message by the lines about it and about its turns, in order.
pub fn verdict(chain: &[JournalEntry], message: &MessageId) -> Verdict {
    let settled = |outcome, sentence: String| Verdict { outcome, sentence };
    if let Some(sentence) = thought(chain, message) {
        return settled(Outcome::OwnAccord, sentence);
    }
    let own_words = comment(chain, message)
        .or_else(|| spoken::own(chain, message))
        .or_else(|| chain.iter().find_map(|entry| own(entry, message)));
    if let Some(sentence) = own_words {
        return settled(Outcome::Own, sentence);
    }
    if chain.iter().find_map(|entry| reply_to(entry, message)).is_some() {
        return settled(Outcome::Answered, answered(chain));
    }
    if let Some(sentence) = chain.iter().find_map(|entry| reaction_to(entry, message)) {
        return settled(Outcome::Answered, sentence);
    }
    let since = wished(chain, message);
    let chain = &chain[since..];
    let decided = chain.iter().enumerate().rev().find_map(|(place, entry)| {
        let judged = concerns(entry, message).then(|| decisive(chain, entry))?;
        Some((place, judged?))
    });
    match decided {
        Some((place, verdict)) if edited_since(&chain[place..], message) => Verdict {
            sentence: format!(
                "{} Its author has changed it since; this was decided about the words before.",
                verdict.sentence
            ),
            ..verdict
        },
        Some((_, verdict)) => verdict,
        None => settled(Outcome::Waiting, waiting(chain)),
    }
}

/// Where the newest wish of an operator's to have it answered stands; what was before it is over.
fn wished(chain: &[JournalEntry], message: &MessageId) -> usize {
    let is_wish = |entry: &JournalEntry| {
        matches!(entry.event, JournalEvent::ReplyRequested { refused: None }) && concerns(entry, message)
    };
    chain.iter().rposition(is_wish).unwrap_or(0)
}

/// Whether its author has changed the message after a decision about it.
fn edited_since(after: &[JournalEntry], message: &MessageId) -> bool {
    let edited = |entry: &JournalEntry| matches!(entry.event, JournalEvent::MessageEdited { .. });
    after
        .iter()
        .any(|entry| edited(entry) && concerns(entry, message))
}

/// Whether a question to a model was part of answering: what is made of a conversation besides is not.
fn is_of_replies(purpose: AskPurpose) -> bool {
    match purpose {
        AskPurpose::TextReply
        | AskPurpose::TextReplyFollowup
        | AskPurpose::AddressClassifier
        | AskPurpose::VoiceReply
        | AskPurpose::VoiceReplyFollowup
        | AskPurpose::VoiceReplyDecision => true,
        AskPurpose::ContextCompaction
        | AskPurpose::GemExtraction
        | AskPurpose::ScreenNote
        | AskPurpose::ScreenCommentary
        | AskPurpose::AmbientThought
        | AskPurpose::VoiceThought => false,
    }
}

/// Whether a line is about this message, or about the whole of a turn it is in.
pub(super) fn concerns(entry: &JournalEntry, message: &MessageId) -> bool {
    entry.scope.messages.is_empty() || entry.scope.messages.contains(message)
}

fn reply_to<'a>(entry: &'a JournalEntry, message: &MessageId) -> Option<&'a MessageId> {
    match &entry.event {
        JournalEvent::SentReply {
            message: sent,
            trigger_message_ids,
            reply_to,
            ..
        } => (trigger_message_ids.contains(message) || reply_to == message).then_some(sent),
        JournalEvent::SentMessage {
            message: sent,
            trigger_message_ids,
            ..
        } => trigger_message_ids.contains(message).then_some(sent),
        _ => None,
    }
}

/// Denizen's whole answer was an emoji.
fn reaction_to(entry: &JournalEntry, message: &MessageId) -> Option<String> {
    match &entry.event {
        JournalEvent::ReactionSent { emoji, why, .. } if concerns(entry, message) => Some(with_detail(
            &format!("Denizen answered it with {emoji} under the message, and no words."),
            why,
        )),
        _ => None,
    }
}

/// What a message waits for that waits for a model: how long it has been asked, and how long that can go on.
pub fn waits_for(ask: &AskUnderWay) -> String {
    let who = match ask.for_another {
        true => "It waits for a reply to somebody else: the model",
        false => "A model is being asked: it",
    };
    let begun = match ask.begun {
        true => "has begun to answer",
        false => "has not begun to answer",
    };
    format!(
        "{who} was asked {} ago and {begun}. It is waited for {} at most.",
        span(ask.asked_ago),
        span(ask.at_most)
    )
}

/// A model server may call a model by the path of its file; its last part is the name.
fn short_name(model: &str) -> &str {
    model.rsplit('/').next().unwrap_or(model)
}

fn answered(chain: &[JournalEntry]) -> String {
    let model = chain.iter().rev().find_map(|entry| match &entry.event {
        JournalEvent::AskCompleted {
            purpose: AskPurpose::TextReply | AskPurpose::TextReplyFollowup,
            provider,
            model,
            took,
            ..
        } => Some(format!(
            ", in the words of {} ({provider}), which took {}",
            short_name(model),
            span(*took)
        )),
        _ => None,
    });
    let cut = chain.iter().rev().find_map(|entry| match &entry.event {
        JournalEvent::AskCompleted {
            purpose: purpose @ (AskPurpose::TextReply | AskPurpose::TextReplyFollowup),
            cut_at,
            ..
        } => Some(cut_at.map(|tokens| format!(" {}", words::cut(*purpose, tokens)))),
        _ => None,
    });
    let held_up = chain.iter().filter_map(|entry| match &entry.event {
        JournalEvent::ReplyHeldUp { took, failure, .. } => Some((*took, *failure)),
        _ => None,
    });
    let longest = held_up.max_by_key(|(took, _)| *took);
    let held_up = longest.map(|(took, failure)| format!(" {}", words::held_up(took, failure, None)));
    format!(
        "Denizen answered it{}.{}{}",
        model.unwrap_or_default(),
        cut.flatten().unwrap_or_default(),
        held_up.unwrap_or_default()
    )
}

/// The verdict a line gives by itself, if it settles anything.
fn decisive(chain: &[JournalEntry], entry: &JournalEntry) -> Option<Verdict> {
    let silent = |sentence: String| {
        Some(Verdict {
            outcome: Outcome::Silent,
            sentence,
        })
    };
    let failed = |sentence: String| {
        Some(Verdict {
            outcome: Outcome::Failed,
            sentence,
        })
    };
    match &entry.event {
        // The gate's own line says more than the skip that follows from it.
        JournalEvent::ReplySkipped {
            reason: SkipReason::NotAdmitted | SkipReason::NoLongerAdmitted,
            detail,
        } => silent(
            gate_sentence(chain).unwrap_or_else(|| with_detail("Denizen did not look for a reply.", detail)),
        ),
        JournalEvent::ReplySkipped {
            reason: reason @ SkipReason::ModelFailed,
            detail,
        } => {
            let detail = last_failure(chain).unwrap_or(detail);
            failed(with_detail(words::skip(*reason), detail))
        }
        // Whoever was refused just now learns why; whoever comes later, until when.
        JournalEvent::ReplySkipped {
            reason: reason @ SkipReason::ModelResting,
            detail,
        } => silent(match last_failure(chain) {
            Some(why) => with_detail(words::skip(*reason), &format!("{why}; {detail}")),
            None => with_detail(words::skip(*reason), detail),
        }),
        JournalEvent::ReplySkipped {
            reason: reason @ SkipReason::SendFailed,
            detail,
        } => failed(with_detail(words::skip(*reason), detail)),
        JournalEvent::ReplySkipped { reason, detail } => silent(with_detail(words::skip(*reason), detail)),
        event @ JournalEvent::AdmissionDecided { allow: false, .. } => silent(text_gate(event)?),
        JournalEvent::CommandTaken { command } => silent(match command.as_str() {
            "" => "It was a command: it was carried out, and what it said is forgotten.".to_owned(),
            command => format!("It is the command {command}: it was carried out, and no model was asked."),
        }),
        JournalEvent::CommandHeld { command, reason } => silent(words::command_held(command, *reason)),
        JournalEvent::MessageIgnored {
            reason:
                reason @ (DropReason::OtherBot
                | DropReason::UncalledByBot
                | DropReason::BotLimit
                | DropReason::Missed
                | DropReason::MissedTooLongAgo
                | DropReason::MissedTooMany),
        } => silent(words::dropped(*reason).into()),
        JournalEvent::TurnEnded {
            outcome: TurnOutcome::Failed,
            ..
        } if !has_skip(chain) => {
            let detail = last_failure(chain).map_or("", String::as_str);
            failed(with_detail(
                "A reply was attempted and could not be made.",
                detail,
            ))
        }
        JournalEvent::TurnEnded {
            outcome: TurnOutcome::Skipped,
            ..
        } if !has_skip(chain) => silent("A reply was attempted, and nothing was said.".into()),
        _ => spoken::decisive(chain, entry),
    }
}

fn has_skip(chain: &[JournalEntry]) -> bool {
    chain
        .iter()
        .any(|entry| matches!(entry.event, JournalEvent::ReplySkipped { .. }))
}

fn gate_sentence(chain: &[JournalEntry]) -> Option<String> {
    chain.iter().rev().find_map(|entry| match &entry.event {
        event @ JournalEvent::AdmissionDecided { allow: false, .. } => text_gate(event),
        _ => None,
    })
}

fn last_failure(chain: &[JournalEntry]) -> Option<&String> {
    chain.iter().rev().find_map(|entry| match &entry.event {
        JournalEvent::AskFailed { detail, purpose, .. } if !detail.is_empty() && is_of_replies(*purpose) => {
            Some(detail)
        }
        _ => None,
    })
}

/// How far it has come, for a message about which nothing is decided yet.
fn waiting(chain: &[JournalEntry]) -> String {
    let stage = chain.iter().rev().find_map(|entry| match &entry.event {
        JournalEvent::DeliveryStarted { .. } => Some("The reply is on its way into the room."),
        JournalEvent::DeliveryFailed { .. } => {
            Some("The reply could not be put into the room yet; it is tried again.")
        }
        JournalEvent::AskStarted { purpose, .. } if is_of_replies(*purpose) => {
            Some("A model is being asked.")
        }
        JournalEvent::AskFailed { purpose, .. } if is_of_replies(*purpose) => {
            Some("The model failed, and another try is coming.")
        }
        JournalEvent::AskCompleted { purpose, .. } if is_of_replies(*purpose) => {
            Some("A model has answered; the reply is being made ready.")
        }
        JournalEvent::ToolStarted { .. } => Some("The model asked for a tool, which is running."),
        JournalEvent::RecallStarted { .. } => Some("Older messages that might fit are being looked for."),
        JournalEvent::TurnDelayed {
            reason: DelayReason::Spacing,
            ..
        } => Some("Denizen wrote here a moment ago and waits a little before it writes again."),
        JournalEvent::TurnDelayed {
            reason: DelayReason::Retry,
            ..
        } => Some("A failed attempt will be made again."),
        JournalEvent::TurnOpened { .. } => Some("A reply is being attempted."),
        JournalEvent::ReplyHeldUp { retry_in: Some(_), .. } => Some(
            "It waits for a reply to somebody else, for which the model was waited for in vain; that is tried again.",
        ),
        JournalEvent::MessageQueued {
            behind_reply: Some(true),
            ..
        } => Some("It waits for a reply to somebody else, which is being written or tried again."),
        JournalEvent::MessageQueued {
            burst_messages,
            queue_length,
            ..
        } if queue_length > burst_messages => Some(
            "It waits in line: its author may go on for a moment, and others wait for a reply too; whoever called Denizen comes first.",
        ),
        JournalEvent::MessageQueued { .. } => Some("It waits for its author to finish."),
        JournalEvent::ReplyRequested { .. } => Some("Whoever looks after Denizen asked for a reply to it."),
        JournalEvent::AdmissionDecided { allow: true, .. } => Some("It was let in, and waits for its turn."),
        JournalEvent::MessageReceived { .. } => Some("It was received, and nothing is decided yet."),
        event => spoken::waiting(event),
    });
    stage
        .unwrap_or(
            "The journal says nothing about it: it has not been looked at yet, or its lines were older than storage.keepJournalDays.",
        )
        .into()
}
