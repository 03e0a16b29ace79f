//! Reactions: kept once per person and emoji, and gone with the message, its room or the person.

use runtime::ports::{Batch, MessageChange, MessageQuery, Reaction, Store};
use settings::Settings;
use vocabulary::{Forget, MessageId, PersonId, RoomId, Span, WallTime};

use crate::forgetting::{forgetting, person, said};
use crate::given::{
    DAY_MS, Home, added, assert_sound, batch_of, community, count, home, input, message, room,
};

pub fn reacted(message: &str, person: &str, emoji: &str, at: i64) -> MessageChange {
    MessageChange::Reacted {
        message: MessageId::new(message),
        person: PersonId::new(person),
        emoji: emoji.to_owned(),
        added: true,
        at: WallTime(at),
    }
}

fn taken_back(message: &str, person: &str, emoji: &str) -> MessageChange {
    MessageChange::Reacted {
        message: MessageId::new(message),
        person: PersonId::new(person),
        emoji: emoji.to_owned(),
        added: false,
        at: WallTime(9_000),
    }
}

fn reaction(emoji: &str, people: &[&str]) -> Reaction {
    Reaction {
        emoji: emoji.to_owned(),
        people: people.iter().map(|person| PersonId::new(*person)).collect(),
    }
}

async fn under(home: &Home, id: &str) -> Vec<Reaction> {
    let stored = home
        .store
        .message(&community(), &MessageId::new(id))
        .await
        .unwrap();
    stored.unwrap().reactions
}

async fn rows(home: &Home) -> i64 {
    count(&home.look().await, "SELECT count(*) FROM reactions")
}

#[tokio::test]
async fn reactions_stand_under_their_message_in_the_order_they_came() {
    let home = home();
    home.add("m1", "look").await;
    home.add("m2", "nothing here").await;
    home.commit(batch_of([
        reacted("m1", "bob", "👍", 10),
        reacted("m1", "carol", "🎉", 20),
        reacted("m1", "alice", "👍", 30),
        reacted("m1", "bob", "👍", 40),
        reacted("unknown", "bob", "👍", 50),
    ]))
    .await;
    let expected = [reaction("👍", &["bob", "alice"]), reaction("🎉", &["carol"])];
    assert_eq!(under(&home, "m1").await, expected);
    let query = MessageQuery {
        room: room(),
        before: None,
        after: None,
        limit: 10,
    };
    let page = home.store.messages(&community(), query).await.unwrap().messages;
    assert_eq!(page[0].reactions, expected);
    assert_eq!(page[1].reactions, []);
    let json = serde_json::to_value(&page).unwrap();
    assert_eq!(
        json[0]["reactions"][0],
        serde_json::json!({"emoji": "👍", "people": ["bob", "alice"]})
    );
    assert!(json[1].get("reactions").is_none(), "{json}");
    assert_sound(&home.look().await);
}

#[tokio::test]
async fn a_reaction_is_taken_back_by_its_person_alone() {
    let home = home();
    home.add("m1", "look").await;
    home.commit(batch_of([
        reacted("m1", "bob", "👍", 10),
        reacted("m1", "bob", "🎉", 20),
        reacted("m1", "carol", "👍", 30),
    ]))
    .await;
    home.commit(batch_of([
        taken_back("m1", "bob", "👍"),
        taken_back("m1", "bob", "👍"),
        taken_back("m1", "carol", "🎉"),
    ]))
    .await;
    assert_eq!(
        under(&home, "m1").await,
        [reaction("🎉", &["bob"]), reaction("👍", &["carol"])]
    );
}

#[tokio::test]
async fn a_reaction_is_stored_with_its_input_or_not_at_all() {
    let home = home();
    home.add("m1", "look").await;
    home.commit(Batch {
        inputs: vec![input(1, 1)],
        changes: vec![reacted("m1", "bob", "👍", 10)],
        ..Batch::default()
    })
    .await;
    let gap = Batch {
        inputs: vec![input(3, 1)],
        changes: vec![reacted("m1", "carol", "👍", 10)],
        ..Batch::default()
    };
    home.store.commit(&community(), gap).await.unwrap_err();
    assert_eq!(under(&home, "m1").await, [reaction("👍", &["bob"])]);
}

#[tokio::test]
async fn a_message_that_is_taken_back_loses_its_reactions_and_gets_no_more() {
    let home = home();
    home.add("m1", "look").await;
    home.commit(batch_of([reacted("m1", "bob", "👍", 10)])).await;
    home.commit(batch_of([
        MessageChange::Deleted {
            id: MessageId::new("m1"),
            at: WallTime(20),
        },
        reacted("m1", "carol", "👍", 30),
    ]))
    .await;
    assert_eq!(rows(&home).await, 0);
    assert_sound(&home.look().await);
}

#[tokio::test]
async fn old_messages_are_swept_with_their_reactions() {
    let home = home();
    home.add("m1", "look").await;
    home.commit(batch_of([reacted("m1", "bob", "👍", 10)])).await;
    let mut keep = Settings::default().storage;
    keep.keep_messages_days = 1;
    home.store
        .sweep(&[(community(), keep)], WallTime(9 * DAY_MS), Span::ZERO)
        .await
        .unwrap();
    assert_eq!(rows(&home).await, 0);
    assert_sound(&home.look().await);
}

#[tokio::test]
async fn a_forgotten_person_takes_their_reactions_along_and_leaves_others() {
    let home = home();
    home.commit(batch_of([
        added(said("m1", "alice", "lobby", "hers")),
        added(said("m2", "bob", "lobby", "his")),
    ]))
    .await;
    home.commit(batch_of([
        reacted("m1", "bob", "👍", 10),
        reacted("m2", "alice", "👍", 20),
        reacted("m2", "carol", "👍", 30),
    ]))
    .await;
    let elsewhere = forgetting(person("alice", Some("elsewhere")));
    home.store.forget(&community(), elsewhere).await.unwrap();
    assert_eq!(rows(&home).await, 3);
    let alice = forgetting(person("alice", None));
    home.store.forget(&community(), alice).await.unwrap();
    assert_eq!(under(&home, "m2").await, [reaction("👍", &["carol"])]);
    assert_eq!(rows(&home).await, 1, "what was under her message went with it");
}

#[tokio::test]
async fn a_forgotten_room_has_no_reactions_left() {
    let home = home();
    let mut elsewhere = message("m2", "there");
    elsewhere.room = RoomId::new("attic");
    home.commit(batch_of([added(message("m1", "here")), added(elsewhere)]))
        .await;
    home.commit(batch_of([
        reacted("m1", "bob", "👍", 10),
        reacted("m2", "bob", "👍", 10),
    ]))
    .await;
    let lobby = forgetting(Forget::Room {
        community: community(),
        room: room(),
    });
    home.store.forget(&community(), lobby).await.unwrap();
    assert_eq!(rows(&home).await, 1);
    assert_eq!(under(&home, "m2").await, [reaction("👍", &["bob"])]);
}
