//! One process and its list.

use runtime::ports::{BufferCount, TurnBuffer, WhoseTurns};
use stand_ins::RedisServer;
use vocabulary::{CommunityId, Forget, GemId, PersonId, RoomId, SessionId, TurnKey};

use crate::given::{KEY, buffer, everything, ids, other_program, said_by, turn, turns};

#[tokio::test]
async fn turns_come_out_as_they_went_in_oldest_first() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    buffer.push(&turns(1..8)).await.unwrap();
    assert_eq!(buffer.claim(&WhoseTurns::All, 3).await.unwrap(), turns(1..4));
    assert_eq!(buffer.claim(&WhoseTurns::All, 2).await.unwrap(), turns(4..6));
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), turns(1..6));
    assert_eq!(
        buffer.count(&WhoseTurns::All).await.unwrap(),
        BufferCount {
            waiting: 2,
            held: 5,
            kept_back: 0
        }
    );
    assert_eq!(buffer.claim(&WhoseTurns::All, 0).await.unwrap(), []);
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), turns(6..8));
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), []);
}

#[tokio::test]
async fn a_turn_is_put_once_however_often_it_is_put_and_wherever_it_is_by_then() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    buffer.push(&[turn(1), turn(2), turn(1)]).await.unwrap();
    buffer.push(&[turn(2), turn(3)]).await.unwrap();
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), turns(1..4));
    buffer.push(&[turn(1)]).await.unwrap();
    buffer.settle(&ids(&turns(1..4))).await.unwrap();
    buffer.push(&turns(1..4)).await.unwrap();
    assert_eq!(
        buffer.count(&WhoseTurns::All).await.unwrap(),
        BufferCount::default()
    );
}

#[tokio::test]
async fn many_turns_at_once_are_all_put_in_order() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    buffer.push(&turns(0..1_234)).await.unwrap();
    let mut claimed = buffer.claim(&WhoseTurns::All, 5_000).await.unwrap();
    claimed.extend(buffer.claim(&WhoseTurns::All, 5_000).await.unwrap());
    assert_eq!(claimed, turns(0..1_234));
}

#[tokio::test]
async fn only_what_was_settled_leaves() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    buffer.push(&turns(1..6)).await.unwrap();
    buffer.claim(&WhoseTurns::All, 4).await.unwrap();
    buffer
        .settle(&[turn(2).id, turn(3).id, TurnKey::new("nobody")])
        .await
        .unwrap();
    buffer.settle(&[turn(2).id]).await.unwrap();
    buffer.settle(&[]).await.unwrap();
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), [turn(1), turn(4)]);
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), [turn(5)]);
}

#[tokio::test]
async fn what_was_held_before_a_restart_is_held_after_it() {
    let server = RedisServer::start();
    let first = buffer(&server, "folder-1");
    first.push(&turns(1..5)).await.unwrap();
    first.claim(&WhoseTurns::All, 2).await.unwrap();
    drop(first);
    let second = buffer(&server, "folder-1");
    assert_eq!(second.held(&WhoseTurns::All).await.unwrap(), turns(1..3));
    assert_eq!(second.claim(&WhoseTurns::All, 9).await.unwrap(), turns(3..5));
    second.settle(&ids(&turns(1..5))).await.unwrap();
    assert_eq!(
        second.count(&WhoseTurns::All).await.unwrap(),
        BufferCount::default()
    );
}

#[tokio::test]
async fn an_edit_reaches_a_turn_that_waits_and_one_that_is_held() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    buffer.push(&turns(1..4)).await.unwrap();
    buffer.claim(&WhoseTurns::All, 1).await.unwrap();
    buffer.edit(&turn(1).id, "held and changed").await.unwrap();
    buffer.edit(&turn(3).id, "waiting and changed").await.unwrap();
    buffer.edit(&TurnKey::new("nobody"), "nothing").await.unwrap();
    assert_eq!(
        buffer.held(&WhoseTurns::All).await.unwrap()[0].text,
        "held and changed"
    );
    let rest = buffer.claim(&WhoseTurns::All, 9).await.unwrap();
    assert_eq!(rest[0], turn(2));
    assert_eq!(
        (rest[1].text.as_str(), rest[1].at),
        ("waiting and changed", turn(3).at)
    );
}

