use std::time::Duration;

use super::*;

const KEY: &[u8] = include_bytes!("data/key.vp8");
const INTER: &[u8] = include_bytes!("data/inter.vp8");

/// Packets of frames, each cut into pieces; every descriptor has all its fields.
fn packets(frames: &[&[u8]], piece: usize) -> Vec<Packet> {
    let mut packets = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        let pieces = frame.chunks(piece).collect::<Vec<_>>();
        for (at, bytes) in pieces.iter().enumerate() {
            let start = if at == 0 { 0x10 } else { 0 };
            let descriptor = [0x80 | start, 0xf0, 0x80, number as u8, 1, 2];
            packets.push(Packet {
                sequence: packets.len() as u16,
                timestamp: number as u32,
                marker: at + 1 == pieces.len(),
                payload: [&descriptor, *bytes].concat().into(),
            });
        }
    }
    packets
}

fn arrived_of(packets: Vec<Packet>) -> Vec<Arrived> {
    let mut depacketiser = Depacketiser::new();
    for packet in packets {
        depacketiser.push(packet, Duration::ZERO);
    }
    depacketiser.advance(Duration::from_secs(1));
    std::iter::from_fn(|| depacketiser.next()).collect()
}

fn key() -> Arrived {
    Arrived::Frame(KEY.to_vec())
}

#[test]
fn key_frames_are_put_together_and_others_passed_over() {
    let sent = packets(&[KEY, INTER, INTER, KEY, INTER], 9);
    assert_eq!(arrived_of(sent), [key(), key()]);
}

#[test]
fn descriptors_of_every_length_are_read() {
    let piece = |descriptor: &[u8]| payload(descriptor).map(|(begins, rest)| (begins, rest.to_vec()));
    assert_eq!(piece(&[0x10, 7]), Some((true, vec![7])));
    assert_eq!(piece(&[0x11, 7]), Some((false, vec![7])));
    assert_eq!(piece(&[0x00, 7]), Some((false, vec![7])));
    assert_eq!(piece(&[0x90, 0x80, 5, 7]), Some((true, vec![7])));
    assert_eq!(piece(&[0x90, 0x80, 0x85, 5, 7]), Some((true, vec![7])));
    assert_eq!(piece(&[0x90, 0x20, 5, 7]), Some((true, vec![7])));
    assert_eq!(piece(&[0x90, 0x10, 5, 7]), Some((true, vec![7])));
    for cut in [
        &[][..],
        &[0x10],
        &[0x90],
        &[0x90, 0x80],
        &[0x90, 0x80, 0x85],
        &[0x90, 0xf0, 5, 6, 7],
    ] {
        assert_eq!(piece(cut), None, "{cut:?}");
    }
}

#[test]
fn a_packet_missing_from_a_key_frame_is_told_and_one_missing_elsewhere_is_not() {
    let mut sent = packets(&[KEY, INTER, KEY], 9);
    sent.remove(1);
    assert_eq!(arrived_of(sent), [Arrived::Lost, key()]);
    let mut sent = packets(&[KEY, INTER, INTER, KEY], 9);
    let inter = sent
        .iter()
        .position(|packet| packet.timestamp == 1)
        .expect("it is there");
    sent.remove(inter);
    assert_eq!(arrived_of(sent), [key(), key()]);
}

#[test]
fn a_sender_without_markers_is_understood() {
    let mut sent = packets(&[KEY, INTER, KEY, INTER], 9);
    sent.iter_mut().for_each(|packet| packet.marker = false);
    assert_eq!(arrived_of(sent), [key(), key()]);
}

#[test]
fn a_frame_does_not_grow_beyond_its_limit() {
    let mut assembly = Assembly::default();
    let mut arrived = VecDeque::new();
    let mut payload = vec![0u8; 60_001];
    for sequence in 0..70 {
        payload[0] = if sequence == 0 { 0x10 } else { 0 };
        let packet = Packet {
            sequence,
            timestamp: 1,
            marker: false,
            payload: payload.clone().into(),
        };
        assembly.packet(&packet, &mut arrived);
    }
    assert_eq!(arrived, [Arrived::Lost]);
    assert!(assembly.frame.is_none());
}
