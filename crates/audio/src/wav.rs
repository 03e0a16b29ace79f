//! WAV files: what people and speech services hand over, and what services are handed.
//!
//! Everything is read to mono; what a file says of itself and does not hold is an error that names both.

use crate::decibels::sample;
use crate::resample::{RateError, Resampler};

/// A recording as it was in its file, its channels mixed to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Samples a second.
    pub rate: u32,
    /// Channels that the file had.
    pub channels: u16,
    /// Mono.
    pub samples: Vec<i16>,
}

impl Recording {
    /// Reads a whole file. Its samples take at most twice the memory of the file.
    pub fn read(bytes: &[u8]) -> Result<Self, WavError> {
        let mut chunks = Chunks::new(bytes)?;
        let mut form = None;
        while let Some(chunk) = chunks.following() {
            match &chunk.id {
                b"fmt " => form = Some(Form::read(chunk.whole()?)?),
                b"data" => {
                    let form = form.ok_or(WavError::DataBeforeFormat)?;
                    return form.recording(chunk.data()?);
                }
                _ => drop(chunk.whole()?),
            }
        }
        Err(match form {
            None => WavError::NoFormat,
            Some(_) => WavError::NoData,
        })
    }

    /// The samples at another rate.
    pub fn at(&self, rate: u32) -> Result<Vec<i16>, RateError> {
        Resampler::convert(self.rate, rate, &self.samples)
    }

    /// How long it is, in milliseconds.
    pub fn milliseconds(&self) -> u64 {
        self.samples.len() as u64 * 1_000 / u64::from(self.rate.max(1))
    }
}

/// Reads a whole file to mono at [`crate::RATE`].
pub fn read(bytes: &[u8]) -> Result<Vec<i16>, WavError> {
    let recording = Recording::read(bytes)?;
    Ok(recording.at(crate::RATE)?)
}

/// Writes mono samples as a file of 16-bit PCM.
pub fn write(samples: &[i16], rate: u32) -> Vec<u8> {
    // What is longer than a file can say is cut off; at 48,000 samples a second that is after 12 hours.
    let length = samples.len().min((u32::MAX as usize - HEAD) / 2);
    let data = (length * 2) as u32;
    let mut bytes = Vec::with_capacity(HEAD + length * 2);
    bytes.extend_from_slice(b"RIFF");
    bytes.extend_from_slice(&(data + HEAD as u32 - 8).to_le_bytes());
    bytes.extend_from_slice(b"WAVEfmt ");
    bytes.extend_from_slice(&16_u32.to_le_bytes());
    bytes.extend_from_slice(&PCM.to_le_bytes());
    bytes.extend_from_slice(&1_u16.to_le_bytes());
    bytes.extend_from_slice(&rate.to_le_bytes());
    bytes.extend_from_slice(&rate.saturating_mul(2).to_le_bytes());
    bytes.extend_from_slice(&2_u16.to_le_bytes());
    bytes.extend_from_slice(&16_u16.to_le_bytes());
    bytes.extend_from_slice(b"data");
    bytes.extend_from_slice(&data.to_le_bytes());
    for sample in &samples[..length] {
        bytes.extend_from_slice(&sample.to_le_bytes());
    }
    bytes
}

/// Bytes before the samples of a file that [`write`] makes.
const HEAD: usize = 44;
const PCM: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xfffe;
/// Most channels that are mixed.
const CHANNELS_MAX: u16 = 8;
/// A length from here on was written before the length was known: programs that stream write the largest they can.
const UNKNOWN_LENGTH: u32 = 0x7fff_0000;

