//! What is in the summary is not shown word for word as well.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use mind::{Answer, Effect, Input, JournalEvent, RoomEvent};
use vocabulary::{AskPurpose, MessageId, RoomId};

use super::{Report, was_left_out};
use crate::trace::Trace;

#[derive(Debug, Default)]
struct Room {
    turns: u64,
    /// First lines, by the number of their turn.
    lines: BTreeMap<u64, String>,
    heard: BTreeSet<MessageId>,
    /// How many messages have this first line.
    count: BTreeMap<String, usize>,
    folded: BTreeSet<String>,
}

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut rooms: BTreeMap<RoomId, Room> = BTreeMap::new();
    for step in &trace.steps {
        for sketch in &step.sessions {
            let room = rooms.entry(sketch.room.clone()).or_default();
            if let Input::Room(
                _,
                RoomEvent::MessageArrived(message)
                | RoomEvent::MessageMissed(message)
                | RoomEvent::UtteranceHeard { message, .. },
            )
            | Input::Answer(Answer::MessageSent { message, .. }) = &step.input
                && message.room == sketch.room
                && !was_left_out(step)
                && room.heard.insert(message.id.clone())
            {
                let first = message.text.lines().next().unwrap_or_default();
                let line = format!("{}: {first}", message.author.name).trim_end().to_owned();
                *room.count.entry(line.clone()).or_default() += 1;
                if sketch.turns > room.turns {
                    room.lines.insert(room.turns, line);
                }
            }
            room.turns = sketch.turns;
        }
        for effect in &step.effects {
            match effect {
                Effect::Journal(entry) => {
                    if let (Some(room), JournalEvent::CompactionCompleted { cursor, .. }) =
                        (&entry.scope.room, &entry.event)
                    {
                        let room = rooms.entry(room.clone()).or_default();
                        let later = room.lines.split_off(&cursor.0);
                        room.folded
                            .extend(std::mem::replace(&mut room.lines, later).into_values());
                    }
                }
                Effect::Ask(asking) if asking.request.purpose != AskPurpose::ContextCompaction => {
                    let mut sessions = step.sessions.iter();
                    if !sessions.any(|session| session.room == asking.room && session.folds) {
                        continue;
                    }
                    let room = rooms.get(&asking.room).filter(|room| !room.folded.is_empty());
                    let Some(room) = room else {
                        continue;
                    };
                    let sections = asking.request.sections.iter();
                    let recent = sections.filter(|section| section.name == "recent_messages");
                    for line in recent.flat_map(|section| section.text.lines()) {
                        let Some(line) = room.folded.get(&*spoken(line)) else {
                            continue;
                        };
                        // The same words may have been said again since.
                        if room.count.get(line) == Some(&1) {
                            let what = format!("ask {} shows {line:?}, which is folded", asking.ask);
                            report.add("folded_turns_leave_the_prompt", step.now.moment, what);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// `[12:03] Alice: (to Bob) words` without the time and the addressee.
fn spoken(line: &str) -> Cow<'_, str> {
    let line = line.split_once("] ").map_or(line, |(_, rest)| rest);
    let reply = line.split_once(": (to ");
    let answered = reply.and_then(|(name, rest)| Some((name, rest.split_once(") ")?.1)));
    match answered.filter(|(name, _)| !name.contains(": ")) {
        Some((name, words)) => Cow::Owned(format!("{name}: {words}").trim_end().to_owned()),
        None => Cow::Borrowed(line.trim_end()),
    }
}
