//! Gets models onto the shelf: from a folder, or from their makers.

use std::io;
use std::path::{Path, PathBuf};

use reqwest::Client;

use crate::archive::unpack;
use crate::catalogue::{Catalogue, Model, ModelFile, Source, platform};
use crate::fault::WeightFault;
use crate::fetch::{client, download};
use crate::shelf::{FileState, Shelf, check_at};

/// How far down a folder is looked through, and how many files of it are looked at.
const DEPTH_MAX: usize = 4;
const FILES_MAX: usize = 20_000;
/// Files shorter than this say little about whose they are.
const TELLING_BYTES: u64 = 100_000;

/// How far the installing of a file has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It was there, and whole.
    Kept,
    /// What was there is not what it should be, and is had anew.
    Replaced(String),
    Downloading {
        bytes: u64,
        of: u64,
    },
    Checking,
    /// A source did not have it; the next one is asked.
    PassedOver {
        source: String,
        why: String,
    },
    Installed,
}

/// Puts models on a shelf.
#[derive(Debug)]
pub struct Installer {
    shelf: Shelf,
    client: Client,
    /// Where the files are taken from instead of the network.
    from: Option<PathBuf>,
}

impl Installer {
    pub fn new(shelf: Shelf, from: Option<PathBuf>) -> Self {
        Self {
            shelf,
            client: client(),
            from,
        }
    }

    /// Installs a model; files that are there and whole are kept. `told` hears of each file, by its name. It blocks the
    /// thread while files are hashed and unpacked.
    pub async fn install(
        &self,
        model: &Model,
        mut told: impl FnMut(&ModelFile, Stage),
    ) -> Result<(), WeightFault> {
        let files: Vec<&ModelFile> = model.files().collect();
        if files.is_empty() {
            return Err(WeightFault::NotForThisSystem {
                model: model.name.clone(),
                platform: platform().to_owned(),
                what: model.title.clone(),
                home: model.home.clone(),
            });
        }
        for folder in [self.shelf.folder(model), self.shelf.downloads()] {
            std::fs::create_dir_all(&folder).map_err(|error| disk(&folder, &error))?;
        }
        let mut missing = String::new();
        for file in files {
            let installed = self
                .install_file(model, file, &mut |stage| told(file, stage))
                .await;
            match installed {
                // Whoever has to fetch them elsewhere is told of all of them at once.
                Err(WeightFault::NotInFolder { missing: this, .. }) => missing += &this,
                installed => installed?,
            }
        }
        match &self.from {
            Some(folder) if !missing.is_empty() => Err(WeightFault::NotInFolder {
                folder: folder.display().to_string(),
                missing,
            }),
            _ => Ok(()),
        }
    }

