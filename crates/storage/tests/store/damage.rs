//! Bytes that something has changed: what is still good is used, and whoever looks is told.

use mind::Input;
use runtime::ports::{Batch, RecordedInput, Store};

use crate::given::{added, batch_of, community, home, input, message};

#[tokio::test]
async fn a_state_that_is_no_text_any_more_leaves_those_before_it() {
    let home = home();
    for seq in 1..=3 {
        home.commit(Batch {
            inputs: vec![input(seq, 1_000)],
            state: Some((seq, "{}".to_owned())),
            ..Batch::default()
        })
        .await;
    }
    home.look()
        .await
        .execute(
            "UPDATE states SET state = CAST(x'7bff7d' AS TEXT), packed = NULL WHERE input = 3",
            [],
        )
        .unwrap();
    home.look()
        .await
        .execute(
            "UPDATE inputs SET input = CAST(x'7bff7d' AS TEXT), packed = NULL WHERE seq = 2",
            [],
        )
        .unwrap();
    let resume = home.store.resume(&community()).await.unwrap();
    let states: Vec<(u64, &str)> = resume
        .states
        .iter()
        .map(|kept| (kept.input, kept.state.as_str()))
        .collect();
    assert!(states[0].1.starts_with("damaged"), "{states:?}");
    assert_eq!(states[1..], [(2, "{}"), (1, "{}")]);
    let unread: Vec<u64> = resume.unread.iter().map(|unread| unread.seq).collect();
    assert_eq!(unread, [2]);
}

#[tokio::test]
async fn a_long_input_is_packed_and_comes_back_as_it_was_and_a_damaged_one_is_told() {
    let home = home();
    let long = |seq| RecordedInput {
        input: Input::message_arrived(message("m", &"where is box number seven? ".repeat(200))),
        ..input(seq, 1_000)
    };
    home.commit(Batch {
        inputs: vec![long(1), long(2), input(3, 1_000)],
        ..Batch::default()
    })
    .await;
    assert_eq!(
        home.look()
            .await
            .execute(
                "UPDATE inputs SET packed = substr(packed, 1, 40) WHERE octet_length(packed) < 1000 AND seq = 2",
                []
            )
            .unwrap(),
        1
    );
    let resume = home.store.resume(&community()).await.unwrap();
    assert_eq!(resume.inputs, [long(1), input(3, 1_000)]);
    let unread: Vec<u64> = resume.unread.iter().map(|unread| unread.seq).collect();
    assert_eq!(unread, [2]);
}

#[tokio::test]
async fn a_page_of_zeros_is_found_by_looking() {
    let home = home();
    let all = (0..2_000).map(|number| added(message(&format!("m{number}"), "whales and whales")));
    home.commit(batch_of(all)).await;
    assert_eq!(home.store.damage().await.unwrap(), Vec::<String>::new());
    let folder = home.folder;
    drop(home.store);
    let path = folder.path().join("denizen.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let (page, middle) = (4_096, bytes.len() / 4_096 / 2 * 4_096);
    bytes[middle..middle + page].fill(0);
    std::fs::write(&path, bytes).unwrap();
    let store = storage::Sqlite::open(folder.path()).unwrap();
    assert_ne!(store.damage().await.unwrap(), Vec::<String>::new());
}
