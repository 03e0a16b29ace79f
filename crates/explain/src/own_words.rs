//! Why Denizen wrote a message of its own: as a comment on a screen, as a thought, or because of somebody's.

use mind::journal::{JournalEntry, JournalEvent};
use mind::reasons::DropReason;
use vocabulary::MessageId;

use crate::screen;
use crate::verdict::concerns;
use crate::words::span;

/// A message that is a comment on a screen: nobody asked for it, so the reason is what was seen.
pub(super) fn comment(chain: &[JournalEntry], message: &MessageId) -> Option<String> {
    let spoken = |entry: &&JournalEntry| matches!(&entry.event, JournalEvent::CommentarySpoken { message: spoken, .. } if spoken == message);
    let turn = chain.iter().find(spoken)?.scope.turn;
    let why = chain.iter().find_map(|entry| match &entry.event {
        JournalEvent::CommentaryStarted {
            trigger,
            waited,
            held,
            ..
        } if entry.scope.turn == turn => {
            let gates = screen::waited(*waited, held);
            Some(format!(
                ", because {}.{gates}",
                screen::comments_because(*trigger)
            ))
        }
        _ => None,
    });
    let why = why.unwrap_or_else(|| ".".to_owned());
    Some(format!(
        "Denizen wrote this by itself, about the shared screen{why}"
    ))
}

/// A message that was a thought of its own: nobody asked for it, so the reason is what let it think.
pub(super) fn thought(chain: &[JournalEntry], message: &MessageId) -> Option<String> {
    let post = chain.iter().find_map(|entry| match &entry.event {
        JournalEvent::InitiativePost {
            messages,
            revisions,
            held_for,
            ..
        } if messages.contains(message) => Some((entry.scope.turn, *revisions, *held_for)),
        _ => None,
    });
    let (turn, revisions, held_for) = post?;
    let why = chain.iter().find_map(|entry| match &entry.event {
        JournalEvent::AmbientTickDecided {
            roll: Some(roll),
            below: Some(below),
            ..
        } if entry.scope.turn == turn => Some(format!(
            " Nothing stood against a thought, and chance had it: it rolled {roll}, and needed less than {below}."
        )),
        _ => None,
    });
    let held = match revisions {
        0 => String::new(),
        _ => format!(" It held the thought for {} before.", span(held_for)),
    };
    Some(format!(
        "Denizen wrote this of its own accord.{}{held}",
        why.unwrap_or_default()
    ))
}

/// A message of its own, as an answer or otherwise.
pub(super) fn own(entry: &JournalEntry, message: &MessageId) -> Option<String> {
    match &entry.event {
        JournalEvent::SentReply {
            message: sent,
            reply_to,
            ..
        } if sent == message => Some(format!("Denizen wrote this, in reply to message {reply_to}.")),
        JournalEvent::SentMessage {
            message: sent,
            trigger_message_ids,
            ..
        } if sent == message => Some(match trigger_message_ids.last() {
            Some(trigger) => format!("Denizen wrote this, because of message {trigger}."),
            None => "Denizen wrote this.".into(),
        }),
        JournalEvent::MessageIgnored {
            reason: DropReason::OwnMessage,
        } if concerns(entry, message) => Some("Denizen wrote this.".into()),
        _ => None,
    }
}
