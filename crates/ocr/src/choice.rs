//! Who reads screens: what the settings want, and what there is.

use std::collections::VecDeque;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use runtime::ports::{ReadLine, TextReader, Undecodable};
use settings::{Settings, TextReaderKind};
use vocabulary::PictureKind;

use crate::{PpOcr, Tesseract};

const PROGRAM: &str = "tesseract";
const HOW_TO_GET_ONE: &str = "Install tesseract (apt install tesseract-ocr), or get models that read better: `denizen models install screen`, or name their folder in voice.streamWatch.textReaderPath";
const HOW_TO_DO_BETTER: &str =
    "PP-OCR models read screens better: name a folder with them in voice.streamWatch.textReaderPath";

/// Readers that are kept at once; each may have a model loaded.
const READERS_KEPT_MAX: usize = 4;

/// The readers of this machine.
#[derive(Default)]
pub struct Readers {
    /// Where programs are looked for.
    path: Option<OsString>,
    library: Option<PathBuf>,
    /// Models that were installed, for settings that name none.
    installed: Option<PathBuf>,
    /// The latest choices: a loaded model must not be loaded again because some other setting changed, or because
    /// another community chose otherwise.
    kept: Mutex<VecDeque<(Wanted, Arc<dyn TextReader>)>>,
}

/// Who reads, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub ok: bool,
    pub detail: String,
    /// What to do, where there is something to do.
    pub remedy: Option<String>,
}

/// What the settings come to here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Tesseract(PathBuf),
    PpOcr(PathBuf),
    /// It was asked for, and cannot be had; why.
    Impossible(String),
    Nobody,
}

impl Readers {
    /// Those that are found by the environment: `PATH`, and `ORT_DYLIB_PATH` for the library that runs models.
    pub fn of_this_machine() -> Self {
        let library = env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty());
        Self::with(env::var_os("PATH"), library.map(PathBuf::from))
    }

    pub(crate) fn with(path: Option<OsString>, library: Option<PathBuf>) -> Self {
        Self {
            path,
            library,
            installed: None,
            kept: Mutex::default(),
        }
    }

    /// Models in this folder are used where the settings name none.
    #[must_use]
    pub fn with_installed(mut self, folder: Option<PathBuf>) -> Self {
        self.installed = folder;
        self
    }

    /// Who reads under these settings, if anybody. It takes no time: models are loaded when they are needed.
    pub fn choose(&self, settings: &Settings) -> Option<Arc<dyn TextReader>> {
        let wanted = self.wanted(settings);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, reader)) = kept.iter().find(|(chosen, _)| *chosen == wanted) {
            return Some(reader.clone());
        }
        let reader: Option<Arc<dyn TextReader>> = match &wanted {
            Wanted::Tesseract(program) => Some(Arc::new(Tesseract::at(program))),
            Wanted::PpOcr(folder) => Some(Arc::new(PpOcr::at(folder, self.library.as_deref()))),
            Wanted::Impossible(why) => Some(Arc::new(Missing(why.clone()))),
            Wanted::Nobody => None,
        };
        kept.extend(reader.clone().map(|reader| (wanted, reader)));
        if kept.len() > READERS_KEPT_MAX {
            kept.pop_front();
        }
        reader
    }

    /// Who reads, whether they can, and how to do better. Models are loaded for it.
    pub fn report(&self, settings: &Settings) -> Report {
        let told = |ok, detail: String, remedy: Option<&str>| Report {
            ok,
            detail,
            remedy: remedy.map(str::to_owned),
        };
        match self.wanted(settings) {
            Wanted::Tesseract(program) => told(
                true,
                format!("{} reads what stands on them", program.display()),
                Some(HOW_TO_DO_BETTER),
            ),
            Wanted::PpOcr(folder) => match PpOcr::at(&folder, self.library.as_deref()).check() {
                Ok(()) => told(
                    true,
                    format!("the models in {} read what stands on them", folder.display()),
                    None,
                ),
                Err(problem) => told(false, "the models cannot be used".to_owned(), Some(&problem)),
            },
            Wanted::Impossible(why) => told(
                false,
                "the reader that is set cannot be used".to_owned(),
                Some(&why),
            ),
            Wanted::Nobody if settings.stream_watch.text_reader == TextReaderKind::Off => told(
                true,
                "nobody reads them: voice.streamWatch.textReader is off".to_owned(),
                None,
            ),
            Wanted::Nobody => told(
                true,
                "nobody reads them: there is no tesseract on the PATH".to_owned(),
                Some(HOW_TO_GET_ONE),
            ),
        }
    }

    pub(crate) fn wanted(&self, settings: &Settings) -> Wanted {
        let folder = settings.stream_watch.text_reader_path.trim();
        let named = (!folder.is_empty()).then(|| PathBuf::from(folder));
        let models = || {
            named
                .clone()
                .or_else(|| self.installed.clone())
                .map(Wanted::PpOcr)
        };
        match settings.stream_watch.text_reader {
            TextReaderKind::Off => Wanted::Nobody,
            TextReaderKind::Tesseract => self.program().map_or_else(
                || Wanted::Impossible(format!("there is no {PROGRAM} on the PATH. {HOW_TO_GET_ONE}")),
                Wanted::Tesseract,
            ),
            TextReaderKind::Onnx => models().unwrap_or_else(|| {
                Wanted::Impossible(
                    "voice.streamWatch.textReader is onnx, and there are no models. Get them with `denizen models install screen`, or name a folder in voice.streamWatch.textReaderPath".to_owned(),
                )
            }),
            TextReaderKind::Auto => models()
                .or_else(|| self.program().map(Wanted::Tesseract))
                .unwrap_or(Wanted::Nobody),
        }
    }

    fn program(&self) -> Option<PathBuf> {
        let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
        let folders = env::split_paths(self.path.as_ref()?);
        folders
            .map(|folder| folder.join(&name))
            .find(|file| is_program(file))
    }
}

impl std::fmt::Debug for Readers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Readers")
            .field("library", &self.library)
            .finish_non_exhaustive()
    }
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let executable = |about: std::fs::Metadata| about.is_file() && about.permissions().mode() & 0o111 != 0;
    std::fs::metadata(file).is_ok_and(executable)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// Stands in for a reader that was asked for and is not there, and says so whenever it is needed.
struct Missing(String);

#[async_trait]
impl TextReader for Missing {
    async fn read(&self, _: PictureKind, _: Bytes) -> Result<Vec<ReadLine>, Undecodable> {
        Err(Undecodable(self.0.clone()))
    }

    fn name(&self) -> String {
        "the reader that is set".to_owned()
    }
}
