//! An embedder that runs a model from a folder on this machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use onnx::{Model, OnnxError};
use runtime::ports::{EmbedRole, Embedder, EmbedderIdentity, MemoryFault};
use tokio::sync::Semaphore;

use super::batch::says_something;
use super::prefix::Prefixes;
use super::vectors::placed;

/// After so many texts somebody else may have a turn: a query must not wait for a thousand passages.
const TURN_TEXTS: usize = 8;

/// A loaded model; one turn at a time, so it never occupies more than one thread of the pool.
pub(super) struct ModelFolder {
    model: Arc<Model>,
    prefixes: Prefixes,
    turns: Arc<Semaphore>,
}

impl ModelFolder {
    pub(super) async fn open(path: &str, library: Option<PathBuf>) -> Result<Self, MemoryFault> {
        let path = path.trim();
        if path.is_empty() {
            return Err(MemoryFault::Refused(
                "memory.embedding.provider is onnx, and memory.embedding.path is empty. Get a model with `denizen models install memory`, or name a folder with model.onnx and tokenizer.json there".to_owned(),
            ));
        }
        let folder = PathBuf::from(path);
        let model = blocking("loading a model", move || {
            Model::load(&folder, library.as_deref()).map_err(|error| refused(&folder, &error))
        })
        .await?;
        let prefixes = match model.prompts() {
            Some(prompts) => Prefixes {
                query: prompts.query.clone(),
                passage: prompts.passage.clone(),
            },
            None => Prefixes::of_model(model.lineage()),
        };
        tracing::info!(
            name = model.name(),
            dimensions = model.dimensions(),
            tokens = model.tokens_max(),
            "texts are embedded by a model on this machine"
        );
        Ok(Self {
            model: Arc::new(model),
            prefixes,
            turns: Arc::new(Semaphore::new(1)),
        })
    }
}

#[async_trait]
impl Embedder for ModelFolder {
    fn identity(&self) -> EmbedderIdentity {
        EmbedderIdentity {
            name: format!("onnx:{}", self.model.name()),
            dimensions: self.model.dimensions(),
        }
    }

    async fn embed(&self, texts: &[String], role: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault> {
        let prefix = self.prefixes.before(role);
        let spoken: Vec<usize> = (0..texts.len())
            .filter(|place| says_something(&texts[*place]))
            .collect();
        let mut found = Vec::with_capacity(spoken.len());
        for turn in spoken.chunks(TURN_TEXTS) {
            let inputs: Vec<String> = turn
                .iter()
                .map(|place| format!("{prefix}{}", texts[*place].trim()))
                .collect();
            let model = self.model.clone();
            let permit = self.turns.clone().acquire_owned().await;
            let permit = permit.expect("nobody closes the turns");
            let vectors = blocking("embedding texts", move || {
                // Held until the work is over, even when nobody waits for it any more.
                let _permit = permit;
                let vectors: Result<Vec<Vec<f32>>, OnnxError> =
                    inputs.iter().map(|input| model.embed(input)).collect();
                vectors.map_err(|error| MemoryFault::Failed {
                    doing: "embedding texts",
                    detail: error.to_string(),
                })
            })
            .await?;
            found.extend(turn.iter().copied().zip(vectors));
        }
        Ok(placed(texts.len(), self.model.dimensions(), found.into_iter()))
    }
}

fn refused(folder: &Path, error: &OnnxError) -> MemoryFault {
    MemoryFault::Refused(format!(
        "memory.embedding.path ({}) cannot be used: {error}",
        folder.display()
    ))
}

pub(crate) async fn blocking<T: Send + 'static>(
    doing: &'static str,
    work: impl FnOnce() -> Result<T, MemoryFault> + Send + 'static,
) -> Result<T, MemoryFault> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        // The panic's own words may hold a text.
        Err(_) => Err(MemoryFault::Failed {
            doing,
            detail: "ONNX Runtime or the tokenizer broke down".to_owned(),
        }),
    }
}
