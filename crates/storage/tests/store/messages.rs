//! Messages: kept once, changed, taken back, and read page by page.

use runtime::ports::{Batch, MessageChange, MessageQuery, Store};
use storage::Sqlite;
use vocabulary::{
    AskId, Attachment, AttachmentId, AuthorKind, MessageId, PersonId, RoomId, TurnId, WallTime,
};

use crate::given::{Home, added, assert_sound, batch_of, community, count, home, input, message, room};

fn edited(id: &str, text: &str) -> MessageChange {
    MessageChange::Edited {
        id: MessageId::new(id),
        text: text.to_owned(),
        at: WallTime(2_000),
    }
}

fn deleted(id: &str) -> MessageChange {
    MessageChange::Deleted {
        id: MessageId::new(id),
        at: WallTime(3_000),
    }
}

async fn ids(home: &Home, before: Option<u64>, after: Option<u64>, limit: usize) -> (Vec<String>, bool) {
    let query = MessageQuery {
        room: room(),
        before,
        after,
        limit,
    };
    let page = home.store.messages(&community(), query).await.unwrap();
    let ids = page
        .messages
        .iter()
        .map(|stored| stored.message.id.to_string())
        .collect();
    (ids, page.has_more)
}

#[tokio::test]
async fn a_message_comes_back_as_it_was() {
    let home = home();
    let mut whole = message("m1", "Look at \"this\" — déjà vu 🎉\n");
    whole.author.kind = AuthorKind::Denizen;
    whole.reply_to = Some(MessageId::new("m0"));
    whole.mentions = vec![PersonId::new("bob"), PersonId::new("carol")];
    whole.attachments = vec![Attachment {
        id: AttachmentId::new("a1"),
        mime: "image/png".to_owned(),
        name: "cat.png".to_owned(),
        bytes: 17,
        description: String::new(),
    }];
    home.commit(batch_of([MessageChange::Added {
        message: whole.clone(),
        turn: Some(TurnId(4)),
        ask: Some(AskId(9)),
    }]))
    .await;
    let stored = home
        .store
        .message(&community(), &whole.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(stored.message, whole);
    assert_eq!(
        (stored.turn, stored.ask, stored.edited_at),
        (Some(TurnId(4)), Some(AskId(9)), None)
    );
    assert!(
        home.store
            .message(&community(), &MessageId::new("m2"))
            .await
            .unwrap()
            .is_none()
    );
}

#[tokio::test]
async fn a_message_is_stored_once_per_id() {
    let home = home();
    home.add("m1", "first").await;
    home.commit(batch_of([
        added(message("m1", "again")),
        added(message("m2", "next")),
    ]))
    .await;
    assert_eq!(ids(&home, None, None, 10).await.0, ["m1", "m2"]);
    let stored = home
        .store
        .message(&community(), &MessageId::new("m1"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(stored.message.text, "first");
    assert_sound(&home.look().await);
}

#[tokio::test]
async fn an_edit_changes_the_text_and_says_when() {
    let home = home();
    home.add("m1", "first").await;
    home.commit(batch_of([edited("m1", "second"), edited("unknown", "nothing")]))
        .await;
    let stored = home
        .store
        .message(&community(), &MessageId::new("m1"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (stored.message.text.as_str(), stored.edited_at),
        ("second", Some(WallTime(2_000)))
    );
    assert_sound(&home.look().await);
}

#[tokio::test]
async fn a_message_taken_back_is_nowhere_and_cannot_come_again() {
    let home = home();
    home.add("m1", "zanzibar").await;
    home.commit(batch_of([deleted("m1"), deleted("m1"), deleted("unknown")]))
        .await;
    home.commit(batch_of([
        added(message("m1", "zanzibar")),
        edited("m1", "zanzibar"),
    ]))
    .await;
    assert!(
        home.store
            .message(&community(), &MessageId::new("m1"))
            .await
            .unwrap()
            .is_none()
    );
    for (id, was_there) in [("m1", true), ("unknown", false)] {
        let known = home
            .store
            .has_had_message(&community(), &MessageId::new(id))
            .await;
        assert_eq!(known.unwrap(), was_there, "{id}");
    }
    assert!(ids(&home, None, None, 10).await.0.is_empty());
    assert!(
        home.store
            .search(&community(), &room(), "zanzibar", &[], 10)
            .await
            .unwrap()
            .is_empty()
    );
    let look = home.look().await;
    assert_eq!(
        count(
            &look,
            "SELECT count(*) FROM messages WHERE deleted_at = 3000 AND text = ''"
        ),
        1
    );
    assert_eq!(count(&look, "SELECT live FROM rooms"), 0);
    // The index holds the word no more, not even in a segment that waits to be merged.
    assert_eq!(
        count(
            &look,
            "SELECT count(*) FROM messages_index_data WHERE instr(CAST(block AS TEXT), 'zanzibar') > 0"
        ),
        0
    );
    assert_sound(&look);
}

#[tokio::test]
async fn a_room_is_read_page_by_page_in_both_directions() {
    let home = home();
    for number in 1..=7 {
        home.add(&format!("m{number}"), "text").await;
    }
    home.commit(batch_of([deleted("m4")])).await;
    assert_eq!(
        ids(&home, None, None, 3).await,
        (vec!["m5".into(), "m6".into(), "m7".into()], true)
    );
    assert_eq!(
        ids(&home, Some(5), None, 3).await,
        (vec!["m1".into(), "m2".into(), "m3".into()], false)
    );
    assert_eq!(
        ids(&home, None, Some(0), 2).await,
        (vec!["m1".into(), "m2".into()], true)
    );
    assert_eq!(
        ids(&home, None, Some(3), 9).await,
        (vec!["m5".into(), "m6".into(), "m7".into()], false)
    );
    assert_eq!(
        ids(&home, Some(7), Some(2), 2).await,
        (vec!["m3".into(), "m5".into()], true)
    );
    assert_eq!(ids(&home, None, None, 0).await, (vec![], true));
    let elsewhere = MessageQuery {
        room: RoomId::new("elsewhere"),
        before: None,
        after: None,
        limit: 5,
    };
    assert!(
        home.store
            .messages(&community(), elsewhere)
            .await
            .unwrap()
            .messages
            .is_empty()
    );
}

#[tokio::test]
async fn a_batch_that_fails_leaves_nothing_of_itself() {
    let home = home();
    home.commit(Batch {
        inputs: vec![input(1, 1)],
        ..Batch::default()
    })
    .await;
    let refused = home
        .store
        .commit(
            &crate::given::community(),
            Batch {
                changes: vec![added(message("m1", "text"))],
                inputs: vec![input(3, 1)],
                ..Batch::default()
            },
        )
        .await
        .unwrap_err();
    assert!(
        refused.to_string().contains("input 3 does not follow input 1"),
        "{refused}"
    );
    assert!(
        home.store
            .message(&community(), &MessageId::new("m1"))
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(count(&home.look().await, "SELECT count(*) FROM inputs"), 1);
}

#[tokio::test]
async fn who_wrote_lately_is_told_once_each_and_of_the_newest_messages_alone() {
    let home = home();
    let by = |id: &str, name: &str| {
        let mut message = message(id, "hello");
        (message.author.id, message.author.name) = (PersonId::new(name.to_lowercase()), name.to_owned());
        added(message)
    };
    home.commit(batch_of([
        by("m1", "Zoe"),
        by("m2", "Alice"),
        by("m3", "Bob"),
        by("m4", "Alice"),
        by("m5", "ALICE"),
        by("m6", "Gone"),
    ]))
    .await;
    home.commit(batch_of([deleted("m6")])).await;
    let lately = async |count| {
        let writers = home.store.writers_lately(&community(), &room(), count).await;
        let names = writers.unwrap().into_iter().map(|author| author.name);
        names.collect::<Vec<_>>()
    };
    assert_eq!(lately(4).await, ["Alice", "Bob", "ALICE"]);
    assert_eq!(lately(2).await, ["Alice", "ALICE"]);
    assert_eq!(lately(100).await, ["Zoe", "Alice", "Bob", "ALICE"]);
}

#[tokio::test]
async fn messages_are_read_together_in_the_order_asked_for() {
    let home = home();
    for id in ["m1", "m2", "m3"] {
        home.add(id, "hello").await;
    }
    home.commit(batch_of([deleted("m2")])).await;
    let wanted = ["m3", "m2", "nowhere", "m1"].map(MessageId::new);
    let found = home.store.messages_of(&community(), &wanted).await.unwrap();
    let ids: Vec<&str> = found.iter().map(|stored| stored.message.id.as_str()).collect();
    assert_eq!(ids, ["m3", "m1"]);
}

#[tokio::test]
async fn a_message_that_was_just_accepted_is_there_for_everybody_who_looks() {
    let home = home();
    home.add("m1", "the first").await;
    let commit = async |batch| home.store.commit(&community(), batch).await.unwrap();
    for (seq, comes_again) in [(1, false), (2, true)] {
        let id = format!("new{seq}");
        let committed = commit(Batch {
            inputs: vec![input(seq, 1)],
            changes: vec![added(message(&id, "only just said"))],
            comes_again,
            ..Batch::default()
        })
        .await;
        let place = committed.places[0].expect("it is new");
        let id = MessageId::new(id);
        let one = home.store.message(&community(), &id).await.unwrap();
        assert_eq!(one.map(|stored| stored.seq), Some(place));
        let some = home
            .store
            .messages_of(&community(), std::slice::from_ref(&id))
            .await;
        assert_eq!(some.unwrap().len(), 1);
        assert!(home.store.has_had_message(&community(), &id).await.unwrap());
    }
    let committed = commit(Batch {
        inputs: vec![input(3, 1)],
        changes: vec![deleted("m1"), deleted("new1"), deleted("new2")],
        ..Batch::default()
    })
    .await;
    assert_eq!(committed.places, [None, None, None]);
    let writers = home.store.writers_lately(&community(), &room(), 9).await;
    assert!(writers.unwrap().is_empty(), "those who took everything back");
}

/// A page goes on after the last place that it was told, which may be more than the store had come to keep.
#[tokio::test]
async fn a_place_that_was_told_before_a_kill_is_given_to_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let place_of = async |id: &str, seq| {
        let store = Sqlite::open(folder.path()).unwrap();
        let batch = Batch {
            inputs: vec![input(seq, 1)],
            changes: vec![added(message(id, "hello"))],
            ..Batch::default()
        };
        store.commit(&community(), batch).await.unwrap().places[0].expect("it is new")
    };
    let first = place_of("m1", 1).await;
    assert_eq!(first, 1);
    assert!(place_of("m2", 2).await > first + 1_000);
}
