//! The disk takes nothing for a while: what models and rooms brought back is stored once it does, without waiting for
//! any clock, and whoever asks how Denizen is hears of it.

use mind::JournalEvent;
use runtime::NotAccepted;
use runtime::ports::{MessageQuery, Store, StoredMessage};
use serde_json::json;
use vocabulary::{RoomId, Span};

use crate::given::{Home, ROOM, community, said};

async fn home() -> Home {
    Home::with(json!({
        "activity.replyCoalesceWindowSeconds": 1,
        "activity.minSecondsBetweenMessages": 0,
        "activity.maxMessagesPerHour": 1000,
        "initiative.text.enabled": false,
    }))
    .await
}

/// What Denizen has said, as it is stored.
async fn answers(home: &Home) -> Vec<StoredMessage> {
    let query = MessageQuery {
        room: RoomId::new(ROOM),
        before: None,
        after: None,
        limit: 100,
    };
    let page = home.store.messages(&community(), query).await;
    let mut messages = page.expect("they can be read").messages;
    messages.retain(|stored| stored.message.author.id.as_str() == "denizen");
    messages
}

async fn is_answered(home: &Home) -> StoredMessage {
    home.line("a turn has ended", |line| {
        matches!(line.event, JournalEvent::TurnEnded { .. })
    })
    .await;
    let mut answers = answers(home).await;
    assert_eq!(answers.len(), 1, "{answers:#?}");
    answers.remove(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_came_while_the_disk_was_full_is_said_when_it_is_not() {
    let home = home().await;
    let (running, gate) = home.start().await;
    let handle = running.handle.clone();
    home.model.hold();
    let asked = said(1, "alice", "Denizen, how are the ferries?");
    handle.accept(asked).await.expect("it is on disk");
    home.clock.pass(Span::seconds(2));
    home.line("the model is asked", |line| {
        matches!(line.event, JournalEvent::AskStarted { .. })
    })
    .await;
    gate.lose();
    home.model.release();
    gate.has_refused(3).await;
    let told = handle.ailments().told();
    assert!(
        told.iter().any(|reason| reason.contains("the disk is gone")),
        "{told:?}"
    );
    let refused = handle.accept(said(2, "bob", "Is anybody there?")).await;
    assert!(matches!(refused, Err(NotAccepted::NotStored(_))), "{refused:?}");

    gate.release();
    let answer = is_answered(&home).await;
    assert_eq!(answer.message.text, "Understood.");
    assert_eq!(handle.ailments().told(), Vec::<String>::new());
    drop(handle);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_was_sent_while_the_disk_was_full_is_stored_with_its_turn_and_ask() {
    let home = home().await;
    let (running, gate) = home.start().await;
    let handle = running.handle.clone();
    home.room.hold();
    let asked = said(1, "alice", "Denizen, how are the ferries?");
    handle.accept(asked).await.expect("it is on disk");
    home.clock.pass(Span::seconds(2));
    home.room.is_waited_for().await;
    gate.lose();
    home.room.release();
    gate.has_refused(3).await;
    gate.release();
    let answer = is_answered(&home).await;
    assert!(answer.turn.is_some() && answer.ask.is_some(), "{answer:#?}");
    drop(handle);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_back_is_noticed_although_nobody_says_anything() {
    let home = home().await;
    let (running, gate) = home.start().await;
    let handle = running.handle.clone();
    gate.lose();
    let refused = handle.accept(said(1, "alice", "Good morning")).await;
    assert!(matches!(refused, Err(NotAccepted::NotStored(_))), "{refused:?}");
    assert_eq!(handle.ailments().told().len(), 1);
    gate.release();
    while !handle.ailments().told().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    drop(handle);
    running.stop().await;
}
