//! What it says: a tone, as long as the text would take.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Samples a second.
pub(crate) const RATE: usize = 24_000;
/// Milliseconds for a character.
const CHARACTER_MS: usize = 60;

/// The sound of a text, in pieces.
pub(crate) fn pieces(text: &str) -> Vec<Vec<i16>> {
    pieces_at(text, RATE)
}

/// The same at another rate.
pub(crate) fn pieces_at(text: &str, rate: usize) -> Vec<Vec<i16>> {
    // A single letter takes some time, and nothing none.
    let characters = match text.chars().count() {
        0 => 0,
        some => some.max(2),
    };
    let samples = characters * CHARACTER_MS * rate / 1_000;
    let wave = |at: usize| {
        let phase = at as f64 * 220.0 * std::f64::consts::TAU / rate as f64;
        (phase.sin() * 6_000.0) as i16
    };
    let samples: Vec<i16> = (0..samples).map(wave).collect();
    samples.chunks(rate / 10).map(<[i16]>::to_vec).collect()
}

pub(crate) fn encoded(samples: &[i16]) -> String {
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    STANDARD.encode(bytes)
}

/// How many bytes of sound somebody sent; none where it is no base 64.
pub(crate) fn bytes_of(text: &str) -> Option<usize> {
    STANDARD.decode(text).ok().map(|bytes| bytes.len())
}

/// The words of a text, each with the space behind it.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_inclusive(' ').map(str::to_owned).collect()
}
