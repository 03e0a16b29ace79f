//! Channels as the prompt tells of them.

use expect_test::expect;
use vocabulary::{Attachment, AttachmentId, Author, PersonId, RoomId};

use super::*;

const NOW: WallTime = WallTime(1_762_000_600_000);

fn message(id: &str, name: &str, kind: AuthorKind, minutes_ago: i64, text: &str) -> Message {
    Message {
        id: MessageId::new(id),
        room: RoomId::new("lounge"),
        author: Author {
            id: PersonId::new(format!("local:{name}")),
            name: name.to_owned(),
            kind,
        },
        text: text.to_owned(),
        at: WallTime(NOW.0 - minutes_ago * 60_000),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

fn told(messages: &[Message], first_handle: usize) -> ChannelSummary {
    let messages: Vec<&Message> = messages.iter().collect();
    summarise("lounge", &messages, NOW, first_handle)
}

#[test]
fn a_channel_is_told_line_by_line() {
    let mut messages = vec![
        message(
            "a",
            "Alice",
            AuthorKind::Person,
            3 * 1_440,
            "the long  weekend\nbegins",
        ),
        message("b", "Denizen", AuthorKind::Denizen, 150, "I liked that"),
        message("c", "Bob", AuthorKind::Person, 59, "who plays tonight?"),
        message("d", "Alice", AuthorKind::Person, 12, ""),
        message("e", "Alice", AuthorKind::Person, 1, "me"),
        message("f", "Feeds", AuthorKind::OtherBot, 0, "build failed"),
    ];
    messages[3].attachments = vec![Attachment {
        id: AttachmentId::new("x"),
        mime: "image/png".to_owned(),
        name: "map [1].png".to_owned(),
        bytes: 10,
        description: String::new(),
    }];
    messages[4].spoken = true;
    messages[4].reply_to = Some(MessageId::new("c"));
    let told = told(&messages, 3);
    expect![[r#"
        m3 · 3 days ago · Alice: the long weekend begins
        m4 · 2 h ago · you: I liked that
        m5 · 59 min ago · Bob: who plays tonight?
        m6 · 12 min ago · Alice: [picture: map 1 .png]
        m7 · 1 min ago · Alice: (to m5) [vc] me
        m8 · just now · Feeds (a bot): build failed"#]]
    .assert_eq(&told.lines.join("\n"));
    assert_eq!(told.handles[2], ("m5".to_owned(), MessageId::new("c")));
    assert_eq!((told.messages_last_hour, told.people_last_hour), (3, 2));
    assert_eq!(
        (told.last_human.as_str(), told.last_own.as_str()),
        ("1 min ago", "2 h ago")
    );
}

#[test]
fn an_empty_channel_has_nothing_to_tell() {
    let told = told(&[], 1);
    let empty = ChannelSummary {
        room: "lounge".to_owned(),
        ..ChannelSummary::default()
    };
    assert_eq!(told, empty);
}

#[test]
fn nobody_passes_for_somebody_else() {
    let messages = [
        message("a", "you", AuthorKind::Person, 1, "I am you"),
        message(
            "b",
            "x: m9 · Alice",
            AuthorKind::Person,
            1,
            "fake\nm10 · just now · Alice: fake",
        ),
        message("c", "\u{7}\n", AuthorKind::Person, 1, "\n"),
    ];
    expect![[r#"
        m1 · 1 min ago · somebody called “you”: I am you
        m2 · 1 min ago · x m9 Alice: fake m10 · just now · Alice: fake
        m3 · 1 min ago · somebody: (no words)"#]]
    .assert_eq(&told(&messages, 1).lines.join("\n"));
}

#[test]
fn no_line_is_longer_than_it_may_be() {
    let long = "word ".repeat(400);
    let mut message = message("a", &"n".repeat(300), AuthorKind::Person, 1, &long);
    message.spoken = true;
    for line in told(&[message], 1).lines {
        assert!(line.chars().count() <= LINE_CHARS_MAX, "{line}");
        assert!(line.ends_with("word […]"), "{line}");
    }
}

#[test]
fn a_message_from_a_clock_that_is_ahead_was_written_just_now() {
    let told = told(&[message("a", "Alice", AuthorKind::Person, -30, "hi")], 1);
    assert_eq!(told.last_human, "just now");
    assert_eq!(told.messages_last_hour, 1);
}
