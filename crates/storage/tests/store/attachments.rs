//! Attachments: bytes that come before their message and go with the last one that has them.

use bytes::Bytes;
use runtime::ports::{MessageChange, Store};
use vocabulary::{Attachment, AttachmentId, Message, MessageId, WallTime};

use crate::given::{Home, added, batch_of, community, count, home, message};

fn with_picture(id: &str, picture: &str) -> Message {
    Message {
        attachments: vec![Attachment {
            id: AttachmentId::new(picture),
            mime: "image/png".to_owned(),
            name: "cat.png".to_owned(),
            bytes: 3,
            description: String::new(),
        }],
        ..message(id, "look")
    }
}

async fn put(home: &Home, id: &str, bytes: &'static [u8]) {
    home.store
        .put_attachment(
            &community(),
            &AttachmentId::new(id),
            "image/png",
            Bytes::from_static(bytes),
        )
        .await
        .unwrap();
}

async fn bytes_of(home: &Home, id: &str) -> Option<(String, Bytes)> {
    home.store
        .attachment(&community(), &AttachmentId::new(id))
        .await
        .unwrap()
}

async fn take_back(home: &Home, id: &str) {
    home.commit(batch_of([MessageChange::Deleted {
        id: MessageId::new(id),
        at: WallTime(5),
    }]))
    .await;
}

#[tokio::test]
async fn an_attachment_comes_back_and_is_not_overwritten() {
    let home = home();
    put(&home, "a1", b"\x00\xffcat").await;
    put(&home, "a1", b"other").await;
    assert_eq!(
        bytes_of(&home, "a1").await,
        Some(("image/png".to_owned(), Bytes::from_static(b"\x00\xffcat")))
    );
    assert_eq!(bytes_of(&home, "a2").await, None);
}

#[tokio::test]
async fn bytes_go_when_the_last_message_that_has_them_is_taken_back() {
    let home = home();
    put(&home, "a1", b"cat").await;
    home.commit(batch_of([
        added(with_picture("m1", "a1")),
        added(with_picture("m2", "a1")),
    ]))
    .await;
    take_back(&home, "m1").await;
    assert!(bytes_of(&home, "a1").await.is_some());
    take_back(&home, "m2").await;
    assert!(bytes_of(&home, "a1").await.is_none());
    assert_eq!(
        count(
            &home.look().await,
            "SELECT count(*) FROM messages WHERE attachments <> '[]'"
        ),
        0
    );
}
