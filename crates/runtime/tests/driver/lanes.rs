//! Two lanes: however reflexes and durable inputs meet, and whatever a crash takes with it, what is on disk gives the
//! journal that is on disk.

use mind::{Input, JournalEvent, RoomEvent};
use runtime::ports::{Recording, Store};
use runtime::{Handle, NotAccepted, recording, replay};
use serde_json::json;
use vocabulary::{PersonId, RoomId, Span};

use crate::given::{Home, ROOM, community, said};

fn typing(who: &str, typing: bool) -> Input {
    let person = PersonId::new(who);
    Input::Room(RoomId::new(ROOM), RoomEvent::TypingChanged { person, typing })
}

async fn home() -> Home {
    // A sign of typing before a message makes its burst close sooner, so that the order shows in the journal.
    Home::with(json!({
        "activity.replyCoalesceWindowSeconds": 6,
        "activity.minSecondsBetweenMessages": 0,
        "activity.maxMessagesPerHour": 1000,
        "initiative.text.enabled": false,
    }))
    .await
}

pub async fn stretch(home: &Home, holding: u64) -> Recording {
    let found = home.store.recording(&community(), Some(holding)).await;
    found.expect("it can be read").expect("it is recorded")
}

/// Stepped again, a recording gives its journal, byte for byte; also when it went through a file.
pub fn gives_its_journal(recorded: &Recording) {
    let mut file = Vec::new();
    recording::write(recorded, &mut file).expect("it can be written");
    let read = recording::read(&*file).expect("it can be read");
    let lines = |entries: &[mind::JournalEntry]| -> Vec<String> {
        let lines = entries
            .iter()
            .map(|entry| serde_json::to_string(entry).expect("plain data"));
        lines.collect()
    };
    assert!(recorded.journal.len() > 3);
    for recording in [recorded, &read] {
        let again = replay::again(recording).expect("it can be stepped");
        assert_eq!(lines(&again), lines(&recorded.journal));
    }
}

/// A message is being written, and somebody types meanwhile.
async fn said_while_typing(
    handle: &Handle,
    gate: &crate::gate::Gate,
    number: usize,
    typing_meanwhile: Vec<Input>,
) {
    gate.hold();
    let (saying, message) = (
        handle.clone(),
        said(number, "alice", "Denizen, tell me of the ferries"),
    );
    let accepted = tokio::spawn(async move { saying.accept(message).await });
    gate.is_waited_at().await;
    for input in typing_meanwhile {
        handle
            .accept(input)
            .await
            .expect("a reflex does not wait for the disk");
    }
    gate.release();
    accepted.await.expect("no panic").expect("it is on disk");
}

/// How long the newest burst waits.
async fn closes_in(home: &Home, message: &str) -> Span {
    let line = home
        .line("a message waits", |line| {
            let about = line.scope.messages.iter().any(|id| id.as_str() == message);
            about && matches!(line.event, JournalEvent::MessageQueued { .. })
        })
        .await;
    match line.event {
        JournalEvent::MessageQueued { closes_in, .. } => closes_in,
        _ => unreachable!("it was looked for"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn inputs_of_both_lanes_give_their_journal_again_in_the_order_they_were_stepped() {
    let home = home().await;
    let (running, gate) = home.start().await;
    let handle = running.handle.clone();
    // Alice is first heard of typing while her message is being written: it is stepped before the message.
    said_while_typing(
        &handle,
        &gate,
        1,
        vec![typing("bob", true), typing("alice", true)],
    )
    .await;
    let hurried = closes_in(&home, "m1").await;
    // Carol is heard of typing only after her message.
    handle
        .accept(said(2, "carol", "Denizen, and of the trains"))
        .await
        .expect("it is on disk");
    let patient = closes_in(&home, "m2").await;
    assert!(hurried < patient, "{hurried:?} {patient:?}");
    for number in 3..9 {
        home.clock.pass(Span::seconds(8));
        handle
            .accept(typing("carol", number % 2 == 0))
            .await
            .expect("stepped");
        said_while_typing(
            &handle,
            &gate,
            number,
            vec![typing("alice", true), typing("alice", false)],
        )
        .await;
    }
    home.clock.pass(Span::seconds(20));
    home.line("it has answered", |line| {
        matches!(line.event, JournalEvent::TurnEnded { .. })
    })
    .await;
    drop(handle);
    running.stop().await;
    let recorded = stretch(&home, 1).await;
    let overtook = recorded
        .inputs
        .iter()
        .filter(|input| input.stepped_before.is_some());
    assert!(
        overtook.count() >= 10,
        "reflexes were stepped before what was being written"
    );
    assert_eq!(recorded.journal, home.journal().await);
    gives_its_journal(&recorded);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reflex_that_a_crash_takes_with_it_never_was() {
    let home = home().await;
    let (running, gate) = home.start().await;
    let handle = running.handle.clone();
    handle
        .accept(said(1, "bob", "Good morning"))
        .await
        .expect("it is on disk");
    gate.hold();
    handle.accept(typing("alice", true)).await.expect("stepped");
    let (saying, message) = (
        handle.clone(),
        said(2, "alice", "Denizen, tell me of the ferries"),
    );
    let refused = tokio::spawn(async move { saying.accept(message).await });
    gate.is_waited_at().await;
    gate.lose();
    let refused = refused.await.expect("no panic");
    assert!(matches!(refused, Err(NotAccepted::NotStored(_))), "{refused:?}");
    drop((handle, running));

    home.clock.pass(Span::seconds(5));
    let (running, _gate) = home.start().await;
    let handle = running.handle.clone();
    let last = home
        .store
        .resume(&community())
        .await
        .expect("it can be read")
        .last_input;
    handle
        .accept(said(2, "alice", "Denizen, tell me of the ferries"))
        .await
        .expect("it is on disk");
    let waits = closes_in(&home, "m2").await;
    assert_eq!(waits, Span::seconds(6), "nobody was ever seen typing");
    drop(handle);
    running.stop().await;
    let (before, after) = (stretch(&home, 1).await, stretch(&home, last + 1).await);
    assert!(before.segment.first_input < after.segment.first_input);
    let typed = before
        .inputs
        .iter()
        .chain(&after.inputs)
        .any(|recorded| matches!(recorded.input, Input::Room(_, RoomEvent::TypingChanged { .. })));
    assert!(!typed, "it was not on disk");
    gives_its_journal(&after);
    let both: Vec<_> = before.journal.into_iter().chain(after.journal).collect();
    assert_eq!(
        both,
        home.journal().await,
        "no line is lost and none is there twice"
    );
}
