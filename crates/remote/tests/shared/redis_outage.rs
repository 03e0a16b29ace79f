//! Redis goes away and comes back.

use std::time::Duration;

use remote::{RedisBuffer, RedisSettings};
use runtime::ports::{MemoryFault, TurnBuffer, WhoseTurns};
use stand_ins::RedisServer;

use crate::given::{KEY, buffer, ids, leased, other_program, turn, turns, until};

#[tokio::test]
async fn a_killed_redis_has_everything_when_it_is_back() {
    let mut server = RedisServer::start();
    let buffer = buffer(&server, "a");
    buffer.push(&turns(1..6)).await.unwrap();
    buffer.claim(&WhoseTurns::All, 2).await.unwrap();
    buffer.settle(&[turn(1).id]).await.unwrap();
    server.kill();
    let fault = buffer.claim(&WhoseTurns::All, 1).await.unwrap_err();
    assert!(matches!(fault, MemoryFault::Unreachable { .. }), "{fault}");
    let told = fault.to_string();
    assert!(
        told.contains("memory.store.redisUrl") && told.contains("127.0.0.1:"),
        "{told}"
    );
    server.restart();
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), turns(3..6));
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), turns(2..6));
    buffer.push(&turns(1..7)).await.unwrap();
    assert_eq!(buffer.claim(&WhoseTurns::All, 9).await.unwrap(), [turn(6)]);
}

#[tokio::test]
async fn after_an_outage_longer_than_a_lease_nobody_is_taken_for_dead_at_once() {
    let mut server = RedisServer::start();
    let lease = Duration::from_secs(3);
    let holder = leased(&server, "holder", lease);
    let quick = leased(&server, "quick", lease);
    holder.push(&turns(1..3)).await.unwrap();
    holder.claim(&WhoseTurns::All, 1).await.unwrap();
    server.kill();
    tokio::time::sleep(lease + Duration::from_millis(500)).await;
    server.restart();
    assert_eq!(
        quick.claim(&WhoseTurns::All, 9).await.unwrap(),
        [turn(2)],
        "the holder could not say that it lives"
    );
    until("the holder has said so", async || {
        let mut redis = other_program(&server).await;
        let alive: bool = redis::cmd("EXISTS")
            .arg(format!("{KEY}:alive:holder"))
            .query_async(&mut redis)
            .await
            .unwrap();
        alive
    })
    .await;
    assert_eq!(holder.held(&WhoseTurns::All).await.unwrap(), [turn(1)]);
}

#[tokio::test]
async fn a_claim_that_nobody_waited_for_is_given_by_the_next_one() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    assert_eq!(
        buffer.claim(&WhoseTurns::All, 1).await.unwrap(),
        [],
        "Redis knows the script now"
    );
    buffer.push(&turns(1..4)).await.unwrap();
    // Redis sleeps over the question, and answers when nobody listens any more.
    let mut redis = other_program(&server).await;
    let () = redis::cmd("CLIENT")
        .arg("PAUSE")
        .arg(600)
        .query_async(&mut redis)
        .await
        .unwrap();
    let impatient = tokio::time::timeout(Duration::from_millis(100), buffer.claim(&WhoseTurns::All, 2)).await;
    assert!(impatient.is_err(), "it was paused");
    until("the claim was carried out", async || {
        buffer
            .count(&WhoseTurns::All)
            .await
            .is_ok_and(|count| count.waiting == 1)
    })
    .await;
    assert_eq!(buffer.claim(&WhoseTurns::All, 2).await.unwrap(), turns(1..3));
    assert_eq!(buffer.claim(&WhoseTurns::All, 2).await.unwrap(), [turn(3)]);
    buffer.settle(&ids(&turns(1..4))).await.unwrap();
    assert_eq!(buffer.held(&WhoseTurns::All).await.unwrap(), []);
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_without_telling_the_password() {
    let settings = RedisSettings::new("http://user:hunter2@127.0.0.1", KEY, "a");
    assert!(!format!("{settings:?}").contains("hunter2"));
    let fault = RedisBuffer::new(settings).unwrap_err().to_string();
    assert!(
        fault.contains("redis://") && !fault.contains("hunter2"),
        "{fault}"
    );
}

#[tokio::test]
async fn a_wrong_password_is_said_to_be_one() {
    let server = RedisServer::start();
    let mut redis = other_program(&server).await;
    let () = redis::cmd("CONFIG")
        .arg("SET")
        .arg("requirepass")
        .arg("correct horse")
        .query_async(&mut redis)
        .await
        .unwrap();
    for url in [server.url(), server.url().replace("//", "//:hunter2@")] {
        let buffer = RedisBuffer::new(RedisSettings::new(url, KEY, "a")).unwrap();
        let fault = buffer.push(&[turn(1)]).await.unwrap_err();
        assert!(matches!(fault, MemoryFault::Refused(_)), "{fault}");
        let told = fault.to_string();
        assert!(
            told.contains("DENIZEN_REDIS_URL") && !told.contains("hunter2"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn a_redis_that_forgets_in_a_crash_is_pointed_out() {
    let server = RedisServer::start();
    let buffer = buffer(&server, "a");
    assert_eq!(buffer.check().await.unwrap(), None);
    let mut redis = other_program(&server).await;
    let () = redis::cmd("CONFIG")
        .arg("SET")
        .arg("appendonly")
        .arg("no")
        .query_async(&mut redis)
        .await
        .unwrap();
    let told = buffer.check().await.unwrap().expect("it keeps nothing now");
    assert!(told.contains("appendonly yes"), "{told}");
}