#[tokio::test]
async fn forgetting_takes_out_what_is_meant_and_nothing_else() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    let mut elsewhere = turn(4);
    elsewhere.place.community = CommunityId::new("other");
    elsewhere.session = SessionId::new("other/lounge");
    let mut kitchen = said_by("bob", 5);
    kitchen.place.room = RoomId::new("kitchen");
    buffer
        .push(&[
            turn(1),
            said_by("bob", 2),
            turn(3),
            elsewhere.clone(),
            kitchen.clone(),
        ])
        .await
        .unwrap();
    buffer.claim(&WhoseTurns::All, 2).await.unwrap();

    let alice_here = Forget::Person {
        person: PersonId::new("local:alice"),
        name: "alice".to_owned(),
        community: Some(CommunityId::new("local")),
    };
    assert_eq!(buffer.forget(&alice_here).await.unwrap(), 2);
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), [said_by("bob", 2)]);
    assert_eq!(buffer.count(&WhoseTurns::All).await.unwrap().waiting, 2);

    assert_eq!(
        buffer.forget(&Forget::Gems(vec![GemId::new("g")])).await.unwrap(),
        0
    );
    assert_eq!(buffer.forget(&Forget::Turns(vec![])).await.unwrap(), 0);
    assert_eq!(
        buffer
            .forget(&Forget::Turns(vec![TurnKey::new("m2")]))
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        buffer
            .forget(&Forget::Session(SessionId::new("other/lounge")))
            .await
            .unwrap(),
        1
    );
    let room = Forget::Room {
        community: CommunityId::new("local"),
        room: RoomId::new("kitchen"),
    };
    assert_eq!(buffer.forget(&room).await.unwrap(), 1);
    assert_eq!(
        buffer.count(&WhoseTurns::All).await.unwrap(),
        BufferCount::default()
    );
    // A late repetition of what was captured does not bring it back.
    buffer.push(&[turn(1), kitchen]).await.unwrap();
    assert_eq!(
        buffer.count(&WhoseTurns::All).await.unwrap(),
        BufferCount::default()
    );
}

#[tokio::test]
async fn nothing_of_a_forgotten_person_is_left_anywhere_in_redis() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    let mut redis = other_program(&server).await;
    let mut canary = said_by("carol", 1);
    canary.text = "canary-7f3a".to_owned();
    buffer.push(&[canary.clone(), turn(2)]).await.unwrap();
    buffer.claim(&WhoseTurns::All, 1).await.unwrap();
    for entry in [
        r#"{"role": "user", "user_id": "local:carol", "content": "canary-7f3a again"}"#,
        r#"{"user_id": "local:carol", "broken": "canary-7f3a"#,
    ] {
        let () = redis::cmd("RPUSH")
            .arg(KEY)
            .arg(entry)
            .query_async(&mut redis)
            .await
            .unwrap();
    }
    assert!(everything(&server).await.contains("canary-7f3a"));
    let carol = Forget::Person {
        person: PersonId::new("local:carol"),
        name: "carol".to_owned(),
        community: None,
    };
    assert_eq!(buffer.forget(&carol).await.unwrap(), 3);
    let left = everything(&server).await;
    assert!(!left.contains("canary-7f3a") && !left.contains("carol"), "{left}");
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), [turn(2)]);
}

#[tokio::test]
async fn turns_of_other_programs_are_taken_in_and_what_nobody_can_read_is_set_aside() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    let mut redis = other_program(&server).await;
    let entries: [&[u8]; 5] = [
        b"not json at all",
        b"\xff\xfe\x00 not even text",
        br#"{"role": "user", "content": "I like tea", "session_id": "s-9"}"#,
        b"[1, 2]",
        br#"{"role": "user", "content": "I like tea", "session_id": "s-9"}"#,
    ];
    for entry in entries {
        let () = redis::cmd("RPUSH")
            .arg(KEY)
            .arg(entry)
            .query_async(&mut redis)
            .await
            .unwrap();
    }
    buffer.push(&[turn(1)]).await.unwrap();
    // The first two are nothing to give; the claim goes on to what is behind them.
    let mut claimed = buffer.claim(&WhoseTurns::All, 2).await.unwrap();
    claimed.extend(buffer.claim(&WhoseTurns::All, 9).await.unwrap());
    assert_eq!(claimed.len(), 3);
    assert_eq!(
        (claimed[0].text.as_str(), claimed[0].session.as_str()),
        ("I like tea", "s-9")
    );
    assert_ne!(claimed[0].id, claimed[1].id, "it was said twice");
    assert_eq!(claimed[2], turn(1));
    assert_eq!(
        buffer.held(&WhoseTurns::All).await.unwrap(),
        claimed,
        "every reading says the same"
    );
    buffer.settle(&ids(&claimed)).await.unwrap();
    assert_eq!(
        buffer.count(&WhoseTurns::All).await.unwrap(),
        BufferCount::default()
    );
    let aside: Vec<Vec<u8>> = redis::cmd("LRANGE")
        .arg(format!("{KEY}:unreadable"))
        .arg(0)
        .arg(-1)
        .query_async(&mut redis)
        .await
        .unwrap();
    assert_eq!(aside, [entries[0], entries[1], entries[3]]);
}
