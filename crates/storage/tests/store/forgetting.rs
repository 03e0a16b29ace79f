//! What is forgotten leaves messages, model calls, recordings and the journal, and the rest stays.

use std::path::Path;

use bytes::Bytes;
use mind::{JournalEvent, Scope};
use runtime::ports::{
    AskFilter, AskRecord, Batch, Forgetting, Forgotten, JournalQuery, MessageQuery, Segment, Store,
};
use serde_json::value::RawValue;
use settings::Document;
use vocabulary::{
    AskFailureKind, AskId, AskPurpose, Attachment, AttachmentId, CommunityId, Forget, Message, MessageId,
    PersonId, RoomId, TurnId, TurnKey, WallTime,
};

use crate::given::{Home, added, ask, assert_sound, batch_of, community, count, entry, home, input, message};

pub fn said(id: &str, person: &str, room: &str, text: &str) -> Message {
    let mut message = message(id, text);
    message.author.id = PersonId::new(person);
    message.author.name = format!("{person}-the-name");
    message.room = RoomId::new(room);
    message
}

pub fn person(person: &str, only: Option<&str>) -> Forget {
    Forget::Person {
        person: PersonId::new(person),
        name: format!("{person}-the-name"),
        community: only.map(CommunityId::new),
    }
}

pub fn forgetting(what: Forget) -> Forgetting {
    Forgetting {
        what,
        turns: Vec::new(),
        texts: Vec::new(),
        first_kept: None,
    }
}

pub fn segment(first_input: u64) -> Segment {
    Segment {
        community: community(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: WallTime(9_000),
        first_input,
        state: RawValue::from_string("{\"fresh\":true}".to_owned()).unwrap(),
        settings_version: 0,
        settings: Document::default(),
    }
}

/// The mind goes on without what is forgotten, in a new stretch of recording.
pub async fn begin_anew(store: &dyn Store, first_input: u64) {
    let begun = segment(first_input);
    let batch = Batch {
        state: Some((first_input - 1, begun.state.get().to_owned())),
        ..Batch::default()
    };
    store.commit(&community(), batch).await.unwrap();
    store.begin_segment(begun).await.unwrap();
}

#[tokio::test]
async fn until_everything_is_cleared_away_the_next_start_is_told_of_it() {
    let home = home();
    let mut told = input(2, 1);
    let forgotten = mind::Forgotten {
        what: person("alice", None),
        names: Vec::new(),
        texts: vec!["the words".to_owned()],
        turn_ids: Vec::new(),
        gems: 0,
        turns: 0,
        asked_in: None,
        failure: None,
    };
    told.input = mind::Input::Memory(mind::MemoryEvent::Forgotten(Box::new(forgotten.clone())));
    home.commit(Batch {
        inputs: vec![input(1, 1), told],
        ..Batch::default()
    })
    .await;
    begin_anew(&home.store, 3).await;
    let resumed = home.store.resume(&community()).await.unwrap();
    assert_eq!(resumed.forgetting, [forgotten]);
    forget(
        &home,
        Forgetting {
            first_kept: Some(3),
            ..forgetting(person("alice", None))
        },
    )
    .await;
    let resumed = home.store.resume(&community()).await.unwrap();
    assert!(resumed.forgetting.is_empty());
    assert_eq!(resumed.states[0].input, 2);
}

pub fn ask_about(number: u64, room: &str, words: &str) -> AskRecord {
    AskRecord {
        room: RoomId::new(room),
        raw_request: serde_json::json!({ "content": format!("They said: \"{words}\"\n") }).to_string(),
        ..ask(number)
    }
}

/// Whether any file of the folder holds these bytes.
pub fn is_in_a_file(folder: &Path, needle: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|file| {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        bytes
            .windows(needle.len())
            .any(|window| window == needle.as_bytes())
    })
}

async fn texts(home: &Home, room: &str) -> Vec<String> {
    let query = MessageQuery {
        room: RoomId::new(room),
        before: None,
        after: None,
        limit: 100,
    };
    let page = home.store.messages(&community(), query).await.unwrap();
    page.messages
        .into_iter()
        .map(|stored| stored.message.text)
        .collect()
}

async fn asks(home: &Home) -> Vec<u64> {
    let filter = AskFilter {
        limit: 100,
        ..AskFilter::default()
    };
    let listed = home.store.asks(&community(), filter).await.unwrap();
    listed.iter().rev().map(|summary| summary.ask.0).collect()
}

async fn forget(home: &Home, forgetting: Forgetting) -> Forgotten {
    home.store.forget(&community(), forgetting).await.unwrap()
}

