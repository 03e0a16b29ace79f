//! The recordings that are played, and who says them.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use audio::FRAME;

/// Longest recording, in milliseconds.
const LONGEST: u64 = 10 * 60 * 1_000;

/// Something that somebody says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    pub name: String,
    pub samples: Vec<i16>,
}

impl Recording {
    pub fn milliseconds(&self) -> u64 {
        self.samples.len() as u64 * 1_000 / u64::from(audio::RATE)
    }

    /// In the frames of the socket; the last is filled up with silence.
    pub fn frames(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.samples.chunks(FRAME).map(|samples| {
            let mut bytes = Vec::new();
            audio::pcm::write(samples, &mut bytes);
            bytes.resize(FRAME * 2, 0);
            bytes
        })
    }
}

/// Reads every file; a name is the file's where none is given.
pub fn read(files: &[PathBuf], names: &[String]) -> anyhow::Result<Vec<Recording>> {
    if names.len() > files.len() {
        bail!(
            "there are {} names and {} files. Give --as once for each file, in the same order",
            names.len(),
            files.len()
        );
    }
    let each = files.iter().enumerate();
    each.map(|(index, file)| {
        let name = names.get(index).cloned().unwrap_or_else(|| name_of(file));
        Ok(Recording {
            name,
            samples: samples(file)?,
        })
    })
    .collect()
}

fn name_of(file: &Path) -> String {
    file.file_stem().map_or_else(
        || "Player".to_owned(),
        |name| name.to_string_lossy().chars().take(40).collect(),
    )
}

fn samples(file: &Path) -> anyhow::Result<Vec<i16>> {
    let shown = file.display();
    let bytes = std::fs::read(file).with_context(|| format!("{shown} cannot be read"))?;
    let recording = audio::wav::Recording::read(&bytes).with_context(|| {
        format!("{shown} is not a recording that can be played. Make one with `ffmpeg -i {shown} -ac 1 -ar 48000 recording.wav`")
    })?;
    if recording.milliseconds() > LONGEST {
        bail!("{shown} is longer than 10 minutes. Play a part of it");
    }
    recording.at(audio::RATE).with_context(|| {
        format!(
            "{shown} has {} samples a second, which cannot be played",
            recording.rate
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{FRAME, Recording, read};

    #[test]
    fn a_file_is_called_by_its_name_unless_another_is_given() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("written");
            path
        };
        let wav = audio::wav::write(&vec![100; 24_000], 24_000);
        let files = [file("alice.wav", &wav), file("bob.wav", &wav)];
        let read_them = read(&files, &["Anna".to_owned()]).expect("recordings");
        assert_eq!(read_them[0].name, "Anna");
        assert_eq!(read_them[1].name, "bob");
        assert_eq!(read_them[0].milliseconds(), 1_000);
        let none = read(&[folder.path().join("none.wav")], &[]).expect_err("no file");
        assert!(
            format!("{none:#}").contains("none.wav cannot be read"),
            "{none:#}"
        );
        let other =
            read(&[file("song.mp3", b"ID3 and more of it, as MP3 files are")], &[]).expect_err("no WAV");
        assert!(format!("{other:#}").contains("ffmpeg -i"), "{other:#}");
        let many = read(&files, &["a".into(), "b".into(), "c".into()]).expect_err("too many names");
        assert!(many.to_string().contains("3 names and 2 files"), "{many}");
    }

    #[test]
    fn the_last_frame_is_filled_up_with_silence() {
        let recording = Recording {
            name: "a".to_owned(),
            samples: vec![1; FRAME + 1],
        };
        let frames: Vec<Vec<u8>> = recording.frames().collect();
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[1].len(), FRAME * 2);
        assert_eq!(&frames[1][..4], &[1, 0, 0, 0]);
    }
}
