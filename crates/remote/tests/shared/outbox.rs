//! A local buffer in front of Redis.

use std::sync::Arc;

use remote::OutboxBuffer;
use runtime::ports::{BufferCount, MemoryFault, Outbox, TurnBuffer, WhoseTurns};
use stand_ins::RedisServer;
use vocabulary::Forget;

use crate::given::{Drawer, buffer, turn, turns, until};

fn behind_a_drawer(server: &RedisServer) -> (Arc<Drawer>, OutboxBuffer) {
    let drawer = Arc::new(Drawer::default());
    let outbox = OutboxBuffer::new(drawer.clone(), Arc::new(buffer(server, "a")));
    (drawer, outbox)
}

#[tokio::test]
async fn what_is_captured_is_claimed_from_redis_in_order() {
    let server = RedisServer::start();
    let (drawer, outbox) = behind_a_drawer(&server);
    outbox.push(&turns(0..450)).await.unwrap();
    assert_eq!(outbox.claim(&WhoseTurns::All, 450).await.unwrap(), turns(0..450));
    assert!(drawer.waiting.lock().unwrap().is_empty());
    assert_eq!(outbox.held(&WhoseTurns::All).await.unwrap().len(), 450);
}

#[tokio::test]
async fn turns_captured_while_redis_is_away_are_kept_and_handed_on_when_it_is_back() {
    let mut server = RedisServer::start();
    server.kill();
    let (drawer, outbox) = behind_a_drawer(&server);
    outbox.push(&turns(1..4)).await.unwrap();
    let fault = outbox.claim(&WhoseTurns::All, 5).await.unwrap_err();
    assert!(matches!(fault, MemoryFault::Unreachable { .. }), "{fault}");
    assert_eq!(
        outbox.count(&WhoseTurns::All).await.unwrap(),
        BufferCount {
            waiting: 0,
            held: 0,
            kept_back: 3
        }
    );

    server.restart();
    until("the drawer is empty", async || {
        drawer.waiting.lock().unwrap().is_empty()
    })
    .await;
    assert_eq!(outbox.count(&WhoseTurns::All).await.unwrap().waiting, 3);

    server.kill();
    outbox.push(&turns(4..6)).await.unwrap();
    assert!(outbox.held(&WhoseTurns::All).await.is_err());
    assert!(outbox.settle(&[turn(1).id]).await.is_err());
    let count = outbox.count(&WhoseTurns::All).await.unwrap();
    assert_eq!(
        (count.waiting, count.kept_back),
        (3, 2),
        "what was last known, and what is here"
    );

    server.restart();
    assert_eq!(outbox.claim(&WhoseTurns::All, 9).await.unwrap(), turns(1..6));
}

#[tokio::test]
async fn turns_that_came_into_the_local_buffer_by_another_door_are_handed_on_too() {
    let server = RedisServer::start();
    let (drawer, outbox) = behind_a_drawer(&server);
    drawer.push(&turns(1..3)).await.unwrap();
    until("the drawer is empty", async || {
        drawer.waiting.lock().unwrap().is_empty()
    })
    .await;
    assert_eq!(outbox.count(&WhoseTurns::All).await.unwrap().waiting, 2);
}

#[tokio::test]
async fn what_was_handed_on_and_not_taken_out_of_the_local_buffer_is_put_once() {
    let server = RedisServer::start();
    // A crash between the two steps leaves the turns in both.
    buffer(&server, "a").push(&turns(1..3)).await.unwrap();
    let drawer = Arc::new(Drawer::default());
    drawer.push(&turns(1..4)).await.unwrap();
    let outbox = OutboxBuffer::new(drawer, Arc::new(buffer(&server, "a")));
    assert_eq!(outbox.claim(&WhoseTurns::All, 9).await.unwrap(), turns(1..4));
}

#[tokio::test]
async fn what_the_local_buffer_held_before_there_was_a_shared_one_is_handed_on() {
    let server = RedisServer::start();
    let drawer = Arc::new(Drawer::default());
    drawer.held.lock().unwrap().extend(turns(1..3));
    drawer.push(&turns(3..4)).await.unwrap();
    let outbox = OutboxBuffer::new(drawer.clone(), Arc::new(buffer(&server, "a")));
    assert_eq!(outbox.claim(&WhoseTurns::All, 9).await.unwrap(), turns(1..4));
    assert!(drawer.held.lock().unwrap().is_empty());
}

#[tokio::test]
async fn forgetting_and_editing_reach_both_sides() {
    let mut server = RedisServer::start();
    let (drawer, outbox) = behind_a_drawer(&server);
    outbox.push(&turns(1..3)).await.unwrap();
    outbox.flush().await.unwrap();
    server.kill();
    outbox.push(&turns(3..5)).await.unwrap();
    let both = Forget::Turns(vec![turn(1).id, turn(3).id]);
    assert!(outbox.forget(&both).await.is_err(), "Redis still has one");
    assert_eq!(drawer.peek(9).await.unwrap(), [turn(4)]);
    server.restart();
    assert_eq!(outbox.forget(&both).await.unwrap(), 1);
    outbox.edit(&turn(2).id, "changed there").await.unwrap();
    outbox.edit(&turn(4).id, "changed here").await.unwrap();
    let texts: Vec<String> = outbox
        .claim(&WhoseTurns::All, 9)
        .await
        .unwrap()
        .into_iter()
        .map(|turn| turn.text)
        .collect();
    assert_eq!(texts, ["changed there", "changed here"]);
}
