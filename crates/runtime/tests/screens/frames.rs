//! Frames that are taken in: scored, shelved, told, plotted and shown.

use std::sync::Arc;

use bytes::Bytes;
use mind::{Input, RoomEvent};
use runtime::live::LiveEvent;
use runtime::ports::{Eye, Seen, Sight, Undecodable};
use stand_ins::TestSight;
use vocabulary::{ChangeScore, FrameRefusal, Glimpse, PictureKind, RoomId, ScreenRegion};

use crate::stage::{JPEG, Stage, lounge, picture, reason};

fn glimpses(stage: &Stage) -> Vec<Glimpse> {
    let glimpse = |input: &Input| match input {
        Input::Room(_, RoomEvent::FrameArrived { glimpse, .. }) => Some(*glimpse),
        _ => None,
    };
    stage.told().iter().filter_map(glimpse).collect()
}

#[tokio::test]
async fn a_frame_is_scored_shelved_told_plotted_and_shown() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    let (_, mut live) = stage.handle.live().subscribe(None);
    let first = alice.picture(JPEG, picture(51)).await.unwrap();
    let second = alice
        .picture("image/png; charset=binary", picture(102))
        .await
        .unwrap();

    assert_eq!(first.glimpse.change.score, 0.0);
    assert_eq!(second.glimpse.change.score, 0.2);
    assert_eq!(second.glimpse.kind, PictureKind::Png);
    assert_eq!((second.glimpse.width, second.glimpse.height), (640, 360));
    assert!(second.glimpse.frame > first.glimpse.frame);
    assert_eq!(glimpses(&stage), [first.glimpse, second.glimpse]);

    let screens = stage.screens();
    let newest = screens.newest(&lounge()).unwrap();
    assert_eq!(
        (newest.frame, newest.kind),
        (second.glimpse.frame, PictureKind::Png)
    );
    assert_eq!(newest.bytes, picture(102));
    assert_eq!(screens.picture(first.glimpse.frame).unwrap().bytes, picture(51));
    assert!(screens.newest(&RoomId::new("kitchen")).is_none());

    let plotted: Vec<Glimpse> = screens
        .samples(&lounge(), None)
        .iter()
        .map(|s| s.glimpse)
        .collect();
    assert_eq!(plotted, [first.glimpse, second.glimpse]);
    let newer = screens.samples(&lounge(), Some(first.glimpse.frame));
    assert_eq!((newer.len(), newer[0].glimpse), (1, second.glimpse));
    assert!(screens.samples(&RoomId::new("kitchen"), None).is_empty());

    for taken in [first, second] {
        let LiveEvent::Frame { room, share, sample } = live.recv().await.unwrap().event.clone() else {
            panic!("a frame was expected");
        };
        assert_eq!((room, share), (lounge(), alice.share()));
        assert_eq!((sample.glimpse, sample.at), (taken.glimpse, taken.at));
    }
}

#[tokio::test]
async fn the_first_frame_begins_the_share() {
    let stage = Stage::open();
    stage.ticket("alice").picture(JPEG, picture(5)).await.unwrap();
    assert_eq!(stage.story(), ["alice started", "frame"]);
}

#[tokio::test]
async fn of_two_sharers_one_is_seen_until_the_other_is_chosen() {
    let stage = Stage::open();
    let (alice, bob) = (stage.sharer("alice").await, stage.sharer("bob").await);
    alice.picture(JPEG, picture(10)).await.unwrap();
    assert_eq!(
        reason(bob.picture(JPEG, picture(20)).await),
        FrameRefusal::TargetUserMismatch
    );
    stage.choose(&bob).await;
    assert!(stage.screens().newest(&lounge()).is_none());
    bob.picture(JPEG, picture(20)).await.unwrap();
    assert_eq!(
        reason(alice.picture(JPEG, picture(10)).await),
        FrameRefusal::TargetUserMismatch
    );
    assert_eq!(stage.screens().newest(&lounge()).unwrap().bytes, picture(20));
}

#[tokio::test]
async fn a_watch_that_comes_back_begins_with_a_fresh_eye() {
    let stage = Stage::open();
    let (alice, bob) = (stage.sharer("alice").await, stage.sharer("bob").await);
    let seen = |change| Seen {
        width: 1,
        height: 1,
        change,
    };
    let busy = ChangeScore {
        score: 0.4,
        ema: 0.3,
        scene_cut: true,
        region: Some(ScreenRegion::Top),
    };
    alice.picture(JPEG, picture(1)).await.unwrap();
    for chosen in [&bob, &alice] {
        stage.choose(chosen).await;
        chosen
            .decoded(PictureKind::Jpeg, picture(9), seen(busy))
            .await
            .unwrap();
    }
    stage.choose(&bob).await;
    stage.choose(&alice).await;
    alice.picture(JPEG, picture(255)).await.unwrap();
    alice.picture(JPEG, picture(204)).await.unwrap();
    let scores: Vec<f64> = glimpses(&stage).iter().map(|seen| seen.change.score).collect();
    assert_eq!(scores, [0.0, 0.0, 0.0, 0.0, 0.2]);
    assert!(glimpses(&stage).iter().all(|seen| !seen.change.scene_cut));
}

