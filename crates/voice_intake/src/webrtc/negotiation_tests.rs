use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const HEAD: &str = "v=0\r\no=- 4611731400430051336 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\n\
    a=msid-semantic: WMS\r\na=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\na=ice-options:trickle\r\n\
    a=fingerprint:sha-256 75:74:5A:A6:A4:E5:52:F4:A7:67:4C:01:C7:EE:91:3F:21:3D:A2:E3:53:7B:6F:30:86:F2:30:AA:65:FB:04:24\r\n\
    a=setup:actpass\r\n";

/// As Chromium offers a microphone: Opus with redundancy before it, and a candidate that hides its address.
fn audio(direction: &str) -> String {
    format!(
        "m=audio 9 UDP/TLS/RTP/SAVPF 63 111 9 0 8 13 110 126\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\na={direction}\r\n\
         a=rtcp-mux\r\na=candidate:1 1 udp 2113937151 0f1a2b3c-aaaa-bbbb-cccc-0123456789ab.local 50000 typ host\r\n\
         a=rtpmap:63 red/48000/2\r\na=fmtp:63 111/111\r\n\
         a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1\r\na=rtpmap:9 G722/8000\r\n\
         a=rtpmap:0 PCMU/8000\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:13 CN/8000\r\na=rtpmap:110 telephone-event/48000\r\n\
         a=rtpmap:126 telephone-event/8000\r\na=ssrc:1234 cname:x\r\n"
    )
}

fn answered(offer: &str) -> Result<String, DoorRefusal> {
    let address = "192.0.2.2:40000".parse().expect("an address");
    negotiate(offer, &[address]).map(|negotiated| negotiated.answer)
}

#[test]
fn a_microphone_is_taken_in_opus_and_gets_a_voice_back() {
    let answer = answered(&format!("{HEAD}{}", audio("sendrecv"))).expect("an answer");
    assert!(answer.contains("m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n"), "{answer}");
    assert!(
        answer.contains("a=sendrecv") && answer.contains("a=ice-lite"),
        "{answer}"
    );
    assert!(answer.contains("192.0.2.2 40000 typ host"), "{answer}");
}

#[test]
fn whoever_has_no_microphone_may_listen_and_whoever_has_no_loudspeaker_may_speak() {
    for (offered, expected) in [("recvonly", "a=sendonly"), ("sendonly", "a=recvonly")] {
        let answer = answered(&format!("{HEAD}{}", audio(offered))).expect("an answer");
        assert!(answer.contains(expected), "{answer}");
    }
}

#[test]
fn an_offer_without_opus_or_without_audio_is_refused_with_what_is_missing() {
    let without_opus = audio("sendrecv")
        .replace("a=rtpmap:111 opus/48000/2\r\n", "")
        .replace("63 111 9 0 8 13 110 126", "0");
    for (offer, missing) in [
        (format!("{HEAD}{without_opus}"), "no audio in Opus"),
        (format!("{HEAD}{}", audio("inactive")), "no audio in Opus"),
        (HEAD.to_owned(), "No m-lines"),
        ("v=0".to_owned(), "no description of a session"),
        (String::new(), "no description of a session"),
    ] {
        match answered(&offer) {
            Err(DoorRefusal::BadOffer(why)) => {
                assert!(why.contains(missing) && !why.contains("0x"), "{why}");
            }
            other => panic!("{other:?}"),
        }
    }
}

mod hostile_offers {
    use super::*;

    proptest! {
        #![proptest_config(hostile::cases(64))]

        #[test]
        fn hostile_offers_are_answered_or_refused(
            wounds in vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        ) {
            let mut bytes = format!("{HEAD}{}", audio("sendrecv")).into_bytes();
            for (at, byte) in wounds {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let is_whole = bytes == format!("{HEAD}{}", audio("sendrecv")).into_bytes();
            let offer = String::from_utf8_lossy(&bytes).into_owned();
            // As it is called: whatever trips the library is told as a bad offer.
            let address = "192.0.2.2:40000".parse().expect("an address");
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            match runtime.block_on(answer(offer.clone(), vec![address])) {
                Ok(negotiated) => {
                    let answer = negotiated.answer;
                    prop_assert!(takes_audio(&answer), "{answer}");
                    prop_assert!(answer.contains("192.0.2.2 40000 typ host"), "{answer}");
                    prop_assert!(answer.contains("opus/48000"), "{answer}");
                }
                Err(DoorRefusal::BadOffer(why)) => {
                    prop_assert!(!is_whole, "{why}");
                    prop_assert!(why.starts_with("The offer cannot be answered: "), "{why}");
                    prop_assert!(why.chars().count() < 600 && !why.contains("Pointer"), "{why}");
                }
                Err(other) => prop_assert!(false, "{other} for {offer}"),
            }
        }
    }
}
