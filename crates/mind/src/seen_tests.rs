//! Ids that were seen before.

use std::collections::VecDeque;

use vocabulary::MessageId;

use super::{SEEN_IDS_MAX, SeenIds};

fn id(number: usize) -> MessageId {
    MessageId::new(format!("m{number}"))
}

#[test]
fn an_id_is_new_once_and_the_oldest_are_forgotten() {
    let mut seen = SeenIds::default();
    for number in 0..SEEN_IDS_MAX {
        assert!(seen.insert(&id(number)), "{number}");
    }
    for number in 0..SEEN_IDS_MAX {
        assert!(!seen.insert(&id(number)), "{number}");
    }
    assert!(seen.insert(&id(SEEN_IDS_MAX)));
    assert!(!seen.insert(&id(1)));
    assert!(seen.insert(&id(0)), "the oldest was forgotten");
    assert!(seen.insert(&id(1)), "and then the next");
}

#[test]
fn ids_that_share_a_number_are_told_apart() {
    let mut seen = SeenIds::default();
    assert!(seen.insert(&id(1)));
    // As if both had the number of the first.
    seen.order = VecDeque::from([id(2)]);
    assert!(seen.insert(&id(1)));
    assert!(!seen.insert(&id(1)));
}

#[test]
fn what_is_read_back_knows_what_was_written() {
    let mut seen = SeenIds::default();
    for number in [3, 1, 2] {
        seen.insert(&id(number));
    }
    let written = serde_json::to_string(&seen).unwrap();
    assert_eq!(written, r#"["m3","m1","m2"]"#);
    let mut read: SeenIds = serde_json::from_str(&written).unwrap();
    assert_eq!(read, seen);
    assert!(!read.insert(&id(1)));
    assert!(read.insert(&id(4)));
}
