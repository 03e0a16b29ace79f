//! Several processes on one list.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use runtime::ports::{TurnBuffer, WhoseTurns};
use stand_ins::RedisServer;
use vocabulary::TurnKey;

use crate::given::{buffer, ids, leased, turn, turns, until};

#[tokio::test]
async fn processes_that_capture_and_claim_at_once_lose_nothing_and_share_nothing() {
    let server = RedisServer::start();
    let mut tasks = Vec::new();
    for n in 0..4_u64 {
        let buffer = Arc::new(buffer(&server, &format!("process-{n}")));
        tasks.push(tokio::spawn(async move {
            let mut claimed = Vec::new();
            for round in 0..50 {
                let number = n * 1_000 + round;
                buffer.push(&[turn(number)]).await.unwrap();
                let some = buffer.claim(&WhoseTurns::All, 3).await.unwrap();
                if round % 2 == 0 {
                    buffer.settle(&ids(&some)).await.unwrap();
                }
                claimed.extend(ids(&some));
            }
            (buffer, claimed)
        }));
    }
    let mut all: Vec<TurnKey> = Vec::new();
    let mut buffers = Vec::new();
    for task in tasks {
        let (buffer, claimed) = task.await.unwrap();
        all.extend(claimed);
        buffers.push(buffer);
    }
    for buffer in &buffers {
        all.extend(ids(&buffer.claim(&WhoseTurns::All, 1_000).await.unwrap()));
    }
    let once: BTreeSet<&TurnKey> = all.iter().collect();
    assert_eq!(once.len(), 200, "nothing is lost");
    assert_eq!(all.len(), 200, "nothing is given twice");
}

#[tokio::test]
async fn claims_of_one_process_at_the_same_time_are_disjoint() {
    let server = RedisServer::start();
    let buffer = Arc::new(buffer(&server, "a"));
    buffer.push(&turns(0..100)).await.unwrap();
    let claims = (0..10).map(|_| {
        let buffer = buffer.clone();
        tokio::spawn(async move { buffer.claim(&WhoseTurns::All, 10).await.unwrap() })
    });
    let mut all = BTreeSet::new();
    for claim in claims.collect::<Vec<_>>() {
        all.extend(ids(&claim.await.unwrap()));
    }
    assert_eq!(all.len(), 100);
}

#[tokio::test]
async fn what_a_dead_process_held_goes_to_the_front_of_the_list_once() {
    let server = RedisServer::start();
    let short = Duration::from_secs(1);
    let dead = leased(&server, "dead", short);
    dead.push(&turns(1..6)).await.unwrap();
    dead.claim(&WhoseTurns::All, 3).await.unwrap();
    drop(dead);
    let alive = leased(&server, "alive", short);
    let other = leased(&server, "other", short);
    let mut claimed = Vec::new();
    until("the dead process's turns are given out", async || {
        claimed.push(alive.claim(&WhoseTurns::All, 1).await.unwrap());
        claimed.concat().contains(&turn(3))
    })
    .await;
    let mut claimed = claimed.concat();
    claimed.extend(other.claim(&WhoseTurns::All, 9).await.unwrap());
    let once: BTreeSet<TurnKey> = ids(&claimed).into_iter().collect();
    assert_eq!((claimed.len(), once.len()), (5, 5), "{claimed:?}");
    let position = |n: u64| claimed.iter().position(|claimed| *claimed == turn(n));
    assert!(
        position(1) < position(2) && position(2) < position(3),
        "{claimed:?}"
    );
    assert_eq!(
        leased(&server, "dead", short)
            .held(&WhoseTurns::All)
            .await
            .unwrap(),
        []
    );
}

#[tokio::test]
async fn a_process_that_lives_keeps_what_it_holds_beyond_its_first_lease() {
    let server = RedisServer::start();
    let short = Duration::from_secs(2);
    let slow = leased(&server, "slow", short);
    slow.push(&turns(1..3)).await.unwrap();
    slow.claim(&WhoseTurns::All, 1).await.unwrap();
    let quick = leased(&server, "quick", short);
    // Two leases go by, and all that the slow one does is think.
    for _ in 0..5 {
        tokio::time::sleep(short / 2).await;
        assert!(!quick.claim(&WhoseTurns::All, 5).await.unwrap().contains(&turn(1)));
    }
    assert_eq!(slow.held(&WhoseTurns::All).await.unwrap(), [turn(1)]);
}

#[tokio::test]
async fn a_late_settlement_counts_although_others_have_the_turns_by_then() {
    let server = RedisServer::start();
    let short = Duration::from_secs(1);
    let late = leased(&server, "late", short);
    late.push(&turns(1..3)).await.unwrap();
    late.claim(&WhoseTurns::All, 2).await.unwrap();
    drop(late);
    let other = leased(&server, "other", short);
    until("the turns are taken over", async || {
        !other.claim(&WhoseTurns::All, 1).await.unwrap().is_empty()
    })
    .await;
    let late = leased(&server, "late", short);
    late.settle(&[turn(1).id, turn(2).id]).await.unwrap();
    assert_eq!(other.held(&WhoseTurns::All).await.unwrap(), []);
    assert_eq!(other.count(&WhoseTurns::All).await.unwrap().waiting, 0);
}
