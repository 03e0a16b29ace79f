//! Networks that are even, uneven, lossy and hostile.

use proptest::prelude::*;

use super::*;

const TICK: u64 = FRAME as u64;
const MILLISECOND: u64 = 48;

/// A packet of 20 ms (a frame of the hybrid mode, as its first byte says) that carries its number.
fn packet(number: u32) -> VoicePacket {
    let mut payload = vec![0x78];
    payload.extend(number.to_le_bytes());
    payload.extend([1; 40]);
    VoicePacket {
        sequence: number as u16,
        timestamp: number.wrapping_mul(TICK as u32),
        payload,
    }
}

fn number_of(payload: &[u8]) -> u32 {
    u32::from_le_bytes([payload[1], payload[2], payload[3], payload[4]])
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Heard {
    Number(u32),
    Lost(bool),
    Silence,
}

/// What is heard of packets that arrive at their times, a frame every 20 ms.
fn heard(buffer: &mut JitterBuffer, mut arrivals: Vec<(u64, VoicePacket)>, frames: u64) -> Vec<Heard> {
    arrivals.sort_by_key(|(at, _)| *at);
    let mut arrivals = arrivals.into_iter().peekable();
    (0..frames)
        .map(|frame| {
            let now = frame * TICK;
            while let Some((at, packet)) = arrivals.next_if(|(at, _)| *at <= now) {
                buffer.push(packet, at);
            }
            match buffer.pull(now) {
                Playout::Packet(payload) => Heard::Number(number_of(&payload)),
                Playout::Lost { next, .. } => Heard::Lost(next.is_some()),
                Playout::Silence { samples } => {
                    assert_eq!(samples, FRAME);
                    Heard::Silence
                }
            }
        })
        .collect()
}

fn even(numbers: impl Iterator<Item = u32>, first: u32) -> Vec<(u64, VoicePacket)> {
    numbers
        .map(|number| (u64::from(number - first) * TICK, packet(number)))
        .collect()
}

fn numbers(heard: &[Heard]) -> Vec<u32> {
    heard
        .iter()
        .filter_map(|heard| match heard {
            Heard::Number(number) => Some(*number),
            _ => None,
        })
        .collect()
}

#[test]
fn an_even_network_costs_forty_milliseconds_and_loses_nothing() {
    let mut buffer = JitterBuffer::new();
    // The numbers wrap on the way.
    let first = 65_500;
    let heard = heard(&mut buffer, even(first..first + 100, first), 103);
    let begins = heard.iter().position(|heard| *heard != Heard::Silence);
    assert!(begins.is_some_and(|frames| frames <= 2), "{begins:?}");
    assert_eq!(numbers(&heard), (first..first + 100).collect::<Vec<_>>());
    assert_eq!(buffer.delay(), 40 * MILLISECOND);
}

#[test]
fn timestamps_that_wrap_are_continued() {
    let mut buffer = JitterBuffer::new();
    let arrivals = (0..20_u32)
        .map(|number| {
            let mut packet = packet(number);
            packet.timestamp = (u32::MAX - 5_000).wrapping_add(number * TICK as u32);
            (u64::from(number) * TICK, packet)
        })
        .collect();
    assert_eq!(
        numbers(&heard(&mut buffer, arrivals, 25)),
        (0..20).collect::<Vec<_>>()
    );
}

#[test]
fn packets_in_another_order_are_put_in_order() {
    let mut buffer = JitterBuffer::new();
    let mut arrivals = even(0..50, 0);
    for two in arrivals.chunks_exact_mut(2) {
        let (first, second) = two.split_at_mut(1);
        std::mem::swap(&mut first[0].1, &mut second[0].1);
    }
    let heard = heard(&mut buffer, arrivals, 55);
    assert_eq!(numbers(&heard), (0..50).collect::<Vec<_>>());
}

#[test]
fn a_lost_packet_is_told_with_the_one_after_it() {
    let mut buffer = JitterBuffer::new();
    let heard = heard(&mut buffer, even((0..20).filter(|number| *number != 10), 0), 26);
    let at = heard.iter().position(|heard| matches!(heard, Heard::Lost(_)));
    let at = at.expect("a loss is told");
    assert_eq!(
        heard[at - 1..=at + 1],
        [Heard::Number(9), Heard::Lost(true), Heard::Number(11)]
    );
    assert_eq!(buffer.counts().lost, 1 + 3, "and three where the stream ends");
}

#[test]
fn of_several_lost_packets_only_the_last_can_be_had_from_the_next() {
    let mut buffer = JitterBuffer::new();
    let lost = even((0..20).filter(|number| !(8..11).contains(number)), 0);
    let heard = heard(&mut buffer, lost, 20);
    let losses: Vec<&Heard> = heard
        .iter()
        .filter(|heard| matches!(heard, Heard::Lost(_)))
        .collect();
    assert_eq!(losses.last(), Some(&&Heard::Lost(true)), "{heard:?}");
    assert!(losses.len() <= 4, "{heard:?}");
    assert_eq!(numbers(&heard).len(), 17 - 1, "{heard:?}");
}

#[test]
fn a_packet_that_comes_twice_or_after_its_turn_is_dropped_and_counted() {
    let mut buffer = JitterBuffer::new();
    let mut arrivals = even(0..30, 0);
    arrivals.push((5 * TICK, packet(5)));
    arrivals.push((20 * TICK, packet(3)));
    let heard = heard(&mut buffer, arrivals, 35);
    assert_eq!(numbers(&heard), (0..30).collect::<Vec<_>>());
    let counts = buffer.counts();
    assert_eq!((counts.duplicate, counts.late, counts.taken), (1, 1, 30));
}

#[test]
fn an_uneven_network_gets_more_delay_and_an_even_one_gets_it_back() {
    let mut buffer = JitterBuffer::new();
    // Every seventh packet is 90 ms late.
    let late = |number: u32| if number % 7 == 3 { 90 * MILLISECOND } else { 0 };
    let arrivals = (0..300).map(|number| (u64::from(number) * TICK + late(number), packet(number)));
    let heard_first = heard(&mut buffer, arrivals.collect(), 300);
    assert!(
        buffer.delay() > 90 * MILLISECOND,
        "{}",
        buffer.delay() / MILLISECOND
    );
    let lost_later = heard_first[100..]
        .iter()
        .filter(|heard| matches!(heard, Heard::Lost(_)))
        .count();
    assert_eq!(lost_later, 0, "{:?}", &heard_first[100..150]);
    for number in 300..2_500 {
        buffer.push(packet(number), u64::from(number) * TICK);
        buffer.pull(u64::from(number) * TICK);
    }
    assert_eq!(buffer.delay(), 40 * MILLISECOND);
}

#[test]
fn a_speaker_whose_program_sends_no_silence_pauses_and_goes_on() {
    let mut buffer = JitterBuffer::new();
    // Numbers go on, times jump: nothing was sent for two seconds.
    let arrivals = (0..40_u32)
        .map(|number| {
            let time = u64::from(number) + if number < 20 { 0 } else { 100 };
            let mut packet = packet(number);
            packet.timestamp = (time * TICK) as u32;
            (time * TICK, packet)
        })
        .collect();
    let heard = heard(&mut buffer, arrivals, 145);
    assert_eq!(numbers(&heard), (0..40).collect::<Vec<_>>());
    let lost = heard
        .iter()
        .filter(|heard| matches!(heard, Heard::Lost(_)))
        .count();
    assert_eq!(lost, 6, "three each where the sound stops");
}

#[test]
fn a_short_pause_between_packets_that_are_here_is_silence() {
    let mut buffer = JitterBuffer::new();
    for number in 0..10_u32 {
        let mut packet = packet(number);
        packet.timestamp += if number < 5 { 0 } else { 3 * TICK as u32 };
        buffer.push(packet, 0);
    }
    let heard = heard(&mut buffer, Vec::new(), 13);
    assert_eq!(heard[5..8], [Heard::Silence, Heard::Silence, Heard::Silence]);
    assert_eq!(numbers(&heard), (0..10).collect::<Vec<_>>());
}

#[test]
fn a_stream_that_begins_anew_is_followed_after_two_packets() {
    let mut buffer = JitterBuffer::new();
    heard(&mut buffer, even(0..20, 0), 20);
    let anew = |number: u16| VoicePacket {
        sequence: 30_000 + number,
        timestamp: 77 + u32::from(number) * TICK as u32,
        payload: packet(1_000 + u32::from(number)).payload,
    };
    assert_eq!(buffer.push(anew(0), 20 * TICK), Arrival::OutOfLine);
    assert_eq!(buffer.push(anew(1), 21 * TICK), Arrival::Restarted);
    assert_eq!(buffer.push(anew(2), 22 * TICK), Arrival::Taken);
    assert_eq!(buffer.pull(24 * TICK), Playout::Packet(anew(1).payload));
    assert_eq!(buffer.counts().restarts, 1);
}

#[test]
fn a_heap_that_arrives_after_a_standstill_is_cut_down_to_the_delay() {
    let mut buffer = JitterBuffer::new();
    heard(&mut buffer, even(0..10, 0), 10);
    for number in 10..60 {
        buffer.push(packet(number), 60 * TICK);
    }
    let Playout::Packet(next) = buffer.pull(60 * TICK) else {
        panic!("packets are waiting")
    };
    let behind = u64::from(59 - number_of(&next)) * TICK;
    assert!(behind <= 300 * MILLISECOND, "{} ms behind", behind / MILLISECOND);
    assert!(buffer.counts().left_out > 30);
}

#[test]
fn what_is_no_opus_is_refused() {
    let mut buffer = JitterBuffer::new();
    let empty = VoicePacket {
        payload: Vec::new(),
        ..packet(1)
    };
    assert_eq!(buffer.push(empty, 0), Arrival::Damaged);
    assert_eq!(buffer.counts().damaged, 1);
}

/// Networks with loss, delay and repetition, from numbers.
fn network() -> impl Strategy<Value = Vec<(u64, u32)>> {
    prop::collection::vec((0..100_u8, 0..150_u64), 50..300).prop_map(|packets| {
        let mut arrivals = Vec::new();
        for (number, (luck, late)) in packets.into_iter().enumerate() {
            let at = number as u64 * TICK + late * MILLISECOND;
            if luck >= 10 {
                arrivals.push((at, number as u32 + 65_400));
            }
            if luck >= 95 {
                arrivals.push((at + TICK, number as u32 + 65_400));
            }
        }
        arrivals
    })
}

proptest! {
    #![proptest_config(hostile::cases(64))]

    #[test]
    fn packets_are_played_in_order_and_none_twice(network in network()) {
        let mut buffer = JitterBuffer::new();
        let arrivals = network.iter().map(|(at, number)| (*at, packet(*number))).collect();
        let heard = heard(&mut buffer, arrivals, 400);
        let played = numbers(&heard);
        prop_assert!(played.windows(2).all(|two| two[0] < two[1]), "{played:?}");
        let counts = buffer.counts();
        let told = played.len() as u64 + counts.late + counts.duplicate + counts.left_out;
        prop_assert_eq!(told, network.len() as u64, "{:?}", counts);
        prop_assert!(buffer.waiting.is_empty());
    }

    #[test]
    fn hostile_packets_are_bounded(
        packets in prop::collection::vec(
            (any::<u16>(), any::<u32>(), 0..4_u8, prop::collection::vec(any::<u8>(), 0..12), any::<u32>()),
            1..400,
        ),
    ) {
        let mut buffer = JitterBuffer::new();
        let mut numbers = (0_u16, 0_u32);
        for (sequence, timestamp, kind, payload, now) in packets {
            numbers = match kind {
                0 => (sequence, timestamp),
                1 => (numbers.0.wrapping_add(1), timestamp),
                _ => (numbers.0.wrapping_add(1), numbers.1.wrapping_add(timestamp % 2_000)),
            };
            let packet = VoicePacket { sequence: numbers.0, timestamp: numbers.1, payload };
            buffer.push(packet, u64::from(now));
            prop_assert!(buffer.waiting.len() <= PACKETS_MAX);
            if kind % 2 == 0 {
                match buffer.pull(u64::from(now)) {
                    Playout::Lost { samples, .. } | Playout::Silence { samples } => {
                        prop_assert!((1..=FRAME).contains(&samples));
                    }
                    Playout::Packet(payload) => prop_assert!(!payload.is_empty()),
                }
            }
            prop_assert!((DELAY_LEAST..=DELAY_MOST).contains(&buffer.delay()));
        }
    }
}
