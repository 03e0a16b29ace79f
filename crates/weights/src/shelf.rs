//! The folder in which models lie, and whether each is whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::catalogue::{Catalogue, Model, ModelFile, Purpose};

const CHUNK: usize = 1 << 16;

/// How a file on the shelf is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    Missing,
    /// It has another length or hash than it should: what is wrong with it.
    Wrong(String),
    Whole,
}

/// How a model on the shelf is, by the lengths of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelState {
    Missing,
    /// Some of it is there, or all of it with other lengths.
    Partly,
    Installed,
    /// It has no file for this system.
    NotForThisSystem,
}

/// Where models are installed: a folder for each in `models` of the data folder.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    /// Of a data folder.
    pub fn of(data: &Path) -> Self {
        Self {
            folder: data.join("models"),
        }
    }

    /// Where a model's files are.
    pub fn folder(&self, model: &Model) -> PathBuf {
        self.folder_of(&model.name)
    }

    /// Where the files of a model of this name are, or would be.
    pub fn folder_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn file(&self, model: &Model, file: &ModelFile) -> PathBuf {
        self.folder(model).join(&file.path)
    }

    pub(crate) fn downloads(&self) -> PathBuf {
        self.folder.join(".downloads")
    }

    /// How a model is, without reading its files through.
    pub fn state(&self, model: &Model) -> ModelState {
        let files: Vec<&ModelFile> = model.files().collect();
        let there = |file: &&&ModelFile| {
            std::fs::metadata(self.file(model, file)).is_ok_and(|found| found.len() == file.bytes)
        };
        let lies_there = |file: &&ModelFile| self.file(model, file).exists();
        match (files.iter().filter(there).count(), files.len()) {
            (_, 0) => ModelState::NotForThisSystem,
            (0, _) if !files.iter().any(lies_there) => ModelState::Missing,
            (some, all) if some < all => ModelState::Partly,
            _ => ModelState::Installed,
        }
    }

    /// The folder of the first installed model that serves a purpose.
    pub fn installed_for(&self, purpose: Purpose) -> Option<PathBuf> {
        self.all_installed_for(purpose).next()
    }

    /// The folders of all installed models that serve a purpose, the usual one first.
    pub fn all_installed_for(&self, purpose: Purpose) -> impl Iterator<Item = PathBuf> {
        Catalogue::built_in()
            .models
            .iter()
            .filter(move |model| model.serves == Some(purpose))
            .filter(|model| self.state(model) == ModelState::Installed)
            .map(|model| self.folder(model))
    }

    /// Reads a file through: whether it is what it should be. `read` is told how many bytes were read so far.
    pub fn check(&self, model: &Model, file: &ModelFile, read: impl FnMut(u64)) -> io::Result<FileState> {
        check_at(&self.file(model, file), file, read)
    }
}

/// How a file is that may be anywhere.
pub(crate) fn check_at(path: &Path, file: &ModelFile, read: impl FnMut(u64)) -> io::Result<FileState> {
    let opened = match File::open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FileState::Missing),
        Err(error) => return Err(error),
    };
    let length = opened.metadata()?.len();
    if length != file.bytes {
        return Ok(FileState::Wrong(format!(
            "it has {length} bytes instead of {}",
            file.bytes
        )));
    }
    let hash = hash(opened, read)?;
    Ok(match hash == file.sha256 {
        true => FileState::Whole,
        false => FileState::Wrong(format!(
            "its sha256 is {}… instead of {}…",
            &hash[..12],
            &file.sha256[..12.min(file.sha256.len())]
        )),
    })
}

fn hash(mut from: impl Read, mut read: impl FnMut(u64)) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; CHUNK];
    let mut so_far = 0;
    loop {
        let count = from.read(&mut chunk)?;
        if count == 0 {
            let digest = hasher.finalize();
            return Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        hasher.update(&chunk[..count]);
        so_far += count as u64;
        read(so_far);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_whose_only_file_has_another_length_is_not_missing() {
        let folder = tempfile::tempdir().expect("a folder");
        let shelf = Shelf::of(folder.path());
        let models = &Catalogue::built_in().models;
        let model = models.iter().find(|model| model.files().count() > 0);
        let model = model.expect("a model for this system");
        assert_eq!(shelf.state(model), ModelState::Missing);
        let file = shelf.file(model, model.files().next().expect("a file"));
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(&file, "half").expect("written");
        assert_eq!(shelf.state(model), ModelState::Partly);
    }
}
