//! In the voice of a room: every admitted turn is opened and ends once, nothing is said after a stop or while it is not
//! there, and no more was heard than was written, nor than was played.

use std::collections::{BTreeMap, BTreeSet};

use mind::{
    Answer, Asking, Delivery, Effect, Input, JournalEntry, JournalEvent, RoomEvent, RoomWish, ShellEvent,
};
use vocabulary::{AskId, AskOutcome, DeliveryId, MessageId, Moment, RoomId, TurnId};

use super::Report;
use crate::trace::{Stepped, Trace};

/// Marks that only eyes can read, and the token of silence.
const UNSPEAKABLE: [&str; 5] = ["[SKIP]", "**", "`", "##", "]("];

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let (mut turns, mut mouths) = (Turns::default(), Mouths::default());
    for step in &trace.steps {
        mouths.happened(&step.input);
        for effect in &step.effects {
            match effect {
                Effect::Room(room, wish) => mouths.wanted(room, wish, step.now.moment, report),
                Effect::Ask(asking) => mouths.asked(asking, step.now.moment, report),
                Effect::CancelAsk { ask } => mouths.cancelled(*ask),
                Effect::Journal(entry) => {
                    turns.told(entry, report);
                    heard_in_numbers(entry, report);
                }
                _ => {}
            }
        }
        turns.admitted_are_opened(step, report);
    }
    let end = trace
        .steps
        .last()
        .map_or_else(Default::default, |step| step.now.moment);
    for turn in turns.open {
        let what = format!("turn {turn} never ends");
        report.add("every_voice_turn_ends_once", end, what);
    }
}

/// The turns of voice, as the journal tells of them.
#[derive(Default)]
struct Turns {
    open: BTreeSet<TurnId>,
    ended: BTreeSet<TurnId>,
}