#[tokio::test]
async fn a_person_leaves_with_everything_they_said_and_all_model_calls_of_their_rooms() {
    let home = home();
    home.commit(batch_of([
        added(said("m1", "alice", "lobby", "my garden is behind the mill")),
        added(said("m2", "bob", "lobby", "nice")),
        added(said("m3", "bob", "attic", "dusty here")),
    ]))
    .await;
    for (number, room, words) in [
        (1, "lobby", "nothing of hers"),
        (2, "attic", "her garden is behind the mill, they say"),
        (3, "attic", "dusty here"),
    ] {
        home.store
            .start_ask(ask_about(number, room, words))
            .await
            .unwrap();
    }
    let gone = forget(&home, forgetting(person("alice", None))).await;
    assert_eq!((gone.messages, gone.asks), (1, 2));
    assert_eq!(texts(&home, "lobby").await, ["nice"]);
    assert_eq!(texts(&home, "attic").await, ["dusty here"]);
    assert_eq!(asks(&home).await, [3]);
    assert!(!is_in_a_file(home.folder.path(), "alice-the-name"));
    assert_sound(&home.look().await);
    // The same message, coming late, is not stored again.
    home.add("m1", "my garden").await;
    assert_eq!(texts(&home, "lobby").await, ["nice"]);
}

#[tokio::test]
async fn a_wish_about_another_community_changes_nothing_here() {
    let home = home();
    home.commit(batch_of([added(said("m1", "alice", "lobby", "hello"))]))
        .await;
    let elsewhere = Forget::Room {
        community: CommunityId::new("elsewhere"),
        room: RoomId::new("lobby"),
    };
    for what in [person("alice", Some("elsewhere")), elsewhere] {
        assert_eq!(forget(&home, forgetting(what)).await, Forgotten::default());
    }
    assert_eq!(texts(&home, "lobby").await, ["hello"]);
    let gone = forget(&home, forgetting(person("alice", Some("local")))).await;
    assert_eq!(gone.messages, 1);
}

#[tokio::test]
async fn a_forgotten_turn_empties_its_message_and_the_calls_that_quote_it() {
    let home = home();
    let attached = Attachment {
        id: AttachmentId::new("picture"),
        mime: "image/png".to_owned(),
        name: "garden.png".to_owned(),
        bytes: 3,
        description: String::new(),
    };
    let mut first = said("m1", "alice", "lobby", "the key is under the blue pot");
    first.attachments.push(attached);
    home.store
        .put_attachment(
            &community(),
            &AttachmentId::new("picture"),
            "image/png",
            Bytes::from_static(b"png"),
        )
        .await
        .unwrap();
    home.commit(batch_of([
        added(first),
        added(said("m2", "alice", "lobby", "good night")),
    ]))
    .await;
    for (number, words) in [
        (1, "the key is under the blue pot"),
        (2, "good night"),
        (3, "she keeps a spare key under a pot"),
        (
            4,
            &format!("the key is under the blue pot. {}", "Nothing else. ".repeat(500)),
        ),
        (5, &"Nothing else. ".repeat(500)),
    ] {
        home.store
            .start_ask(ask_about(number, "lobby", words))
            .await
            .unwrap();
    }
    let gone = forget(
        &home,
        Forgetting {
            turns: vec![TurnKey::new("m1")],
            texts: vec!["She keeps a spare key under a pot.".to_owned()],
            ..forgetting(Forget::Gems(Vec::new()))
        },
    )
    .await;
    assert_eq!((gone.messages, gone.asks), (1, 3));
    assert_eq!(texts(&home, "lobby").await, ["good night"]);
    assert_eq!(asks(&home).await, [2, 5]);
    let picture = home
        .store
        .attachment(&community(), &AttachmentId::new("picture"))
        .await;
    assert_eq!(picture.unwrap(), None);
}

