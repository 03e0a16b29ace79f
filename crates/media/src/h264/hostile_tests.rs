//! Made-up packets, and real streams that are mangled on the way: nothing panics, nothing grows, and a key frame mends
//! everything.

use std::sync::LazyLock;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;

use super::testing::{Film, packets};
use super::{Decoder, Depacketiser, MAX_ACCESS_UNIT_BYTES, START_CODE};
use crate::Picture;
use crate::rtp::{Arrived, Packet};

/// Eight frames of one size, then four of another.
static STREAM: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut small = Film::new(64, 48);
    let mut large = Film::new(96, 80);
    let small = (0..8).map(|frame| small.frame(30 * frame));
    let units: Vec<Vec<u8>> = small.collect();
    units
        .into_iter()
        .chain((0..4).map(|frame| large.frame(60 * frame)))
        .collect()
});

/// What can happen to a packet.
#[derive(Clone, Debug)]
enum Mishap {
    Drop(usize),
    Repeat(usize),
    Swap(usize, usize),
    Cut(usize, usize),
    Flip(usize, usize),
    Renumber(usize, u16),
    Unmark(usize),
}

fn mishap() -> impl Strategy<Value = Mishap> {
    let at = 0usize..1000;
    prop_oneof![
        at.clone().prop_map(Mishap::Drop),
        at.clone().prop_map(Mishap::Repeat),
        (at.clone(), 0usize..20).prop_map(|(at, by)| Mishap::Swap(at, by)),
        (at.clone(), at.clone()).prop_map(|(at, length)| Mishap::Cut(at, length)),
        (at.clone(), 0usize..100_000).prop_map(|(at, bit)| Mishap::Flip(at, bit)),
        (at.clone(), any::<u16>()).prop_map(|(at, number)| Mishap::Renumber(at, number)),
        at.prop_map(Mishap::Unmark),
    ]
}

fn mangle(packets: &mut Vec<Packet>, mishap: &Mishap) {
    let count = packets.len().max(1);
    let index = |at: &usize| at % count;
    if packets.is_empty() {
        return;
    }
    match mishap {
        Mishap::Drop(at) => drop(packets.remove(index(at))),
        Mishap::Repeat(at) => packets.insert(index(at), packets[index(at)].clone()),
        Mishap::Swap(at, by) => packets.swap(index(at), index(&(at + by))),
        Mishap::Cut(at, length) => {
            let packet = &mut packets[index(at)];
            let length = length % (packet.payload.len() + 1);
            packet.payload = packet.payload[..length].into();
        }
        Mishap::Flip(at, bit) => {
            let packet = &mut packets[index(at)];
            let mut payload = packet.payload.to_vec();
            if !payload.is_empty() {
                let bit = bit % (payload.len() * 8);
                payload[bit / 8] ^= 1 << (bit % 8);
            }
            packet.payload = payload.into();
        }
        Mishap::Renumber(at, number) => packets[index(at)].sequence = *number,
        Mishap::Unmark(at) => packets[index(at)].marker = false,
    }
}

fn pictures_of(packets: Vec<Packet>, decoder: &mut Decoder) -> Vec<Picture> {
    let mut depacketiser = Depacketiser::new();
    let mut pictures = Vec::new();
    for (at, packet) in packets.into_iter().enumerate() {
        depacketiser.push(packet, Duration::from_millis(at as u64));
        while let Some(arrived) = depacketiser.next() {
            match arrived {
                Arrived::Frame(unit) => {
                    assert!(unit.len() <= MAX_ACCESS_UNIT_BYTES);
                    pictures.extend(decoder.decode(&unit).ok().flatten());
                }
                Arrived::Lost => decoder.lost(),
            }
        }
    }
    pictures
}

fn is_whole(picture: &Picture) -> bool {
    let colour = picture.width.div_ceil(2) * picture.height.div_ceil(2);
    picture.y.len() == picture.width * picture.height
        && picture.u.len() == colour
        && picture.v.len() == colour
}

fn a_key_frame_mends(decoder: &mut Decoder) -> bool {
    // As a receiver does that sees nothing come: it asks for a key frame.
    decoder.lost();
    decoder.decode(&STREAM[0]).is_ok_and(|picture| picture.is_some())
}

/// Bytes that look like units: a start code, a kind that means something, and anything behind it.
fn units_like() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop_oneof![
        Just(0x67u8),
        Just(0x68),
        Just(0x65),
        Just(0x41),
        Just(0x01),
        any::<u8>()
    ];
    let unit =
        (kind, vec(any::<u8>(), 0..80)).prop_map(|(kind, rest)| [&START_CODE[..], &[kind], &rest].concat());
    vec(unit, 0..8).prop_map(|units| units.concat())
}

fn payload() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![Just(0x7cu8), Just(0x78), Just(0x67), Just(0x41), any::<u8>()];
    (head, vec(any::<u8>(), 0..60)).prop_map(|(head, rest)| [&[head], &rest[..]].concat())
}

proptest! {
    #[test]
    fn made_up_packets_are_survived(
        made_up in vec((0u16..40, 0u32..4, any::<bool>(), payload()), 0..60),
    ) {
        let packets = made_up.into_iter().map(|(sequence, timestamp, marker, payload)| Packet {
            sequence: sequence.wrapping_sub(20),
            timestamp,
            marker,
            payload: payload.into(),
        });
        let mut decoder = Decoder::new();
        let pictures = pictures_of(packets.collect(), &mut decoder);
        prop_assert!(pictures.iter().all(is_whole));
        prop_assert!(a_key_frame_mends(&mut decoder));
    }

    #[test]
    fn made_up_units_are_survived(stream in units_like(), behind_a_real_one in any::<bool>()) {
        let mut decoder = Decoder::new();
        if behind_a_real_one {
            prop_assert!(decoder.decode(&STREAM[0]).is_ok_and(|picture| picture.is_some()));
        }
        let decoded = decoder.decode(&stream);
        prop_assert!(decoded.ok().flatten().as_ref().is_none_or(is_whole));
        prop_assert!(a_key_frame_mends(&mut decoder));
    }

    #[test]
    fn a_real_stream_that_is_mangled_on_the_way_is_survived(
        mishaps in vec(mishap(), 0..12),
        longest in 12usize..400,
        first in any::<u16>(),
    ) {
        let mut packets = packets(&STREAM, first, longest);
        for mishap in &mishaps {
            mangle(&mut packets, mishap);
        }
        let mut decoder = Decoder::new();
        let pictures = pictures_of(packets, &mut decoder);
        prop_assert!(pictures.iter().all(is_whole));
        if mishaps.is_empty() {
            prop_assert_eq!(pictures.len(), STREAM.len());
        }
        prop_assert!(a_key_frame_mends(&mut decoder));
    }

    #[test]
    fn access_units_with_flipped_bits_are_survived(flips in vec((0usize..12, 0usize..100_000), 0..20)) {
        let mut stream = STREAM.clone();
        for (unit, bit) in flips {
            let bit = bit % (stream[unit].len() * 8);
            stream[unit][bit / 8] ^= 1 << (bit % 8);
        }
        let mut decoder = Decoder::new();
        for unit in &stream {
            let decoded = decoder.decode(unit);
            prop_assert!(decoded.ok().flatten().as_ref().is_none_or(is_whole));
        }
        prop_assert!(a_key_frame_mends(&mut decoder));
    }
}
