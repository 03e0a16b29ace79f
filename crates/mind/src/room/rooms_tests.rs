//! Which rooms a step looks at, how many there may be, and which of them are private.

use settings::Settings;
use vocabulary::{
    Author, AuthorKind, Message, MessageId, Moment, Now, RoomFacts, RoomId, RoomKind, WallTime,
};

use super::ROOMS_MAX;
use crate::memory::KnownRooms;
use crate::mind::{Genesis, Mind};
use crate::{Effect, Input, JournalEvent, RoomEvent, ShellEvent};

fn mind() -> Mind {
    Mind::new(Genesis::first("local", "denizen", 1))
}

fn at(seconds: u64) -> Now {
    Now {
        moment: Moment(seconds * 1_000),
        wall: WallTime(1_760_000_000_000),
    }
}

fn room(number: usize) -> RoomId {
    RoomId::new(format!("room-{number}"))
}

fn message(number: usize, text: &str) -> Input {
    Input::message_arrived(Message {
        id: MessageId::new(format!("message-{number}-{text}")),
        room: room(number),
        author: Author {
            id: "alice".into(),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text: text.to_owned(),
        at: WallTime(1_760_000_000_000),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    })
}

/// The names of the journal lines of a step, with their rooms.
fn lines(effects: &[Effect]) -> Vec<(&'static str, Option<RoomId>)> {
    let lines = effects.iter().filter_map(|effect| match effect {
        Effect::Journal(entry) => Some((entry.event.name(), entry.scope.room.clone())),
        _ => None,
    });
    lines.collect()
}

#[test]
fn a_room_is_looked_at_when_something_happens_in_it_or_its_time_has_come() {
    let (mut mind, settings) = (mind(), Settings::default());
    for number in 0..20 {
        let _ = mind.step(at(0), message(number, "Denizen, hello"), &settings);
    }
    let step = mind.step(at(1), message(7, "and good morning"), &settings);
    assert_eq!(mind.rooms().schedule.looked_at, 1);
    assert!(lines(&step.effects).iter().all(|(_, of)| *of == Some(room(7))));
    let wake = step.wake.expect("every burst closes");
    let now = Now {
        moment: wake.at,
        ..at(0)
    };
    let step = mind.step(now, Input::Shell(ShellEvent::WakeReached), &settings);
    assert_eq!(mind.rooms().schedule.looked_at, 19);
    let opened = lines(&step.effects);
    let opened = opened.iter().filter(|(name, _)| *name == "text_turn_opened");
    assert_eq!(
        opened.count(),
        19,
        "every room but the one in which more was said"
    );
}

#[test]
fn a_thousand_rooms_cost_a_step_little_more_than_one() {
    let (mut mind, settings) = (mind(), Settings::default());
    for number in 0..1_000 {
        let _ = mind.step(at(number as u64), message(number, "hello all"), &settings);
    }
    let _ = mind.step(at(2_000), message(7, "and good morning"), &settings);
    assert_eq!(mind.rooms().schedule.looked_at, 1);
    let _ = mind.step(at(2_001), Input::Shell(ShellEvent::WakeReached), &settings);
    assert_eq!(mind.rooms().schedule.looked_at, 0);
}

#[test]
fn a_mind_that_was_written_down_wakes_for_every_room() {
    let (mut mind, settings) = (mind(), Settings::default());
    let wakes: Vec<_> = (0..3)
        .map(|number| {
            mind.step(at(number as u64), message(number, "Denizen, hello"), &settings)
                .wake
        })
        .collect();
    let mut again = crate::snapshot::read(&crate::snapshot::keep(&mind)).expect("it is read");
    let step = again.step(at(3), Input::Shell(ShellEvent::WakeReached), &settings);
    assert_eq!(step.wake, wakes[0], "the first burst closes first");
}

#[test]
fn settings_that_change_wake_a_room_earlier() {
    let (mut mind, mut settings) = (mind(), Settings::default());
    let later = mind.step(at(0), message(1, "Denizen, hello"), &settings).wake;
    settings.activity.reply_coalesce_window_seconds = 1;
    let changed = ShellEvent::SettingsChanged {
        version: 2,
        changed: Vec::new(),
    };
    let sooner = mind.step(at(0), Input::Shell(changed), &settings).wake;
    assert!(sooner < later, "{sooner:?} {later:?}");
}

#[test]
fn somebody_who_types_in_many_rooms_makes_no_conversation_forgotten() {
    let (mut mind, settings) = (mind(), Settings::default());
    let _ = mind.step(at(0), message(0, "hello all"), &settings);
    for number in 1..ROOMS_MAX + 10 {
        let typing = RoomEvent::TypingChanged {
            person: "mallory".into(),
            typing: true,
        };
        let _ = mind.step(at(number as u64), Input::Room(room(number), typing), &settings);
    }
    assert!(mind.session(&room(0), &settings).is_some());
    assert_eq!(
        mind.session(&room(1), &settings),
        None,
        "the first that is empty goes first"
    );
}

#[test]
fn where_there_are_too_many_rooms_the_quietest_is_let_go_and_the_journal_says_so() {
    let (mut mind, settings) = (mind(), Settings::default());
    for number in 0..ROOMS_MAX {
        let _ = mind.step(at(number as u64), message(number, "hello all"), &settings);
    }
    let step = mind.step(at(9_000), message(ROOMS_MAX, "hello all"), &settings);
    let ended = step.effects.iter().find_map(|effect| match effect {
        Effect::Journal(entry) if matches!(entry.event, JournalEvent::RoomEnded { .. }) => {
            entry.scope.room.clone()
        }
        _ => None,
    });
    assert_eq!(ended, Some(room(0)));
    assert_eq!(mind.session(&room(0), &settings), None);
    assert!(mind.session(&room(ROOMS_MAX), &settings).is_some());
}

#[test]
fn a_private_room_stays_private_when_it_has_ended_and_when_it_comes_back() {
    let (mut mind, settings) = (mind(), Settings::default());
    let facts = RoomFacts {
        kind: RoomKind::Direct,
        ..RoomFacts::undescribed(room(1))
    };
    let _ = mind.step(
        at(0),
        Input::Room(room(1), RoomEvent::Described(facts)),
        &settings,
    );
    let _ = mind.step(at(1), message(1, "between us"), &settings);
    let _ = mind.step(at(2), Input::Room(room(1), RoomEvent::Ended), &settings);
    assert!(mind.is_private(&room(1)));
    assert_eq!(mind.sessions_ended(&room(1)), 1);
    assert_eq!(mind.session(&room(1), &settings), None);
    let _ = mind.step(at(3), message(1, "again"), &settings);
    assert!(mind.is_private(&room(1)));
    assert_eq!(
        mind.session(&room(1), &settings).map(|session| session.turns),
        Some(1)
    );
}

#[test]
fn a_direct_message_is_private_whatever_the_platform_says() {
    let (mut mind, settings) = (mind(), Settings::default());
    for (number, kind, private) in [(1, RoomKind::Direct, true), (2, RoomKind::Text, false)] {
        let facts = RoomFacts {
            kind,
            ..RoomFacts::undescribed(room(number))
        };
        let described = RoomEvent::Described(facts);
        let _ = mind.step(at(0), Input::Room(room(number), described), &settings);
        assert_eq!(mind.is_private(&room(number)), private);
    }
}
