//! What was said while Denizen was away: it is part of the conversation, and whoever called it lately is still answered.

use serde::{Deserialize, Serialize};
use vocabulary::{AuthorKind, Message, MessageId};

use super::Room;
use super::arrival::{judged, limits};
use super::command::Obeyed;
use crate::addressing::AddressSignal;
use crate::admission::text::forces_reply;
use crate::journal::{JournalEvent, Scope};
use crate::memory::command::{self, Command};
use crate::reasons::DropReason;
use crate::step_context::StepContext;

/// Whoever called it longer ago does not wait any more.
const ANSWERED_WITHIN_MS: i64 = 6 * 60 * 60 * 1_000;
/// So many calls of a room are answered, the newest.
const ANSWERS_MAX: usize = 2;
/// Calls that are held until the room has caught up.
const CALLS_MAX: usize = 50;

/// Calls that came while it was away, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Missed(Vec<(MessageId, AddressSignal)>);

impl Missed {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A call was answered before Denizen went, and its answer is told with what was missed.
    fn answered(&mut self, call: &MessageId) {
        self.0.retain(|(id, _)| id != call);
    }
}

/// Takes in a message that was written while Denizen was away; what a command asks of others, where it was one.
pub(super) fn message_missed(
    room: &mut Room,
    message: Message,
    step: &mut StepContext<'_>,
) -> Option<Obeyed> {
    let is_person = message.author.kind == AuthorKind::Person;
    // A wish to be forgotten or left alone holds however late it is read; other commands were for that moment.
    let wish = command::read(&message.text).filter(|_| is_person);
    let holds = |command: &Command| {
        matches!(
            command,
            Command::ForgetMe | Command::ForgetThat | Command::Listen(_)
        )
    };
    if message.author.kind == AuthorKind::OtherBot {
        // Nobody waits for the answer to a program.
        return room.only_hear(message, DropReason::OtherBot, step);
    }
    if !is_person || wish.as_ref().is_some_and(holds) {
        if let Some(answered) = message
            .reply_to
            .as_ref()
            .filter(|_| message.author.kind == AuthorKind::Denizen)
        {
            room.missed.answered(answered);
        }
        return room.message_arrived(message, step);
    }
    if !room.seen.insert(&message.id) {
        return None;
    }
    let scope = Scope::room(&room.id).about(&message.id);
    let signal = judged(room, &message, limits(step.settings), step);
    let is_call = signal.triggered && forces_reply(signal.reason) && wish.is_none();
    if is_call {
        let overflow = (room.missed.0.len() >= CALLS_MAX).then(|| room.missed.0.remove(0).0);
        if let Some(oldest) = overflow {
            ignore(room, &oldest, DropReason::MissedTooMany, step);
        }
        room.missed.0.push((message.id.clone(), signal));
    } else {
        let reason = DropReason::Missed;
        step.ledger.write(scope, JournalEvent::MessageIgnored { reason });
    }
    if wish.is_none() {
        room.take_in(message, step);
    }
    None
}

/// All that was missed is known: the newest calls are answered, as if they had just come.
pub(super) fn caught_up(room: &mut Room, step: &mut StepContext<'_>) {
    let calls = std::mem::take(&mut room.missed).0;
    let now = step.now().wall;
    // What was taken back since has its line.
    let found = |(id, signal)| room.log.log().find(&id).map(|message| (message.clone(), signal));
    let calls: Vec<(Message, AddressSignal)> = calls.into_iter().filter_map(found).collect();
    let is_late = |message: &Message| now.0.saturating_sub(message.at.0) > ANSWERED_WITHIN_MS;
    let late = calls.iter().filter(|(message, _)| is_late(message)).count();
    let first = calls.len().saturating_sub(ANSWERS_MAX).max(late);
    for (position, (message, signal)) in calls.into_iter().enumerate() {
        match position {
            _ if is_late(&message) => ignore(room, &message.id, DropReason::MissedTooLongAgo, step),
            position if position < first => ignore(room, &message.id, DropReason::MissedTooMany, step),
            _ => answer(room, &message, signal, step),
        }
    }
}

fn answer(room: &mut Room, message: &Message, signal: AddressSignal, step: &mut StepContext<'_>) {
    let scope = Scope::room(&room.id).about(&message.id);
    let (replies, mut context) = room.lend();
    match replies.admit(message, signal, scope.clone(), &context, step) {
        Ok(trigger) => replies.enqueue(trigger, &mut context, step),
        Err(denied) => denied.skip(scope, step),
    }
}

fn ignore(room: &Room, id: &MessageId, reason: DropReason, step: &mut StepContext<'_>) {
    let scope = Scope::room(&room.id).about(id);
    step.ledger.write(scope, JournalEvent::MessageIgnored { reason });
}
