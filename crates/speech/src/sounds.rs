//! The operator's short sounds: WAV files of one folder, by their names.

use std::path::Path;

use runtime::ports::SoundFrame;
use vocabulary::Span;

/// Longest sound, in milliseconds.
const LONGEST: u64 = 10_000;
/// Largest file: so much of eight channels at four bytes, at the highest rate that is usual.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
const NAME_CHARS_MAX: usize = 64;
/// More than these nobody is told of.
const NAMES_MAX: usize = 64;

/// The names of the sounds of a folder, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    // Without a folder there are none; that it cannot be read is told when one is to be played.
    let Some(files) = Some(folder)
        .filter(|folder| !folder.as_os_str().is_empty())
        .and_then(|folder| std::fs::read_dir(folder).ok())
    else {
        return Vec::new();
    };
    let paths = files.filter_map(Result::ok).map(|file| file.path());
    let sounds = paths.filter(|path| {
        path.extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("wav"))
    });
    let mut names: Vec<String> = sounds
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| is_name(name))
        .collect();
    names.sort();
    names.truncate(NAMES_MAX);
    names
}

fn is_name(name: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || " -_".contains(character);
    !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX && name.chars().all(is_plain)
}

/// Reads a sound; for a person, why it cannot be played.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Vec<SoundFrame>, String> {
    if folder.as_os_str().is_empty() {
        return Err("there are no sounds: voice.soundsPath names no folder".to_owned());
    }
    if !is_name(name) {
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
    let frames = samples.chunks(audio::FRAME).zip(0_u64..);
    let frame = |(samples, number): (&[i16], u64)| {
        let mut bytes = Vec::new();
        audio::pcm::write(samples, &mut bytes);
        SoundFrame {
            samples: bytes.into(),
            at: Span(number * 20),
        }
    };
    frames.map(frame).collect()
}
