//! The operator's short sounds: WAV files of one folder, by their names. What lies there and cannot be played is told
//! before a model picks it, with what to do.

use std::collections::BTreeMap;
use std::fs::{File, read_dir};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use runtime::ports::SoundFrame;
use vocabulary::Span;

/// Longest sound, in milliseconds.
const LONGEST: u64 = 10_000;
/// Largest file: so much of two channels at four bytes, at the highest rate that is usual.
const BYTES_MAX: u64 = 16 * 1024 * 1024;
const NAME_CHARS_MAX: usize = 64;
/// No model is told of more.
const NAMES_MAX: usize = 24;
/// Files of a folder that are looked at.
const FILES_MAX: usize = 1_000;
/// Files that cannot be played are named up to so many.
const PROBLEMS_MAX: usize = 20;
/// Sounds of other kinds, which somebody may have meant.
const OTHER_KINDS: [&str; 10] = [
    "aac", "aif", "aiff", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wma",
];

/// What lies in a folder of sounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoundFolder {
    /// Those that can be played, in order.
    pub names: Vec<String>,
    /// For a person: what cannot be played, why, and what to do.
    pub problems: Vec<String>,
}

/// Looks through a folder of sounds, each of which is read.
pub fn sounds_in(folder: &Path) -> SoundFolder {
    SoundShelf::default().look(folder)
}

/// A file as it was when it was read: where nothing of this has changed, it need not be read again.
type Look = (u64, Option<SystemTime>);

/// What is known of files that were looked at.
#[derive(Debug, Default)]
pub(crate) struct SoundShelf {
    known: Mutex<BTreeMap<PathBuf, (Look, Result<(), String>)>>,
    /// What the log has told.
    told: Mutex<Vec<String>>,
}

impl SoundShelf {
    /// What lies in a folder; what is wrong there is in the log once.
    pub(crate) fn names(&self, folder: &Path) -> Vec<String> {
        let SoundFolder { names, problems } = self.look(folder);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        for problem in problems.iter().filter(|problem| !told.contains(problem)) {
            tracing::warn!("sounds (voice.soundsPath): {problem}");
        }
        *told = problems;
        names
    }

    fn look(&self, folder: &Path) -> SoundFolder {
        let mut found = SoundFolder::default();
        if folder.as_os_str().is_empty() {
            return found;
        }
        let files = match files_of(folder) {
            Ok(files) => files,
            Err(problem) => {
                found.problems.push(problem);
                return found;
            }
        };
        let mut left_out = 0;
        for path in files {
            let Some(kind) = kind_of(&path) else { continue };
            let problem = match sound_name(&path).filter(|_| kind == Kind::Wav) {
                None => Some(unusable(&path, kind)),
                Some(name) if found.names.iter().any(|other| other.eq_ignore_ascii_case(&name)) => Some(
                    format!("{} has the name of another sound. Rename it", shown(&path)),
                ),
                Some(_) if found.names.len() == NAMES_MAX => {
                    left_out += 1;
                    None
                }
                Some(name) => match self.check(folder, &path) {
                    Ok(()) => {
                        found.names.push(name);
                        None
                    }
                    Err(problem) => Some(problem),
                },
            };
            found.problems.extend(problem);
        }
        if left_out > 0 {
            found.problems.push(format!(
                "{left_out} more are left out: models are told of the first {NAMES_MAX} by name"
            ));
        }
        let more = found.problems.len().saturating_sub(PROBLEMS_MAX);
        if more > 0 {
            found.problems.truncate(PROBLEMS_MAX);
            found.problems.push(format!("and {more} more of this kind"));
        }
        found
    }

    fn check(&self, folder: &Path, path: &Path) -> Result<(), String> {
        let about = path.metadata().ok();
        let look = about.map(|about| (about.len(), about.modified().ok()));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(path) {
            Some((then, checked)) if Some(then) == look.as_ref() => checked.clone(),
            _ => {
                let checked = load(folder, path).map(drop);
                match look {
                    Some(look) if known.len() < FILES_MAX => {
                        known.insert(path.to_owned(), (look, checked.clone()));
                    }
                    _ => {}
                }
                checked
            }
        }
    }
}

