//! How shares end, and what goes with them.

use std::time::Duration;

use runtime::screens::ShareRefusal;
use tokio::time::{advance, sleep, timeout};
use vocabulary::ShareEnd;

use crate::stage::{JPEG, Stage, lounge, picture};

#[tokio::test]
async fn a_share_ends_once_and_everybody_knows() {
    let stage = Stage::open();
    let link = stage.invite("alice");
    let ticket = || stage.screens().ticket(None, &link.token);
    let (one, other) = (ticket().unwrap(), ticket().unwrap());
    one.begin().await.unwrap();
    assert_eq!(stage.screens().share(&link.share).unwrap().name, "alice");

    let waiting = tokio::spawn(async move {
        other.ended().await;
        other.end_reason()
    });
    stage
        .screens()
        .end(&link.share, ShareEnd::EndedByOperator)
        .await
        .unwrap();
    assert_eq!(waiting.await.unwrap(), Some(ShareEnd::EndedByOperator));
    one.end(ShareEnd::Stopped).await;
    one.ended().await;
    assert!(!one.is_watched());
    assert_eq!(one.begin().await, Err(ShareRefusal::NotFound));
    assert_eq!(ticket().unwrap_err(), ShareRefusal::NotFound);
    let again = stage.screens().end(&link.share, ShareEnd::EndedByOperator).await;
    assert_eq!(again, Err(ShareRefusal::NotFound));
    assert_eq!(stage.story(), ["alice started", "ended: ended_by_operator"]);
}

#[tokio::test]
async fn the_mind_never_hears_of_a_link_that_nobody_opened() {
    let stage = Stage::open();
    let alice = stage.ticket("alice");
    alice.end(ShareEnd::Stopped).await;
    stage.settle().await;
    assert!(stage.story().is_empty());
}

#[tokio::test(start_paused = true)]
async fn of_a_share_that_is_over_the_newest_picture_stays_for_a_minute() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    let older = alice.picture(JPEG, picture(1)).await.unwrap().glimpse.frame;
    let newest = alice.picture(JPEG, picture(2)).await.unwrap().glimpse.frame;
    alice.end(ShareEnd::Stopped).await;
    assert!(stage.screens().picture(older).is_none());
    assert!(stage.screens().picture(newest).is_some());
    assert!(stage.screens().newest(&lounge()).is_none());
    sleep(Duration::from_secs(59)).await;
    assert!(stage.screens().picture(newest).is_some());
    sleep(Duration::from_secs(6)).await;
    assert!(stage.screens().picture(newest).is_none());
}

#[tokio::test(start_paused = true)]
async fn a_share_without_a_sign_of_life_is_lost_after_a_minute() {
    let stage = Stage::open();
    let (alice, bob, carol) = (
        stage.sharer("alice").await,
        stage.sharer("bob").await,
        stage.sharer("carol").await,
    );
    for _ in 0..5 {
        sleep(Duration::from_secs(14)).await;
        bob.touch();
        // A refused frame is a sign of life too.
        assert!(carol.picture(JPEG, picture(1)).await.is_err());
    }
    timeout(Duration::from_secs(1), alice.ended()).await.unwrap();
    assert_eq!(alice.end_reason(), Some(ShareEnd::Lost));
    assert_eq!((bob.end_reason(), carol.end_reason()), (None, None));
    assert_eq!(
        stage
            .story()
            .iter()
            .filter(|word| word.starts_with("ended"))
            .count(),
        1
    );
}

#[tokio::test(start_paused = true)]
async fn the_share_of_somebody_who_has_left_ends_without_another_frame() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    stage.leave("alice");
    timeout(Duration::from_secs(10), alice.ended()).await.unwrap();
    assert_eq!(alice.end_reason(), Some(ShareEnd::SharerLeft));
    stage.settle().await;
    assert_eq!(stage.story(), ["alice started", "ended: sharer_left"]);
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_with_a_link_that_expires_is_told() {
    let stage = Stage::open();
    let alice = stage.ticket("alice");
    timeout(Duration::from_secs(12 * 60 + 10), alice.ended())
        .await
        .unwrap();
    stage.settle().await;
    assert!(stage.story().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_busy_community_is_told_of_an_end_when_it_has_time() {
    let stage = Stage::open_with_queue(1);
    let alice = stage.sharer("alice").await;
    stage.held.send_replace(true);
    stage.crowd().await;
    alice.end(ShareEnd::Stopped).await;
    advance(Duration::from_secs(20)).await;
    stage.held.send_replace(false);
    sleep(Duration::from_secs(10)).await;
    let ends = stage
        .story()
        .iter()
        .filter(|word| *word == "ended: stopped")
        .count();
    assert_eq!(ends, 1);
}

#[tokio::test(start_paused = true)]
async fn shares_and_their_sweep_end_with_the_community() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    let frame = alice.picture(JPEG, picture(1)).await.unwrap().glimpse.frame;
    stage.driver.abort();
    timeout(Duration::from_secs(10), alice.ended()).await.unwrap();
    assert_eq!(alice.end_reason(), Some(ShareEnd::Restarted));
    timeout(Duration::from_secs(10), stage.sweep)
        .await
        .unwrap()
        .unwrap();
    assert!(stage.handle.screens().picture(frame).is_none());
}
