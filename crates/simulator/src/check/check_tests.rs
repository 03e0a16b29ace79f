//! Every checker can fail: a sound run is doctored, and the right property must be found broken.

use std::sync::Arc;

use mind::{Effect, Input, JournalEntry, JournalEvent, RoomWish, ShellEvent, Wake, WakeReason};
use settings::{Document, Settings};
use vocabulary::{JournalSeq, Moment, TurnId};

use super::check;
use crate::scenario::read;
use crate::trace::Trace;

/// A message that nobody answers, and two that are answered, one of them with a draft.
fn sound() -> Trace {
    let text = r#"## T
```script
00:00 carol says "so quiet here"
00:10 alice says "Denizen, hello"
00:30 bob says "Denizen, and me?"
model writes "Hello" " Alice."
```
```journal
ask_started
```
"#;
    let scenarios = read("page.md", text).expect("the page is right");
    scenarios[0].run().expect("nothing is wrong with this run")
}

pub(super) fn entries(trace: &mut Trace) -> impl Iterator<Item = &mut JournalEntry> {
    let effects = trace.steps.iter_mut().flat_map(|step| &mut step.effects);
    effects.filter_map(|effect| match effect {
        Effect::Journal(entry) => Some(&mut **entry),
        _ => None,
    })
}

/// Takes the first such line out, and numbers the others anew so that only its absence can be noticed.
pub(super) fn without(trace: &mut Trace, name: &str) {
    let mut found = false;
    for step in &mut trace.steps {
        step.effects.retain(|effect| {
            let hit = matches!(effect, Effect::Journal(entry) if entry.event.name() == name) && !found;
            found |= hit;
            !hit
        });
    }
    assert!(found, "there is no {name}");
    let mut seq = JournalSeq(0);
    for entry in entries(trace) {
        entry.seq = seq.take_next();
        entry.scope.cause = None;
    }
}

/// Repeats the first effect of a kind, right behind itself.
pub(super) fn twice(trace: &mut Trace, wanted: impl Fn(&Effect) -> bool, change: impl Fn(&mut Effect)) {
    let step = trace
        .steps
        .iter_mut()
        .find(|step| step.effects.iter().any(&wanted));
    let step = step.expect("there is such an effect");
    let place = step.effects.iter().position(&wanted).expect("it was just found");
    let mut copy = step.effects[place].clone();
    change(&mut copy);
    step.effects.insert(place + 1, copy);
}

fn set(trace: &mut Trace, key: &str, value: serde_json::Value) {
    let mut document = Document::default();
    document.set(key, value);
    let settings = Arc::new(Settings::read(&document).expect("the setting is right"));
    for step in &mut trace.steps {
        step.settings = settings.clone();
    }
}

#[track_caller]
fn finds(property: &str, doctor: impl FnOnce(&mut Trace)) {
    let mut trace = sound();
    assert_eq!(check(&trace), Vec::new());
    doctor(&mut trace);
    let found: Vec<&str> = check(&trace).iter().map(|violation| violation.property).collect();
    assert!(found.contains(&property), "expected {property}, found {found:?}");
}

#[test]
fn a_turn_that_never_ends_is_found() {
    finds("turn_ends_once", |trace| without(trace, "text_turn_ended"));
}

#[test]
fn a_turn_that_ends_twice_is_found() {
    let end =
        |effect: &Effect| matches!(effect, Effect::Journal(entry) if entry.event.name() == "text_turn_ended");
    finds("turn_ends_once", |trace| twice(trace, end, |_| {}));
}

#[test]
fn a_turn_that_was_not_opened_is_found() {
    finds("turn_opened_first", |trace| without(trace, "text_turn_opened"));
}

#[test]
fn a_question_that_is_not_told_of_is_found() {
    finds("ask_told", |trace| without(trace, "ask_started"));
}

#[test]
fn a_question_without_an_end_is_found() {
    finds("ask_ends_once", |trace| without(trace, "ask_completed"));
}

#[test]
fn a_question_with_two_ends_is_found() {
    let end =
        |effect: &Effect| matches!(effect, Effect::Journal(entry) if entry.event.name() == "ask_completed");
    finds("ask_ends_once", |trace| twice(trace, end, |_| {}));
}

#[test]
fn a_room_that_stays_busy_is_found() {
    finds("nothing_pending", |trace| trace.busy_rooms = 1);
}

#[test]
fn a_message_without_a_fate_is_found() {
    finds("every_message_has_a_fate", |trace| {
        without(trace, "reply_skipped")
    });
}

#[test]
fn a_message_answered_by_two_turns_is_found() {
    finds("answered_once", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::SentReply {
                trigger_message_ids, ..
            } = &mut entry.event
            {
                *trigger_message_ids = vec!["alice-1".into()];
            }
        }
    });
}

#[test]
fn a_gap_in_the_journal_is_found() {
    finds("journal_gapless", |trace| {
        entries(trace).nth(4).expect("there are more lines").seq = JournalSeq(99);
    });
}

#[test]
fn a_cause_that_lies_ahead_is_found() {
    finds("journal_causes", |trace| {
        entries(trace).nth(4).expect("there are more lines").scope.cause = Some(JournalSeq(5));
    });
}

#[test]
fn two_asks_at_a_time_are_found() {
    finds("one_ask_at_a_time", |trace| {
        twice(trace, |effect| matches!(effect, Effect::Ask(_)), |_| {})
    });
}

