//! Many communities in one store: what is of one never shows in another, and stores of before there were many open.

use std::path::Path;

use bytes::Bytes;
use mind::Scope;
use runtime::ports::{JournalQuery, LayeredSettings, MessageChange, MessageQuery, Store, StoreError};
use serde_json::json;
use settings::{Document, Layer, Settings};
use storage::Sqlite;
use tempfile::TempDir;
use vocabulary::{AskId, AttachmentId, CommunityId, MessageId, RoomId, Span, TurnId, WallTime};

use crate::given::{
    DAY_MS, Home, added, ask, assert_sound, batch_of, community, count, entry, home, input, look_into,
    message, room, turn,
};
use crate::reactions::reacted;

fn attic() -> CommunityId {
    CommunityId::new("attic")
}

async fn page(home: &Home, community: &CommunityId) -> Vec<String> {
    let query = MessageQuery {
        room: room(),
        before: None,
        after: None,
        limit: 100,
    };
    let page = home.store.messages(community, query).await.unwrap();
    page.messages
        .into_iter()
        .map(|found| found.message.text)
        .collect()
}

async fn text(home: &Home, community: &CommunityId, id: &str) -> Option<String> {
    let found = home.store.message(community, &MessageId::new(id)).await.unwrap();
    found.map(|found| found.message.text)
}

fn document(pairs: serde_json::Value) -> Document {
    Document::from_value(pairs).unwrap()
}

/// The same ids of rooms, messages and attachments in two communities, with other words in each.
async fn two_communities() -> Home {
    let home = home();
    for (community, words) in [
        (community(), "the lighthouse at home"),
        (attic(), "the kite in the attic"),
    ] {
        let mut batch = batch_of([added(message("m1", words))]);
        batch.inputs = vec![input(1, 1_000)];
        batch.journal = vec![entry(1, Scope::default())];
        home.store.commit(&community, batch).await.unwrap();
        let picture = Bytes::from(words.to_owned());
        let id = AttachmentId::new("a1");
        home.store
            .put_attachment(&community, &id, "image/png", picture)
            .await
            .unwrap();
    }
    home
}

#[tokio::test]
async fn the_same_ids_in_two_communities_are_different_things() {
    let home = two_communities().await;
    assert_eq!(page(&home, &community()).await, ["the lighthouse at home"]);
    assert_eq!(page(&home, &attic()).await, ["the kite in the attic"]);
    for (community, has, lacks) in [
        (community(), "lighthouse", "kite"),
        (attic(), "kite", "lighthouse"),
    ] {
        let search = async |words| {
            let found = home.store.search(&community, &room(), words, &[], 5).await;
            found.unwrap().len()
        };
        assert_eq!((search(has).await, search(lacks).await), (1, 0), "{community}");
        let id = AttachmentId::new("a1");
        let (_, bytes) = home.store.attachment(&community, &id).await.unwrap().unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(has));
    }
    let nowhere = CommunityId::new("cellar");
    assert_eq!(page(&home, &nowhere).await, Vec::<String>::new());
    assert_eq!(text(&home, &nowhere, "m1").await, None);
    assert_sound(&home.look().await);
}

#[tokio::test]
async fn a_change_in_one_community_leaves_the_other_as_it_is() {
    let home = two_communities().await;
    let at = WallTime(9);
    let id = MessageId::new("m1");
    let edited = MessageChange::Edited {
        id: id.clone(),
        text: "the owl".to_owned(),
        at,
    };
    home.store
        .commit(&attic(), batch_of([edited, reacted("m1", "bob", "🎉", 9)]))
        .await
        .unwrap();
    assert_eq!(text(&home, &attic(), "m1").await.unwrap(), "the owl");
    assert_eq!(
        text(&home, &community(), "m1").await.unwrap(),
        "the lighthouse at home"
    );
    let stored = home.store.message(&community(), &id).await.unwrap().unwrap();
    assert!(stored.reactions.is_empty());
    home.store
        .commit(&attic(), batch_of([MessageChange::Deleted { id, at }]))
        .await
        .unwrap();
    assert_eq!(text(&home, &attic(), "m1").await, None);
    assert_eq!(page(&home, &community()).await, ["the lighthouse at home"]);
    assert_sound(&home.look().await);
}

