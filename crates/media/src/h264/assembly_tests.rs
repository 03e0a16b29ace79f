use std::time::Duration;

use super::*;
use crate::h264::annex_b::units;
use crate::h264::testing::{Film, packets, units_of};
use crate::rtp::MAX_WAIT;

fn arrived_of(packets: impl IntoIterator<Item = Packet>) -> Vec<Arrived> {
    let mut depacketiser = Depacketiser::new();
    let mut arrived = Vec::new();
    for packet in packets {
        depacketiser.push(packet, Duration::ZERO);
        arrived.extend(std::iter::from_fn(|| depacketiser.next()));
    }
    // Nothing more comes: what was waited for is given up.
    depacketiser.advance(MAX_WAIT * 2);
    depacketiser.advance(MAX_WAIT * 4);
    arrived.extend(std::iter::from_fn(|| depacketiser.next()));
    arrived
}

fn film(frames: usize) -> Vec<Vec<u8>> {
    let mut film = Film::new(96, 96);
    (0..frames)
        .map(|frame| film.frame(40 + 20 * (frame % 5) as u8))
        .collect()
}

/// The same unit, with start codes of four bytes throughout.
fn normal(access_unit: &[u8]) -> Arrived {
    let units = units_of(access_unit);
    Arrived::Frame(
        units
            .iter()
            .flat_map(|unit| [&START_CODE, &unit[..]].concat())
            .collect(),
    )
}

fn one(sequence: u16, timestamp: u32, marker: bool, payload: &[u8]) -> Packet {
    Packet {
        sequence,
        timestamp,
        marker,
        payload: payload.into(),
    }
}

/// A delimiter, so that what follows is not taken for the middle of an access unit.
fn begun() -> Packet {
    one(0, 7, false, &[9, 0xf0])
}

fn with_begun(rest: &[&[u8]]) -> Vec<Arrived> {
    let last = rest.len();
    let rest = rest.iter().enumerate();
    let rest = rest.map(|(at, payload)| one(at as u16 + 1, 7, at + 1 == last, payload));
    arrived_of(std::iter::once(begun()).chain(rest))
}

#[test]
fn units_that_are_alone_aggregated_and_fragmented_become_the_access_units_they_were() {
    let film = film(6);
    let sent = packets(&film, 65530, 30);
    assert!(sent.iter().any(|packet| packet.payload[0] & 0x1f == FU_A));
    assert!(sent.iter().any(|packet| packet.payload[0] & 0x1f == STAP_A));
    let expected: Vec<Arrived> = film.iter().map(|unit| normal(unit)).collect();
    assert_eq!(arrived_of(sent), expected);
}

#[test]
fn a_change_of_time_ends_an_access_unit_without_a_marker() {
    let film = film(3);
    let mut sent = packets(&film, 0, 30);
    sent.iter_mut().for_each(|packet| packet.marker = false);
    sent.push(one(sent.len() as u16, 99, false, &[0x41, 1]));
    let expected: Vec<Arrived> = film.iter().map(|unit| normal(unit)).collect();
    assert_eq!(arrived_of(sent), expected);
}

#[test]
fn packets_that_overtake_each_other_make_no_difference() {
    let film = film(4);
    let mut sent = packets(&film, 65533, 30);
    for pair in sent[1..].chunks_mut(3) {
        pair.reverse();
    }
    let expected: Vec<Arrived> = film.iter().map(|unit| normal(unit)).collect();
    assert_eq!(arrived_of(sent), expected);
}

#[test]
fn a_missing_packet_costs_its_access_unit_and_is_told() {
    let film = film(4);
    let sent = packets(&film, 0, 30);
    let second: Vec<usize> = (0..sent.len()).filter(|at| sent[*at].timestamp == 3000).collect();
    for missing in second {
        let mut sent = sent.clone();
        let had_marker = sent.remove(missing).marker;
        let mut expected = vec![normal(&film[0]), Arrived::Lost];
        // Without the end of the second the beginning of the third is in doubt.
        expected.extend(
            film[if had_marker { 3 } else { 2 }..]
                .iter()
                .map(|unit| normal(unit)),
        );
        assert_eq!(arrived_of(sent), expected, "packet {missing}");
    }
}

