//! The pinned list of models.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::fault::WeightFault;

/// What a model is for, and the word by which it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    Ears,
    Voice,
    Turn,
    Memory,
    Screen,
}

impl Purpose {
    pub const ALL: [Purpose; 5] = [
        Purpose::Ears,
        Purpose::Voice,
        Purpose::Turn,
        Purpose::Memory,
        Purpose::Screen,
    ];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Ears => "ears",
            Purpose::Voice => "voice",
            Purpose::Turn => "turn",
            Purpose::Memory => "memory",
            Purpose::Screen => "screen",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Where a file can be had: by itself, or as a member of a zip or tar.gz archive.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub url: String,
    /// Its path in the archive.
    pub member: Option<String>,
    /// The length of the archive.
    pub bytes: Option<u64>,
}

impl Source {
    /// The last part of the address.
    pub fn file_name(&self) -> &str {
        self.url.rsplit('/').next().unwrap_or(&self.url)
    }
}

/// A file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Its name in the model's folder.
    pub path: String,
    /// Only for this system, as [`platform`] names it.
    pub platform: Option<String>,
    pub bytes: u64,
    pub sha256: String,
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
}

/// A model that can be had.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub name: String,
    pub title: String,
    /// The first that serves a purpose is what is had for it.
    pub serves: Option<Purpose>,
    /// Models that it does not work without.
    #[serde(default)]
    pub needs: Vec<String>,
    /// A program of the system that it does not work without.
    pub beside: Option<String>,
    pub licence: String,
    pub home: String,
    #[serde(rename = "file")]
    files: Vec<ModelFile>,
}

impl Model {
    /// Its files on this system.
    pub fn files(&self) -> impl Iterator<Item = &ModelFile> {
        self.files_on(platform())
    }

    fn files_on(&self, platform: &str) -> impl Iterator<Item = &ModelFile> {
        self.files
            .iter()
            .filter(move |file| file.platform.as_deref().is_none_or(|wanted| wanted == platform))
    }

    /// All of it on this system.
    pub fn bytes(&self) -> u64 {
        self.files().map(|file| file.bytes).sum()
    }
}

/// This system, as the catalogue names it.
pub fn platform() -> &'static str {
    static NAME: LazyLock<String> =
        LazyLock::new(|| format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH));
    &NAME
}

/// All models that can be had.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// Of when it is.
    pub date: String,
    #[serde(rename = "model")]
    pub models: Vec<Model>,
}

impl Catalogue {
    /// The one that is built in.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(|| {
            toml::from_str(include_str!("catalogue.toml")).expect("the catalogue of models can be read")
        });
        &BUILT_IN
    }

    pub fn model(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.name == name)
    }

    /// What is had for a purpose where nobody says which.
    pub fn for_purpose(&self, purpose: Purpose) -> Option<&Model> {
        self.models.iter().find(|model| model.serves == Some(purpose))
    }

    /// The models of these names or purposes, each after those it needs, each once.
    pub fn wanted(&self, names: &[String]) -> Result<Vec<&Model>, WeightFault> {
        let mut wanted = Vec::new();
        for name in names {
            let purpose = Purpose::ALL.into_iter().find(|purpose| purpose.name() == name);
            let model = match purpose {
                Some(purpose) => self.for_purpose(purpose),
                None => self.model(name),
            };
            self.add(model.ok_or_else(|| self.unknown(name))?, &mut wanted);
        }
        Ok(wanted)
    }

    fn add<'a>(&'a self, model: &'a Model, wanted: &mut Vec<&'a Model>) {
        if wanted.iter().any(|had| had.name == model.name) {
            return;
        }
        for needed in model.needs.iter().filter_map(|name| self.model(name)) {
            self.add(needed, wanted);
        }
        wanted.push(model);
    }

    fn unknown(&self, name: &str) -> WeightFault {
        let known: Vec<&str> = self.models.iter().map(|model| model.name.as_str()).collect();
        WeightFault::Unknown {
            name: name.to_owned(),
            known: known.join(", "),
            purposes: Purpose::ALL.map(Purpose::name).join(", "),
        }
    }
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