/// Why something is not a recording that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WavError {
    #[error("not a WAV file: it begins with {begins:?} and not with RIFF and WAVE")]
    NotWav {
        /// The first bytes, as letters.
        begins: String,
    },
    #[error("the WAV file ends after {bytes} bytes, in the middle of its head")]
    HeadCut { bytes: usize },
    #[error("the chunk {id:?} says {says} bytes, and the file has {has} more")]
    ChunkCut { id: String, says: u32, has: usize },
    #[error("the chunk \"fmt \" has {0} bytes; at least 16 are needed")]
    FormatShort(usize),
    #[error("the WAV file has no chunk \"fmt \", which would say what its samples are")]
    NoFormat,
    #[error("the WAV file has no chunk \"data\", so there are no samples")]
    NoData,
    #[error("the chunk \"data\" comes before the chunk \"fmt \" that would say what it is")]
    DataBeforeFormat,
    #[error("samples are {name} (format {code:#06x}); PCM and float can be read")]
    Compressed { code: u16, name: &'static str },
    #[error("{bits} bits a sample ({kind}); PCM of 8, 16, 24 and 32 bits and float of 32 and 64 can be read")]
    Bits { bits: u16, kind: &'static str },
    #[error("{0} channels; 1 to {CHANNELS_MAX} can be read")]
    Channels(u16),
    #[error("{says} bytes a frame, and {channels} channels of {bits} bits are {makes}")]
    FrameSize {
        says: u16,
        channels: u16,
        bits: u16,
        makes: u16,
    },
    #[error("the samples end in the middle of one: {bytes} bytes are not a multiple of {frame}")]
    SampleCut { bytes: usize, frame: u16 },
    #[error(transparent)]
    Rate(#[from] RateError),
}

/// What the samples of a file are.
#[derive(Clone, Copy, Debug)]
struct Form {
    rate: u32,
    channels: u16,
    /// Bytes of one sample.
    width: usize,
    float: bool,
}

impl Form {
    fn read(bytes: &[u8]) -> Result<Self, WavError> {
        if bytes.len() < 16 {
            return Err(WavError::FormatShort(bytes.len()));
        }
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let mut code = short(0);
        if code == EXTENSIBLE && bytes.len() >= 26 {
            code = short(24);
        }
        let channels = short(2);
        let rate = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        let (frame, bits) = (short(12), short(14));
        let (kind, known): (_, &[u16]) = match code {
            PCM => ("PCM", &[8, 16, 24, 32]),
            FLOAT => ("float", &[32, 64]),
            _ => {
                let name = compression(code);
                return Err(WavError::Compressed { code, name });
            }
        };
        if !known.contains(&bits) {
            return Err(WavError::Bits { bits, kind });
        }
        if !(1..=CHANNELS_MAX).contains(&channels) {
            return Err(WavError::Channels(channels));
        }
        if !crate::resample::RATES.contains(&rate) {
            return Err(WavError::Rate(RateError(rate)));
        }
        let makes = channels * bits / 8;
        if frame != makes {
            return Err(WavError::FrameSize {
                says: frame,
                channels,
                bits,
                makes,
            });
        }
        Ok(Self {
            rate,
            channels,
            width: usize::from(bits / 8),
            float: code == FLOAT,
        })
    }

    fn recording(self, data: Data<'_>) -> Result<Recording, WavError> {
        let frame = self.width * usize::from(self.channels);
        let rest = data.bytes.len() % frame;
        if rest != 0 && data.is_whole {
            return Err(WavError::SampleCut {
                bytes: data.bytes.len(),
                frame: frame as u16,
            });
        }
        let frames = data.bytes.chunks_exact(frame);
        let channels = f32::from(self.channels);
        let samples = if self.width == 2 && self.channels == 1 {
            frames
                .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
                .collect()
        } else {
            frames
                .map(|bytes| {
                    let sum: f32 = bytes
                        .chunks_exact(self.width)
                        .map(|bytes| self.value(bytes))
                        .sum();
                    sample(sum / channels)
                })
                .collect()
        };
        Ok(Recording {
            rate: self.rate,
            channels: self.channels,
            samples,
        })
    }

    /// One sample of one channel, on the scale of 16 bits.
    fn value(self, bytes: &[u8]) -> f32 {
        match *bytes {
            // Eight bits are the only ones without a sign.
            [byte] => (f32::from(byte) - 128.0) * 256.0,
            [low, high] => f32::from(i16::from_le_bytes([low, high])),
            [low, middle, high] => i32::from_le_bytes([0, low, middle, high]) as f32 / 65_536.0,
            [a, b, c, d] if self.float => bounded(f32::from_le_bytes([a, b, c, d])),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]) as f32 / 65_536.0,
            [a, b, c, d, e, f, g, h] => bounded(f64::from_le_bytes([a, b, c, d, e, f, g, h]) as f32),
            _ => 0.0,
        }
    }
}

