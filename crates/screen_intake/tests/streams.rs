//! Real streams over loopback: a WebRTC peer encodes, encrypts and sends; frames arrive, scored.

mod peer;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use peer::{Controls, H264, Recorder, Sender, offering};
use reach::Reach;
use runtime::ports::StreamRefusal;
use screen_intake::Whip;
use settings::Settings;
use str0m::format::Codec;
use vocabulary::ShareEnd;

/// No test waits longer; none asserts how long it took.
const PATIENCE: Duration = Duration::from_secs(60);

fn whip() -> Whip {
    whip_at(Ipv4Addr::LOCALHOST)
}

fn whip_at(listening: Ipv4Addr) -> Whip {
    let mut settings = Settings::default();
    settings.stream_watch.native_discord_max_frames_per_second = 10;
    settings.stream_watch.max_frames_per_minute = 600;
    settings.stream_watch.keyframe_interval_ms = 500;
    let settings = Arc::new(settings);
    let reach = Reach::of(listening.into(), None).expect("an address");
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
async fn a_stream_reaches_a_denizen_that_listens_everywhere() {
    let (whip, recorder) = (whip_at(Ipv4Addr::UNSPECIFIED), Arc::new(Recorder::new("a")));
    let _peer = streaming(&whip, &recorder, H264).await;
    within("frames", recorder.until(|frames| frames.len() >= 2)).await;
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
    // On a machine that is busy with other things a packet may come again too late; it will not be so every time.
    for _ in 0..20 {
        let wanted = peer.controls.key_frames_wanted.load(Ordering::Relaxed);
        peer.controls.losing.store(1, Ordering::Relaxed);
        until("the loss", || peer.controls.losing.load(Ordering::Relaxed) == 0).await;
        let so_far = recorder.frames().len();
        within(
            "frames after the loss",
            recorder.until(|frames| frames.len() > so_far + 5),
        )
        .await;
        if peer.controls.key_frames_wanted.load(Ordering::Relaxed) == wanted {
            return;
        }
    }
    panic!("a key frame was wanted after every loss");
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
async fn a_sender_that_is_not_heard_any_more_has_lost_its_share() {
    let whip = whip().with_silence_max(Duration::from_secs(3));
    let recorder = Arc::new(Recorder::new("a"));
    let peer = streaming(&whip, &recorder, H264).await;
    within("a frame", recorder.until(|frames| !frames.is_empty())).await;
    drop(peer);
    assert_eq!(within("the end", recorder.until_end()).await, ShareEnd::Lost);
    // One that is answered and never comes is no other.
    let never = Arc::new(Recorder::new("b"));
    let answered = whip.serve(never.clone(), &offering(H264).offer).await;
    assert!(answered.is_ok());
    assert_eq!(within("the end", never.until_end()).await, ShareEnd::Lost);
    assert_eq!(never.begun.load(Ordering::Relaxed), 0);
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
async fn datagrams_of_strangers_do_a_stream_no_harm() {
    let (whip, recorder) = (whip(), Arc::new(Recorder::new("a")));
    let offering = offering(H264);
    let answer = whip
        .serve(recorder.clone(), &offering.offer)
        .await
        .expect("an answer");
    let candidate = answer
        .lines()
        .find(|line| line.starts_with("a=candidate:"))
        .expect("a candidate");
    let port: u16 = candidate
        .split(' ')
        .nth(5)
        .expect("a port")
        .parse()
        .expect("a number");
    let _peer = offering.begin(&answer);
    let stranger = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let mut noise = 1u32;
    for round in 0..40 {
        // First bytes as of STUN, DTLS, RTP and RTCP, and of nothing at all.
        for first in [0, 20, 22, 128, 144, 200, 255] {
            let mut datagram = vec![first];
            for _ in 0..(round * 37 % 1400) {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                datagram.push((noise >> 24) as u8);
            }
            let _ = stranger.send_to(&datagram, ("127.0.0.1", port));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let so_far = recorder.frames().len();
    within("more frames", recorder.until(|frames| frames.len() > so_far + 2)).await;
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
    let long = "a".repeat(screen_intake::whip::MAX_OFFER_BYTES + 1);
    assert!(matches!(
        whip.serve(recorder, &long).await,
        Err(StreamRefusal::BadOffer(_))
    ));
}
