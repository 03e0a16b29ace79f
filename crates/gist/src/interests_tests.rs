//! Topics as rooms bring them up.

use proptest::prelude::*;
use vocabulary::{Author, MessageId, RoomId, WallTime};

use super::*;

fn message(at: i64, name: &str, text: &str) -> Message {
    Message {
        id: MessageId::new(format!("{at:05}")),
        room: RoomId::new("lounge"),
        author: Author {
            id: PersonId::new(format!("local:{name}")),
            name: name.to_owned(),
            kind: if name == "Denizen" {
                AuthorKind::Denizen
            } else {
                AuthorKind::Person
            },
        },
        text: text.to_owned(),
        at: WallTime(at * 1_000),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

fn room(lines: &[(&str, &str)]) -> Vec<Message> {
    let lines = lines.iter().enumerate();
    lines
        .map(|(at, (name, text))| message(at as i64, name, text))
        .collect()
}

fn topics(lines: &[(&str, &str)]) -> Vec<String> {
    let messages = room(lines);
    let messages: Vec<&Message> = messages.iter().collect();
    interests(&messages, 8)
        .into_iter()
        .map(|interest| interest.word)
        .collect()
}

#[test]
fn what_keeps_coming_back_is_a_topic() {
    let messages = room(&[
        ("Alice", "I finally beat the second boss in Elden Ring"),
        ("Bob", "which boss? I was stuck in Elden Ring for a week"),
        (
            "Alice",
            "the one with the horse. Bosses with horses are the worst",
        ),
        ("Bob", "did you see the weather?"),
        ("Carol", "my sourdough came out great"),
        ("Bob", "sourdough is so much work, Carol"),
    ]);
    let messages: Vec<&Message> = messages.iter().collect();
    let found = interests(&messages, 8);
    let told: Vec<(&str, usize, usize)> = found
        .iter()
        .map(|interest| (interest.word.as_str(), interest.messages, interest.people))
        .collect();
    assert_eq!(told, [("elden ring", 2, 2), ("sourdough", 2, 2), ("boss", 3, 2)]);
}

#[test]
fn one_message_makes_no_topic_and_neither_does_saying_it_again() {
    assert!(topics(&[("Alice", "sourdough sourdough sourdough")]).is_empty());
    assert!(topics(&[("Alice", "buy sourdough!"), ("Alice", "buy sourdough!")]).is_empty());
    assert!(topics(&[]).is_empty());
}

#[test]
fn several_people_outweigh_one_who_goes_on() {
    let found = topics(&[
        ("Bob", "kayaks are on my mind"),
        ("Bob", "kayaks again, a red one"),
        ("Bob", "still kayaks"),
        ("Alice", "the telescope arrived"),
        ("Carol", "show us the telescope"),
        ("Bob", "kayaks are better"),
    ]);
    assert_eq!(found, ["telescope", "kayaks"]);
}

#[test]
fn names_bots_and_everyday_words_are_no_topics() {
    let mut messages = room(&[
        ("Alice", "Bob, are you going to play tonight? Denizen, tell him"),
        ("Bob", "yes Alice I am going to play, thanks"),
        ("Alice", "good, Bob. Denizen said we should play something good"),
        ("Denizen", "I like synthesizers"),
        ("Denizen", "synthesizers are great"),
        ("Feeds", "deployment finished"),
        ("Feeds", "deployment failed"),
    ]);
    for message in &mut messages[5..] {
        message.author.kind = AuthorKind::OtherBot;
    }
    let messages: Vec<&Message> = messages.iter().collect();
    assert_eq!(interests(&messages, 8), []);
}

#[test]
fn of_links_the_site_counts_and_of_code_nothing() {
    let found = topics(&[
        ("Alice", "https://www.youtube.com/watch?v=1"),
        ("Bob", "https://youtu.be/2 and https://news.bbc.co.uk/x"),
        ("Alice", "https://bbc.co.uk/y"),
        ("Bob", "```rust\nlet widget = frobnicate(widget);\n```"),
        ("Alice", "```rust\nlet widget = frobnicate(widget);\n``` same"),
        ("Bob", "http://127.0.0.1:8080/ http://localhost/"),
        (
            "Alice",
            "http://127.0.0.1:8080/ http://localhost/ <:pogger:123456> 42",
        ),
        ("Bob", "<:pogger:123456> 42"),
    ]);
    assert_eq!(found, ["bbc", "youtube"]);
}

#[test]
fn the_order_in_which_messages_come_does_not_matter() {
    let messages = room(&[
        ("Alice", "the telescope arrived"),
        ("Bob", "kayaks are on my mind"),
        ("Carol", "telescope pictures please"),
        ("Alice", "I want kayaks too"),
    ]);
    let forwards: Vec<&Message> = messages.iter().collect();
    let backwards: Vec<&Message> = messages.iter().rev().collect();
    assert_eq!(interests(&forwards, 8), interests(&backwards, 8));
    assert_eq!(interests(&forwards, 8)[0].word, "kayaks");
}

proptest! {
    #[test]
    fn there_are_never_more_topics_than_wanted(texts in prop::collection::vec("\\PC{0,60}", 0..12), limit in 0_usize..5) {
        let messages: Vec<Message> = texts.iter().enumerate()
            .map(|(at, text)| message(at as i64, if at % 2 == 0 { "Alice" } else { "Bob" }, text))
            .collect();
        let messages: Vec<&Message> = messages.iter().collect();
        let found = interests(&messages, limit);
        prop_assert!(found.len() <= limit);
        prop_assert!(found.iter().all(|topic| topic.messages >= 2 && topic.people >= 1 && !topic.word.is_empty()));
        prop_assert_eq!(&found, &interests(&messages, limit));
    }
}
