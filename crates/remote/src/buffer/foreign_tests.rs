use super::*;

fn place() -> Place {
    Place {
        community: CommunityId::new("shared"),
        room: RoomId::new("agents"),
        private: false,
    }
}

fn adopted(raw: &str) -> CapturedTurn {
    match read(raw, &place(), WallTime(5_000)) {
        Entry::Adopted(turn) => turn,
        Entry::Ours(_) => panic!("it was taken for one of ours"),
        Entry::Unreadable => panic!("it was not understood"),
    }
}

#[test]
fn a_turn_of_a_watcher_is_understood() {
    let turn = adopted(
        r#"{"turn": 7, "timestamp": "2026-02-23T15:26:00Z", "role": "user", "content": "I moved to Lyon", "user_id": "rob", "session_id": "s-1"}"#,
    );
    assert_eq!(turn.text, "I moved to Lyon");
    assert_eq!(turn.session.as_str(), "s-1");
    assert_eq!(turn.number, 7);
    assert_eq!(turn.speaker.id.as_str(), "rob");
    assert_eq!(turn.speaker.kind, AuthorKind::Person);
    assert_eq!(rfc3339::format(turn.at), "2026-02-23T15:26:00Z");
    assert_eq!(turn.place, place());
}

#[test]
fn what_an_assistant_said_is_not_put_into_the_mouth_of_its_user() {
    let turn = adopted(r#"{"role": "assistant", "content": "Noted.", "user_id": "rob", "ts": 1771860360}"#);
    assert_eq!(turn.speaker.id.as_str(), "shared:assistant");
    assert_eq!(turn.speaker.kind, AuthorKind::OtherBot);
    assert_eq!(rfc3339::format(turn.at), "2026-02-23T15:26:00Z");
}

#[test]
fn other_spellings_are_understood() {
    let turn = adopted(
        r#"{"sessionId": "s", "speaker": "Alice", "text": [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}], "channelId": 42, "createdAt": 1771860360000, "private": true}"#,
    );
    assert_eq!(turn.text, "a\nb");
    assert_eq!(turn.speaker.name, "Alice");
    assert_eq!(turn.speaker.id.as_str(), "shared:alice");
    assert_eq!(turn.place.room.as_str(), "42");
    assert!(turn.place.private);
    assert_eq!(rfc3339::format(turn.at), "2026-02-23T15:26:00Z");
}

#[test]
fn a_speaker_and_a_place_may_be_objects() {
    let turn = adopted(
        r#"{"speaker": {"id": "p1", "name": "Bob"}, "place": {"community": "c", "room": "r"}, "message": {"content": "hi"}}"#,
    );
    assert_eq!(
        (turn.speaker.id.as_str(), turn.speaker.name.as_str()),
        ("p1", "Bob")
    );
    assert_eq!(
        (turn.place.community.as_str(), turn.place.room.as_str()),
        ("c", "r")
    );
    assert_eq!(turn.text, "hi");
}

#[test]
fn the_same_entry_is_the_same_turn_and_equal_entries_without_id_and_time_are_two() {
    let dated = r#"{"role": "user", "content": "ok", "timestamp": 1771860360}"#;
    assert_eq!(adopted(dated).id, adopted(dated).id);
    let bare = r#"{"role": "user", "content": "ok"}"#;
    assert_ne!(adopted(bare).id, adopted(bare).id);
}

#[test]
fn what_has_no_text_is_unreadable() {
    for raw in [
        "",
        "hello",
        "17",
        "\"text\"",
        "[]",
        "{}",
        r#"{"role": "user"}"#,
        r#"{"content": "  "}"#,
        r#"{"content": 5}"#,
        "{\"content\": \"cut off",
    ] {
        assert!(
            matches!(read(raw, &place(), WallTime(0)), Entry::Unreadable),
            "{raw} was read"
        );
    }
}
