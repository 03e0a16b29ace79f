//! The operator's short sounds: WAV files of one folder, by their names.

use std::path::Path;

use bytes::Bytes;
use runtime::ports::SoundFrame;
use vocabulary::Span;

/// Longest sound, in milliseconds.
const LONGEST: u64 = 10_000;
/// Largest file: so much of eight channels at four bytes, at the highest rate that is usual.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
const NAME_CHARS_MAX: usize = 64;
/// Samples of a frame.
const FRAME: usize = audio::RATE as usize / 50;

/// Reads a sound; for a person, why it cannot be played.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Vec<SoundFrame>, String> {
    if folder.as_os_str().is_empty() {
        return Err("there are no sounds: voice.soundsPath names no folder".to_owned());
    }
    let is_plain = |character: char| character.is_alphanumeric() || " -_".contains(character);
    if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || !name.chars().all(is_plain) {
        return Err(format!(
            "“{}” is no name of a sound: letters, digits, spaces, - and _ make one",
            name.chars().take(NAME_CHARS_MAX).collect::<String>()
        ));
    }
    let path = folder.join(format!("{name}.wav"));
    let about = path.metadata().map_err(|error| {
        format!(
            "there is no sound “{name}”: {} cannot be read ({error}). Put it there, as a WAV file",
            path.display()
        )
    })?;
    if !about.is_file() || about.len() > BYTES_MAX {
        return Err(format!("{} is no file, or larger than 64 MiB", path.display()));
    }
    let bytes =
        std::fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let broken = |error: &dyn std::fmt::Display| format!("{} cannot be played: {error}", path.display());
    let recording = audio::wav::Recording::read(&bytes).map_err(|error| broken(&error))?;
    if recording.milliseconds() > LONGEST {
        return Err(format!(
            "{} has {} seconds; a sound has at most 10 seconds",
            path.display(),
            recording.milliseconds() / 1_000
        ));
    }
    let samples = recording.at(audio::RATE).map_err(|error| broken(&error))?;
    Ok(frames(&samples))
}

fn frames(samples: &[i16]) -> Vec<SoundFrame> {
    let frames = samples.chunks(FRAME).zip(0_u64..);
    let frame = |(samples, number): (&[i16], u64)| SoundFrame {
        samples: Bytes::from_iter(samples.iter().flat_map(|sample| sample.to_le_bytes())),
        at: Span(number * 20),
    };
    frames.map(frame).collect()
}