impl Turns {
    fn told(&mut self, entry: &JournalEntry, report: &mut Report) {
        let turn = entry.scope.turn.unwrap_or_default();
        let wrong = match &entry.event {
            JournalEvent::VoiceTurnOpened { .. } => {
                let again = !self.open.insert(turn) || self.ended.contains(&turn);
                again.then_some("is opened again")
            }
            JournalEvent::VoiceTurnEnded { .. } => {
                let again = !self.open.remove(&turn) | !self.ended.insert(turn);
                again.then_some("ends again, or was never opened")
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            let what = format!("turn {turn} {wrong}");
            report.add("every_voice_turn_ends_once", entry.moment, what);
        }
    }

    /// What the gate lets pass is a turn of which it is part, and at once.
    fn admitted_are_opened(&self, step: &Stepped, report: &mut Report) {
        let opened: BTreeSet<&MessageId> = step
            .journal()
            .filter_map(|entry| match &entry.event {
                JournalEvent::VoiceTurnOpened {
                    trigger_message_ids, ..
                } => Some(trigger_message_ids),
                _ => None,
            })
            .flatten()
            .collect();
        for entry in step.journal() {
            if let JournalEvent::VoiceTurnAddressing { allow: true, .. } = entry.event
                && let Some(lost) = entry.scope.messages.iter().find(|id| !opened.contains(id))
            {
                let what = format!("{lost} was let pass, and is part of no turn");
                report.add("every_admitted_turn_is_opened", entry.moment, what);
            }
        }
    }
}

fn heard_in_numbers(entry: &JournalEntry, report: &mut Report) {
    if let JournalEvent::ReplySpoken {
        written_characters,
        heard_characters,
        ..
    } = entry.event
        && heard_characters > written_characters
    {
        let what = format!("{heard_characters} of {written_characters}");
        report.add("no_more_was_heard_than_written", entry.moment, what);
    }
}

/// Whether a text is what is left of another one when marks are taken out of it.
fn is_left_of(text: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    text.chars()
        .filter(|letter| !letter.is_whitespace())
        .all(|letter| whole.any(|other| other == letter))
}

/// What is said in rooms, and what of it was played.
#[derive(Default)]
struct Mouths {
    inside: BTreeSet<RoomId>,
    /// What is being said, and because of which turn.
    saying: BTreeMap<RoomId, (DeliveryId, TurnId)>,
    stopped: BTreeSet<DeliveryId>,
    /// Of these something was heard before they were stopped; what nobody heard may be said later, as something new.
    stopped_turns: BTreeSet<TurnId>,
    audible: BTreeSet<DeliveryId>,
    written: BTreeMap<DeliveryId, Vec<String>>,
    /// So many characters were played, or all of it.
    played: BTreeMap<DeliveryId, usize>,
    /// What a realtime service was asked to answer by itself: where, and under what it is heard.
    native: BTreeMap<AskId, (RoomId, DeliveryId)>,
}

impl Mouths {
    fn happened(&mut self, input: &Input) {
        let played = |characters: usize| move |known: &mut usize| *known = characters.max(*known);
        match input {
            Input::Shell(ShellEvent::Restarted { .. }) => {
                self.inside.clear();
                self.saying.clear();
            }
            Input::Answer(Answer::AskProgressed { ask, text }) => self.words(*ask, text, false),
            Input::Answer(Answer::AskEnded {
                ask,
                outcome: AskOutcome::Answered(answer),
            }) => self.words(*ask, &answer.text, true),
            Input::Room(room, event) => match event {
                RoomEvent::VoiceJoined { .. } => {
                    self.inside.insert(room.clone());
                }
                RoomEvent::VoiceLeft { .. } => {
                    self.inside.remove(room);
                }
                RoomEvent::PlaybackStarted { delivery } => {
                    self.audible.insert(delivery.clone());
                }
                RoomEvent::PlaybackProgressed { delivery, characters } => {
                    let known = self.played.entry(delivery.clone());
                    known.and_modify(played(*characters)).or_insert(*characters);
                }
                RoomEvent::PlaybackEnded { delivery, cut_after } => {
                    let characters = cut_after.unwrap_or(usize::MAX);
                    let known = self.played.entry(delivery.clone());
                    known.and_modify(played(characters)).or_insert(characters);
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// A realtime service is asked: its words come with the answer.
    fn asked(&mut self, asking: &Asking, at: Moment, report: &mut Report) {
        let Some(delivery) = &asking.aloud else { return };
        if self.stopped.contains(delivery) || self.stopped_turns.contains(&asking.turn) {
            let what = format!("{delivery} is asked for");
            report.add("nothing_is_said_after_a_stop", at, what);
        }
        if !self.inside.contains(&asking.room) {
            let what = format!("{delivery} is asked for");
            report.add("nothing_is_said_from_outside", at, what);
        }
        let place = (asking.room.clone(), delivery.clone());
        self.native.insert(asking.ask, place);
        self.saying
            .insert(asking.room.clone(), (delivery.clone(), asking.turn));
    }

    fn cancelled(&mut self, ask: AskId) {
        if let Some((room, delivery)) = self.native.get(&ask).cloned()
            && self
                .saying
                .get(&room)
                .is_some_and(|(saying, _)| *saying == delivery)
        {
            self.stop(&room);
        }
    }

    /// The words of an answer that a service gives by itself.
    fn words(&mut self, ask: AskId, piece: &str, is_whole: bool) {
        let Some((_, delivery)) = self.native.get(&ask) else {
            return;
        };
        let piece = piece.replace(['\n', '\r'], " ");
        let whole = piece.trim_start();
        let written = self.written.entry(delivery.clone()).or_default();
        match (written.first_mut(), is_whole) {
            (None, _) => written.push(whole.to_owned()),
            (Some(said), false) => said.push_str(&piece),
            (Some(said), true) if whole.starts_with(said.as_str()) => whole.clone_into(said),
            (Some(_), true) => {}
        }
    }

    fn stop(&mut self, room: &RoomId) {
        if let Some((delivery, turn)) = self.saying.remove(room) {
            self.stopped_turns
                .extend(self.audible.contains(&delivery).then_some(turn));
            self.stopped.insert(delivery);
        }
    }

    fn wanted(&mut self, room: &RoomId, wish: &RoomWish, at: Moment, report: &mut Report) {
        match wish {
            RoomWish::Speak {
                delivery,
                turn,
                sentence,
                ..
            } => {
                if self.stopped.contains(delivery) || self.stopped_turns.contains(turn) {
                    report.add("nothing_is_said_after_a_stop", at, sentence.clone());
                }
                if !self.inside.contains(room) {
                    report.add("nothing_is_said_from_outside", at, sentence.clone());
                }
                if UNSPEAKABLE.iter().any(|mark| sentence.contains(mark)) {
                    report.add("only_words_are_said", at, sentence.clone());
                }
                self.saying.insert(room.clone(), (delivery.clone(), *turn));
                let sentences = self.written.entry(delivery.clone()).or_default();
                sentences.extend(Some(sentence.clone()).filter(|sentence| !sentence.is_empty()));
            }
            RoomWish::StopSpeaking => self.stop(room),
            RoomWish::LeaveVoice => {
                self.stop(room);
                self.inside.remove(room);
            }
            RoomWish::WriteDown { delivery, .. } => self.written_down(delivery, at, report),
            _ => {}
        }
    }

    fn written_down(&self, delivery: &Delivery, at: Moment, report: &mut Report) {
        let Delivery { id, text, .. } = delivery;
        let said = self.written.get(id).map(|sentences| sentences.join(" "));
        let is_native = self.native.values().any(|(_, native)| native == id);
        let was_written = |said: String| match is_native {
            true => is_left_of(text, &said),
            false => said.starts_with(text),
        };
        if !said.is_some_and(was_written) {
            let what = format!("{id} heard {text:?}");
            report.add("no_more_was_heard_than_written", at, what);
        }
        if UNSPEAKABLE.iter().any(|mark| text.contains(mark)) {
            let what = format!("{id} heard {text:?}");
            report.add("only_words_are_written_down", at, what);
        }
        let (heard, played) = (text.chars().count(), self.played.get(id).copied());
        if heard > played.unwrap_or_default() {
            let what = format!("{heard} characters of {id}, and {played:?} were played");
            report.add("no_more_was_heard_than_played", at, what);
        }
    }
}
