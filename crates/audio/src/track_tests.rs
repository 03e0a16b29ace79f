//! A voice over a network, as it is heard at the other end.

use super::*;
use crate::codec::{VoiceCoding, VoiceEncoder};
use crate::fixtures::{Voice, silence};
use crate::segment::{Segmenter, SpeechEvent};

const TICK: u64 = FRAME as u64;

/// Packets of a sound, each with the time at which it was sent.
fn sent(sound: &[i16]) -> Vec<(u64, VoicePacket)> {
    let mut encoder = VoiceEncoder::new(VoiceCoding::default()).expect("libopus");
    sound
        .as_chunks::<FRAME>()
        .0
        .iter()
        .enumerate()
        .map(|(number, frame)| {
            let mut payload = Vec::new();
            encoder.encode(frame, &mut payload).expect("a frame");
            let packet = VoicePacket {
                sequence: number as u16,
                timestamp: (number * FRAME) as u32,
                payload,
            };
            (number as u64 * TICK, packet)
        })
        .collect()
}

fn received(
    mut arrivals: Vec<(u64, VoicePacket)>,
    frames: u64,
) -> (Vec<i16>, Vec<FrameSource>, IncomingTrack) {
    arrivals.sort_by_key(|(at, _)| *at);
    let mut arrivals = arrivals.into_iter().peekable();
    let mut track = IncomingTrack::new().expect("libopus");
    let mut sound = Vec::new();
    let mut sources = Vec::new();
    for frame in 0..frames {
        while let Some((at, packet)) = arrivals.next_if(|(at, _)| *at <= frame * TICK) {
            track.push(packet, at);
        }
        let mut samples = [0; FRAME];
        sources.push(track.frame(frame * TICK, &mut samples));
        sound.extend(samples);
    }
    (sound, sources, track)
}

#[test]
fn a_sentence_over_a_bad_network_is_one_clip_of_its_length() {
    let sound = [silence(600), Voice::Ann.sound(), silence(1_500)].concat();
    let frames = sound.len() as u64 / TICK;
    // One in twelve is lost, the others are up to 60 ms late.
    let arrivals = sent(&sound)
        .into_iter()
        .filter(|(at, _)| at / TICK % 12 != 5)
        .map(|(at, packet)| (at + at * 7 % 61 * 48, packet))
        .collect();
    let (heard, sources, track) = received(arrivals, frames);
    assert!(sources.contains(&FrameSource::MadeUp) && sources.contains(&FrameSource::Sent));
    assert!(track.counts().lost >= 10, "{:?}", track.counts());

    let mut told = Vec::new();
    let mut segmenter = Segmenter::default();
    segmenter.push(&heard, &mut told);
    let clips: Vec<_> = told
        .iter()
        .filter_map(|event| match event {
            SpeechEvent::Clip(clip) => Some(clip),
            _ => None,
        })
        .collect();
    let [clip] = clips[..] else { panic!("{told:?}") };
    let spoken = clip.evidence.spoken.as_millis() as i64;
    assert!((spoken - 1_480).abs() < 200, "{spoken} ms");
}

#[test]
fn a_track_to_which_nothing_is_sent_is_silent() {
    let (heard, sources, _) = received(Vec::new(), 20);
    assert!(heard.iter().all(|sample| *sample == 0));
    assert_eq!(sources, vec![FrameSource::Nothing; 20]);
}

#[test]
fn a_packet_longer_than_a_frame_fills_several() {
    // Three frames of 20 ms in one packet: of the same size, as its second byte says.
    let (_, short) = &sent(&Voice::Bob.sound())[20];
    let mut payload = vec![short.payload[0] | 0b11, 3];
    payload.extend(short.payload[1..].repeat(3));
    assert_eq!(crate::codec::samples_of(&payload), Ok(3 * FRAME));
    let long = VoicePacket {
        sequence: 0,
        timestamp: 0,
        payload,
    };
    let (_, sources, _) = received(vec![(0, long)], 6);
    let sound = sources
        .iter()
        .filter(|source| **source == FrameSource::Sent)
        .count();
    assert_eq!(sound, 3, "{sources:?}");
}

#[test]
fn a_packet_that_only_looks_like_opus_is_made_up_and_counted() {
    let mut arrivals = sent(&Voice::Bob.sound());
    // Two frames of different sizes, of which the first says more bytes than there are.
    arrivals[10].1.payload = vec![arrivals[10].1.payload[0] | 0b10, 200, 1, 2];
    let frames = arrivals.len() as u64;
    let (_, sources, track) = received(arrivals, frames);
    assert!(sources.contains(&FrameSource::MadeUp), "{sources:?}");
    assert_eq!(track.counts().damaged, 1);
}
