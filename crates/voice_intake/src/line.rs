//! A program's stay: its sound as bytes, in the coding that it has chosen.

use async_trait::async_trait;
use audio::codec::{Encoded, SAMPLES_MAX, VoiceDecoder, VoiceEncoder, samples_of};
use audio::{FRAME, Frame, pcm};
use bytes::Bytes;
use runtime::ports::{DoorRefusal, LineCoding, LineEnd, LineFault, VoiceLine, VoiceSession};

use crate::CODING;
use crate::stay::Stay;

/// A program in a voice room.
#[derive(Debug)]
pub(crate) struct Line {
    stay: Stay,
    coding: Coding,
}

#[derive(Debug)]
enum Coding {
    Pcm16,
    Opus(Box<Opus>),
}

#[derive(Debug)]
struct Opus {
    decoder: VoiceDecoder,
    encoder: VoiceEncoder,
    /// Decoded, and short of a frame.
    rest: Vec<i16>,
    packet: Vec<u8>,
}

impl Line {
    pub(crate) fn new(stay: Stay, coding: LineCoding) -> Result<Self, DoorRefusal> {
        let coding = match coding {
            LineCoding::Pcm16 => Coding::Pcm16,
            LineCoding::Opus => Coding::Opus(Box::new(
                Opus::new().map_err(|error| DoorRefusal::Unavailable(error.to_string()))?,
            )),
        };
        Ok(Self { stay, coding })
    }
}

impl Opus {
    fn new() -> Result<Self, audio::codec::CodecError> {
        Ok(Self {
            decoder: VoiceDecoder::new()?,
            encoder: VoiceEncoder::new(CODING)?,
            rest: Vec::with_capacity(FRAME + SAMPLES_MAX),
            packet: Vec::new(),
        })
    }
}

#[async_trait]
impl VoiceLine for Line {
    fn session(&self) -> &VoiceSession {
        self.stay.session()
    }

    fn say(&mut self, sound: &[u8]) -> Result<(), LineFault> {
        match &mut self.coding {
            Coding::Pcm16 => {
                if sound.len() != 2 * FRAME {
                    return Err(LineFault::Wrong(format!(
                        "A frame of pcm16 has {} bytes, and this one has {}. Send 20 ms at a time: {FRAME} samples of 16 \
                         bits, the lower byte first, one channel, 48,000 a second.",
                        2 * FRAME,
                        sound.len()
                    )));
                }
                let mut samples = Vec::with_capacity(FRAME);
                pcm::read(sound, &mut samples);
                self.stay.say(&frame_of(&samples))
            }
            Coding::Opus(opus) => {
                let bad = |error: audio::codec::CodecError| {
                    LineFault::Wrong(format!(
                        "That is {error}. Send one packet of Opus in each frame, of 20 ms at 48 kHz."
                    ))
                };
                samples_of(sound).map_err(bad)?;
                opus.decoder.decode(sound, &mut opus.rest).map_err(bad)?;
                while opus.rest.len() >= FRAME {
                    let frame = frame_of(&opus.rest[..FRAME]);
                    opus.rest.drain(..FRAME);
                    if let Err(fault) = self.stay.say(&frame) {
                        // What was not taken must not come before the next packet.
                        opus.rest.clear();
                        return Err(fault);
                    }
                }
                Ok(())
            }
        }
    }

    async fn hear(&mut self) -> Result<Bytes, LineEnd> {
        loop {
            let frame = self.stay.hear().await?;
            match &mut self.coding {
                Coding::Pcm16 => {
                    let mut bytes = Vec::new();
                    pcm::write(frame.as_slice(), &mut bytes);
                    return Ok(bytes.into());
                }
                Coding::Opus(opus) => match opus.encoder.encode(&frame, &mut opus.packet) {
                    Ok(Encoded::Sound) => return Ok(Bytes::copy_from_slice(&opus.packet)),
                    Ok(Encoded::Silence) => {}
                    Err(error) => tracing::debug!(%error, "a frame was not encoded"),
                },
            }
        }
    }

    fn mute(&self, muted: bool) {
        self.stay.mute(muted);
    }
}

/// The first 20 ms of some samples; what is short of it is silence.
fn frame_of(samples: &[i16]) -> Frame {
    std::array::from_fn(|at| samples.get(at).copied().unwrap_or(0))
}
