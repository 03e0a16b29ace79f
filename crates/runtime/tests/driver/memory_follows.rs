//! Memory follows what happens to messages and forgets what is promised to be, however long it could not be reached.

use std::sync::Arc;
use std::time::Duration;

use mind::{Input, RoomEvent};
use runtime::memory::{MemoryService, OnOtherEmbedder};
use runtime::ports::{GemStore, MessageQuery, Store};
use serde_json::json;
use stand_ins::MemoryInRam;
use storage::SqliteBuffer;
use vocabulary::{Forget, MessageId, Record, RecordId, RoomId, TurnKey};

use crate::given::{Home, ROOM, community, said};

async fn words_of(ram: &MemoryInRam, message: &str) -> Option<String> {
    let key = TurnKey::of_message(&community(), &MessageId::new(message));
    let read = ram.get(&[RecordId::Turn(key)]).await.ok()?;
    read.into_iter().find_map(|record| match record {
        Record::Turn(turn) => Some(turn.text),
        Record::Gem(_) => None,
    })
}

/// Waits until memory has a message so.
async fn has(ram: &MemoryInRam, message: &str, wanted: Option<&str>) {
    for _ in 0..1_000 {
        if words_of(ram, message).await.as_deref() == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!(
        "{message} is {:?} and not {wanted:?}",
        words_of(ram, message).await
    );
}

fn edited(message: &str, text: &str) -> Input {
    let (id, text) = (MessageId::new(message), text.to_owned());
    Input::Room(RoomId::new(ROOM), RoomEvent::MessageEdited { id, text })
}

/// A community with a memory, in which something was said.
async fn remembering(ram: &MemoryInRam) -> Home {
    let mut home = Home::with(json!({"initiative.text.enabled": false})).await;
    let buffer = Arc::new(SqliteBuffer::new(home.store.clone()));
    let opening = MemoryService::open(Arc::new(ram.clone()), buffer, None, OnOtherEmbedder::Reembed);
    home.memory = Some(opening.await.expect("opened"));
    home
}

/// Everything that stands in the room.
async fn said_there(home: &Home) -> String {
    let query = MessageQuery {
        room: RoomId::new(ROOM),
        before: None,
        after: None,
        limit: 100,
    };
    let page = home.store.messages(&community(), query).await.expect("read");
    let texts: Vec<String> = page
        .messages
        .into_iter()
        .map(|stored| stored.message.text)
        .collect();
    texts.join(" ")
}

#[tokio::test]
async fn what_memory_could_not_forget_is_promised_and_forgotten_everywhere_after_the_next_start() {
    let ram = MemoryInRam::default();
    let home = remembering(&ram).await;
    let (running, _gate) = home.start().await;
    let handle = running.handle.clone();
    handle
        .accept(said(1, "Cleo", "a secret of mine"))
        .await
        .expect("said");
    has(&ram, "m1", Some("a secret of mine")).await;
    let key = TurnKey::of_message(&community(), &MessageId::new("m1"));
    let read = ram.get(&[RecordId::Turn(key)]).await.expect("read");
    let session = match &read[0] {
        Record::Turn(turn) => turn.session.clone(),
        Record::Gem(_) => panic!("it is a turn"),
    };
    ram.refuse_to_forget(true);
    let refused = handle.forget(&Forget::Session(session)).await;
    refused.expect_err("memory refuses");
    assert!(
        said_there(&home).await.contains("a secret"),
        "nothing is half done"
    );
    drop(handle);
    running.stop().await;
    ram.refuse_to_forget(false);
    let (running, _gate) = home.start().await;
    has(&ram, "m1", None).await;
    for _ in 0..1_000 {
        if !said_there(&home).await.contains("a secret") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!said_there(&home).await.contains("a secret"));
    running.stop().await;
}

#[tokio::test]
async fn changes_that_memory_could_not_follow_are_followed_when_it_is_back_and_the_newest_words_win() {
    let ram = MemoryInRam::default();
    let home = remembering(&ram).await;
    let (running, _gate) = home.start().await;
    let handle = running.handle.clone();
    for (number, text) in [(1, "a secret of mine"), (2, "the gate is blue")] {
        handle.accept(said(number, "Cleo", text)).await.expect("said");
    }
    has(&ram, "m1", Some("a secret of mine")).await;
    has(&ram, "m2", Some("the gate is blue")).await;
    ram.cut_off_store(true);
    let id = MessageId::new("m1");
    let deleted = Input::Room(RoomId::new(ROOM), RoomEvent::MessageDeleted { id });
    for input in [
        deleted,
        edited("m2", "the gate is green"),
        edited("m2", "the gate is red"),
    ] {
        handle.accept(input).await.expect("accepted");
    }
    // Long enough for a first try to have failed.
    tokio::time::sleep(Duration::from_millis(100)).await;
    ram.cut_off_store(false);
    has(&ram, "m1", None).await;
    has(&ram, "m2", Some("the gate is red")).await;
    running.stop().await;
}
