//! At most one ask for a turn is in flight in a room, and one for a summary beside it; a turn asks a bounded number
//! of times, and nobody blocked is answered.

use std::collections::BTreeMap;

use mind::{Answer, Effect, Input, RoomEvent, ShellEvent};
use vocabulary::{AskId, AskPurpose, MessageId, PersonId, RoomId, TurnId};

use super::Report;
use crate::trace::{Stepped, Trace};

/// A prompt is halved at most three times because it is too long.
const SHRINKS_MAX: u64 = 3;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    // A summary is written beside a reply, never instead of one.
    let mut in_flight: BTreeMap<(RoomId, Option<AskPurpose>), AskId> = BTreeMap::new();
    let mut asked: BTreeMap<TurnId, u64> = BTreeMap::new();
    let mut authors: BTreeMap<MessageId, PersonId> = BTreeMap::new();
    // A turn may have begun under settings that allowed more.
    let mut steps_allowed = 0;
    for step in &trace.steps {
        steps_allowed = steps_allowed.max(step.settings.reply_followup.max_tool_steps);
        match &step.input {
            Input::Room(_, RoomEvent::MessageArrived(message)) => {
                authors.insert(message.id.clone(), message.author.id.clone());
            }
            Input::Answer(Answer::AskEnded { ask, .. }) => in_flight.retain(|_, open| open != ask),
            Input::Shell(ShellEvent::Restarted { .. }) => in_flight.clear(),
            _ => {}
        }
        for effect in &step.effects {
            match effect {
                Effect::CancelAsk { ask } => in_flight.retain(|_, open| open != ask),
                Effect::Ask(asking) => {
                    let at = step.now.moment;
                    let purpose = asking.request.purpose;
                    let beside = is_beside(purpose);
                    let place = (asking.room.clone(), beside.then_some(purpose));
                    if let Some(other) = in_flight.insert(place, asking.ask) {
                        let what = format!("ask {} while ask {other} is under way", asking.ask);
                        report.add("one_ask_at_a_time", at, what);
                    }
                    if beside {
                        continue;
                    }
                    let count = asked.entry(asking.turn).or_default();
                    *count += 1;
                    // The classifier, the first try, retries, shrinks, a round per tool step, and a last one.
                    let most = 3 + step.settings.activity.max_retries + SHRINKS_MAX + steps_allowed;
                    if *count > most {
                        let what = format!("turn {} has asked {count} times", asking.turn);
                        report.add("asks_bounded", at, what);
                    }
                    if asking.request.purpose != AskPurpose::AddressClassifier {
                        not_blocked(step, asking.turn, &asking.room, &authors, report);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Summaries, gems, notes and comments are made beside the replies, and answer no turn.
pub(super) fn is_beside(purpose: AskPurpose) -> bool {
    match purpose {
        AskPurpose::ContextCompaction
        | AskPurpose::GemExtraction
        | AskPurpose::ScreenNote
        | AskPurpose::ScreenCommentary
        | AskPurpose::AmbientThought
        // What is said aloud is answered beside what is typed.
        | AskPurpose::VoiceReply
        | AskPurpose::VoiceReplyFollowup
        | AskPurpose::VoiceReplyDecision
        | AskPurpose::VoiceThought => true,
        AskPurpose::TextReply | AskPurpose::TextReplyFollowup | AskPurpose::AddressClassifier => false,
    }
}

fn not_blocked(
    step: &Stepped,
    turn: TurnId,
    room: &RoomId,
    authors: &BTreeMap<MessageId, PersonId>,
    report: &mut Report,
) {
    let (at, replies) = (step.now.moment, &step.settings.replies);
    let listed = |list: &[String], id: &str| list.iter().any(|entry| entry == id);
    if listed(&replies.blocked_channel_ids, room.as_str()) {
        report.add(
            "blocked_stay_unanswered",
            at,
            format!("turn {turn} asks for blocked room {room}"),
        );
    }
    if step.settings.activity.coalesce_any_author {
        // What a blocked person said may stand in a burst that others wrote; the answer is for one of them.
        return;
    }
    let lines = step.journal().filter(|entry| entry.scope.turn == Some(turn));
    for id in lines.flat_map(|entry| &entry.scope.messages) {
        if let Some(author) = authors.get(id)
            && listed(&replies.blocked_user_ids, author.as_str())
        {
            let what = format!("turn {turn} asks for {id}, whose author is blocked");
            report.add("blocked_stay_unanswered", at, what);
            return;
        }
    }
}