#[test]
fn a_key_frame_right_behind_a_gap_is_taken() {
    let mut film = Film::new(64, 64);
    let units = [film.frame(40), film.frame(50), film.key_frame(60)];
    let mut sent = packets(&units, 0, 1200);
    sent.retain(|packet| packet.timestamp != 3000);
    let expected = [normal(&units[0]), Arrived::Lost, normal(&units[2])];
    assert_eq!(arrived_of(sent), expected);
}

#[test]
fn a_stream_that_is_joined_in_the_middle_begins_with_the_next_access_unit() {
    let film = film(3);
    let mut sent = packets(&film, 0, 30);
    sent.drain(..2);
    let expected: Vec<Arrived> = film[1..].iter().map(|unit| normal(unit)).collect();
    assert_eq!(arrived_of(sent), expected);
}

#[test]
fn fragments_without_a_beginning_or_an_end_cost_their_access_unit() {
    assert_eq!(with_begun(&[&[0x7c, 0x05, 1], &[0x7c, 0x45, 2]]), [Arrived::Lost]);
    assert_eq!(with_begun(&[&[0x7c, 0x85, 1], &[0x7c, 0x05, 2]]), [Arrived::Lost]);
    assert_eq!(
        with_begun(&[&[0x7c, 0x85, 1], &[0x7c, 0x85, 2], &[0x7c, 0x45]]),
        [Arrived::Lost]
    );
    assert_eq!(
        with_begun(&[&[0x7c, 0x85, 1], &[0x41, 2], &[0x7c, 0x45]]),
        [Arrived::Lost]
    );
    assert_eq!(with_begun(&[&[0x7c]]), [Arrived::Lost]);
}

#[test]
fn empty_fragments_and_one_that_is_all_of_its_unit_are_taken() {
    let slices = |arrived: &[Arrived]| match arrived {
        [Arrived::Frame(frame)] => units(frame).skip(1).map(|(_, unit)| unit.to_vec()).collect(),
        other => panic!("{other:?}"),
    };
    let arrived = with_begun(&[&[0x7c, 0x85, 1], &[0x7c, 0x05], &[0x7c, 0x45, 2]]);
    let slices: Vec<Vec<u8>> = slices(&arrived);
    assert_eq!(slices, [vec![0x65, 1, 2]]);
    let arrived = with_begun(&[&[0x7c, 0xc5, 1]]);
    assert!(matches!(&arrived[..], [Arrived::Frame(frame)] if frame.ends_with(&[0x65, 1])));
}

#[test]
fn what_belongs_to_the_interleaved_mode_is_ignored() {
    let arrived = with_begun(&[
        &[25, 0, 0, 1],
        &[26, 1],
        &[27, 1],
        &[29, 0x85],
        &[30],
        &[31],
        &[0],
        &[],
        &[0x41, 5],
    ]);
    assert!(matches!(&arrived[..], [Arrived::Frame(frame)] if frame.ends_with(&[0, 1, 0x41, 5])));
}

#[test]
fn an_aggregate_that_is_cut_costs_its_access_unit() {
    assert_eq!(with_begun(&[&[0x78, 0, 3, 0x41, 1]]), [Arrived::Lost]);
    let arrived = with_begun(&[&[0x78, 0, 0, 0, 1, 0x41, 9]]);
    assert!(matches!(&arrived[..], [Arrived::Frame(frame)] if frame.ends_with(&[0, 1, 0x41])));
}

#[test]
fn an_access_unit_does_not_grow_beyond_its_limit() {
    let mut assembly = Assembly::default();
    let mut arrived = VecDeque::new();
    assembly.packet(&begun(), &mut arrived);
    for sequence in 0..70 {
        assembly.packet(&one(sequence, 7, false, &[0x41; 65_000]), &mut arrived);
        assert!(assembly.unit.len() <= MAX_ACCESS_UNIT_BYTES);
    }
    assert_eq!(arrived, [Arrived::Lost]);
    assembly.packet(&one(70, 8, true, &[0x41, 1]), &mut arrived);
    assert_eq!(arrived.len(), 2);
}
