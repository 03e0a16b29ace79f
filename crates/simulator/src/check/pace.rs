//! The hourly cap for what is said unasked, and the spacing between turns.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Answer, Effect, Input, JournalEvent, RoomEvent};
use vocabulary::{AuthorKind, Message, MessageId, Moment, RoomId, Span};

use super::Report;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    // When Denizen's messages were first heard of.
    let mut rooms: BTreeMap<RoomId, Vec<Moment>> = BTreeMap::new();
    let mut known: BTreeSet<MessageId> = BTreeSet::new();
    for step in &trace.steps {
        let at = step.now.moment;
        let said: Option<&Message> = match &step.input {
            // What is said aloud has a pace of its own.
            Input::Answer(Answer::MessageSent { message, .. }) if !message.spoken => Some(message),
            Input::Room(_, RoomEvent::MessageArrived(message))
                if message.author.kind == AuthorKind::Denizen =>
            {
                Some(message)
            }
            _ => None,
        };
        if let Some(message) = said
            && known.insert(message.id.clone())
        {
            rooms.entry(message.room.clone()).or_default().push(at);
        }
        for effect in &step.effects {
            if let Effect::Journal(entry) = effect
                && let (Some(room), JournalEvent::TurnOpened { forced, .. }) =
                    (&entry.scope.room, &entry.event)
            {
                let said = rooms.entry(room.clone()).or_default();
                let lately = said
                    .iter()
                    .filter(|then| at.since(**then) < Span::hours(1))
                    .count() as u64;
                let most = step.settings.activity.max_messages_per_hour;
                if !forced && lately >= most {
                    let what = format!("an unasked turn is opened after {lately} messages in an hour");
                    report.add("hourly_cap", at, what);
                }
                let spacing = Span::seconds(step.settings.activity.min_seconds_between_messages);
                let since = said.last().map(|last| at.since(*last));
                if since.is_some_and(|since| since < spacing) {
                    let what = format!("a turn is opened {since:?} after the last message");
                    report.add("spacing", at, what);
                }
            }
        }
    }
}
