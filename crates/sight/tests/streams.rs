//! Real streams over loopback: a WebRTC peer encodes, encrypts and sends; frames arrive, scored.

mod peer;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use peer::{Controls, H264, Recorder, Sender, offering};
use runtime::ports::StreamRefusal;
use settings::Settings;
use sight::{Reach, Whip};
use str0m::format::Codec;
use vocabulary::ShareEnd;

/// No test waits longer; none asserts how long it took.
const PATIENCE: Duration = Duration::from_secs(60);

fn whip() -> Whip {
    let mut settings = Settings::default();
    settings.stream_watch.native_discord_max_frames_per_second = 10;
    settings.stream_watch.keyframe_interval_ms = 500;
    let settings = Arc::new(settings);
    let reach = Reach::of(Ipv4Addr::LOCALHOST.into(), None).expect("loopback");
    Whip::new(reach, move || settings.clone())
}

async fn within<T>(what: &str, waited_for: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(PATIENCE, waited_for).await;
    waited.unwrap_or_else(|_| panic!("{what} did not happen"))
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    within(what, async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

async fn streaming(whip: &Whip, recorder: &Arc<Recorder>, sender: Sender) -> peer::Peer {
    let offering = offering(sender);
    let answer = whip
        .serve(recorder.clone(), &offering.offer)
        .await
        .expect("an answer");
    offering.begin(&answer)
}

fn set_brightness(controls: &Controls, brightness: u8) {
    controls.brightness.store(brightness, Ordering::Relaxed);
}

#[tokio::test]
async fn a_stream_becomes_frames_and_a_hard_cut_is_a_scene_cut() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let peer = streaming(&whip, &recorder, H264).await;
    within("the first frames", recorder.until(|frames| frames.len() >= 4)).await;
    let frames = recorder.frames();
    assert_eq!(frames[0].seen.change.score, 0.0);
    assert!(frames.iter().all(|frame| !frame.seen.change.scene_cut));
    assert!(frames[1..].iter().any(|frame| frame.seen.change.score > 0.0));
    assert!(frames.iter().all(|frame| frame.jpeg.starts_with(&[0xff, 0xd8])));
    assert_eq!((frames[0].seen.width, frames[0].seen.height), (320, 240));
    set_brightness(&peer.controls, 230);
    within(
        "the cut",
        recorder.until(|frames| frames.iter().any(|frame| frame.seen.change.scene_cut)),
    )
    .await;
    assert_eq!(recorder.begun.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn packets_that_are_lost_for_good_lead_to_a_key_frame_and_the_stream_goes_on() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let sender = Sender {
        resends: false,
        ..H264
    };
    let peer = streaming(&whip, &recorder, sender).await;
    within("the first frames", recorder.until(|frames| frames.len() >= 2)).await;
    let wanted = peer.controls.key_frames_wanted.load(Ordering::Relaxed);
    peer.controls.losing.store(2, Ordering::Relaxed);
    until("a wish for a key frame", || {
        peer.controls.key_frames_wanted.load(Ordering::Relaxed) > wanted
    })
    .await;
    let so_far = recorder.frames().len();
    set_brightness(&peer.controls, 230);
    within(
        "frames after the loss",
        recorder.until(|frames| frames.len() > so_far + 2),
    )
    .await;
    within(
        "the cut",
        recorder.until(|frames| frames.iter().any(|frame| frame.seen.change.scene_cut)),
    )
    .await;
}

#[tokio::test]
async fn packets_that_are_sent_again_cost_nothing() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let peer = streaming(&whip, &recorder, H264).await;
    within("the first frames", recorder.until(|frames| frames.len() >= 2)).await;
    let wanted = peer.controls.key_frames_wanted.load(Ordering::Relaxed);
    peer.controls.losing.store(1, Ordering::Relaxed);
    until("the loss", || peer.controls.losing.load(Ordering::Relaxed) == 0).await;
    let so_far = recorder.frames().len();
    within(
        "frames after the loss",
        recorder.until(|frames| frames.len() > so_far + 5),
    )
    .await;
    assert_eq!(peer.controls.key_frames_wanted.load(Ordering::Relaxed), wanted);
}

#[tokio::test]
async fn nothing_is_decoded_while_nobody_watches() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    recorder.watched.store(false, Ordering::Relaxed);
    let peer = streaming(&whip, &recorder, H264).await;
    until("the connection", || {
        peer.controls.is_connected.load(Ordering::Relaxed)
    })
    .await;
    until("the share's begin", || recorder.begun.load(Ordering::Relaxed) > 0).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(recorder.frames().is_empty());
    assert_eq!(peer.controls.key_frames_wanted.load(Ordering::Relaxed), 0);
    recorder.watched.store(true, Ordering::Relaxed);
    within("frames", recorder.until(|frames| frames.len() >= 2)).await;
    assert!(peer.controls.key_frames_wanted.load(Ordering::Relaxed) > 0);
}

