//! What stands in a folder of PP-OCR models: the network that finds text, the one that reads it, and its letters.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A list of letters larger than this is something else.
const KEYS_BYTES_MAX: u64 = 4 << 20;

/// The files of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folder {
    pub(super) detection: PathBuf,
    pub(super) recognition: PathBuf,
    pub(super) keys: PathBuf,
}

/// Why a folder cannot be used, for a person.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum FolderError {
    #[error("voice.streamWatch.textReaderPath is {folder}, which cannot be looked into: {detail}")]
    NoFolder { folder: PathBuf, detail: String },
    #[error(
        "there is no {what} in {folder}. It takes det.onnx, rec.onnx and keys.txt, or the names they came with: one .onnx with det in its name, one with rec, and one .txt with dict or keys"
    )]
    Missing { what: &'static str, folder: PathBuf },
    #[error("{folder} has {several}, and only one can be {what}. Name it {plain}, or take the others away")]
    Several {
        folder: PathBuf,
        several: String,
        what: &'static str,
        plain: &'static str,
    },
    #[error("{file} cannot be read as a list of letters: {detail}")]
    BadKeys { file: PathBuf, detail: String },
}

/// One of the three files: its plain name, and how it may be called otherwise.
struct Part {
    plain: &'static str,
    ending: &'static str,
    marks: &'static [&'static str],
    what: &'static str,
}

const DETECTION: Part = Part {
    plain: "det.onnx",
    ending: ".onnx",
    marks: &["det"],
    what: "the network that finds text",
};
const RECOGNITION: Part = Part {
    plain: "rec.onnx",
    ending: ".onnx",
    marks: &["rec"],
    what: "the network that reads text",
};
const KEYS: Part = Part {
    plain: "keys.txt",
    ending: ".txt",
    marks: &["dict", "keys"],
    what: "the list of letters",
};

impl Folder {
    pub(super) fn look_through(path: &Path) -> Result<Self, FolderError> {
        let no_folder = |problem: std::io::Error| FolderError::NoFolder {
            folder: path.to_owned(),
            detail: problem.to_string(),
        };
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(path).map_err(no_folder)? {
            names.push(
                entry
                    .map_err(no_folder)?
                    .file_name()
                    .to_string_lossy()
                    .into_owned(),
            );
        }
        names.sort();
        let find = |part: &Part| find(part, &names, path);
        Ok(Self {
            detection: find(&DETECTION)?,
            recognition: find(&RECOGNITION)?,
            keys: find(&KEYS)?,
        })
    }

    /// The letters, in the order of the network's answers.
    pub(super) fn read_keys(&self) -> Result<Vec<String>, FolderError> {
        let bad = |detail: String| FolderError::BadKeys {
            file: self.keys.clone(),
            detail,
        };
        let size = fs::metadata(&self.keys)
            .map_err(|problem| bad(problem.to_string()))?
            .len();
        if size > KEYS_BYTES_MAX {
            return Err(bad(format!("it has {size} bytes")));
        }
        let text = fs::read_to_string(&self.keys).map_err(|problem| bad(problem.to_string()))?;
        // A blank may be a letter of its own, so nothing but the end of the line is taken off.
        let keys: Vec<String> = text
            .lines()
            .map(|line| line.trim_end_matches('\r').to_owned())
            .collect();
        if keys.is_empty() {
            return Err(bad("it is empty".to_owned()));
        }
        Ok(keys)
    }
}

fn find(part: &Part, names: &[String], folder: &Path) -> Result<PathBuf, FolderError> {
    if names.iter().any(|name| name == part.plain) {
        return Ok(folder.join(part.plain));
    }
    let fits = |name: &&String| {
        let name = name.to_lowercase();
        name.ends_with(part.ending) && part.marks.iter().any(|mark| name.contains(mark))
    };
    let found: Vec<&String> = names.iter().filter(fits).collect();
    match found.as_slice() {
        [name] => Ok(folder.join(name)),
        [] => Err(FolderError::Missing {
            what: part.plain,
            folder: folder.to_owned(),
        }),
        several => Err(FolderError::Several {
            folder: folder.to_owned(),
            several: several
                .iter()
                .map(|name| name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            what: part.what,
            plain: part.plain,
        }),
    }
}
