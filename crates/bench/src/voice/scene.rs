//! Rooms in which people talk: sentences of several voices in quiet rooms, as packets.

use std::fmt;

use audio::jitter::VoicePacket;
use audio::wav::Recording;
use audio::{FRAME, RATE};
use opus::{Application, Bitrate, Channels, Encoder};

/// Sentences of the voices that tests have, too.
const SENTENCES: [&[u8]; 4] = [
    include_bytes!("../../../audio/fixtures/ann.wav"),
    include_bytes!("../../../audio/fixtures/bob.wav"),
    include_bytes!("../../../audio/fixtures/cleo.wav"),
    include_bytes!("../../../audio/fixtures/dan.wav"),
];
/// The pause after a sentence, in samples: 0.9 s.
const PAUSE: usize = RATE as usize * 9 / 10;

/// Who talks when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Talk {
    InTurn,
    AllAtOnce,
}

impl fmt::Display for Talk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::InTurn => "one of them speaks at a time",
            Self::AllAtOnce => "all of them speak all the time",
        })
    }
}

/// A room, as packets.
pub struct Scene {
    pub seconds: usize,
    pub tracks: Vec<Track>,
}

/// One speaker.
pub struct Track {
    payloads: Vec<Vec<u8>>,
    /// Samples in which something is said.
    spoken: usize,
}

impl Track {
    /// What is sent in a frame's time; silence is sent, too, as browsers do.
    pub fn packet(&self, at: usize) -> VoicePacket {
        VoicePacket {
            sequence: at as u16,
            timestamp: (at * FRAME) as u32,
            payload: self.payloads[at].clone(),
        }
    }
}

impl Scene {
    pub fn render(speakers: usize, seconds: usize, talk: Talk) -> anyhow::Result<Self> {
        let sentences = sentences();
        let samples = seconds * RATE as usize;
        let mut tracks: Vec<(Vec<i16>, usize)> = (0..speakers)
            .map(|speaker| (noise(speaker as u64 + 1, samples), 0))
            .collect();
        let mut at = 0;
        let mut turn = 0;
        while at < samples {
            let sentence = &sentences[turn % sentences.len()];
            for (speaker, (sound, spoken)) in tracks.iter_mut().enumerate() {
                let speaks = talk == Talk::AllAtOnce || turn % speakers == speaker;
                if speaks {
                    *spoken += sentence.len().min(samples - at);
                    for (sample, said) in sound[at..].iter_mut().zip(sentence) {
                        *sample = sample.saturating_add(*said);
                    }
                }
            }
            at += sentence.len() + if talk == Talk::InTurn { PAUSE } else { 0 };
            turn += 1;
        }
        let tracks = tracks.into_iter().map(|(sound, spoken)| {
            let payloads = encoded(&sound)?;
            Ok(Track { payloads, spoken })
        });
        Ok(Self {
            seconds,
            tracks: tracks.collect::<anyhow::Result<_>>()?,
        })
    }

    pub fn frames(&self) -> usize {
        self.tracks.first().map_or(0, |track| track.payloads.len())
    }

    /// The part of all tracks in which something is said.
    pub fn share_spoken(&self) -> f64 {
        let spoken: usize = self.tracks.iter().map(|track| track.spoken).sum();
        spoken as f64 / (self.seconds * RATE as usize * self.tracks.len()) as f64
    }
}

/// People who talk without a pause, each from another place on.
pub fn voices(speakers: usize, seconds: usize) -> Vec<Vec<i16>> {
    let all = sentences().concat();
    (0..speakers)
        .map(|speaker| {
            let endless = all.iter().copied().cycle();
            endless
                .skip(speaker * RATE as usize)
                .take(seconds * RATE as usize)
                .collect()
        })
        .collect()
}

fn sentences() -> Vec<Vec<i16>> {
    let read = |file: &&[u8]| {
        let recording = Recording::read(file).expect("a file of ours");
        recording.at(RATE).expect("a common rate")
    };
    SENTENCES.iter().map(read).collect()
}

/// A quiet room: -65 dB.
fn noise(seed: u64, samples: usize) -> Vec<i16> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..samples)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % 65) as i16 - 32
        })
        .collect()
}

/// As a browser encodes by default: silence is sent like everything else.
fn encoded(sound: &[i16]) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut encoder = Encoder::new(RATE, Channels::Mono, Application::Voip)?;
    encoder.set_bitrate(Bitrate::Bits(32_000))?;
    encoder.set_inband_fec(true)?;
    let frames = sound.as_chunks::<FRAME>().0.iter();
    let packets = frames.map(|frame| encoder.encode_vec(frame, 1_500));
    Ok(packets.collect::<Result<_, _>>()?)
}
