use settings::{MemorySettings, Settings};
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Message, Moment, Now, RoomId, Span, TurnKind, WallTime,
};

use super::{Capture, KnownRooms, Listening};
use crate::input::{Input, RoomEvent};
use crate::mind::{Genesis, Mind};

/// 23 February 2026, 15:26.
const AT: WallTime = WallTime(1_771_860_360_000);

fn mind() -> Mind {
    Mind::new(Genesis::first(CommunityId::from("local"), "denizen", 1))
}

fn message(id: &str, text: &str, kind: AuthorKind) -> Message {
    Message {
        id: id.into(),
        room: "lounge".into(),
        author: Author {
            id: "alice".into(),
            name: "Alice".to_owned(),
            kind,
        },
        text: text.to_owned(),
        at: AT,
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

fn captured(settings: &MemorySettings, inputs: Vec<Input>) -> Vec<CapturedTurn> {
    let (community, mind) = (CommunityId::from("local"), mind());
    let mut capture = Capture::new(&community, &mind, settings);
    let turns = inputs
        .iter()
        .enumerate()
        .filter_map(|(seq, input)| capture.turn_of(seq as u64, input, AT));
    turns.collect()
}

fn said(id: &str, text: &str) -> Input {
    Input::message_arrived(message(id, text, AuthorKind::Person))
}

#[test]
fn a_message_is_a_turn_of_its_rooms_conversation_of_that_day() {
    let turns = captured(&Settings::default().memory, vec![said("m1", "hello")]);
    assert_eq!(turns[0].id.as_str(), "m1");
    assert_eq!(turns[0].session.as_str(), "local/lounge/2026-02-23");
    assert_eq!(turns[0].kind, TurnKind::Typed);
    assert!(!turns[0].place.private);
}

#[test]
fn a_sign_of_its_own_is_no_turn() {
    let mut sign = message(
        "m1",
        "I am in the voice of this room and listen.",
        AuthorKind::Denizen,
    );
    sign.sign = true;
    let delivery = "d1".into();
    let sent = Input::Answer(crate::Answer::MessageSent {
        delivery,
        message: sign.clone(),
    });
    let told = vec![sent, Input::message_arrived(sign)];
    assert!(captured(&Settings::default().memory, told).is_empty());
}

#[test]
fn what_follows_an_end_in_the_same_write_belongs_to_the_next_conversation() {
    let room = RoomId::from("lounge");
    let inputs = vec![
        said("m1", "hello"),
        Input::Room(room, RoomEvent::SessionEnded),
        said("m2", "hi"),
        said("m3", "/new"),
        said("m4", "well"),
    ];
    let sessions: Vec<String> = captured(&Settings::default().memory, inputs)
        .iter()
        .map(|turn| turn.session.to_string())
        .collect();
    assert_eq!(
        sessions,
        [
            "local/lounge/2026-02-23",
            "local/lounge/2026-02-23.1",
            "local/lounge/2026-02-23.2"
        ],
        "the command itself is no turn"
    );
}

#[test]
fn the_mind_counts_the_same_ends() {
    let mut mind = mind();
    let now = Now {
        moment: Moment(1),
        wall: AT,
    };
    for input in [said("m1", "hello"), said("m2", "/reset")] {
        let _ = mind.step(now, input, &Settings::default());
    }
    assert_eq!(mind.sessions_ended(&"lounge".into()), 1);
    let (community, settings) = (CommunityId::from("local"), Settings::default().memory);
    let capture = Capture::new(&community, &mind, &settings);
    let summary = capture.summary(
        &"lounge".into(),
        &"denizen".into(),
        "Denizen",
        "They said hello.",
        AT,
    );
    let summary = summary.expect("it is captured");
    assert_eq!(
        summary.session.as_str(),
        "local/lounge/2026-02-23",
        "it is of the conversation that has ended"
    );
    assert_eq!(summary.kind, TurnKind::Summary);
}

#[test]
fn only_people_give_commands() {
    let program = Input::message_arrived(message("m1", "/new", AuthorKind::OtherBot));
    assert_eq!(captured(&Settings::default().memory, vec![program]).len(), 1);
}

#[test]
fn secrets_are_not_captured_and_neither_is_silence() {
    let turns = captured(
        &Settings::default().memory,
        vec![said("m1", "my password is hunter2hunter2"), said("m2", "  ")],
    );
    assert_eq!(turns.len(), 1);
    assert!(!turns[0].text.contains("hunter2"), "{}", turns[0].text);
}

#[test]
fn notes_are_turns_with_ids_of_their_own() {
    let note = |text: &str| {
        Input::Room(
            "lounge".into(),
            RoomEvent::NoteTaken {
                shared_by: "Bob".to_owned(),
                text: text.to_owned(),
            },
        )
    };
    let turns = captured(&Settings::default().memory, vec![note("a map"), note("a map")]);
    assert_eq!(turns.len(), 2);
    assert_ne!(turns[0].id, turns[1].id);
    assert_eq!(turns[0].kind, TurnKind::ScreenNote);
}

#[test]
fn private_rooms_are_marked_and_nothing_is_captured_when_memory_is_off() {
    let private = MemorySettings {
        private_room_ids: vec!["lounge".to_owned()],
        ..Settings::default().memory
    };
    assert!(captured(&private, vec![said("m1", "hello")])[0].place.private);
    let off = MemorySettings {
        enabled: false,
        ..Settings::default().memory
    };
    assert!(captured(&off, vec![said("m1", "hello")]).is_empty());
}

fn spoken(id: &str, text: &str) -> Input {
    let heard = RoomEvent::UtteranceHeard {
        message: message(id, text, AuthorKind::Person),
        spoken: Span(1_000),
        silence: Span(700),
        took: Span(200),
    };
    Input::Room("lounge".into(), heard)
}

fn chosen(listen: bool) -> Input {
    let person = "alice".into();
    Input::Room("lounge".into(), RoomEvent::ListeningChosen { person, listen })
}

#[test]
fn what_somebody_says_who_is_not_listened_to_is_no_turn_also_in_the_same_write() {
    let inputs = vec![
        spoken("m1", "before"),
        chosen(false),
        spoken("m2", "the blue door"),
        chosen(true),
        spoken("m3", "after"),
    ];
    let turns = captured(&Settings::default().memory, inputs);
    let texts: Vec<&str> = turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["before", "after"]);
}

#[test]
fn what_somebody_says_who_opted_out_before_is_no_turn_and_neither_are_their_half_words() {
    let settings = Settings::default();
    let (community, mut mind) = (CommunityId::from("local"), mind());
    let now = Now {
        moment: Moment(1_000),
        wall: AT,
    };
    let _ = mind.step(now, chosen(false), &settings);
    let mut capture = Capture::new(&community, &mind, &settings.memory);
    assert!(capture.turn_of(1, &spoken("m1", "the blue door"), AT).is_none());
    let partial = RoomEvent::SpeechPartial {
        person: "alice".into(),
        text: "the blue".to_owned(),
    };
    let partial = Input::Room("lounge".into(), partial);
    assert!(!Listening::new(&mind).keeps(&partial));
}
