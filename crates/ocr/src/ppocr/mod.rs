//! Reading by PP-OCR models: one network finds where text stands, another reads it, line by line.

mod components;
#[cfg(test)]
mod components_tests;
mod detection;
#[cfg(test)]
mod detection_tests;
mod engine;
mod folder;
#[cfg(test)]
mod folder_tests;
mod recognition;
#[cfg(test)]
mod recognition_tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use runtime::ports::{ReadLine, TextReader, Undecodable};
use tokio::sync::Semaphore;
use vocabulary::PictureKind;

use crate::plane::Plane;
use engine::Engine;

/// The models of a folder. They are loaded when the first picture is read, and read one at a time.
#[derive(Debug)]
pub struct PpOcr {
    folder: PathBuf,
    library: Option<PathBuf>,
    engine: Arc<Mutex<Option<Arc<Engine>>>>,
    turn: Arc<Semaphore>,
}

impl PpOcr {
    /// `library` names the ONNX Runtime to use; without it, one is looked for in the folder and among the system's
    /// libraries.
    pub fn at(folder: &Path, library: Option<&Path>) -> Self {
        Self {
            folder: folder.to_owned(),
            library: library.map(Path::to_owned),
            engine: Arc::default(),
            turn: Arc::new(Semaphore::new(1)),
        }
    }

    /// Looks whether the folder holds all that is needed, and loads it; the error is for a person.
    pub fn check(&self) -> Result<(), String> {
        loaded(&self.engine, &self.folder, self.library.as_deref()).map(|_| ())
    }
}

#[async_trait]
impl TextReader for PpOcr {
    async fn read(&self, kind: PictureKind, bytes: Bytes) -> Result<Vec<ReadLine>, Undecodable> {
        let turn = self.turn.clone().acquire_owned().await;
        let turn = turn.map_err(|_| Undecodable("it is being taken down".to_owned()))?;
        let given_up = GivenUp::default();
        let flag = given_up.0.clone();
        let (engine, folder, library) = (self.engine.clone(), self.folder.clone(), self.library.clone());
        let reading = tokio::task::spawn_blocking(move || {
            // Whoever comes next waits until this is really over, not until nobody waits for it.
            let _turn = turn;
            let engine = loaded(&engine, &folder, library.as_deref()).map_err(Undecodable)?;
            let plane = Plane::decoded(kind, &bytes)?;
            engine
                .read(&plane, &flag)
                .map_err(|problem| Undecodable(problem.to_string()))
        });
        reading
            .await
            .unwrap_or_else(|_| Err(Undecodable("reading it failed; this is a defect".to_owned())))
    }

    fn name(&self) -> String {
        format!("PP-OCR ({})", self.folder.display())
    }
}

/// Set when nobody waits any more.
#[derive(Default)]
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn loaded(
    engine: &Mutex<Option<Arc<Engine>>>,
    folder: &Path,
    library: Option<&Path>,
) -> Result<Arc<Engine>, String> {
    let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(engine) = engine.as_ref() {
        return Ok(engine.clone());
    }
    let fresh = Arc::new(Engine::load(folder, library)?);
    *engine = Some(fresh.clone());
    Ok(fresh)
}
