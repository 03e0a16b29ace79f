//! How a share begins, and whose screen is watched.

use runtime::NotAccepted;
use runtime::screens::ShareRefusal;
use tokio::join;
use vocabulary::{RoomId, ShareEnd, ShareId};

use crate::stage::{JPEG, Stage, lounge, picture};

#[tokio::test]
async fn when_a_share_has_begun_the_mind_has_decided() {
    let stage = Stage::open();
    let alice = stage.ticket("alice");
    assert!(!alice.is_watched());
    alice.begin().await.unwrap();
    assert!(alice.is_watched());
    let bob = stage.sharer("bob").await;
    assert!(!bob.is_watched());
    assert_eq!(stage.story(), ["alice started", "bob started"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_share_begins_once_whoever_begins_it_and_however_often() {
    let stage = Stage::open();
    let alice = stage.ticket("alice");
    let (first, second, frame) = join!(alice.begin(), alice.begin(), alice.picture(JPEG, picture(3)));
    first.unwrap();
    second.unwrap();
    frame.unwrap();
    alice.begin().await.unwrap();
    assert_eq!(stage.story(), ["alice started", "frame"]);
}

#[tokio::test]
async fn a_share_that_nobody_waits_for_begins_all_the_same() {
    let stage = Stage::open();
    stage.held.send_replace(true);
    let alice = stage.ticket("alice");
    let beginning = tokio::spawn({
        let alice = alice.clone();
        async move { alice.begin().await }
    });
    // It has been sent when the driver has it in its hand.
    stage.reached().await;
    beginning.abort();
    stage.held.send_replace(false);
    alice.begin().await.unwrap();
    assert_eq!(stage.story(), ["alice started"]);
}

#[tokio::test]
async fn a_share_does_not_begin_while_watching_is_switched_off() {
    let stage = Stage::open();
    let alice = stage.ticket("alice");
    stage.set("voice.streamWatch.enabled", false).await;
    assert_eq!(alice.begin().await, Err(ShareRefusal::Disabled));
    stage.set("voice.streamWatch.enabled", true).await;
    alice.begin().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_share_that_a_busy_community_turned_away_may_begin_later() {
    let stage = Stage::open_with_queue(1);
    let alice = stage.ticket("alice");
    stage.held.send_replace(true);
    stage.crowd().await;
    assert_eq!(
        alice.begin().await,
        Err(ShareRefusal::NotAccepted(NotAccepted::Busy))
    );
    assert_eq!(alice.end_reason(), None);
    stage.held.send_replace(false);
    alice.begin().await.unwrap();
}

#[tokio::test]
async fn somebody_chooses_whose_screen_is_watched() {
    let stage = Stage::open();
    let (alice, bob) = (stage.sharer("alice").await, stage.sharer("bob").await);
    let mut watching = bob.watching();
    stage.choose(&bob).await;
    assert!(bob.is_watched() && !alice.is_watched());
    assert!(*watching.borrow_and_update());

    stage.screens().choose(&lounge(), None).await.unwrap();
    assert!(!bob.is_watched() && !alice.is_watched());
    assert!(!*watching.borrow_and_update());
}

#[tokio::test]
async fn only_a_share_of_the_room_can_be_chosen() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    let invited = stage.ticket("bob");
    let gone = stage.sharer("carol").await;
    gone.end(ShareEnd::Stopped).await;
    let refused = |room: RoomId, share: ShareId| {
        let screens = stage.screens().clone();
        async move {
            let refused = screens.choose(&room, Some(share)).await.unwrap_err();
            assert_eq!(refused, ShareRefusal::NotFound);
        }
    };
    refused(lounge(), ShareId::new("nobody's")).await;
    refused(RoomId::new("kitchen"), alice.share()).await;
    refused(lounge(), invited.share()).await;
    refused(lounge(), gone.share()).await;
}