/// The files of a folder in the order of their names; hidden ones are left out.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error: std::io::Error| {
        format!(
            "{} cannot be read ({error}). Make that folder, let the user that Denizen runs as read it, or name another \
             with `denizen settings set voice.soundsPath FOLDER`",
            folder.display()
        )
    };
    let files = read_dir(folder).map_err(cannot)?.take(FILES_MAX);
    let paths = files.filter_map(Result::ok).map(|file| file.path());
    let is_shown = |path: &PathBuf| !shown(path).starts_with('.');
    let mut paths: Vec<PathBuf> = paths.filter(is_shown).collect();
    paths.sort();
    Ok(paths)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Wav,
    Other,
}

/// Whether a file is a sound by its ending; anything else may lie there, too.
fn kind_of(path: &Path) -> Option<Kind> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "wav" => Some(Kind::Wav),
        other => OTHER_KINDS.contains(&other).then_some(Kind::Other),
    }
}

fn sound_name(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?;
    is_name(name).then(|| name.to_owned())
}

fn is_name(name: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || " -_".contains(character);
    !name.is_empty()
        && name.trim() == name
        && name.chars().count() <= NAME_CHARS_MAX
        && name.chars().all(is_plain)
}

/// The name of a file as it can be shown.
fn shown(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.chars()
        .map(|character| if character.is_control() { '?' } else { character })
        .collect()
}

fn unusable(path: &Path, kind: Kind) -> String {
    let file = shown(path);
    match kind {
        Kind::Other => format!("{file} is no WAV file. {}", converted(path)),
        Kind::Wav => format!(
            "{file} is called what no sound can be called. Rename it: letters, digits, spaces, - and _ make a name, at \
             most {NAME_CHARS_MAX}"
        ),
    }
}

/// What makes a file of it that can be played.
fn converted(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let new = match kind_of(path) {
        Some(Kind::Wav) => format!("{stem}-new.wav"),
        _ => format!("{stem}.wav"),
    };
    format!(
        "`ffmpeg -i '{}' -t 10 '{new}'` makes one that can be played",
        shown(path)
    )
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
    let files = files_of(folder)?;
    let is_it = |path: &&PathBuf| {
        kind_of(path) == Some(Kind::Wav) && path.file_stem().is_some_and(|stem| stem == name)
    };
    let path = files.iter().find(is_it).ok_or_else(|| {
        format!(
            "there is no sound “{name}” in {}. Put it there as a WAV file",
            folder.display()
        )
    })?;
    Ok(frames(&load(folder, path)?))
}

/// The samples of a file of a folder.
fn load(folder: &Path, path: &Path) -> Result<Vec<i16>, String> {
    let file = shown(path);
    let unreadable = |error: std::io::Error| {
        format!("{file} cannot be read ({error}). Let the user that Denizen runs as read it, or take it away")
    };
    let (home, real) = (
        folder.canonicalize().map_err(unreadable)?,
        path.canonicalize().map_err(unreadable)?,
    );
    if !real.starts_with(&home) {
        return Err(format!(
            "{file} is a link out of the folder, which is not followed. Copy the file itself there"
        ));
    }
    // What is no file, such as a pipe, may never end, or not even open.
    let about = real.metadata().map_err(unreadable)?;
    if !about.is_file() {
        return Err(format!("{file} is no file. Take it away"));
    }
    let mut bytes = Vec::new();
    let mut opened = File::open(&real).map_err(unreadable)?.take(BYTES_MAX + 1);
    opened.read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(format!(
            "{file} is larger than {} MiB. {}",
            BYTES_MAX >> 20,
            converted(path)
        ));
    }
    let broken =
        |error: &dyn std::fmt::Display| format!("{file} cannot be played: {error}. {}", converted(path));
    let recording = audio::wav::Recording::read(&bytes).map_err(|error| broken(&error))?;
    if recording.samples.is_empty() {
        return Err(format!("{file} has no sound in it. Take it away"));
    }
    if recording.milliseconds() > LONGEST {
        return Err(format!(
            "{file} has {} seconds; a sound has at most 10 seconds. {}",
            recording.milliseconds() / 1_000,
            converted(path)
        ));
    }
    recording.at(audio::RATE).map_err(|error| broken(&error))
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

#[cfg(test)]
#[path = "sounds_tests.rs"]
mod tests;
