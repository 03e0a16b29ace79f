//! Frames that are refused: why, in which order, and how often the mind hears of it.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::{advance, sleep};
use vocabulary::{FrameRefusal, ShareEnd};

use crate::stage::{JPEG, Stage, lounge, picture, reason};

#[tokio::test]
async fn a_frame_that_is_too_large_to_be_read_is_refused_as_if_it_had_been() {
    let stage = Stage::open();
    let (alice, bob) = (stage.sharer("alice").await, stage.sharer("bob").await);
    let refused = alice.unread(JPEG, 50_000_000).await;
    assert_eq!(refused.reason, FrameRefusal::FrameTooLarge);
    let named = ["50000000", "350000", "voice.streamWatch.maxFrameBytes"];
    assert!(
        named.iter().all(|part| refused.detail.contains(part)),
        "{refused:?}"
    );
    for (ticket, mime, reason) in [
        (&bob, JPEG, FrameRefusal::TargetUserMismatch),
        (&alice, "text/plain", FrameRefusal::InvalidMimeType),
        // Small enough after all: the limit was raised while it came in.
        (&alice, JPEG, FrameRefusal::FrameTooLarge),
    ] {
        assert_eq!(ticket.unread(mime, 100).await.reason, reason);
    }
    assert!(stage.screens().samples(&lounge(), None).is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_frame_is_refused_for_the_first_reason_of_the_list_that_holds() {
    let stage = Stage::open();
    let (bob, alice) = (stage.sharer("bob").await, stage.sharer("alice").await);
    let gone = stage.sharer("carol").await;
    gone.end(ShareEnd::Stopped).await;
    stage.set("voice.streamWatch.enabled", false).await;
    let empty = Bytes::new();
    let damaged = picture(0);
    let large = Bytes::from(vec![0; 350_001]);

    // Each frame has every later fault too, as far as one can have several.
    assert_eq!(
        reason(gone.picture("text/plain", empty.clone()).await),
        FrameRefusal::SessionNotFound
    );
    assert_eq!(
        reason(alice.picture("text/plain", empty.clone()).await),
        FrameRefusal::StreamWatchDisabled
    );
    stage.set("voice.streamWatch.enabled", true).await;
    stage.screens().choose(&lounge(), None).await.unwrap();
    assert_eq!(
        reason(alice.picture("text/plain", empty.clone()).await),
        FrameRefusal::WatchNotActive
    );
    stage.choose(&bob).await;
    assert_eq!(
        reason(alice.picture("text/plain", empty.clone()).await),
        FrameRefusal::TargetUserMismatch
    );
    stage.choose(&alice).await;
    assert_eq!(
        reason(alice.picture("text/plain", empty.clone()).await),
        FrameRefusal::InvalidMimeType
    );
    assert_eq!(
        reason(alice.picture(JPEG, empty).await),
        FrameRefusal::FrameDataRequired
    );
    stage.set("voice.streamWatch.maxFramesPerMinute", 6).await;
    for _ in 0..6 {
        alice.picture(JPEG, picture(1)).await.unwrap();
    }
    assert_eq!(
        reason(alice.picture(JPEG, large).await),
        FrameRefusal::FrameTooLarge
    );
    assert_eq!(
        reason(alice.picture(JPEG, damaged.clone()).await),
        FrameRefusal::FrameRateLimited
    );
    advance(Duration::from_secs(59)).await;
    alice.touch();
    advance(Duration::from_secs(1)).await;
    let refused = alice.picture(JPEG, damaged).await.unwrap_err();
    assert_eq!(refused.reason, FrameRefusal::FrameUndecodable);
    assert_eq!(
        refused.detail, "The picture is damaged at its first byte. Send it again.",
        "the eye's own sentence"
    );
    stage.leave("alice");
    assert_eq!(
        reason(alice.picture(JPEG, picture(1)).await),
        FrameRefusal::SessionNotFound
    );
    assert_eq!(alice.end_reason(), Some(ShareEnd::SharerLeft));
}

#[tokio::test]
async fn whoever_is_blocked_while_they_share_has_shared_their_last_frame() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    alice.picture(JPEG, picture(51)).await.unwrap();
    let blocked = serde_json::json!(["alice"]);
    stage.set("permissions.replies.blockedUserIds", blocked).await;
    assert_eq!(
        reason(alice.picture(JPEG, picture(1)).await),
        FrameRefusal::SessionNotFound
    );
    assert_eq!(alice.end_reason(), Some(ShareEnd::SharerLeft));
}

#[tokio::test]
async fn a_damaged_picture_is_nothing_the_next_one_is_compared_with() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    alice.picture(JPEG, picture(51)).await.unwrap();
    assert!(alice.picture(JPEG, picture(0)).await.is_err());
    let next = alice.picture(JPEG, picture(102)).await.unwrap();
    assert_eq!(next.glimpse.change.score, 0.2);
    assert_eq!(stage.screens().samples(&lounge(), None).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_mind_hears_of_a_refusal_at_once_and_then_every_ten_seconds() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    for _ in 0..5 {
        assert!(alice.picture("text/plain", picture(1)).await.is_err());
    }
    assert!(alice.picture(JPEG, picture(0)).await.is_err());
    sleep(Duration::from_millis(9_900)).await;
    assert!(alice.picture("text/plain", picture(1)).await.is_err());
    let so_far = [
        "alice started",
        "refused: invalid_mime_type +0",
        "refused: frame_undecodable +0",
    ];
    stage.settle().await;
    assert_eq!(stage.story(), so_far);

    sleep(Duration::from_millis(100)).await;
    assert!(alice.picture("text/plain", picture(1)).await.is_err());
    stage.settle().await;
    let story = stage.story();
    // Whether the sweep or the next refusal tells, all seven are told: two are, the rest is folded into them.
    let told: u64 = story
        .iter()
        .filter_map(|word| word.strip_prefix("refused: invalid_mime_type +"))
        .map(|folded| folded.parse::<u64>().unwrap() + 1)
        .sum();
    assert!(told >= 6, "{story:?}");
    sleep(Duration::from_secs(30)).await;
    let all: u64 = stage
        .story()
        .iter()
        .filter_map(|word| word.strip_prefix("refused: invalid_mime_type +"))
        .map(|folded| folded.parse::<u64>().unwrap() + 1)
        .sum();
    assert_eq!(all, 7);
}

#[tokio::test]
async fn refusals_that_were_folded_are_told_before_the_end() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    for _ in 0..4 {
        assert!(alice.picture("text/plain", picture(1)).await.is_err());
    }
    alice.end(ShareEnd::Stopped).await;
    assert_eq!(
        stage.story(),
        [
            "alice started",
            "refused: invalid_mime_type +0",
            "refused: invalid_mime_type +2",
            "ended: stopped"
        ]
    );
}

#[tokio::test]
async fn the_mind_hears_nothing_of_frames_of_a_share_that_is_over() {
    let stage = Stage::open();
    let alice = stage.sharer("alice").await;
    alice.end(ShareEnd::Stopped).await;
    assert_eq!(
        reason(alice.picture(JPEG, picture(1)).await),
        FrameRefusal::SessionNotFound
    );
    stage.settle().await;
    assert_eq!(stage.story(), ["alice started", "ended: stopped"]);
}
