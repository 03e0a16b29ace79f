//! Opus: what browsers and Discord send and are sent, a packet for each 20 ms.
//!
//! Packets come from strangers: whatever they hold, decoding gives a bounded number of samples or an error, and the next
//! packet is decoded as if nothing had been.

use opus::{Application, Bitrate, Channels, Decoder, Encoder, Signal};

use crate::{FRAME, Frame, RATE};

/// The largest packet that is looked at; a datagram is smaller.
pub const PACKET_MAX: usize = 4_000;
/// The most samples of one packet: 120 ms.
pub const SAMPLES_MAX: usize = 5_760;
/// Lengths of what is made up are multiples of this: 2.5 ms.
const STEP: usize = 120;

/// Why something is not sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    #[error("an Opus packet without a byte in it")]
    Empty,
    #[error("an Opus packet of {0} bytes; the largest that is looked at has {PACKET_MAX}")]
    Large(usize),
    #[error("not an Opus packet ({0})")]
    Damaged(&'static str),
    #[error("Opus cannot be set up ({0})")]
    SetUp(&'static str),
}

/// What a frame has become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// A packet that is to be sent.
    Sound,
    /// The sound has been silent for a while: nothing need be sent, and the listener's program makes up the silence.
    Silence,
}

/// How a voice is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceCoding {
    /// 6,000 to 128,000.
    pub bits_per_second: u32,
    /// The share of packets that are expected to be lost, in percent: the more, the more is sent twice.
    pub expected_loss: u8,
    /// Whether silence becomes no packets. A steady sound, of music say, is taken for noise and goes with it: whoever knows
    /// when there is silence does better without.
    pub leaves_silence_out: bool,
}

impl Default for VoiceCoding {
    fn default() -> Self {
        Self {
            bits_per_second: 32_000,
            expected_loss: 8,
            leaves_silence_out: true,
        }
    }
}

/// Turns a voice into packets that carry some of the one before, and into none where it is silent.
#[derive(Debug)]
pub struct VoiceEncoder {
    encoder: Encoder,
}

impl VoiceEncoder {
    /// For one voice.
    pub fn new(coding: VoiceCoding) -> Result<Self, CodecError> {
        let encoder = set_up(coding).map_err(|error| CodecError::SetUp(error.description()))?;
        Ok(Self { encoder })
    }

    /// Encodes 20 ms; the packet takes the place of what was in there.
    pub fn encode(&mut self, frame: &Frame, packet: &mut Vec<u8>) -> Result<Encoded, CodecError> {
        packet.resize(PACKET_MAX, 0);
        let length = self
            .encoder
            .encode(frame, packet)
            .map_err(|error| CodecError::Damaged(error.description()))?;
        packet.truncate(length);
        // A packet of two bytes or fewer says only that silence goes on.
        Ok(if length <= 2 {
            Encoded::Silence
        } else {
            Encoded::Sound
        })
    }

    /// Begins anew, as for another voice.
    pub fn reset(&mut self) -> Result<(), CodecError> {
        self.encoder
            .reset_state()
            .map_err(|error| CodecError::SetUp(error.description()))
    }
}

fn set_up(coding: VoiceCoding) -> opus::Result<Encoder> {
    /// Of ten; beyond it takes much more time and sounds hardly better.
    const COMPLEXITY: i32 = 5;
    let mut encoder = Encoder::new(RATE, Channels::Mono, Application::Voip)?;
    let bits = coding.bits_per_second.clamp(6_000, 128_000);
    encoder.set_bitrate(Bitrate::Bits(bits as i32))?;
    encoder.set_signal(Signal::Voice)?;
    encoder.set_complexity(COMPLEXITY)?;
    encoder.set_inband_fec(true)?;
    encoder.set_packet_loss_perc(i32::from(coding.expected_loss.min(100)))?;
    encoder.set_dtx(coding.leaves_silence_out)?;
    Ok(encoder)
}

/// Turns one stream of packets into sound, and makes up what was lost.
#[derive(Debug)]
pub struct VoiceDecoder {
    decoder: Decoder,
    buffer: Vec<i16>,
}

impl VoiceDecoder {
    /// For one stream.
    pub fn new() -> Result<Self, CodecError> {
        let decoder =
            Decoder::new(RATE, Channels::Mono).map_err(|error| CodecError::SetUp(error.description()))?;
        Ok(Self {
            decoder,
            buffer: vec![0; SAMPLES_MAX],
        })
    }

    /// Appends the sound of a packet, stereo mixed to mono; says how many samples it is.
    pub fn decode(&mut self, packet: &[u8], sound: &mut Vec<i16>) -> Result<usize, CodecError> {
        samples_of(packet)?;
        let samples = damaged(self.decoder.decode(packet, &mut self.buffer, false))?;
        sound.extend_from_slice(&self.buffer[..samples]);
        Ok(samples)
    }

    /// Appends something in place of lost samples, after what came before; it fades away after some packets.
    pub fn conceal(&mut self, samples: usize, sound: &mut Vec<i16>) {
        let samples = made_up(samples);
        // Where nothing came before, there is nothing to go on with.
        let made = self
            .decoder
            .decode(&[], &mut self.buffer[..samples], false)
            .unwrap_or_else(|_| {
                self.buffer[..samples].fill(0);
                samples
            });
        sound.extend_from_slice(&self.buffer[..made]);
    }

    /// Appends the samples that were lost just before this packet, out of what the packet carries of them.
    pub fn recover(&mut self, next: &[u8], samples: usize, sound: &mut Vec<i16>) {
        let length = made_up(samples);
        let is_packet = samples_of(next).is_ok();
        match self.decoder.decode(next, &mut self.buffer[..length], true) {
            Ok(made) if is_packet => sound.extend_from_slice(&self.buffer[..made]),
            _ => self.conceal(samples, sound),
        }
    }

    /// Begins anew, for another stream.
    pub fn reset(&mut self) -> Result<(), CodecError> {
        self.decoder
            .reset_state()
            .map_err(|error| CodecError::SetUp(error.description()))
    }
}

/// How many samples a packet says it is, at 48,000 a second.
pub fn samples_of(packet: &[u8]) -> Result<usize, CodecError> {
    match packet.len() {
        0 => return Err(CodecError::Empty),
        1..=PACKET_MAX => {}
        large => return Err(CodecError::Large(large)),
    }
    match damaged(opus::packet::get_nb_samples(packet, RATE))? {
        samples @ STEP..=SAMPLES_MAX => Ok(samples),
        _ => Err(CodecError::Damaged("a length that cannot be")),
    }
}

fn damaged<T>(result: opus::Result<T>) -> Result<T, CodecError> {
    result.map_err(|error| CodecError::Damaged(error.description()))
}

/// The nearest length that can be made up.
fn made_up(samples: usize) -> usize {
    if samples == 0 {
        return FRAME;
    }
    samples.min(SAMPLES_MAX).next_multiple_of(STEP)
}

#[cfg(test)]
#[path = "codec_tests.rs"]
mod tests;
