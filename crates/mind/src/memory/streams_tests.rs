use settings::Settings;
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Moment, Now, Place, SessionId, TurnKind, WallTime,
};

use crate::memory::triggers::{ContextUse, ExtractionTrigger};
use crate::{Effect, Genesis, Input, JournalEvent, MemoryEvent, Mind};

fn turn(session: &str) -> CapturedTurn {
    CapturedTurn {
        id: "t1".into(),
        place: Place {
            community: "agents".into(),
            room: "helper".into(),
            private: false,
        },
        session: session.into(),
        number: 1,
        speaker: Author {
            id: "agents:alice".into(),
            name: "Alice".into(),
            kind: AuthorKind::Person,
        },
        kind: TurnKind::Typed,
        text: "I am allergic to walnuts.".to_owned(),
        at: WallTime(1),
    }
}

#[test]
fn of_too_many_conversations_the_one_goes_of_which_nothing_was_said_for_longest() {
    // The one that comes first by its name is told of last.
    let ended = |session: &str| {
        Input::Memory(MemoryEvent::ConversationEnded {
            session: session.into(),
        })
    };
    let mut inputs: Vec<Input> = (0..64).map(|number| ended(&format!("s{number:02}"))).collect();
    inputs.push(ended("a"));
    inputs.push(ended("z"));
    let buffered = |session: &str| {
        Input::Memory(MemoryEvent::TurnsBuffered {
            turns: vec![turn(session)],
        })
    };
    let of = |session: &str| {
        let told = inputs.iter().cloned().chain([buffered(session)]);
        reasons(told.collect())
    };
    assert_eq!(of("a"), [ExtractionTrigger::SessionEnd]);
    assert_eq!(of("s63"), [ExtractionTrigger::SessionEnd]);
    assert!(of("s00").is_empty(), "it was told of first");
}

#[test]
fn of_too_many_rooms_the_one_goes_that_ended_first() {
    let ended = |room: &str| Input::Room(room.into(), crate::RoomEvent::SessionEnded);
    let mut inputs: Vec<Input> = (0..256).map(|number| ended(&format!("r{number:03}"))).collect();
    inputs.push(ended("a"));
    let ending_of = |room: &str| {
        let mut turn = turn("s");
        turn.place.community = "local".into();
        turn.place.room = room.into();
        turn.at = WallTime(-1);
        let buffered = Input::Memory(MemoryEvent::TurnsBuffered { turns: vec![turn] });
        reasons(inputs.iter().cloned().chain([buffered]).collect())
    };
    assert_eq!(ending_of("a"), [ExtractionTrigger::SessionEnd]);
    assert_eq!(ending_of("r255"), [ExtractionTrigger::SessionEnd]);
    assert!(ending_of("r000").is_empty(), "it ended first");
}

/// Why gems are made once these inputs have come, in this order.
fn reasons(inputs: Vec<Input>) -> Vec<ExtractionTrigger> {
    let mut mind = Mind::new(Genesis::first(CommunityId::from("local"), "denizen", 1));
    let mut reasons = Vec::new();
    for (at, input) in inputs.into_iter().enumerate() {
        let now = Now {
            moment: Moment(at as u64),
            wall: WallTime(at as i64),
        };
        for effect in mind.step(now, input, &Settings::default()).effects {
            if let Effect::Journal(entry) = effect
                && let JournalEvent::MemoryExtractionStarted { reason, .. } = entry.event
            {
                reasons.push(reason);
            }
        }
    }
    reasons
}

#[test]
fn what_is_said_of_a_conversation_before_its_turns_come_is_heeded_when_they_do() {
    let session = SessionId::from("agent:agents/helper/42");
    let buffered = || {
        Input::Memory(MemoryEvent::TurnsBuffered {
            turns: vec![turn(session.as_str())],
        })
    };
    let ended = || {
        Input::Memory(MemoryEvent::ConversationEnded {
            session: session.clone(),
        })
    };
    let filled = || {
        Input::Memory(MemoryEvent::ContextUsed {
            session: session.clone(),
            context: ContextUse {
                tokens: 7,
                window: 10,
            },
        })
    };
    assert_eq!(reasons(vec![buffered()]), []);
    assert_eq!(
        reasons(vec![ended(), buffered()]),
        [ExtractionTrigger::SessionEnd]
    );
    assert_eq!(reasons(vec![filled(), buffered()]), [ExtractionTrigger::Context]);
    assert_eq!(
        reasons(vec![buffered(), ended()]),
        [ExtractionTrigger::SessionEnd]
    );
}

#[test]
fn conversations_that_never_come_are_not_waited_for_without_end() {
    let session = |number: usize| SessionId::new(format!("agent:agents/helper/{number:04}"));
    let mut inputs: Vec<Input> = (0..200)
        .map(|number| {
            Input::Memory(MemoryEvent::ConversationEnded {
                session: session(number),
            })
        })
        .collect();
    inputs.push(Input::Memory(MemoryEvent::TurnsBuffered {
        turns: vec![turn(session(0).as_str())],
    }));
    assert_eq!(reasons(inputs.clone()), [], "the first has given way");
    inputs.push(Input::Memory(MemoryEvent::TurnsBuffered {
        turns: vec![CapturedTurn {
            id: "t2".into(),
            ..turn(session(199).as_str())
        }],
    }));
    assert_eq!(reasons(inputs), [ExtractionTrigger::SessionEnd]);
}
