//! Whatever a server or a stranger on the line sends is taken without a panic, and without keeping much of it.

use proptest::prelude::*;
use serde_json::{Value, json};
use vocabulary::{Moment, Span};

use crate::bench::{Bench, SSRC};
use crate::privacy::PrivateGroup;
use crate::{CallInput, payload, rtp};

fn messages() -> Vec<Value> {
    let modes = ["aead_aes256_gcm_rtpsize", "aead_xchacha20_poly1305_rtpsize"];
    vec![
        json!({"op": 8, "d": {"v": 8, "heartbeat_interval": 13_750}}),
        json!({"op": 2, "seq": 1, "d": {"ssrc": SSRC, "ip": "127.0.0.1", "port": 5_000, "modes": modes}}),
        json!({"op": 4, "seq": 2, "d": {"mode": modes[0], "secret_key": vec![7; 32], "dave_protocol_version": 1}}),
        json!({"op": 5, "seq": 3, "d": {"user_id": "2", "ssrc": 5, "speaking": 1}}),
        json!({"op": 6, "d": {"t": 5}}),
        json!({"op": 9, "d": null}),
        json!({"op": 11, "seq": 4, "d": {"user_ids": ["2", "3"]}}),
        json!({"op": 12, "seq": 5, "d": {"user_id": "2", "audio_ssrc": 5, "video_ssrc": 0}}),
        json!({"op": 13, "seq": 6, "d": {"user_id": "2"}}),
        json!({"op": 21, "seq": 7, "d": {"transition_id": 3, "protocol_version": 0}}),
        json!({"op": 22, "seq": 8, "d": {"transition_id": 3}}),
        json!({"op": 24, "seq": 9, "d": {"epoch": 1, "protocol_version": 1}}),
    ]
}

/// Messages of a real group, as this crate's own makes them.
fn group_messages() -> Vec<Vec<u8>> {
    let package = |user| match PrivateGroup::new(user, 20).begin(1).remove(0) {
        crate::privacy::GroupStep::KeyPackage(bytes) => bytes,
        other => panic!("{other:?}"),
    };
    let numbered = |op: u8, rest: &[u8]| [&[0, 9, op], rest].concat();
    let sender = [&[65, 4], &[9; 64][..], &[0, 1, 6], b"double"].concat();
    vec![
        numbered(25, &sender),
        numbered(27, &[&[0], &package(2)[..]].concat()),
        numbered(27, &[&[1], &package(3)[..]].concat()),
        numbered(29, &[&[0, 5], &package(2)[..]].concat()),
        numbered(30, &[&[0, 5], &package(2)[..]].concat()),
    ]
}

fn live_and_private() -> Bench {
    let mut bench = Bench::new();
    bench.open();
    bench.hello();
    bench.ready();
    bench.discovered();
    bench.described(1);
    bench
}

proptest! {
    #![proptest_config(hostile::cases(150))]

    #[test]
    fn damaged_messages_are_heard_without_a_panic(
        texts in prop::collection::vec(hostile::mangled(messages()), 1..12),
        is_live in any::<bool>(),
    ) {
        let mut bench = if is_live { Bench::live() } else { Bench::new() };
        if !is_live {
            bench.open();
        }
        for text in texts {
            drop(bench.say(text));
            drop(bench.pass(Span(700)));
        }
        // Not all at once, and not for ever: whatever came, there is a next time or an end.
        prop_assert_eq!(bench.call.wake().is_none(), bench.call.health().end.is_some());
    }

    #[test]
    fn damaged_texts_are_read_without_a_panic(
        bytes in hostile::wounded(messages().iter().map(|it| it.to_string().into_bytes()).collect()),
    ) {
        drop(payload::read(&String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn damaged_group_messages_are_heard_without_a_panic(
        messages in prop::collection::vec(hostile::wounded(group_messages()), 1..6),
    ) {
        let mut bench = live_and_private();
        for message in messages {
            drop(bench.step(CallInput::Binary(&message)));
        }
        prop_assert!(bench.call.health().is_live);
    }

    #[test]
    fn damaged_packets_are_heard_without_a_panic(
        packets in prop::collection::vec(hostile::wounded(packets()), 1..12),
    ) {
        let mut bench = live_and_private();
        drop(bench.say(json!({"op": 5, "d": {"user_id": "2", "ssrc": 5, "speaking": 1}})));
        for packet in packets {
            let _ = rtp::kind(&packet);
            drop(bench.step(CallInput::Datagram(&packet)));
        }
        prop_assert!(bench.call.health().is_live);
    }

    #[test]
    fn damaged_frames_within_sound_packets_are_heard_without_a_panic(
        frame in hostile::wounded(vec![frame_of_a_group(), vec![0xf8, 0xff, 0xfe], vec![0xfa; 30]]),
        extension in 0..4_u8,
    ) {
        let mut bench = live_and_private();
        drop(bench.say(json!({"op": 5, "d": {"user_id": "2", "ssrc": 5, "speaking": 1}})));
        let mut group = PrivateGroup::new(1, 20);
        group.begin(1);
        drop(group.open(Moment(0), 2, &frame));
        let mut sealed = vec![0; usize::from(extension) * 4];
        sealed.extend_from_slice(&frame);
        let packet = bench.packet(5, 1, &sealed);
        drop(bench.step(CallInput::Datagram(&packet)));
        prop_assert!(bench.call.health().is_live);
    }
}

/// A frame as others send it: sealed, with its tag, its number and the marks of its kind.
fn frame_of_a_group() -> Vec<u8> {
    [&[7; 40][..], &[1; 8], &[5], &[12], &[0xfa, 0xfa]].concat()
}

fn packets() -> Vec<Vec<u8>> {
    let mut bench = Bench::new();
    let sound = bench.packet(5, 1, &frame_of_a_group());
    let mut extended = bench.packet(5, 2, &[1; 60]);
    extended[0] |= 0x10;
    vec![
        sound,
        extended,
        crate::discovery::request(SSRC),
        vec![0; 8],
        vec![0x81; 28],
    ]
}
