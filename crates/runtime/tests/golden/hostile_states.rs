//! Kept states that something has damaged: each is read, carried over in parts or refused, and breaks nobody.

use std::sync::LazyLock;

use mind::{Genesis, snapshot};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use vocabulary::{Author, AuthorKind, Message, MessageId, PersonId, RoomId, WallTime};

use crate::files;

/// The smallest golden states of every schema, as they were kept.
static STATES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of_schema = |schema| {
        let mut all: Vec<String> = files::all(schema, "states")
            .into_iter()
            .map(|(_, text)| {
                let kept: Value = serde_json::from_str(&text).expect("a golden state is JSON");
                kept["state"].to_string()
            })
            .collect();
        all.sort_by_key(String::len);
        all.truncate(2);
        all
    };
    files::schemas("states").into_iter().flat_map(of_schema).collect()
});

fn documents() -> Vec<Value> {
    let read = |text: &String| serde_json::from_str(text).expect("JSON");
    STATES.iter().map(read).collect()
}

fn genesis() -> Genesis {
    Genesis::first("local", "denizen", 1)
}

/// Reads it in every way; what was read can be kept and read again.
fn look(text: &str) {
    let whole = snapshot::read(text).ok();
    let parts = snapshot::salvage(text, genesis()).ok().map(|(mind, _)| mind);
    for mind in whole.into_iter().chain(parts) {
        snapshot::read(&snapshot::keep(&mind)).expect("what it has kept it can read");
    }
}

fn inputs() -> Vec<Value> {
    let arrived = mind::Input::message_arrived(Message {
        id: MessageId::new("m1"),
        room: RoomId::new("lounge"),
        author: Author {
            id: PersonId::new("alice"),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text: "hello".to_owned(),
        at: WallTime(1),
        reply_to: Some(MessageId::new("m0")),
        mentions: vec![PersonId::new("bob")],
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    });
    let kept = [
        snapshot::keep_input(&arrived, Some(3)),
        snapshot::keep_input(&mind::Input::Shell(mind::ShellEvent::WakeReached), None),
    ];
    kept.iter()
        .map(|text| serde_json::from_str(text).expect("JSON"))
        .collect()
}

proptest! {
    #![proptest_config(hostile::cases(16))]

    #[test]
    fn a_state_with_other_parts_breaks_nobody(document in hostile::mangled(documents())) {
        look(&document.to_string());
    }

    #[test]
    fn a_state_that_is_cut_or_flipped_breaks_nobody(
        text in select(STATES.clone()),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if cut {
            bytes.truncate(at);
        }
        look(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_recorded_input_with_other_parts_is_read_or_refused(input in hostile::mangled(inputs())) {
        let _ = snapshot::read_input(&input.to_string());
    }
}
