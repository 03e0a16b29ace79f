//! What Denizen says in a local room.

use mind::Delivery;
use runtime::ports::Rooms;
use serde_json::json;
use vocabulary::{AuthorKind, MessageId, PersonId, RoomId};
use web::LocalRoom;

fn delivery(room: &str) -> Delivery {
    serde_json::from_value(json!({
        "id": "d:2:1", "room": room, "turn": 2, "ask": 2, "text": "Hi, @Alice!", "replyTo": "alice-001",
        "mayNotify": ["local:alice"],
        "attachments": [{"id": "local-media-1", "mime": "video/mp4", "name": "light.mp4", "bytes": 9}]
    }))
    .unwrap()
}

#[tokio::test]
async fn a_delivery_becomes_the_same_message_however_often() {
    let room = LocalRoom::new(
        PersonId::from("denizen"),
        vec![RoomId::from("lounge")],
        std::sync::Arc::new(|| "Robin".to_owned()),
    );
    let first = room.deliver(&delivery("lounge")).await.unwrap();
    let again = room.deliver(&delivery("lounge")).await.unwrap();
    assert_eq!((&first.id, &again.id), (&MessageId::from("d:2:1"), &first.id));
    assert_eq!(
        (first.author.name.as_str(), first.author.kind),
        ("Robin", AuthorKind::Denizen)
    );
    assert_eq!(first.text, "Hi, @Alice!");
    assert_eq!(first.reply_to, Some(MessageId::from("alice-001")));
    assert_eq!(first.mentions, [PersonId::from("local:alice")]);
    assert_eq!(first.attachments.len(), 1);
    assert_eq!(first.attachments[0].mime, "video/mp4");
}

#[tokio::test]
async fn a_room_that_is_not_here_is_a_failure_for_good() {
    let room = LocalRoom::new(
        PersonId::from("denizen"),
        vec![RoomId::from("lounge")],
        std::sync::Arc::new(String::new),
    );
    let failure = room.deliver(&delivery("attic")).await.unwrap_err();
    assert!(
        !failure.retryable && failure.detail.contains("attic"),
        "{failure}"
    );
}

#[tokio::test]
async fn it_tells_of_its_rooms_and_that_nobody_is_in_any_other() {
    let room = LocalRoom::new(
        PersonId::from("denizen"),
        vec![RoomId::from("lounge")],
        std::sync::Arc::new(String::new),
    );
    let described: Vec<RoomId> = room.describe().await.into_iter().map(|facts| facts.id).collect();
    assert_eq!(described, [RoomId::from("lounge")]);
    let alice = PersonId::from("local:alice");
    assert!(room.is_present(&RoomId::from("lounge"), &alice));
    assert!(!room.is_present(&RoomId::from("attic"), &alice));
}
