//! The naive way: every track is decoded, and a network looks at every block of it.

use std::hint::black_box;

use audio::activity::BLOCK;
use audio::codec::VoiceDecoder;
use audio::resample::Resampler;
use audio::{EAR_RATE, FRAME, RATE};
use earshot::Detector;

use super::scene::Scene;
use super::{Times, cpu_time};

/// A track that is only decoded, converted and looked at.
struct Listener {
    decoder: VoiceDecoder,
    resampler: Resampler,
    network: Box<Detector>,
    sound: Vec<i16>,
    ears: Vec<i16>,
}

impl Listener {
    fn new() -> anyhow::Result<Self> {
        Ok(Self {
            decoder: VoiceDecoder::new()?,
            resampler: Resampler::new(RATE, EAR_RATE)?,
            network: Box::new(Detector::default()),
            sound: Vec::with_capacity(FRAME),
            ears: Vec::with_capacity(FRAME),
        })
    }

    /// Decodes a packet; whether that worked.
    fn decode(&mut self, packet: &[u8]) -> bool {
        self.sound.clear();
        self.decoder.decode(packet, &mut self.sound).is_ok()
    }

    fn listen(&mut self, packet: &[u8]) {
        self.decode(packet);
        self.resampler.push(&self.sound, &mut self.ears);
        let (blocks, rest) = self.ears.as_chunks::<BLOCK>();
        for block in blocks {
            black_box(self.network.predict_i16(block));
        }
        let gone = self.ears.len() - rest.len();
        self.ears.drain(..gone);
    }
}

pub fn listen(scene: &Scene) -> anyhow::Result<Times> {
    each(scene, |listener, packet| listener.listen(packet))
}

pub fn decode(scene: &Scene) -> anyhow::Result<Times> {
    each(scene, |listener, packet| {
        black_box(listener.decode(packet));
    })
}

/// Everybody who listens decodes and adds up the tracks of everybody else.
pub fn decode_for_each(scene: &Scene) -> anyhow::Result<Times> {
    let people = scene.tracks.len();
    let mut listeners = Vec::new();
    for _ in 0..people * people {
        listeners.push(Listener::new()?);
    }
    let mut mix = vec![0_i32; FRAME];
    let mut times = Times::default();
    for at in 0..scene.frames() {
        let packets: Vec<_> = scene.tracks.iter().map(|track| track.packet(at)).collect();
        times.0.push(cpu_time(|| {
            for (place, listener) in listeners.iter_mut().enumerate() {
                let (ear, speaker) = (place / people, place % people);
                if ear == speaker {
                    mix.fill(0);
                    continue;
                }
                listener.decode(&packets[speaker].payload);
                for (sum, sample) in mix.iter_mut().zip(&listener.sound) {
                    *sum += i32::from(*sample);
                }
                black_box(&mix);
            }
        }));
    }
    Ok(times)
}

fn each(scene: &Scene, mut work: impl FnMut(&mut Listener, &[u8])) -> anyhow::Result<Times> {
    let mut listeners = Vec::new();
    for _ in &scene.tracks {
        listeners.push(Listener::new()?);
    }
    let mut times = Times::default();
    for at in 0..scene.frames() {
        let packets: Vec<_> = scene.tracks.iter().map(|track| track.packet(at)).collect();
        times.0.push(cpu_time(|| {
            for (listener, packet) in listeners.iter_mut().zip(&packets) {
                work(listener, &packet.payload);
            }
        }));
    }
    Ok(times)
}
