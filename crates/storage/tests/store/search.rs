//! Searching a room by what people wrote.

use runtime::ports::{Batch, MessageChange, Store};
use vocabulary::{Message, MessageId, RoomId, WallTime};

use crate::given::{Home, added, batch_of, community, home, message, room};

async fn search(home: &Home, words: &str, limit: usize) -> Vec<String> {
    ids(home
        .store
        .search(&community(), &room(), words, &[], limit)
        .await
        .unwrap())
}

fn ids(found: Vec<Message>) -> Vec<String> {
    found.iter().map(|message| message.id.to_string()).collect()
}

async fn home_with(texts: &[(&str, &str)]) -> Home {
    let home = home();
    home.commit(batch_of(texts.iter().map(|(id, text)| added(message(id, text)))))
        .await;
    home
}

#[tokio::test]
async fn messages_that_share_more_and_rarer_words_come_first() {
    let home = home_with(&[
        ("m1", "The boat leaves at noon"),
        ("m2", "My boat has a red sail, and the lighthouse is near"),
        ("m3", "A boat, a boat"),
        ("m4", "Nothing of the kind"),
    ])
    .await;
    assert_eq!(
        search(&home, "What about the boat and the LIGHTHOUSE?", 10).await[0],
        "m2"
    );
    assert_eq!(search(&home, "boat", 10).await, ["m3", "m1", "m2"]);
    assert_eq!(search(&home, "boat", 1).await, ["m3"]);
    assert!(search(&home, "boat", 0).await.is_empty());
}

#[tokio::test]
async fn a_sign_of_denizens_stays_one_and_is_not_found() {
    let sign = Message {
        sign: true,
        ..message("m1", "I am in the voice of this boat")
    };
    let home = home();
    home.commit(batch_of([added(sign.clone()), added(message("m2", "A boat"))]))
        .await;
    assert_eq!(search(&home, "boat", 10).await, ["m2"]);
    let stored = home.store.message(&community(), &sign.id).await.unwrap();
    assert!(stored.is_some_and(|stored| stored.message.sign));
}

#[tokio::test]
async fn of_equal_messages_the_newer_comes_first() {
    let home = home_with(&[("m1", "a red kite"), ("m2", "a red kite"), ("m3", "a red kite")]).await;
    assert_eq!(search(&home, "kite", 2).await, ["m3", "m2"]);
}

#[tokio::test]
async fn accents_and_letter_case_do_not_matter() {
    let home = home_with(&[("m1", "Meet me at the CAFÉ"), ("m2", "Straße nach Norden")]).await;
    assert_eq!(search(&home, "cafe", 5).await, ["m1"]);
    assert_eq!(search(&home, "Café", 5).await, ["m1"]);
    assert_eq!(search(&home, "straße", 5).await, ["m2"]);
}

#[tokio::test]
async fn a_room_never_finds_what_was_said_in_another() {
    let home = home_with(&[("m1", "the secret harbour")]).await;
    let mut elsewhere = message("m2", "another secret");
    elsewhere.room = RoomId::new("r1");
    home.commit(batch_of([added(elsewhere)])).await;
    assert_eq!(search(&home, "secret", 5).await, ["m1"]);
    let found = home
        .store
        .search(&community(), &RoomId::new("r1"), "secret", &[], 5)
        .await
        .unwrap();
    assert_eq!(ids(found), ["m2"]);
    assert!(
        home.store
            .search(&community(), &RoomId::new("r9"), "secret", &[], 5)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn those_in_the_prompt_anyway_are_left_out() {
    let home = home_with(&[("m1", "kite one"), ("m2", "kite two"), ("m3", "kite three")]).await;
    let exclude = [MessageId::new("m3"), MessageId::new("m1")];
    let found = home
        .store
        .search(&community(), &room(), "kite", &exclude, 1)
        .await
        .unwrap();
    assert_eq!(ids(found), ["m2"]);
}

#[tokio::test]
async fn edits_and_deletions_are_followed() {
    let home = home_with(&[("m1", "an albatross"), ("m2", "an albatross too")]).await;
    home.commit(batch_of([
        MessageChange::Edited {
            id: MessageId::new("m1"),
            text: "a pelican".to_owned(),
            at: WallTime(5),
        },
        MessageChange::Deleted {
            id: MessageId::new("m2"),
            at: WallTime(5),
        },
    ]))
    .await;
    assert!(search(&home, "albatross", 5).await.is_empty());
    assert_eq!(search(&home, "pelican", 5).await, ["m1"]);
}

#[tokio::test]
async fn nothing_people_write_is_a_syntax_error() {
    let home = home_with(&[("m1", "near the harbour there is a note")]).await;
    let megabyte = "Lorem ipsum \"dolor\" NEAR(sit amet) ".repeat(30_000);
    let one_word = "x".repeat(1 << 20);
    for words in [
        "",
        " ",
        "\"",
        "\"\"\"",
        "'",
        "NEAR",
        "NEAR(a b, 2)",
        "a NEAR b",
        "AND",
        "OR OR",
        "NOT harbour",
        "*",
        "har*",
        "^har",
        "text : harbour",
        "room:r1",
        "- + ( ) { } [ ]",
        "harbour\"",
        "har\0bour",
        "🎉",
        "👩‍👩‍👧 harbour 🎉",
        "\u{301}",
        "İstanbul ŞİŞLİ",
        "क्षत्रिय",
        "猫",
        "ﬁne",
        "%s ?1 :a @b $c",
        "; DROP TABLE messages; --",
        &megabyte,
        &one_word,
        "\u{10FFFF}\u{E000}\u{378}a",
        "𞤀𞤁",
        "\u{1E030}ab",
    ] {
        let found = home.store.search(&community(), &room(), words, &[], 5).await;
        assert!(found.is_ok(), "{:?}: {found:?}", &words[..words.len().min(60)]);
    }
    assert_eq!(search(&home, "NOT \"harbour* AND", 5).await, ["m1"]);
}

#[tokio::test]
async fn a_rare_word_is_found_among_many_messages_that_share_common_ones() {
    let home = home();
    for block in 0..6 {
        let changes = (0..500).map(|number| {
            let place = block * 500 + number;
            let text = if place == 3 {
                "common words about a zeppelin"
            } else {
                "common words about anything"
            };
            added(message(&format!("m{place}"), text))
        });
        home.commit(Batch {
            changes: changes.collect(),
            ..Batch::default()
        })
        .await;
    }
    // The common words are in everything and tell nothing; the rare one reaches back to the beginning.
    assert_eq!(search(&home, "common words about a zeppelin", 3).await, ["m3"]);
    // Where there is nothing but a common word, the newest messages with it are as good as any.
    assert_eq!(search(&home, "common", 2).await, ["m2999", "m2998"]);
}
