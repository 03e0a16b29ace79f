//! A realtime service that answers by itself: it is told no more than it takes, only what is news, and asked for nothing
//! twice; and what it is asked, its own model is not asked at the same time.

use std::collections::{BTreeMap, BTreeSet};

use mind::{Asking, Effect, Input, RoomEvent, RoomWish};
use vocabulary::{ContentPart, DeliveryId, RoomId, TurnId};

use super::Report;
use crate::trace::Trace;

/// What a service takes.
const CHARS_MAX: usize = 5_200;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut told: BTreeMap<RoomId, (String, usize)> = BTreeMap::new();
    let mut asked: BTreeSet<DeliveryId> = BTreeSet::new();
    let mut thinks: BTreeSet<RoomId> = BTreeSet::new();
    for step in &trace.steps {
        let at = step.now.moment;
        match &step.input {
            Input::Room(room, RoomEvent::VoiceServiceStands { works, native, .. }) => {
                told.remove(room);
                match native.is_some() && *works {
                    true => thinks.insert(room.clone()),
                    false => thinks.remove(room),
                };
            }
            Input::Room(room, RoomEvent::VoiceServiceKnows(_) | RoomEvent::VoiceLeft { .. }) => {
                told.remove(room);
            }
            _ => {}
        }
        for effect in &step.effects {
            match effect {
                Effect::Room(
                    room,
                    RoomWish::InstructService {
                        instructions,
                        tools,
                        anew,
                    },
                ) => {
                    let new = (instructions.clone(), tools.len());
                    let before = told.insert(room.clone(), new.clone());
                    if before == Some(new) && !anew {
                        report.add("a_service_is_told_what_is_news", at, room.to_string());
                    }
                    let characters = instructions.chars().count();
                    if characters > CHARS_MAX {
                        let what = format!("{characters} characters");
                        report.add("instructions_fit", at, what);
                    }
                }
                Effect::Ask(asking) => {
                    let Some(delivery) = &asking.aloud else { continue };
                    if !asked.insert(delivery.clone()) {
                        let what = format!("{delivery} is asked for twice");
                        report.add("a_service_is_asked_for_nothing_twice", at, what);
                    }
                    if !thinks.contains(&asking.room) {
                        let what = format!("{delivery} is asked of nobody");
                        report.add("a_service_that_thinks_is_asked", at, what);
                    }
                    let characters = asking.request.system.chars().count() + hint(asking);
                    if characters > CHARS_MAX {
                        let what = format!("{characters} characters for turn {}", turn(asking));
                        report.add("instructions_fit", at, what);
                    }
                }
                _ => {}
            }
        }
    }
}

fn turn(asking: &Asking) -> TurnId {
    asking.turn
}

fn hint(asking: &Asking) -> usize {
    let first = asking.request.turns.first().into_iter();
    let parts = first.flat_map(|turn| &turn.parts);
    parts
        .map(|part| match part {
            ContentPart::Text(text) => text.chars().count(),
            _ => 0,
        })
        .sum()
}
