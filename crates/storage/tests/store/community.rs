//! A whole community on the real store: it answers, is stopped, goes on, and what it recorded replays the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use mind::{Delivery, Input, JournalEvent, RoomEvent};
use runtime::live::LiveEvent;
use runtime::ports::{
    AskFilter, Delta, JournalQuery, Language, LanguageStatus, Prepared, RawResponse, Rooms, SendFailure,
    Store,
};
use runtime::{Parts, Running, replay};
use settings::{Document, Settings};
use stand_ins::{TestSight, models};
use storage::Sqlite;
use tempfile::TempDir;
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskOutcome, AttachmentId, Author, AuthorKind, Message, MessageId, ModelRequest, PersonId,
};

use crate::given::{community, message, room};

/// A model that always says the same.
struct Parrot;

#[async_trait]
impl Language for Parrot {
    fn prepare(
        &self,
        _: &ModelRequest,
        _: &BTreeMap<AttachmentId, Bytes>,
        _: &Settings,
    ) -> Result<Prepared, AskFailure> {
        Ok(models::prepared("parrot", "{}"))
    }

    async fn send(
        &self,
        _: &ModelRequest,
        _: &Prepared,
        deltas: mpsc::Sender<Delta>,
        raw: RawResponse,
    ) -> AskOutcome {
        let text = "Hello to you.".to_owned();
        raw.push(text.as_bytes());
        let _ = deltas.send(Delta(text.clone())).await;
        models::answered("parrot", text)
    }

    async fn configure(&self, _: &Settings) {}

    fn status(&self, _: &Settings) -> LanguageStatus {
        models::shown_as("parrot")
    }
}

/// A room that takes everything.
struct OpenRoom;

#[async_trait]
impl Rooms for OpenRoom {
    async fn deliver(&self, delivery: &Delivery) -> Result<Message, SendFailure> {
        Ok(Message {
            author: Author {
                id: PersonId::new("denizen"),
                name: "Denizen".to_owned(),
                kind: AuthorKind::Denizen,
            },
            room: delivery.room.clone(),
            reply_to: delivery.reply_to.clone(),
            ..message(&format!("sent-{}", delivery.id), &delivery.text)
        })
    }
}

async fn start(data_dir: &Path) -> Running {
    let parts = Parts {
        memory: None,
        voice: Arc::new(runtime::ports::NoVoice),
        coming: tokio::sync::mpsc::channel(1).1,
        speech: Arc::new(runtime::ports::NoSpeech),
        community: community(),
        denizen: PersonId::new("denizen"),
        store: Arc::new(Sqlite::open(data_dir).unwrap()),
        language: Arc::new(Parrot),
        rooms: Arc::new(OpenRoom),
        sight: Arc::new(TestSight),
        outbound: runtime::ports::OutboundServices::none(),
    };
    runtime::start(parts).await.unwrap()
}

/// Says something to Denizen and waits for the answer.
async fn talk(running: &Running, id: &str) -> MessageId {
    let (_, mut live) = running.handle.live().subscribe(None);
    let mut said = message(id, "What do you think of the lighthouse?");
    said.mentions = vec![PersonId::new("denizen")];
    said.at = runtime::wall();
    running.handle.accept(Input::message_arrived(said)).await.unwrap();
    loop {
        if let LiveEvent::Message { message } = &live.recv().await.unwrap().event
            && message.message.author.kind == AuthorKind::Denizen
        {
            assert!(message.turn.is_some() && message.ask.is_some());
            return message.message.id.clone();
        }
    }
}

/// Saves settings as a command would, before and beside the community.
async fn answer_at_once(data_dir: &Path) {
    let mut quick = Document::default();
    quick.set("activity.replyCoalesceWindowSeconds", 0.into());
    quick.set("activity.minSecondsBetweenMessages", 0.into());
    let store = Sqlite::open(data_dir).unwrap();
    store.save_settings(None, 0, quick).await.unwrap();
}

#[tokio::test]
async fn it_answers_goes_on_after_a_restart_and_replays_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    answer_at_once(folder.path()).await;
    let first = start(folder.path()).await;
    let answer = talk(&first, "m1").await;
    first.stop().await;
    let second = start(folder.path()).await;
    talk(&second, "m2").await;
    second.stop().await;

    let store = Sqlite::open_read_only(folder.path()).unwrap();
    let newest = store.recording(&community(), None).await.unwrap().unwrap();
    let earlier = store.recording(&community(), Some(1)).await.unwrap().unwrap();
    for recording in [&earlier, &newest] {
        let again = replay::again(recording).unwrap();
        assert!(!again.is_empty());
        let lines = |entries: &[mind::JournalEntry]| serde_json::to_string(entries).unwrap();
        assert_eq!(lines(&again), lines(&recording.journal));
    }
    let all = JournalQuery {
        limit: 5_000,
        ..JournalQuery::default()
    };
    let journal = store.journal(&community(), all).await.unwrap();
    assert_eq!(journal.len(), earlier.journal.len() + newest.journal.len());
    assert!(journal.windows(2).all(|pair| pair[1].seq.0 == pair[0].seq.0 + 1));

    let why = store.why(&community(), &answer).await.unwrap();
    assert!(
        why.iter()
            .any(|line| matches!(line.event, JournalEvent::TurnOpened { .. }))
    );
    let asks = store
        .asks(
            &community(),
            AskFilter {
                limit: 9,
                ..AskFilter::default()
            },
        )
        .await
        .unwrap();
    let states: Vec<&str> = asks.iter().map(|ask| ask.state.as_str()).collect();
    assert_eq!(states, ["answered", "answered"]);
}

#[tokio::test]
async fn a_reaction_is_stored_told_to_the_pages_and_recorded() {
    let folder = TempDir::new().unwrap();
    let running = start(folder.path()).await;
    let said = message("m1", "Look at the lighthouse.");
    running.handle.accept(Input::message_arrived(said)).await.unwrap();
    let (_, mut live) = running.handle.live().subscribe(None);
    for added in [true, true, false] {
        let change = Input::Room(
            room(),
            RoomEvent::ReactionChanged {
                message: MessageId::new("m1"),
                person: PersonId::new("bob"),
                emoji: "👍".to_owned(),
                added,
            },
        );
        running.handle.accept(change).await.unwrap();
        let told = loop {
            if let LiveEvent::Reactions {
                room: told_in,
                id,
                reactions,
            } = &live.recv().await.unwrap().event
            {
                assert_eq!((told_in, id.as_str()), (&room(), "m1"));
                break reactions.clone();
            }
        };
        let stored = running
            .handle
            .store()
            .message(&community(), &MessageId::new("m1"))
            .await;
        assert_eq!(told, stored.unwrap().unwrap().reactions);
        assert_eq!(told.len(), usize::from(added));
    }
    running.stop().await;
    let store = Sqlite::open_read_only(folder.path()).unwrap();
    let recording = store.recording(&community(), None).await.unwrap().unwrap();
    let reactions = recording.inputs.iter();
    let reactions = reactions
        .filter(|recorded| matches!(recorded.input, Input::Room(_, RoomEvent::ReactionChanged { .. })));
    assert_eq!(reactions.count(), 3);
}