#[tokio::test]
async fn a_stream_that_scores_itself_comes_in_by_the_same_door() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    let seen = Seen {
        width: 320,
        height: 200,
        change: ChangeScore {
            score: 0.25,
            ema: 0.125,
            scene_cut: false,
            region: Some(ScreenRegion::Left),
        },
    };
    let bring = |bytes: Bytes| alice.decoded(PictureKind::Jpeg, bytes, seen);
    bring(picture(0)).await.unwrap();
    let taken = bring(picture(0)).await.unwrap();
    assert_eq!(taken.glimpse.change, seen.change);
    assert_eq!((taken.glimpse.width, taken.glimpse.height), (320, 200));

    assert_eq!(reason(bring(Bytes::new()).await), FrameRefusal::FrameDataRequired);
    let large = Bytes::from(vec![1; 350_001]);
    assert_eq!(reason(bring(large).await), FrameRefusal::FrameTooLarge);
    stage.set("voice.streamWatch.maxFramesPerMinute", 6).await;
    for _ in 2..6 {
        bring(picture(1)).await.unwrap();
    }
    assert_eq!(reason(bring(picture(1)).await), FrameRefusal::FrameRateLimited);
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_come_at_once_are_looked_at_one_after_the_other() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    alice.picture(JPEG, picture(51)).await.unwrap();
    let at_once = (0..4).map(|step| alice.picture(JPEG, picture(51 + step % 2 * 51)));
    let taken = futures_util::future::join_all(at_once).await;
    assert!(taken.iter().all(Result::is_ok), "{taken:?}");
    let told = glimpses(&stage);
    assert!(told.windows(2).all(|pair| pair[0].frame < pair[1].frame));
    // Whatever the order, an eye sees two dark and two bright pictures after a dark one.
    let steps: f64 = told.iter().map(|glimpse| glimpse.change.score).sum();
    assert!(told.len() == 5 && steps > 0.0 && told.iter().all(|g| [0.0, 0.2].contains(&g.change.score)));
}

#[tokio::test(start_paused = true)]
async fn a_change_that_a_busy_community_did_not_hear_of_is_told_with_the_next_frame() {
    let stage = Stage::open_with_queue(1);
    let alice = stage.sharer("alice").await;
    alice.picture(JPEG, picture(1)).await.unwrap();
    stage.held.send_replace(true);
    stage.crowd().await;
    let refused = alice.picture(JPEG, picture(205)).await.unwrap_err();
    assert_eq!(refused.reason, FrameRefusal::FrameRateLimited);
    assert!(
        refused.detail.contains("too much is waiting"),
        "{}",
        refused.detail
    );
    stage.held.send_replace(false);

    let next = alice.picture(JPEG, picture(205)).await.unwrap();
    assert_eq!(next.glimpse.change.score, 0.8);
    assert!(next.glimpse.change.scene_cut);
    let after = alice.picture(JPEG, picture(205)).await.unwrap();
    assert_eq!(after.glimpse.change.score, 0.0);
    assert_eq!(
        stage.screens().samples(&lounge(), None).len(),
        3,
        "what the mind did not hear of is not plotted"
    );
}

/// Eyes that a picture of 13s breaks.
struct Fragile;

struct FragileEye(Box<dyn Eye>);

impl Sight for Fragile {
    fn open(&self) -> Box<dyn Eye> {
        Box::new(FragileEye(TestSight.open()))
    }
}

impl Eye for FragileEye {
    fn look(&mut self, kind: PictureKind, bytes: &[u8]) -> Result<Seen, Undecodable> {
        assert_ne!(bytes[0], 13, "the test breaks the eye");
        self.0.look(kind, bytes)
    }
}

#[tokio::test]
async fn a_picture_that_breaks_an_eye_is_refused_and_the_next_one_is_seen_by_another() {
    let stage = Stage::open_with(64, Arc::new(Fragile));
    let alice = stage.sharer("alice").await;
    alice.picture(JPEG, picture(51)).await.unwrap();
    assert_eq!(
        reason(alice.picture(JPEG, picture(13)).await),
        FrameRefusal::FrameUndecodable
    );
    let next = alice.picture(JPEG, picture(102)).await.unwrap();
    assert_eq!(next.glimpse.change.score, 0.0, "it has seen nothing before");
    let after = alice.picture(JPEG, picture(51)).await.unwrap();
    assert_eq!(after.glimpse.change.score, 0.2);
}

#[tokio::test(start_paused = true)]
async fn only_so_many_frames_wait_to_be_looked_at() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    stage.held.send_replace(true);
    let at_once: Vec<_> = (0..6)
        .map(|_| {
            let alice = alice.clone();
            tokio::spawn(async move { alice.picture(JPEG, picture(8)).await })
        })
        .collect();
    // Time stands still until everybody waits for the driver.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    stage.held.send_replace(false);
    let mut refused = 0;
    for bringing in at_once {
        if let Err(refusal) = bringing.await.unwrap() {
            assert_eq!(refusal.reason, FrameRefusal::FrameRateLimited);
            refused += 1;
        }
    }
    assert_eq!(refused, 2);
}

#[tokio::test]
async fn a_frame_counts_even_if_its_bringer_goes_away() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    stage.held.send_replace(true);
    let bringing = tokio::spawn({
        let alice = alice.clone();
        async move { alice.picture(JPEG, picture(8)).await }
    });
    while stage.screens().newest(&lounge()).is_none() {
        tokio::task::yield_now().await;
    }
    bringing.abort();
    stage.held.send_replace(false);
    alice.picture(JPEG, picture(9)).await.unwrap();
    assert_eq!(stage.screens().samples(&lounge(), None).len(), 2);
}
