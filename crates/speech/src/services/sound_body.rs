//! Sound as a body brings it, piece by piece: a WAV file, or bare samples.

use crate::trouble::Trouble;

/// A head of a WAV file that is longer than this is none.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// Sound of a rate outside of these is a mistake.
const RATES: std::ops::RangeInclusive<u32> = 8_000..=192_000;

/// Takes samples out of a body while it comes.
#[derive(Debug)]
pub(crate) struct SoundBody {
    waiting: Vec<u8>,
    form: Option<Form>,
    /// None: samples without a head are no sound.
    bare_rate: Option<u32>,
    /// Bytes of the file's sound that are still to come; what is behind them is no sound.
    left: u64,
}

#[derive(Clone, Copy, Debug)]
struct Form {
    rate: u32,
    channels: usize,
}

impl SoundBody {
    /// Where nothing says otherwise the samples are mono, 16 bits, and of this rate.
    pub(crate) fn new(bare_rate: u32) -> Self {
        Self {
            bare_rate: Some(bare_rate),
            ..Self::of_files()
        }
    }

    /// Nothing but a WAV file is sound: what somebody else's server sends without a head may be anything.
    pub(crate) fn of_files() -> Self {
        Self {
            waiting: Vec::new(),
            form: None,
            bare_rate: None,
            left: u64::MAX,
        }
    }

    /// Looks at what an answer says that it is, before it is taken for sound.
    pub(crate) fn expect(&self, content_type: &str, who: &str) -> Result<(), Trouble> {
        let named = content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_lowercase();
        let is_text = named.starts_with("text/") || named.contains("json") || named.contains("xml");
        let is_packed = ["mpeg", "mp3", "mp4", "aac", "ogg", "opus", "flac", "webm"]
            .iter()
            .any(|packed| named.contains(packed));
        // A file says itself what it is; some servers name it wrongly.
        match is_text || is_packed && self.bare_rate.is_some() {
            true => Err(foreign(who, &named)),
            false => Ok(()),
        }
    }

    /// The rate, once it is known.
    pub(crate) fn rate(&self) -> u32 {
        let bare = self.bare_rate.unwrap_or_default();
        self.form.map_or(bare, |form| form.rate)
    }

    /// Takes a piece and gives the samples that are whole by now; `who` sent it.
    pub(crate) fn push(&mut self, piece: &[u8], who: &str) -> Result<Vec<i16>, Trouble> {
        self.waiting.extend_from_slice(piece);
        if self.form.is_none() && !self.find_form(who)? {
            return Ok(Vec::new());
        }
        let channels = self.form.map_or(1, |form| form.channels);
        let whole = self.waiting.len() / (2 * channels) * (2 * channels);
        let whole = whole.min(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= whole as u64;
        let bytes: Vec<u8> = self.waiting.drain(..whole).collect();
        if self.left == 0 {
            self.waiting.clear();
        }
        let samples = bytes
            .chunks_exact(2 * channels)
            .map(|frame| mean(frame, channels))
            .collect();
        Ok(samples)
    }

    fn find_form(&mut self, who: &str) -> Result<bool, Trouble> {
        if self.waiting.len() < 12 {
            return Ok(false);
        }
        if self.waiting.starts_with(b"RIFF") && self.waiting[8..12] == *b"WAVE" {
            return self.find_wav_form(who);
        }
        if let Some(what) = packed(&self.waiting) {
            return Err(foreign(who, what));
        }
        let rate = self.bare_rate.ok_or_else(|| foreign(who, "something else"))?;
        self.form = Some(Form { rate, channels: 1 });
        Ok(true)
    }

    fn find_wav_form(&mut self, who: &str) -> Result<bool, Trouble> {
        let broken = || {
            Trouble::lasting(format!(
                "{who} answered with a WAV file that cannot be read: 16-bit PCM is"
            ))
        };
        let mut at = 12;
        let mut form = None;
        while let Some(head) = self.waiting.get(at..at + 8) {
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
            if head.starts_with(b"data") {
                self.form = Some(form.ok_or_else(broken)?);
                // A file that is written while it is sent has no length, or all bits set.
                let unknown = length == 0 || length >= 0x7FFF_0000;
                self.left = if unknown { u64::MAX } else { u64::from(length) };
                self.waiting.drain(..at + 8);
                return Ok(true);
            }
            let length = length as usize;
            if head.starts_with(b"fmt ") {
                let Some(body) = self.waiting.get(at + 8..at + 24) else {
                    break;
                };
                let channels = usize::from(u16::from_le_bytes([body[2], body[3]]));
                let rate = u32::from_le_bytes([body[4], body[5], body[6], body[7]]);
                let bits = u16::from_le_bytes([body[14], body[15]]);
                if bits != 16 || !(1..=8).contains(&channels) || !RATES.contains(&rate) {
                    return Err(broken());
                }
                form = Some(Form { rate, channels });
            }
            at += 8 + length.saturating_add(length & 1);
            if at > HEAD_BYTES_MAX {
                return Err(broken());
            }
        }
        match self.waiting.len() > HEAD_BYTES_MAX {
            true => Err(broken()),
            false => Ok(false),
        }
    }
}

fn foreign(who: &str, what: &str) -> Trouble {
    Trouble::lasting(format!(
        "{who} answered with {what}, and WAV or PCM was asked for. Use a server or model that gives one of them"
    ))
}

/// What a body is that is no plain sound, by how it begins.
fn packed(begins: &[u8]) -> Option<&'static str> {
    match begins {
        [b'I', b'D', b'3', ..] | [0xFF, 0xE2 | 0xE3 | 0xF2 | 0xF3 | 0xFA | 0xFB, ..] => Some("MP3"),
        [0xFF, 0xF0 | 0xF1 | 0xF8 | 0xF9, ..] => Some("AAC"),
        [b'O', b'g', b'g', b'S', ..] => Some("Ogg"),
        [b'f', b'L', b'a', b'C', ..] => Some("FLAC"),
        [0x1A, 0x45, 0xDF, 0xA3, ..] => Some("WebM"),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some("MP4"),
        // Twelve letters and marks in a row are words; samples are not.
        begins
            if begins
                .iter()
                .take(12)
                .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t')) =>
        {
            Some("text")
        }
        _ => None,
    }
}

fn mean(frame: &[u8], channels: usize) -> i16 {
    let sum: i32 = frame
        .chunks_exact(2)
        .map(|sample| i32::from(i16::from_le_bytes([sample[0], sample[1]])))
        .sum();
    (sum / channels.max(1) as i32) as i16
}

#[cfg(test)]
#[path = "sound_body_tests.rs"]
mod tests;