#[tokio::test]
async fn of_vp8_the_key_frames_are_seen_and_asked_for_steadily() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let sender = Sender {
        codec: Codec::Vp8,
        resends: true,
        with_audio: true,
    };
    let peer = streaming(&whip, &recorder, sender).await;
    within("frames", recorder.until(|frames| frames.len() >= 3)).await;
    assert!(peer.controls.key_frames_wanted.load(Ordering::Relaxed) >= 2);
    let first = recorder.frames()[0].seen;
    assert_eq!((first.width, first.height), (70, 50));
}

#[tokio::test]
async fn a_sender_that_says_goodbye_ends_its_share() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let peer = streaming(
        &whip,
        &recorder,
        Sender {
            with_audio: true,
            ..H264
        },
    )
    .await;
    within("a frame", recorder.until(|frames| !frames.is_empty())).await;
    peer.controls.close.store(true, Ordering::Relaxed);
    assert_eq!(within("the end", recorder.until_end()).await, ShareEnd::Lost);
}

#[tokio::test]
async fn a_share_that_is_over_takes_its_stream_with_it() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let peer = streaming(&whip, &recorder, H264).await;
    within("a frame", recorder.until(|frames| !frames.is_empty())).await;
    recorder.stop();
    until("the goodbye", || peer.controls.is_closed.load(Ordering::Relaxed)).await;
}

#[tokio::test]
async fn a_share_that_does_not_begin_gets_no_stream() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    recorder.refuses_to_begin.store(true, Ordering::Relaxed);
    let peer = streaming(&whip, &recorder, H264).await;
    until("the goodbye", || peer.controls.is_closed.load(Ordering::Relaxed)).await;
    assert!(recorder.frames().is_empty());
}

#[tokio::test]
async fn a_sender_that_comes_back_takes_the_place_of_its_stream() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let first = streaming(&whip, &recorder, H264).await;
    within("a frame", recorder.until(|frames| !frames.is_empty())).await;
    let refused = whip.serve(recorder.clone(), "v=0\r\n").await;
    assert!(matches!(refused, Err(StreamRefusal::BadOffer(_))), "{refused:?}");
    assert!(!first.controls.is_closed.load(Ordering::Relaxed));
    let _second = streaming(&whip, &recorder, H264).await;
    until("the end of the first", || {
        first.controls.is_closed.load(Ordering::Relaxed)
    })
    .await;
    let so_far = recorder.frames().len();
    within(
        "frames of the second",
        recorder.until(|frames| frames.len() > so_far + 3),
    )
    .await;
}

#[tokio::test]
async fn offers_that_cannot_be_answered_are_refused_and_say_why() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let other = offering(Sender {
        codec: Codec::Vp9,
        ..H264
    });
    let refused = whip
        .serve(recorder.clone(), &other.offer)
        .await
        .expect_err("no codec in common");
    assert!(
        matches!(&refused, StreamRefusal::NoUsableVideo(why) if why.contains("H.264")),
        "{refused:?}"
    );
    for nonsense in ["", "hello", "v=0\r\no=- 1 2 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"] {
        let refused = whip.serve(recorder.clone(), nonsense).await;
        assert!(
            matches!(refused, Err(StreamRefusal::BadOffer(_))),
            "{nonsense}: {refused:?}"
        );
    }
    let long = "a".repeat(sight::whip::MAX_OFFER_BYTES + 1);
    assert!(matches!(
        whip.serve(recorder, &long).await,
        Err(StreamRefusal::BadOffer(_))
    ));
}