#[tokio::test]
async fn each_community_is_swept_as_its_own_settings_say() {
    let home = two_communities().await;
    let keep = Settings::default().storage;
    let short = settings::StorageSettings {
        keep_messages_days: 1,
        ..keep.clone()
    };
    let long = settings::StorageSettings {
        keep_messages_days: 0,
        ..keep
    };
    let years_later = WallTime(4_000 * DAY_MS);
    home.store
        .sweep(&[(community(), long), (attic(), short)], years_later, Span::ZERO)
        .await
        .unwrap();
    assert_eq!(page(&home, &community()).await, ["the lighthouse at home"]);
    assert_eq!(page(&home, &attic()).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_removed_community_leaves_nothing_and_takes_nothing_of_others() {
    let home = two_communities().await;
    home.store.start_ask(ask(1)).await.unwrap();
    let mut theirs = ask(1);
    theirs.community = attic();
    home.store.start_ask(theirs).await.unwrap();
    home.store
        .save_settings(Some(&attic()), 0, document(json!({"identity.name": "Robin"})))
        .await
        .unwrap();
    let gone = home.store.remove_community(&attic()).await.unwrap();
    assert_eq!((gone.messages, gone.journal_lines, gone.asks), (1, 1, 1));
    assert_eq!(home.store.remove_community(&attic()).await.unwrap().messages, 0);
    let ids: Vec<_> = home.store.communities().await.unwrap();
    assert_eq!(
        ids.iter().map(|record| record.id.clone()).collect::<Vec<_>>(),
        [community()]
    );
    assert_eq!(page(&home, &community()).await, ["the lighthouse at home"]);
    assert!(home.store.ask(&community(), AskId(1)).await.unwrap().is_some());
    let look = home.look().await;
    assert_sound(&look);
    for table in ["messages", "rooms", "attachments", "inputs", "journal", "asks"] {
        assert_eq!(
            count(&look, &format!("SELECT count(*) FROM {table}")),
            1,
            "{table}"
        );
    }
    let bytes = std::fs::read(home.folder.path().join("denizen.db")).unwrap();
    assert!(
        !bytes.windows(4).any(|word| word == b"kite"),
        "the bytes are still there"
    );
    // One of the same name begins anew.
    home.store.add_community(&attic(), "Attic").await.unwrap();
    assert_eq!(page(&home, &attic()).await, Vec::<String>::new());
    assert_eq!(home.store.settings(&attic()).await.unwrap().own_version, 0);
}

#[tokio::test]
async fn settings_have_layers_and_all_layers_count_versions_together() {
    let home = home();
    let base = home
        .store
        .save_settings(
            None,
            0,
            document(json!({"identity.name": "Denizen", "llm.model": "m"})),
        )
        .await
        .unwrap();
    let own = home
        .store
        .save_settings(Some(&attic()), 0, document(json!({"identity.name": "Robin"})))
        .await
        .unwrap();
    assert_eq!((base, own), (1, 2));
    let LayeredSettings { layers, .. } = home.store.settings(&attic()).await.unwrap();
    assert_eq!(layers.read("attic").unwrap().identity.name, "Robin");
    assert_eq!(layers.layer_of("llm.model"), Layer::Base);
    let at_home = home.store.settings(&community()).await.unwrap();
    assert_eq!((at_home.version(), at_home.own_version), (1, 0));
    let stale = home
        .store
        .save_settings(Some(&attic()), 0, Document::default())
        .await;
    assert!(matches!(
        stale,
        Err(StoreError::StaleSettings { yours: 0, newest: 2 })
    ));
    let base = home
        .store
        .save_settings(None, 1, Document::default())
        .await
        .unwrap();
    assert_eq!(base, 3);
    assert_eq!(home.store.settings(&attic()).await.unwrap().version(), 3);
    assert_eq!(home.store.newest_settings().await.unwrap(), 3);
}

#[tokio::test]
async fn a_restart_finds_what_was_in_force_in_its_own_community_at_each_version() {
    let home = home();
    home.store
        .save_settings(None, 0, document(json!({"llm.model": "one"})))
        .await
        .unwrap();
    home.store.add_community(&attic(), "").await.unwrap();
    home.store
        .save_settings(Some(&attic()), 0, document(json!({"identity.name": "Robin"})))
        .await
        .unwrap();
    home.store
        .save_settings(None, 1, document(json!({"llm.model": "two"})))
        .await
        .unwrap();
    home.store.commit(&community(), batch_of([])).await.unwrap();
    let in_force = async |community: &CommunityId| -> Vec<(u64, serde_json::Value)> {
        let resumed = home.store.resume(community).await.unwrap().settings;
        resumed
            .into_iter()
            .map(|saved| (saved.version, serde_json::to_value(saved.document).unwrap()))
            .collect()
    };
    assert_eq!(
        in_force(&attic()).await,
        [
            (1, json!({"llm.model": "one"})),
            (2, json!({"llm.model": "one", "identity.name": "Robin"})),
            (3, json!({"llm.model": "two", "identity.name": "Robin"})),
        ]
    );
    assert_eq!(
        in_force(&community()).await,
        [(1, json!({"llm.model": "one"})), (3, json!({"llm.model": "two"}))]
    );
}

/// A folder as a Denizen of before there were many communities left it: a conversation in the lounge with a picture, a
/// reaction and a message that was taken back, memory, model calls and two versions of settings.
fn folder_of_schema_3() -> TempDir {
    let folder = TempDir::new().unwrap();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/schema-3.db");
    std::fs::copy(kept, folder.path().join("denizen.db")).unwrap();
    folder
}

#[tokio::test]
async fn a_store_of_before_there_were_many_communities_opens_with_everything_in_the_default_one() {
    let folder = folder_of_schema_3();
    let store = Sqlite::open(folder.path()).unwrap();
    let look = look_into(folder.path());
    assert_eq!(count(&look, "PRAGMA user_version"), 11);
    assert_sound(&look);
    let local = CommunityId::home();
    let known = store.communities().await.unwrap();
    assert_eq!(
        known.iter().map(|record| &record.id).collect::<Vec<_>>(),
        [&local]
    );
    let lounge = RoomId::new("lounge");
    let query = MessageQuery {
        room: lounge.clone(),
        before: None,
        after: None,
        limit: 10,
    };
    let page = store.messages(&local, query).await.unwrap();
    let ids: Vec<&str> = page
        .messages
        .iter()
        .map(|found| found.message.id.as_str())
        .collect();
    assert_eq!(ids, ["message-0001", "local-t1-1", "message-0002"]);
    assert_eq!(page.messages[0].reactions[0].emoji, "🎉");
    let picture = &page.messages[2].message.attachments[0].id;
    assert!(store.attachment(&local, picture).await.unwrap().is_some());
    let found = store
        .search(&local, &lounge, "lighthouses", &[], 5)
        .await
        .unwrap();
    assert_eq!(found.len(), 1);
    let saved = store.settings(&local).await.unwrap();
    assert_eq!((saved.base_version, saved.own_version), (2, 0));
    assert_eq!(saved.layers.read("local").unwrap().identity.name, "Robin");
    let journal = store.journal(
        &local,
        JournalQuery {
            limit: 100,
            ..JournalQuery::default()
        },
    );
    assert_eq!(journal.await.unwrap().len(), 38);
    let resume = store.resume(&local).await.unwrap();
    assert!(!resume.states.is_empty() && resume.last_turn >= TurnId(1));
    assert!(store.recording(&local, None).await.unwrap().is_some());
    // A place is not used twice, and what was taken back stays away.
    let again = added(message("message-0003", "a late copy"));
    store.commit(&local, batch_of([again])).await.unwrap();
    assert!(
        store
            .message(&local, &MessageId::new("message-0003"))
            .await
            .unwrap()
            .is_none()
    );
    store
        .commit(&local, batch_of([added(message("new-message", "and on"))]))
        .await
        .unwrap();
    let new = store
        .message(&local, &MessageId::new("new-message"))
        .await
        .unwrap()
        .unwrap();
    assert!(new.seq > page.messages[2].seq + 1, "{}", new.seq);
    assert_sound(&look_into(folder.path()));
}

#[tokio::test]
async fn turns_of_a_message_are_those_of_its_community_alone() {
    let home = two_communities().await;
    let local = turn("m1", "the lighthouse at home");
    let mut theirs = turn("attic/m1", "the kite in the attic");
    theirs.place.community = attic();
    let mut batch = batch_of([]);
    batch.captures = vec![local, theirs];
    home.store.commit(&community(), batch).await.unwrap();
    let taken_back = MessageChange::Deleted {
        id: MessageId::new("m1"),
        at: WallTime(9),
    };
    home.store.commit(&attic(), batch_of([taken_back])).await.unwrap();
    let look = home.look().await;
    let left: String = look
        .query_row("SELECT group_concat(id) FROM captured_turns", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(left, "m1");
}