#[test]
fn a_turn_that_keeps_asking_is_found() {
    finds("asks_bounded", |trace| {
        for _ in 0..12 {
            twice(trace, |effect| matches!(effect, Effect::Ask(_)), |_| {});
        }
    });
}

#[test]
fn a_delivery_id_with_two_texts_is_found() {
    let send = |effect: &Effect| matches!(effect, Effect::Room(_, RoomWish::Send(_)));
    finds("one_text_per_delivery", |trace| {
        twice(trace, send, |effect| {
            if let Effect::Room(_, RoomWish::Send(delivery)) = effect {
                delivery.text = "something else".to_owned();
            }
        });
    });
}

#[test]
fn silence_that_is_sent_is_found() {
    for words in ["[SKIP]", "well [skip] then", "{\"action\": \"reply\"", "****"] {
        finds("silence_unseen", |trace| {
            for effect in trace.steps.iter_mut().flat_map(|step| &mut step.effects) {
                if let Effect::Room(_, RoomWish::Send(delivery)) = effect {
                    delivery.text = words.to_owned();
                }
            }
        });
    }
}

#[test]
fn a_draft_that_shrinks_is_found() {
    let draft = |effect: &Effect| matches!(effect, Effect::Room(_, RoomWish::ShowDraft { .. }));
    finds("drafts_grow", |trace| {
        twice(trace, draft, |effect| {
            if let Effect::Room(_, RoomWish::ShowDraft { text, .. }) = effect {
                *text = "Other words".to_owned();
            }
        });
    });
}

#[test]
fn a_draft_that_is_not_how_the_message_begins_is_found() {
    finds("draft_is_the_beginning", |trace| {
        for effect in trace.steps.iter_mut().flat_map(|step| &mut step.effects) {
            if let Effect::Room(_, RoomWish::ShowDraft { text, .. }) = effect {
                *text = format!("No. {text}");
            }
        }
    });
}

#[test]
fn a_draft_left_behind_is_found() {
    finds("draft_taken_back", |trace| {
        let turn = TurnId(1);
        let step = trace
            .steps
            .iter_mut()
            .find(|step| step.effects.iter().any(|effect| matches!(effect, Effect::Ask(_))));
        let (room, text) = ("lobby".into(), "Hm".to_owned());
        step.expect("a model was asked")
            .effects
            .insert(0, Effect::Room(room, RoomWish::ShowDraft { turn, text }));
    });
}

#[test]
fn writing_too_often_is_found() {
    finds("hourly_cap", |trace| {
        set(trace, "activity.maxMessagesPerHour", 1.into());
        for entry in entries(trace) {
            if let JournalEvent::TurnOpened { forced, .. } = &mut entry.event {
                *forced = false;
            }
        }
    });
    finds("spacing", |trace| {
        set(trace, "activity.minSecondsBetweenMessages", 300.into())
    });
}

#[test]
fn a_queue_without_bounds_is_found() {
    finds("queue_bounded", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::MessageQueued { queue_length, .. } = &mut entry.event {
                *queue_length = 61;
            }
        }
    });
}

#[test]
fn prompts_over_their_caps_are_found() {
    let doctor = |change: fn(&mut vocabulary::ModelRequest)| {
        move |trace: &mut Trace| {
            for effect in trace.steps.iter_mut().flat_map(|step| &mut step.effects) {
                if let Effect::Ask(asking) = effect {
                    change(&mut asking.request);
                }
            }
        }
    };
    finds(
        "section_caps",
        doctor(|request| request.sections[0].cap_chars = 3),
    );
    finds(
        "section_reports",
        doctor(|request| request.sections[0].text.clear()),
    );
    finds(
        "prompt_order",
        doctor(|request| request.turns.extend(request.turns.last().cloned())),
    );
    finds(
        "prompt_budget",
        doctor(|request| request.sections[0].kept_chars = 50_000),
    );
}

#[test]
fn answers_to_the_blocked_are_found() {
    finds("blocked_stay_unanswered", |trace| {
        set(
            trace,
            "permissions.replies.blockedUserIds",
            serde_json::json!(["alice"]),
        )
    });
    finds("blocked_stay_unanswered", |trace| {
        set(
            trace,
            "permissions.replies.blockedChannelIds",
            serde_json::json!(["lobby"]),
        )
    });
}

#[test]
fn answers_to_what_was_taken_back_are_found() {
    finds("deleted_stay_unanswered", |trace| {
        let first = entries(trace).find(|entry| entry.scope.messages == ["alice-1".into()]);
        first.expect("Alice wrote").event = JournalEvent::MessageDeleted {
            while_waiting: false,
            while_answering: false,
        };
    });
}

#[test]
fn a_wake_that_is_not_ahead_is_found() {
    finds("wakes_lie_ahead", |trace| {
        let step = trace
            .steps
            .iter_mut()
            .find(|step| step.input == Input::Shell(ShellEvent::WakeReached));
        let step = step.expect("it was woken");
        let (at, reason) = (Moment(1), WakeReason::BurstCloses);
        step.wake = Some(Wake { at, reason });
    });
}

#[test]
fn a_snapshot_that_does_not_come_back_is_found() {
    finds("snapshot_restores", |trace| {
        trace.broken_snapshots.push("it differs".to_owned())
    });
}
