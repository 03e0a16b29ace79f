use mind::{Answer, Forgotten, Input, MemoryEvent, Recollection, RoomEvent};
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Forget, Message, MessageId, Place, RecallId, RoomId,
    TurnKey, TurnKind, WallTime,
};

use super::{ChangedLately, KEPT_MAX};

fn turn(message: &str, text: &str) -> CapturedTurn {
    CapturedTurn {
        id: TurnKey::of_message(&CommunityId::home(), &MessageId::new(message)),
        place: Place {
            community: CommunityId::home(),
            room: "lounge".into(),
            private: false,
        },
        session: "s".into(),
        number: 1,
        speaker: Author {
            id: "cleo".into(),
            name: "Cleo".to_owned(),
            kind: AuthorKind::Person,
        },
        kind: TurnKind::Typed,
        text: text.to_owned(),
        at: WallTime(1_000),
    }
}

fn told(lately: &mut ChangedLately, turns: Vec<CapturedTurn>) -> Vec<String> {
    match lately.as_it_stands(Input::Memory(MemoryEvent::TurnsBuffered { turns })) {
        Input::Memory(MemoryEvent::TurnsBuffered { turns }) => {
            turns.into_iter().map(|turn| turn.text).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn edited(message: &str, text: &str) -> Input {
    let (id, text) = (MessageId::new(message), text.to_owned());
    Input::Room(RoomId::new("lounge"), RoomEvent::MessageEdited { id, text })
}

fn deleted(message: &str) -> Input {
    let id = MessageId::new(message);
    Input::Room(RoomId::new("lounge"), RoomEvent::MessageDeleted { id })
}

#[test]
fn a_turn_that_was_changed_on_its_way_to_the_mind_arrives_as_it_stands() {
    let mut lately = ChangedLately::of(&CommunityId::home());
    for input in [
        edited("a", "I work at Zebra"),
        edited("a", "I work at Kaloo"),
        deleted("b"),
    ] {
        assert_eq!(lately.as_it_stands(input.clone()), input);
    }
    let turns = vec![
        turn("a", "my secret"),
        turn("b", "taken back"),
        turn("c", "hello"),
    ];
    assert_eq!(told(&mut lately, turns), ["I work at Kaloo", "hello"]);
}

#[test]
fn only_the_newest_changes_are_kept() {
    let mut lately = ChangedLately::of(&CommunityId::home());
    for number in 0..=KEPT_MAX {
        lately.as_it_stands(deleted(&format!("m{number}")));
    }
    assert_eq!(lately.changes.len(), KEPT_MAX);
    assert_eq!(
        told(&mut lately, vec![turn("m1", "gone"), turn("m0", "old")]),
        ["old"]
    );
}

fn said(text: &str) -> Message {
    Message {
        id: MessageId::new(text),
        room: RoomId::new("lounge"),
        author: turn("m", text).speaker,
        text: text.to_owned(),
        at: WallTime(1_000),
        reply_to: None,
        reply_to_author: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        spoken: false,
        sign: false,
    }
}

fn forgotten(texts: &[&str], messages: &[&str]) -> Forgotten {
    let message = |id: &&str| TurnKey::of_message(&CommunityId::home(), &MessageId::new(*id));
    Forgotten {
        what: Forget::Turns(Vec::new()),
        names: Vec::new(),
        texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        turn_ids: messages.iter().map(message).collect(),
        gems: 0,
        turns: messages.len(),
        asked_in: None,
        failure: None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_was_handed_over_before_it_was_forgotten_does_not_arrive() {
    let mut lately = ChangedLately::of(&CommunityId::home());
    let turns = vec![turn("a", "ok"), turn("b", "ok")];
    lately.forgot(&forgotten(&["ok"], &["a"]));
    assert_eq!(told(&mut lately, turns.clone()), ["ok"], "of another it stays");
    tokio::time::advance(std::time::Duration::from_secs(61)).await;
    assert_eq!(told(&mut lately, turns).len(), 2, "nothing is kept for long");
}

#[tokio::test(start_paused = true)]
async fn what_was_looked_up_before_it_was_forgotten_does_not_arrive() {
    let mut lately = ChangedLately::of(&CommunityId::home());
    let mut recalled = |forget: &[&str]| {
        lately.forgot(&forgotten(forget, &[]));
        let found = Recollection {
            messages: vec![said("my \"garden\" is green"), said("the train is late")],
            ..Recollection::default()
        };
        let recall = RecallId(1);
        match lately.as_it_stands(Input::Answer(Answer::Recalled { recall, found })) {
            Input::Answer(Answer::Recalled { found, .. }) => found.messages.len(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(recalled(&[]), 2);
    assert_eq!(recalled(&["my \"garden\" is green", "ok"]), 1);
    tokio::time::advance(std::time::Duration::from_secs(61)).await;
    assert_eq!(recalled(&[]), 2, "said again later, it is something else");
}
