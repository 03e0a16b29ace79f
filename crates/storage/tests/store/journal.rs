//! The journal: kept byte for byte, found by what it is about.

use mind::{JournalEntry, JournalEvent, Scope};
use runtime::ports::{Batch, JournalQuery, MessageChange, Store};
use vocabulary::{AskFailureKind, AskId, AskPurpose, JournalSeq, MessageId, PersonId, RoomId, Span, TurnId};

use crate::given::{Home, batch_of, community, damage_line, entry, home, message, room};

async fn write(home: &Home, journal: Vec<JournalEntry>) {
    home.commit(Batch {
        journal,
        ..Batch::default()
    })
    .await;
}

async fn found(home: &Home, query: JournalQuery) -> Vec<u64> {
    let lines = home.store.journal(&community(), query).await.unwrap();
    lines.iter().map(|line| line.seq.0).collect()
}

async fn why(home: &Home, id: &str) -> Vec<u64> {
    let lines = home.store.why(&community(), &MessageId::new(id)).await.unwrap();
    lines.iter().map(|line| line.seq.0).collect()
}

fn about(ids: &[&str]) -> Scope {
    let ids: Vec<MessageId> = ids.iter().map(|id| MessageId::new(*id)).collect();
    Scope::room(&room()).about_all(&ids)
}

#[tokio::test]
async fn every_line_comes_back_byte_for_byte() {
    let home = home();
    let mut events = vec![
        JournalEvent::MessageReceived {
            author: PersonId::new("p\"1"),
            author_name: "Zoë \u{1F389} \\ \u{7f} \u{2028}\n".to_owned(),
            characters: usize::MAX,
            images: 0,
        },
        JournalEvent::AskCompleted {
            ask: AskId(u64::MAX),
            purpose: AskPurpose::AddressClassifier,
            provider: String::new(),
            model: "m".to_owned(),
            took: Span(1),
            first_text: None,
            input_tokens: 0,
            cached_tokens: None,
            output_tokens: 1,
            cost_micro_dollars: Some(7),
            cut_at: None,
        },
        JournalEvent::AskFailed {
            ask: AskId(2),
            purpose: AskPurpose::TextReply,
            kind: AskFailureKind::ContextTooLong,
            detail: "too long".to_owned(),
            retry_in: Some(Span(3)),
            input_tokens: None,
            output_tokens: None,
            cost_micro_dollars: None,
        },
        JournalEvent::TurnOpened {
            author: PersonId::new("p"),
            trigger_message_ids: vec![MessageId::new("a"), MessageId::new("b")],
            forced: true,
            waited: Span(9),
        },
        JournalEvent::SettingsChanged {
            version: 3,
            changed: Vec::new(),
        },
    ];
    // Fractions with many digits are where a careless reader is off by one bit.
    let mut bits = 0x3FE5_5555_5555_5555_u64;
    for _ in 0..2_000 {
        bits = bits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let fraction = (bits >> 11) as f64 / (1_u64 << 53) as f64;
        events.push(JournalEvent::AddressClassified {
            confidence: fraction,
            threshold: fraction * 1e-7,
            addressed: false,
        });
    }
    let scopes = [
        Scope::default(),
        about(&["m1", "m2"]),
        Scope::room(&room()).turn(TurnId(5)).because(Some(JournalSeq(1))),
    ];
    let written: Vec<JournalEntry> = (1_u64..)
        .zip(events)
        .map(|(seq, event)| JournalEntry {
            event,
            ..entry(seq, scopes[seq as usize % scopes.len()].clone())
        })
        .collect();
    let lines: Vec<String> = written
        .iter()
        .map(|entry| serde_json::to_string(entry).unwrap())
        .collect();
    write(&home, written.clone()).await;
    let query = JournalQuery {
        limit: 10_000,
        ..JournalQuery::default()
    };
    let read = home.store.journal(&community(), query).await.unwrap();
    assert_eq!(read, written);
    let again: Vec<String> = read
        .iter()
        .map(|entry| serde_json::to_string(entry).unwrap())
        .collect();
    assert_eq!(again, lines);
}

#[tokio::test]
async fn lines_are_found_by_number_room_and_name() {
    let home = home();
    let (attic, lobby) = (RoomId::new("attic"), room());
    let mut lines: Vec<JournalEntry> = (1..=6)
        .map(|seq| entry(seq, Scope::room(if seq % 2 == 0 { &attic } else { &lobby })))
        .collect();
    lines[3].event = JournalEvent::AskDiscarded { ask: AskId(1) };
    write(&home, lines).await;
    let all = JournalQuery {
        limit: 10,
        ..JournalQuery::default()
    };
    assert_eq!(
        found(
            &home,
            JournalQuery {
                after: JournalSeq(4),
                ..all.clone()
            }
        )
        .await,
        [5, 6]
    );
    assert_eq!(
        found(
            &home,
            JournalQuery {
                limit: 2,
                ..all.clone()
            }
        )
        .await,
        [1, 2]
    );
    assert_eq!(
        found(
            &home,
            JournalQuery {
                limit: 2,
                newest: true,
                ..all.clone()
            }
        )
        .await,
        [5, 6]
    );
    let in_attic = JournalQuery {
        room: Some(attic),
        ..all.clone()
    };
    assert_eq!(found(&home, in_attic.clone()).await, [2, 4, 6]);
    let dice = Some("dice_rolled".to_owned());
    assert_eq!(
        found(
            &home,
            JournalQuery {
                name: dice.clone(),
                ..all.clone()
            }
        )
        .await,
        [1, 2, 3, 5, 6]
    );
    assert_eq!(
        found(
            &home,
            JournalQuery {
                name: dice,
                newest: true,
                limit: 1,
                ..in_attic
            }
        )
        .await,
        [6]
    );
    let other = vocabulary::CommunityId::new("other");
    assert!(home.store.journal(&other, all).await.unwrap().is_empty());
}

