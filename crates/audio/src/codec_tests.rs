//! A voice there and back, losses on the way, and packets that are none.

use proptest::prelude::*;

use super::*;
use crate::Decibels;
use crate::fixtures::Voice;

/// The packets of a voice, those of silence among them.
fn packets(sound: &[i16]) -> Vec<(Encoded, Vec<u8>)> {
    let coding = VoiceCoding {
        expected_loss: 25,
        ..VoiceCoding::default()
    };
    let mut encoder = VoiceEncoder::new(coding).expect("libopus");
    sound
        .as_chunks::<FRAME>()
        .0
        .iter()
        .map(|frame| {
            let mut packet = Vec::new();
            let encoded = encoder.encode(frame, &mut packet).expect("a frame");
            (encoded, packet)
        })
        .collect()
}

/// How alike two sounds are at the best delay up to 20 ms: 1 is the same.
fn likeness(left: &[i16], right: &[i16]) -> f64 {
    let product = |left: &[i16], right: &[i16]| -> f64 {
        left.iter()
            .zip(right)
            .map(|(left, right)| f64::from(*left) * f64::from(*right))
            .sum()
    };
    (0..960)
        .step_by(4)
        .map(|delay| {
            let right = &right[delay..];
            let left = &left[..right.len().min(left.len())];
            let right = &right[..left.len()];
            product(left, right) / (product(left, left) * product(right, right)).sqrt()
        })
        .fold(f64::MIN, f64::max)
}

#[test]
fn a_voice_comes_back_as_it_was_in_a_tenth_of_its_size() {
    let sound = Voice::Ann.sound();
    let packets = packets(&sound);
    let bytes: usize = packets.iter().map(|(_, packet)| packet.len()).sum();
    assert!(bytes * 10 < sound.len() * 2, "{bytes} bytes");
    let mut decoder = VoiceDecoder::new().expect("libopus");
    let mut back = Vec::new();
    for (_, packet) in &packets {
        assert_eq!(samples_of(packet), Ok(FRAME));
        assert_eq!(decoder.decode(packet, &mut back), Ok(FRAME));
    }
    let alike = likeness(&sound, &back);
    assert!(alike > 0.9, "{alike}");
}

#[test]
fn silence_is_not_sent() {
    let sound = [Voice::Ann.sound(), vec![0; 48_000 * 2]].concat();
    let packets = packets(&sound);
    let silent = packets[packets.len() - 50..]
        .iter()
        .filter(|(encoded, _)| *encoded == Encoded::Silence)
        .count();
    assert!(silent > 40, "{silent} of the last 50");
    assert_eq!(packets[10].0, Encoded::Sound);
}

#[test]
fn what_the_next_packet_carries_is_better_than_what_is_made_up() {
    let sound = Voice::Bob.sound();
    let packets = packets(&sound);
    let with = |recover: bool| {
        let mut decoder = VoiceDecoder::new().expect("libopus");
        let mut back = Vec::new();
        for (at, (_, packet)) in packets.iter().enumerate() {
            if at % 5 != 4 {
                decoder.decode(packet, &mut back).expect("a packet");
            } else if let Some((_, next)) = packets.get(at + 1).filter(|_| recover) {
                decoder.recover(next, FRAME, &mut back);
            } else {
                decoder.conceal(FRAME, &mut back);
            }
        }
        assert_eq!(back.len(), packets.len() * FRAME);
        likeness(&sound, &back)
    };
    let (recovered, concealed) = (with(true), with(false));
    assert!(recovered > concealed + 0.01, "{recovered} and {concealed}");
}

#[test]
fn what_is_made_up_fades_away() {
    let mut decoder = VoiceDecoder::new().expect("libopus");
    let mut back = Vec::new();
    let sound = Voice::Bob.sound();
    let loudest = sound.as_chunks::<FRAME>().0.iter().enumerate();
    let loudest = loudest.max_by_key(|(_, frame)| {
        frame
            .iter()
            .map(|sample| i64::from(sample.unsigned_abs()))
            .sum::<i64>()
    });
    let (loudest, _) = loudest.expect("frames");
    for (_, packet) in packets(&sound[..(loudest + 1) * FRAME]) {
        decoder.decode(&packet, &mut back).expect("a packet");
    }
    back.clear();
    for _ in 0..25 {
        decoder.conceal(FRAME, &mut back);
    }
    let levels: Vec<f32> = back
        .chunks(FRAME)
        .map(|frame| Decibels::of_samples(frame).0)
        .collect();
    assert!(levels[24] < levels[0] - 20.0, "{levels:?}");
}

#[test]
fn what_is_no_packet_is_refused_by_name() {
    let mut decoder = VoiceDecoder::new().expect("libopus");
    let mut back = Vec::new();
    assert_eq!(decoder.decode(&[], &mut back), Err(CodecError::Empty));
    assert_eq!(
        decoder.decode(&[0; 5_000], &mut back),
        Err(CodecError::Large(5_000))
    );
    let refused = decoder.decode(&[0xff], &mut back).expect_err("a cut packet");
    assert!(refused.to_string().starts_with("not an Opus packet"), "{refused}");
    assert!(back.is_empty());
}

#[test]
fn nothing_before_is_made_up_as_silence() {
    let mut decoder = VoiceDecoder::new().expect("libopus");
    let mut back = Vec::new();
    decoder.conceal(7, &mut back);
    decoder.recover(&[], FRAME, &mut back);
    assert_eq!(back, vec![0; 120 + FRAME]);
}

mod hostile_packets {
    use super::*;

    proptest! {
        #![proptest_config(hostile::cases(128))]

        #[test]
        fn damaged_packets_give_bounded_sound_or_an_error(
            wounded in prop::collection::vec(
                hostile::wounded(packets(&Voice::Dan.sound()[..9_600]).into_iter().map(|(_, packet)| packet).collect()),
                1..8,
            ),
        ) {
            let mut decoder = VoiceDecoder::new().expect("libopus");
            for packet in &wounded {
                let mut back = Vec::new();
                match decoder.decode(packet, &mut back) {
                    Ok(samples) => prop_assert_eq!(samples, back.len()),
                    Err(_) => prop_assert!(back.is_empty()),
                }
                prop_assert!(back.len() <= SAMPLES_MAX);
                decoder.recover(packet, FRAME, &mut back);
                decoder.conceal(packet.len(), &mut back);
                prop_assert!(back.len() <= 3 * SAMPLES_MAX);
            }
            // A whole packet is decoded after all of that.
            let (_, whole) = &packets(&Voice::Ann.sound()[..960])[0];
            prop_assert_eq!(decoder.decode(whole, &mut Vec::new()), Ok(FRAME));
        }
    }
}
