use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// The session and the attributes that every part of a browser's offer has.
const HEAD: &str = "v=0\r\no=- 4611731400430051336 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n\
    a=msid-semantic: WMS\r\na=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\na=ice-options:trickle\r\n\
    a=fingerprint:sha-256 75:74:5A:A6:A4:E5:52:F4:A7:67:4C:01:C7:EE:91:3F:21:3D:A2:E3:53:7B:6F:30:86:F2:30:AA:65:FB:04:24\r\n\
    a=setup:actpass\r\n";

fn audio(direction: &str) -> String {
    format!(
        "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\na={direction}\r\na=rtcp-mux\r\n\
         a=rtpmap:111 opus/48000/2\r\n"
    )
}

/// VP8 before H.264, as Chromium offers them, and a candidate that hides its address.
fn video(direction: &str) -> String {
    format!(
        "m=video 9 UDP/TLS/RTP/SAVPF 96 97 103 104\r\nc=IN IP4 0.0.0.0\r\na=mid:1\r\na={direction}\r\na=rtcp-mux\r\n\
         a=candidate:1 1 udp 2113937151 0f1a2b3c-aaaa-bbbb-cccc-0123456789ab.local 50000 typ host\r\n\
         a=rtpmap:96 VP8/90000\r\na=rtcp-fb:96 nack pli\r\na=rtpmap:97 rtx/90000\r\na=fmtp:97 apt=96\r\n\
         a=rtpmap:103 H264/90000\r\na=rtcp-fb:103 nack pli\r\n\
         a=fmtp:103 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f\r\n\
         a=rtpmap:104 rtx/90000\r\na=fmtp:104 apt=103\r\na=ssrc:1234 cname:x\r\n"
    )
}

fn answered(bundle: &str, parts: &[String]) -> Result<String, StreamRefusal> {
    let offer = format!("{HEAD}a=group:BUNDLE {bundle}\r\n{}", parts.concat());
    let address = "192.0.2.2:40000".parse().expect("an address");
    negotiate(&offer, &[address]).map(|(_, answer)| answer)
}

/// The payload types of the video that an answer accepts, the favoured first.
fn payloads(answer: &str) -> Vec<&str> {
    let line = answer
        .lines()
        .find(|line| line.starts_with("m=video "))
        .expect("video");
    line.split(' ').skip(3).collect()
}

#[test]
fn h264_is_favoured_and_only_received() {
    let answer = answered("1", &[video("sendonly")]).expect("an answer");
    assert_eq!(payloads(&answer)[..2], ["103", "104"], "{answer}");
    assert!(payloads(&answer).contains(&"96"));
    assert!(answer.contains("a=recvonly") && !answer.contains("a=sendrecv"));
    assert!(answer.contains("a=ice-lite"));
    assert!(answer.contains("192.0.2.2 40000 typ host"), "{answer}");
}

#[test]
fn audio_beside_the_video_does_no_harm_and_whoever_would_receive_too_is_only_received_from() {
    let answer = answered("0 1", &[audio("sendrecv"), video("sendrecv")]).expect("an answer");
    assert!(
        !answer.contains("a=sendrecv") && !answer.contains("m=audio 0 "),
        "{answer}"
    );
    let candidate = answer.find("typ host").expect("a candidate");
    assert!(
        candidate < answer.find("m=video").expect("video"),
        "candidates stand in the first part"
    );
}

#[test]
fn an_offer_without_video_or_with_none_to_be_sent_is_refused() {
    for parts in [
        vec![audio("sendonly")],
        vec![video("recvonly")],
        vec![video("inactive")],
    ] {
        let bundle = if parts[0].starts_with("m=audio") { "0" } else { "1" };
        let refused = answered(bundle, &parts).expect_err("there is no video");
        assert!(matches!(refused, StreamRefusal::NoUsableVideo(_)), "{refused:?}");
    }
}

#[tokio::test]
async fn an_offer_that_trips_the_library_is_a_bad_offer() {
    let twice = video("sendonly").replace(
        "a=rtpmap:104 rtx/90000\r\na=fmtp:104 apt=103",
        "a=rtpmap:96 H264/90000",
    );
    let offer = format!("{HEAD}a=group:BUNDLE 1\r\n{twice}");
    // Answered or refused, but never a panic for whoever asks.
    let _ = answer(offer, vec!["192.0.2.2:40000".parse().expect("an address")]).await;
    let nonsense = answer("v=0\r\nm=".to_owned(), Vec::new()).await;
    match nonsense {
        Err(StreamRefusal::BadOffer(why)) => assert!(!why.contains("0x"), "{why}"),
        other => panic!("{:?}", other.map(|(_, answer)| answer)),
    }
}

proptest! {
    #![proptest_config(hostile::cases(40))]
    #[test]
    fn mangled_offers_are_answered_or_refused(
        changes in vec((0usize..4000, any::<u8>(), 0usize..40), 1..6),
    ) {
        let mut offer = format!("{HEAD}a=group:BUNDLE 0 1\r\n{}{}", audio("sendonly"), video("sendonly")).into_bytes();
        for (at, byte, removed) in changes {
            let at = at % offer.len();
            let end = (at + removed).min(offer.len());
            offer.splice(at..end, [byte]);
        }
        let offer = String::from_utf8_lossy(&offer).into_owned();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        // Whatever comes of it, whoever asks gets an answer or a reason.
        let _ = runtime.block_on(answer(offer, vec!["192.0.2.2:40000".parse().expect("an address")]));
    }
}