#[tokio::test]
async fn why_gives_the_lines_about_a_message_and_those_of_its_turns() {
    let home = home();
    write(
        &home,
        vec![
            entry(1, about(&["m1"])),
            entry(2, about(&["m2"])),
            entry(3, about(&["m1", "m3"]).turn(TurnId(1))),
            entry(4, Scope::room(&room()).turn(TurnId(1))),
            entry(5, Scope::room(&room()).turn(TurnId(2))),
            entry(6, about(&["m2"]).turn(TurnId(2))),
            entry(7, Scope::default()),
        ],
    )
    .await;
    assert_eq!(why(&home, "m1").await, [1, 3, 4]);
    assert_eq!(why(&home, "m2").await, [2, 5, 6]);
    assert_eq!(why(&home, "m3").await, [3, 4]);
    assert!(why(&home, "m4").await.is_empty());
}

#[tokio::test]
async fn why_explains_what_denizen_sent_by_the_turn_it_came_from() {
    let home = home();
    write(
        &home,
        vec![
            entry(1, about(&["m1"]).turn(TurnId(8))),
            entry(2, Scope::default().turn(TurnId(8))),
        ],
    )
    .await;
    home.commit(batch_of([MessageChange::Added {
        message: message("reply", "Hello!"),
        turn: Some(TurnId(8)),
        ask: None,
    }]))
    .await;
    assert_eq!(why(&home, "reply").await, [1, 2]);
}

#[tokio::test]
async fn why_has_an_end() {
    let home = home();
    write(&home, (1..=600).map(|seq| entry(seq, about(&["m1"]))).collect()).await;
    assert_eq!(why(&home, "m1").await.len(), 500);
}

#[tokio::test]
async fn a_line_that_nobody_knows_any_more_does_not_hide_the_others() {
    let home = home();
    write(
        &home,
        vec![entry(1, Scope::default()), entry(2, Scope::default())],
    )
    .await;
    home.look()
        .await
        .execute(
            "UPDATE journal SET line = '{\"name\":\"bones_thrown\"}', packed = NULL WHERE seq = 1",
            [],
        )
        .unwrap();
    let all = JournalQuery {
        limit: 10,
        ..JournalQuery::default()
    };
    assert_eq!(found(&home, all).await, [2]);
}

#[tokio::test]
async fn a_line_that_cannot_be_unpacked_does_not_hide_the_others() {
    let home = home();
    write(&home, (1..=3).map(|seq| entry(seq, about(&["m1"]))).collect()).await;
    damage_line(&home.look().await, 2);
    let all = JournalQuery {
        limit: 10,
        ..JournalQuery::default()
    };
    let in_room = JournalQuery {
        room: Some(room()),
        ..all.clone()
    };
    assert_eq!(found(&home, all).await, [1, 3]);
    assert_eq!(found(&home, in_room).await, [1, 3]);
    assert_eq!(why(&home, "m1").await, [1, 3]);
}

#[tokio::test]
async fn lines_far_from_each_other_are_found_in_their_order_in_every_community() {
    let home = home();
    let (attic, lobby) = (RoomId::new("attic"), room());
    let lines = |odd: u64| -> Vec<JournalEntry> {
        let line = |seq: u64| {
            let place = if seq % 300 == odd { &attic } else { &lobby };
            let mut line = entry(seq, Scope::room(place));
            if seq % 700 == odd {
                line.event = JournalEvent::AskDiscarded { ask: AskId(1) };
                line.scope = Scope::room(place).about(&MessageId::new("m\"1")).turn(TurnId(9));
            }
            line
        };
        (1..=2_000).map(line).collect()
    };
    write(&home, lines(3)).await;
    let other = vocabulary::CommunityId::new("other");
    let batch = Batch {
        journal: lines(5),
        ..Batch::default()
    };
    home.store.commit(&other, batch).await.unwrap();
    let query = JournalQuery {
        limit: 3,
        ..JournalQuery::default()
    };
    let in_attic = JournalQuery {
        room: Some(attic),
        ..query.clone()
    };
    assert_eq!(found(&home, in_attic.clone()).await, [3, 303, 603]);
    let newest = JournalQuery {
        newest: true,
        ..in_attic.clone()
    };
    assert_eq!(found(&home, newest).await, [1_203, 1_503, 1_803]);
    let discarded = JournalQuery {
        name: Some("ask_answer_discarded".to_owned()),
        after: JournalSeq(3),
        ..query
    };
    assert_eq!(found(&home, discarded.clone()).await, [703, 1_403]);
    let neither = JournalQuery {
        room: in_attic.room,
        ..discarded
    };
    assert!(found(&home, neither).await.is_empty());
    assert_eq!(why(&home, "m\"1").await, [3, 703, 1_403]);
    let theirs = home.store.why(&other, &MessageId::new("m\"1")).await.unwrap();
    assert_eq!(
        theirs.iter().map(|line| line.seq.0).collect::<Vec<_>>(),
        [5, 705, 1_405]
    );
}
