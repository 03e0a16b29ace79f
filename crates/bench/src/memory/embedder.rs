//! Who tells what texts mean: the built-in table, or a model in a folder, opened as Denizen opens it.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use providers::{Keys, embedding};
use runtime::ports::{EmbedRole, Embedder};
use settings::{EmbeddingProvider, Settings};

/// The maker of vectors.
pub struct Meanings {
    embedder: Arc<dyn Embedder>,
    tokio: tokio::runtime::Runtime,
}

impl Meanings {
    /// The model of a folder, run by the ONNX Runtime that `ORT_DYLIB_PATH` names or the system has; else the table.
    pub fn open(folder: Option<&Path>) -> Result<Meanings> {
        let mut settings = Settings::default().embedding;
        if let Some(folder) = folder {
            settings.provider = EmbeddingProvider::Onnx;
            settings.path = folder.display().to_string();
        }
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let keys = Keys::default();
        let opening = embedding::open(&settings, &keys);
        let embedder = tokio
            .block_on(opening)
            .map_err(|error| anyhow!("cannot tell what texts mean: {error}"))?;
        Ok(Meanings { embedder, tokio })
    }

    pub fn name(&self) -> String {
        self.embedder.identity().name
    }

    /// What texts mean, each as a vector of length one; of zeros where a text says nothing.
    pub fn of(&self, texts: &[String], role: EmbedRole) -> Result<Vec<Vec<f32>>> {
        let embedding = self.embedder.embed(texts, role);
        self.tokio
            .block_on(embedding)
            .map_err(|error| anyhow!("a text could not be embedded: {error}"))
    }
}