#[tokio::test]
async fn recordings_end_and_a_restart_goes_on_from_the_new_beginning() {
    let home = home();
    for seq in 1..=7 {
        home.commit(Batch {
            inputs: vec![input(seq, 500)],
            journal: vec![entry(seq, Scope::default())],
            state: Some((seq, format!("{{\"seen\":{seq}}}"))),
            ..Batch::default()
        })
        .await;
    }
    home.store.begin_segment(segment(3)).await.unwrap();
    begin_anew(&home.store, 8).await;
    let gone = forget(
        &home,
        Forgetting {
            first_kept: Some(8),
            ..forgetting(person("nobody", None))
        },
    )
    .await;
    assert_eq!(gone.inputs, 7);
    for table in ["states", "segments"] {
        let left = count(&home.look().await, &format!("SELECT count(*) FROM {table}"));
        assert_eq!(left, 1, "{table}");
    }
    let resumed = home.store.resume(&community()).await.unwrap();
    let (seen, state) = (resumed.states[0].input, resumed.states[0].state.clone());
    assert_eq!((seen, state.as_str()), (7, "{\"fresh\":true}"));
    assert!(resumed.inputs.is_empty());
    assert_eq!((resumed.last_input, resumed.last_journal.0), (7, 7));
    // The next input follows, is recorded, and resumed from.
    home.commit(Batch {
        inputs: vec![input(8, 600)],
        ..Batch::default()
    })
    .await;
    let resumed = home.store.resume(&community()).await.unwrap();
    assert_eq!(resumed.inputs, [input(8, 600)]);
    let recording = home.store.recording(&community(), None).await.unwrap().unwrap();
    assert_eq!((recording.segment.first_input, recording.inputs.len()), (8, 1));
    assert!(
        home.store
            .recording(&community(), Some(3))
            .await
            .unwrap()
            .is_none()
    );
    // The decisions made before can still be read.
    let query = JournalQuery {
        limit: 100,
        ..JournalQuery::default()
    };
    assert_eq!(home.store.journal(&community(), query).await.unwrap().len(), 7);
}

#[tokio::test]
async fn where_no_mind_runs_the_next_start_begins_anew_and_counts_on() {
    let home = home();
    home.commit(Batch {
        inputs: (1..=600).map(|seq| input(seq, 500)).collect(),
        state: Some((600, "{}".to_owned())),
        ..Batch::default()
    })
    .await;
    assert_eq!(
        forget(&home, forgetting(person("nobody", None))).await.inputs,
        600
    );
    let resumed = home.store.resume(&community()).await.unwrap();
    assert!(resumed.states.is_empty() && resumed.inputs.is_empty());
    assert_eq!(resumed.last_input, 600);
}

#[tokio::test]
async fn journal_lines_stay_without_reasons_in_other_words() {
    let home = home();
    let failed = |seq: u64, room: &str, message: &str, turn: u64, detail: &str| {
        let scope = Scope {
            room: Some(RoomId::new(room)),
            turn: Some(TurnId(turn)),
            messages: vec![MessageId::new(message)],
            ..Scope::default()
        };
        let mut entry = entry(seq, scope);
        entry.event = JournalEvent::AskFailed {
            ask: AskId(seq),
            purpose: AskPurpose::TextReply,
            kind: AskFailureKind::Refused,
            detail: detail.to_owned(),
            retry_in: None,
            input_tokens: None,
            output_tokens: None,
            cost_micro_dollars: None,
        };
        entry
    };
    let mut received = entry(4, Scope::default());
    received.event = JournalEvent::MessageReceived {
        author: PersonId::new("alice"),
        author_name: "alice-the-name".to_owned(),
        characters: 3,
        images: 0,
    };
    home.commit(Batch {
        changes: vec![
            added(said("m1", "alice", "lobby", "the key is under the blue pot")),
            added(said("m2", "bob", "attic", "dusty")),
        ],
        journal: vec![
            failed(1, "lobby", "m1", 1, "she told where the key is"),
            failed(2, "attic", "m2", 2, "no credit left"),
            failed(3, "attic", "m2", 3, "refused: the key is under the blue pot"),
            received,
        ],
        ..Batch::default()
    })
    .await;
    let details = async || -> Vec<String> {
        let query = JournalQuery {
            limit: 100,
            ..JournalQuery::default()
        };
        let lines = home.store.journal(&community(), query).await.unwrap();
        let detail = |event: &JournalEvent| match event {
            JournalEvent::AskFailed { detail, .. } => detail.clone(),
            JournalEvent::MessageReceived { author_name, .. } => author_name.clone(),
            _ => unreachable!("no other line was written"),
        };
        lines.iter().map(|line| detail(&line.event)).collect()
    };
    let by_turn = Forgetting {
        turns: vec![TurnKey::new("m1")],
        ..forgetting(Forget::Turns(Vec::new()))
    };
    assert_eq!(forget(&home, by_turn).await.journal_lines, 2);
    assert_eq!(details().await, ["", "no credit left", "", "alice-the-name"]);
    forget(&home, forgetting(person("alice", None))).await;
    assert_eq!(details().await, ["", "no credit left", "", ""]);
}
