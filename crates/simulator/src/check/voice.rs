//! In the voice of a room: every admitted turn ends once, nobody's words are given to somebody else, nothing is said
//! after a stop or while it is not there, and no more was heard than was written.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Effect, Input, JournalEvent, RoomEvent, RoomWish};
use vocabulary::{DeliveryId, MessageId, PersonId, RoomId, TurnId};

use super::Report;
use crate::trace::Trace;

/// Marks that only eyes can read, and the token of silence.
const UNSPEAKABLE: [&str; 5] = ["[SKIP]", "**", "`", "##", "]("];

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut spoke: BTreeMap<MessageId, PersonId> = BTreeMap::new();
    let mut open: BTreeMap<TurnId, RoomId> = BTreeMap::new();
    let mut ended: BTreeSet<TurnId> = BTreeSet::new();
    let mut saying: BTreeMap<RoomId, DeliveryId> = BTreeMap::new();
    let mut stopped: BTreeSet<DeliveryId> = BTreeSet::new();
    let mut written: BTreeMap<DeliveryId, Vec<String>> = BTreeMap::new();
    let mut inside: BTreeSet<RoomId> = BTreeSet::new();
    for step in &trace.steps {
        let at = step.now.moment;
        match &step.input {
            Input::Room(
                _,
                RoomEvent::UtteranceHeard { message, .. } | RoomEvent::MessageArrived(message),
            ) => {
                spoke.insert(message.id.clone(), message.author.id.clone());
            }
            Input::Room(room, RoomEvent::VoiceJoined { .. }) => {
                inside.insert(room.clone());
            }
            Input::Room(room, RoomEvent::VoiceLeft { .. }) => {
                inside.remove(room);
            }
            Input::Shell(mind::ShellEvent::Restarted { .. }) => inside.clear(),
            _ => {}
        }
        for effect in &step.effects {
            match effect {
                Effect::Room(
                    room,
                    RoomWish::Speak {
                        delivery, sentence, ..
                    },
                ) => {
                    if stopped.contains(delivery) {
                        report.add("nothing_is_said_after_a_stop", at, sentence.clone());
                    }
                    if !inside.contains(room) {
                        report.add("nothing_is_said_from_outside", at, sentence.clone());
                    }
                    if UNSPEAKABLE.iter().any(|mark| sentence.contains(mark)) {
                        report.add("only_words_are_said", at, sentence.clone());
                    }
                    saying.insert(room.clone(), delivery.clone());
                    let sentences = written.entry(delivery.clone()).or_default();
                    sentences.extend(Some(sentence.clone()).filter(|sentence| !sentence.is_empty()));
                }
                Effect::Room(room, RoomWish::StopSpeaking) => stopped.extend(saying.remove(room)),
                Effect::Room(room, RoomWish::LeaveVoice) => {
                    stopped.extend(saying.remove(room));
                    inside.remove(room);
                }
                Effect::Room(_, RoomWish::WriteDown { delivery, .. }) => {
                    let said = written.get(&delivery.id).map(|sentences| sentences.join(" "));
                    if !said.is_some_and(|said| said.starts_with(&delivery.text)) {
                        let what = format!("{} heard {:?}", delivery.id, delivery.text);
                        report.add("no_more_was_heard_than_written", at, what);
                    }
                }
                Effect::Journal(entry) => match &entry.event {
                    JournalEvent::VoiceTurnOpened {
                        speakers,
                        trigger_message_ids,
                        ..
                    } => {
                        let authors: BTreeSet<Option<&PersonId>> =
                            trigger_message_ids.iter().map(|id| spoke.get(id)).collect();
                        let told: BTreeSet<Option<&PersonId>> = speakers.iter().map(Some).collect();
                        if authors != told {
                            let what = format!("said by {authors:?}, told as by {told:?}");
                            report.add("words_stay_with_whoever_said_them", at, what);
                        }
                        if let (Some(turn), Some(room)) = (entry.scope.turn, &entry.scope.room) {
                            open.insert(turn, room.clone());
                        }
                    }
                    JournalEvent::VoiceTurnEnded { .. } => {
                        let turn = entry.scope.turn.unwrap_or_default();
                        if open.remove(&turn).is_none() || !ended.insert(turn) {
                            report.add(
                                "every_voice_turn_ends_once",
                                at,
                                format!("turn {turn} ends again"),
                            );
                        }
                    }
                    JournalEvent::ReplySpoken {
                        written_characters,
                        heard_characters,
                        ..
                    } if heard_characters > written_characters => {
                        let what = format!("{heard_characters} of {written_characters}");
                        report.add("no_more_was_heard_than_written", at, what);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }
    let mut turns_in: BTreeMap<&RoomId, usize> = BTreeMap::new();
    for room in open.values() {
        *turns_in.entry(room).or_default() += 1;
    }
    if let Some((room, turns)) = turns_in.into_iter().find(|(_, turns)| *turns > 1) {
        let at = trace
            .steps
            .last()
            .map_or_else(Default::default, |step| step.now.moment);
        report.add(
            "every_voice_turn_ends_once",
            at,
            format!("{turns} turns are open in {room}"),
        );
    }
}
