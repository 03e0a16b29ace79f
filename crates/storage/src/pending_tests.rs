use runtime::ports::{Batch, MessageChange};
use vocabulary::{Author, AuthorKind, CommunityId, Message, MessageId, PersonId, RoomId, WallTime};

use super::Pending;

fn batch(changes: Vec<MessageChange>) -> Batch {
    Batch {
        changes,
        ..Batch::default()
    }
}

fn said(id: &str, room: &str) -> MessageChange {
    let message = Message {
        id: MessageId::new(id),
        room: RoomId::new(room),
        author: Author {
            id: PersonId::new("alice"),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text: "words".to_owned(),
        at: WallTime(1),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    };
    MessageChange::Added {
        message,
        turn: None,
        ask: None,
    }
}

#[test]
fn what_waits_is_known_by_message_and_room_until_it_is_written() {
    let pending = Pending::default();
    let (here, elsewhere) = (CommunityId::new("here"), CommunityId::new("elsewhere"));
    let (m1, m2) = (MessageId::new("m1"), MessageId::new("m2"));
    let (lobby, attic) = (RoomId::new("lobby"), RoomId::new("attic"));
    let waits = pending.note(&here, &batch(vec![said("m1", "lobby")]));
    assert!(pending.has_message(&here, &m1) && pending.adds_message(&here, &m1));
    assert!(!pending.has_message(&elsewhere, &m1) && !pending.has_message(&here, &m2));
    assert!(pending.has_room(&here, &lobby, &[]) && !pending.has_room(&here, &attic, &[]));
    assert!(!pending.has_room(&here, &lobby, std::slice::from_ref(&m1)));
    assert!(!pending.has_captures());
    drop(waits);
    assert!(!pending.has_messages(&here));
}

#[test]
fn a_change_of_a_message_may_be_in_any_room() {
    let pending = Pending::default();
    let here = CommunityId::new("here");
    let id = MessageId::new("m1");
    let deleted = MessageChange::Deleted {
        id: id.clone(),
        at: WallTime(1),
    };
    let _waits = pending.note(&here, &batch(vec![deleted]));
    assert!(pending.has_room(&here, &RoomId::new("attic"), &[]));
    assert!(pending.has_message(&here, &id) && !pending.adds_message(&here, &id));
    assert!(pending.has_captures(), "its turn goes with it");
}
