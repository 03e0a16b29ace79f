//! What is said aloud stays with whoever said it: in turns, in what models are shown, and until something comes of it.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Answer, Effect, Input, JournalEntry, JournalEvent, RoomEvent, ShellEvent};
use vocabulary::{ContentPart, Message, MessageId, ModelRequest, Moment, PersonId, RoomId};

use super::{Report, was_left_out};
use crate::trace::{Stepped, Trace};

/// How a line of a prompt begins, behind its time, that was said and not written.
const SPOKEN: &str = "] [vc] ";
/// Stands where the middle of a long speech is left out.
const LEFT_OUT: &str = "[…]";

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut words = Words::default();
    for step in &trace.steps {
        words.happened(step);
        for effect in &step.effects {
            match effect {
                Effect::Journal(entry) => words.told(entry, report),
                Effect::Ask(asking) => words.shown(&asking.request, step.now.moment, report),
                _ => {}
            }
        }
        // What was not decided on when the process ended is told at the next start.
        if matches!(step.input, Input::Shell(ShellEvent::Restarted { .. })) {
            words.settled(|_| true, report);
        }
    }
    words.settled(|_| true, report);
}

#[derive(Default)]
struct Words {
    authors: BTreeMap<MessageId, PersonId>,
    names: BTreeMap<MessageId, String>,
    /// Everything that was said and taken in, by the names of those who said it.
    said: BTreeSet<(String, String)>,
    /// What was taken in, and nothing came of it yet.
    undecided: BTreeMap<MessageId, (RoomId, Moment)>,
}

impl Words {
    fn happened(&mut self, step: &Stepped) {
        match &step.input {
            // Words that nobody may keep are nobody's.
            Input::Room(_, RoomEvent::UtteranceHeard { .. }) if was_left_out(step) => {}
            Input::Room(room, RoomEvent::UtteranceHeard { message, .. }) => {
                if !self.authors.contains_key(&message.id) {
                    let since = (room.clone(), step.now.moment);
                    self.undecided.insert(message.id.clone(), since);
                }
                self.keep(message);
            }
            Input::Room(_, RoomEvent::MessageArrived(message))
            | Input::Answer(Answer::MessageSent { message, .. }) => self.keep(message),
            Input::Room(_, RoomEvent::MessageEdited { id, text }) => {
                if let Some(name) = self.names.get(id) {
                    self.said.insert((name.clone(), text.trim_end().to_owned()));
                }
            }
            Input::Room(_, RoomEvent::MessageDeleted { id }) => {
                self.undecided.remove(id);
            }
            // Whoever is not listened to from now on takes back what they said.
            Input::Room(
                _,
                RoomEvent::ListeningChosen {
                    person,
                    listen: false,
                },
            ) => self.taken_back(person),
            _ => {}
        }
    }

    fn taken_back(&mut self, person: &PersonId) {
        let authors = &self.authors;
        self.undecided.retain(|id, _| authors.get(id) != Some(person));
    }

    fn keep(&mut self, message: &Message) {
        self.names.insert(message.id.clone(), message.author.name.clone());
        self.authors.insert(message.id.clone(), message.author.id.clone());
        let line = (message.author.name.clone(), message.text.trim_end().to_owned());
        self.said.insert(line);
    }

    fn told(&mut self, entry: &JournalEntry, report: &mut Report) {
        match &entry.event {
            JournalEvent::VoiceTurnOpened {
                speakers,
                trigger_message_ids,
                ..
            } => {
                let ids = trigger_message_ids.iter();
                let authors: BTreeSet<Option<&PersonId>> = ids.map(|id| self.authors.get(id)).collect();
                let told: BTreeSet<Option<&PersonId>> = speakers.iter().map(Some).collect();
                if authors != told {
                    let what = format!("said by {authors:?}, told as by {told:?}");
                    report.add("words_stay_with_whoever_said_them", entry.moment, what);
                }
            }
            // What is to be looked at again later is not decided on.
            JournalEvent::VoiceTurnAddressing {
                retry_after: None, ..
            }
            | JournalEvent::UtteranceIgnored { .. } => {
                for id in &entry.scope.messages {
                    self.undecided.remove(id);
                }
            }
            // The wish may have been said aloud.
            JournalEvent::VoiceListeningChosen {
                person,
                listen: false,
            } => self.taken_back(person),
            JournalEvent::VoiceSessionEnded { .. } => {
                let over = entry.scope.room.as_ref();
                self.settled(|room| Some(room) == over, report);
            }
            _ => {}
        }
    }

    /// It is over in these rooms: nothing that was said there is left without a word about it.
    fn settled(&mut self, over: impl Fn(&RoomId) -> bool, report: &mut Report) {
        for (id, (_, at)) in self.undecided.extract_if(.., |_, (room, _)| over(room)) {
            let what = format!("nothing came of {id}");
            report.add("everything_said_is_decided_on", at, what);
        }
    }

    /// Each spoken line that a model is shown was said so, by the one whose name it carries.
    fn shown(&self, request: &ModelRequest, at: Moment, report: &mut Report) {
        let texts = request.turns.iter().flat_map(|turn| &turn.parts);
        let texts = texts.filter_map(|part| match part {
            // Most prompts hold nothing spoken.
            ContentPart::Text(text) if text.contains(SPOKEN) => Some(text.as_str()),
            _ => None,
        });
        for line in texts.flat_map(str::lines) {
            let Some((_, line)) = line.split_once(SPOKEN) else {
                continue;
            };
            let Some((name, text)) = line.split_once(": ") else {
                continue;
            };
            // Whom it was said to is told in front of it.
            let words = match text.strip_prefix("(to ").and_then(|to| to.split_once(") ")) {
                Some((_, words)) => words,
                None => text,
            };
            let whole = (name.to_owned(), words.trim_end().to_owned());
            let is_cut = text.contains(LEFT_OUT);
            if !is_cut && !self.said.contains(&whole) {
                let what = format!("{} is shown {line:?}", request.purpose.name());
                report.add("words_stay_with_whoever_said_them", at, what);
            }
        }
    }
}