    /// The models of which something large lies in the folder that files are taken from, by itself or in an archive.
    pub fn recognised<'a>(&self, catalogue: &'a Catalogue) -> Vec<&'a Model> {
        let lying = self.from.as_deref().map(files_under).unwrap_or_default();
        let is_called = |path: &Path, name: &str| path.file_name().is_some_and(|own| own == name);
        let is_archive = |source: &Source| {
            source.member.is_some() && lying.iter().any(|(path, _)| is_called(path, source.file_name()))
        };
        // Voices of one make are equally long.
        let is_it = |file: &ModelFile, path: &Path| {
            is_called(path, &file.path) || matches!(check_at(path, file, |_| {}), Ok(FileState::Whole))
        };
        let lies_there = |file: &ModelFile| {
            let is_telling = file.bytes >= TELLING_BYTES;
            let mut alike = lying.iter().filter(|(_, bytes)| *bytes == file.bytes);
            (is_telling && alike.any(|(path, _)| is_it(file, path))) || file.sources.iter().any(is_archive)
        };
        let models = catalogue.models.iter();
        models.filter(|model| model.files().any(lies_there)).collect()
    }

    /// Removes what was only needed to install.
    pub fn tidy(&self) -> io::Result<()> {
        match std::fs::remove_dir_all(self.shelf.downloads()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    async fn install_file(
        &self,
        model: &Model,
        file: &ModelFile,
        told: &mut impl FnMut(Stage),
    ) -> Result<(), WeightFault> {
        let place = self.shelf.file(model, file);
        match check_at(&place, file, |_| {}).map_err(|error| disk(&place, &error))? {
            FileState::Whole => {
                told(Stage::Kept);
                return Ok(());
            }
            FileState::Wrong(why) => told(Stage::Replaced(why)),
            FileState::Missing => {}
        }
        let part = self
            .shelf
            .downloads()
            .join(format!("{}-{}.part", model.name, file.path));
        match &self.from {
            Some(folder) => self.copied(file, folder, &part, told)?,
            None => self.fetched(file, &part, told).await?,
        }
        std::fs::rename(&part, &place).map_err(|error| disk(&place, &error))?;
        told(Stage::Installed);
        Ok(())
    }

    /// From the first source that has it.
    async fn fetched(
        &self,
        file: &ModelFile,
        part: &Path,
        told: &mut impl FnMut(Stage),
    ) -> Result<(), WeightFault> {
        let mut tries = Vec::new();
        for source in &file.sources {
            match self.by_source(file, source, part, told).await {
                Ok(()) => return Ok(()),
                Err(why) => {
                    let host = fetching::service::origin(&source.url);
                    told(Stage::PassedOver {
                        source: host.clone(),
                        why: why.clone(),
                    });
                    tries.push(format!("{host}: {why}"));
                }
            }
        }
        Err(WeightFault::Unreachable {
            path: file.path.clone(),
            tries: tries.join("; "),
            from: addresses(file),
        })
    }

    async fn by_source(
        &self,
        file: &ModelFile,
        source: &Source,
        part: &Path,
        told: &mut impl FnMut(Stage),
    ) -> Result<(), String> {
        let of = source.bytes.unwrap_or(file.bytes);
        let had = |told: &mut dyn FnMut(Stage), bytes| told(Stage::Downloading { bytes, of });
        let Some(member) = &source.member else {
            download(&self.client, &source.url, part, of, |bytes| had(told, bytes)).await?;
            return checked(file, part, told);
        };
        let archive = self.shelf.downloads().join(source.file_name());
        let fetched = download(&self.client, &source.url, &archive, of, |bytes| had(told, bytes)).await;
        fetched?;
        let unpacked = unpack(&archive, member, part, file.bytes).map_err(|error| error.to_string());
        let whole = unpacked.and_then(|()| checked(file, part, told));
        if whole.is_err() {
            // Broken, or not what it was: the next try begins anew.
            let _ = std::fs::remove_file(&archive);
        }
        whole
    }

    /// From a folder and those in it: the file by its own name, by that of a source, or whatever it is called where it is
    /// as long; or out of an archive that lies there.
    fn copied(
        &self,
        file: &ModelFile,
        folder: &Path,
        part: &Path,
        told: &mut impl FnMut(Stage),
    ) -> Result<(), WeightFault> {
        let plain = file.sources.iter().filter(|source| source.member.is_none());
        let names = std::iter::once(file.path.as_str()).chain(plain.map(Source::file_name));
        let names: Vec<&str> = names.collect();
        let lying = files_under(folder);
        let is_called = |path: &Path, name: &str| path.file_name().is_some_and(|own| own == name);
        let is_named = |path: &Path| names.iter().any(|name| is_called(path, name));
        let named = lying.iter().filter(|(path, _)| is_named(path));
        let others = lying
            .iter()
            .filter(|(path, bytes)| *bytes == file.bytes && !is_named(path));
        for (path, _) in named.chain(others) {
            std::fs::copy(path, part).map_err(|error| disk(part, &error))?;
            match checked(file, part, told) {
                Ok(()) => return Ok(()),
                Err(why) if is_named(path) => told(Stage::PassedOver {
                    source: path.display().to_string(),
                    why,
                }),
                Err(_) => {}
            }
        }
        for source in &file.sources {
            let Some(member) = &source.member else { continue };
            let archives = lying
                .iter()
                .filter(|(path, _)| is_called(path, source.file_name()));
            for (archive, _) in archives {
                let unpacked = unpack(archive, member, part, file.bytes).map_err(|error| error.to_string());
                match unpacked.and_then(|()| checked(file, part, told)) {
                    Ok(()) => return Ok(()),
                    Err(why) => told(Stage::PassedOver {
                        source: archive.display().to_string(),
                        why,
                    }),
                }
            }
        }
        Err(WeightFault::NotInFolder {
            folder: folder.display().to_string(),
            missing: format!("\n  {}: {}", file.path, addresses(file)),
        })
    }
}

/// Files in a folder and those in it, with their lengths; links to folders are not followed.
fn files_under(folder: &Path) -> Vec<(PathBuf, u64)> {
    let (mut found, mut folders) = (Vec::new(), vec![(folder.to_owned(), 0)]);
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            match (entry.file_type(), std::fs::metadata(&path)) {
                (Ok(kind), _) if kind.is_dir() && depth < DEPTH_MAX => folders.push((path, depth + 1)),
                (_, Ok(about)) if about.is_file() && found.len() < FILES_MAX => {
                    found.push((path, about.len()))
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// What is not right is removed, so that nothing goes on from it.
fn checked(file: &ModelFile, part: &Path, told: &mut impl FnMut(Stage)) -> Result<(), String> {
    told(Stage::Checking);
    let why = match check_at(part, file, |_| {}) {
        Ok(FileState::Whole) => return Ok(()),
        Ok(FileState::Wrong(why)) => why,
        Ok(FileState::Missing) => "it is gone".to_owned(),
        Err(error) => error.to_string(),
    };
    let _ = std::fs::remove_file(part);
    Err(why)
}

fn addresses(file: &ModelFile) -> String {
    let addresses: Vec<&str> = file.sources.iter().map(|source| source.url.as_str()).collect();
    addresses.join(" or ")
}

fn disk(path: &Path, error: &io::Error) -> WeightFault {
    WeightFault::Disk {
        path: path.display().to_string(),
        detail: error.to_string(),
    }
}

#[cfg(test)]
#[path = "install_tests.rs"]
mod tests;