/// A float of a file, where one is full scale, on the scale of 16 bits; what is no number is silence.
fn bounded(value: f32) -> f32 {
    if value.is_finite() {
        value.clamp(-1.0, 1.0) * crate::decibels::FULL_SCALE
    } else {
        0.0
    }
}

fn compression(code: u16) -> &'static str {
    match code {
        0x0002 => "ADPCM of Microsoft",
        0x0006 => "A-law",
        0x0007 => "µ-law",
        0x0011 => "ADPCM of IMA",
        0x0031 => "GSM",
        0x0050 | 0x0055 => "MPEG",
        0x00ff | 0x1600..=0x1610 => "AAC",
        _ => "something else",
    }
}

/// The samples of a file as bytes.
#[derive(Clone, Copy, Debug)]
struct Data<'a> {
    bytes: &'a [u8],
    /// Whether the file said how many there are.
    is_whole: bool,
}

/// The parts of a file, one after the other.
#[derive(Debug)]
struct Chunks<'a> {
    rest: &'a [u8],
}

#[derive(Debug)]
struct Chunk<'a> {
    id: [u8; 4],
    says: u32,
    /// As much of it as there is.
    bytes: &'a [u8],
}

impl<'a> Chunks<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, WavError> {
        let matches = |at: usize, letters: &[u8; 4]| {
            let end = bytes.len().min(at + 4);
            letters.starts_with(bytes.get(at..end).unwrap_or_default())
        };
        if !matches(0, b"RIFF") || !matches(8, b"WAVE") {
            let begins = bytes[..bytes.len().min(12)].escape_ascii().to_string();
            return Err(WavError::NotWav { begins });
        }
        match bytes.get(12..) {
            Some(rest) => Ok(Self { rest }),
            None => Err(WavError::HeadCut { bytes: bytes.len() }),
        }
    }

    fn following(&mut self) -> Option<Chunk<'a>> {
        // Some programs leave a byte or a few at the end.
        let (head, after) = self.rest.split_first_chunk::<8>()?;
        let [a, b, c, d, size @ ..] = *head;
        let id = [a, b, c, d];
        let says = match u32::from_le_bytes(size) {
            0 if id == *b"data" && !Chunk::begins(after) => u32::MAX,
            says => says,
        };
        let length = after.len().min(says as usize);
        let (bytes, rest) = after.split_at(length);
        // Chunks begin at even places.
        let padding = (length % 2).min(rest.len());
        self.rest = &rest[padding..];
        Some(Chunk { id, says, bytes })
    }
}

impl<'a> Chunk<'a> {
    /// Whether another part begins here, or nothing does: a program that was ended before it knew the length of its sound
    /// leaves nought for it, and so does one that has recorded nothing.
    fn begins(bytes: &[u8]) -> bool {
        const KNOWN: [&[u8; 4]; 8] = [
            b"LIST", b"fact", b"id3 ", b"ID3 ", b"bext", b"cue ", b"smpl", b"JUNK",
        ];
        bytes.is_empty() || KNOWN.iter().any(|known| bytes.starts_with(*known))
    }

    /// Its bytes, if the file has as many as it says.
    fn whole(&self) -> Result<&'a [u8], WavError> {
        if self.bytes.len() < self.says as usize {
            return Err(WavError::ChunkCut {
                id: self.id.escape_ascii().to_string(),
                says: self.says,
                has: self.bytes.len(),
            });
        }
        Ok(self.bytes)
    }

    /// Its bytes; a file that was streamed may not know how many.
    fn data(&self) -> Result<Data<'a>, WavError> {
        let is_whole = self.says < UNKNOWN_LENGTH;
        let bytes = if is_whole { self.whole()? } else { self.bytes };
        Ok(Data { bytes, is_whole })
    }
}

#[cfg(test)]
#[path = "wav_tests.rs"]
mod tests;
