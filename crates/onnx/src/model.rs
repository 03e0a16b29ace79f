//! A loaded model: tokens go in, one vector of length one per text comes out.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::session::Session;
use ort::value::Tensor;

use crate::error::OnnxError;
use crate::folder::{Folder, Prompts};
use crate::library;
use crate::pooling::{Pooling, unit};
use crate::session::{brief, open_session};
use crate::signature::{Input, Output};
use crate::tokens::{Tokenised, Tokens};

/// A sentence model that is ready to be used.
pub struct Model {
    session: Mutex<Session>,
    tokens: Tokens,
    inputs: Vec<Input>,
    output: Output,
    file: PathBuf,
    name: String,
    lineage: String,
    prompts: Option<Prompts>,
    dimensions: usize,
}

impl Model {
    /// Loads the model of a folder. `library` names the ONNX Runtime to use; without it, one is looked for in the
    /// folder and among the system's libraries.
    pub fn load(folder: &Path, library: Option<&Path>) -> Result<Self, OnnxError> {
        let folder = Folder::look_through(folder)?;
        let tokens = Tokens::load(&folder.tokenizer, folder.tokens_max)?;
        let environment = library::environment(library, &folder.library_places())?;
        let session = open_session(&environment, &folder.model).map_err(|error| OnnxError::BadFile {
            file: folder.model.clone(),
            detail: brief(&error.to_string()),
        })?;
        let wrong = |detail| OnnxError::NotForSentences {
            file: folder.model.clone(),
            detail,
        };
        let inputs = Input::of(&session).map_err(wrong)?;
        let pooling = folder
            .pooling
            .unwrap_or_else(|| Pooling::of_lineage(&folder.lineage));
        let output = Output::of(&session, pooling).map_err(wrong)?;
        let mut model = Self {
            session: Mutex::new(session),
            tokens,
            inputs,
            output,
            file: folder.model,
            name: folder.name,
            lineage: folder.lineage,
            prompts: folder.prompts,
            dimensions: 0,
        };
        // Not every export declares how long its vectors are; and one that cannot run should say so now.
        let first = model.run(&model.tokens.read("room")?)?;
        model.dimensions = first.len();
        Ok(model)
    }

    /// The folder's name and a fingerprint of the weights.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names by which the family of the model can be known.
    pub fn lineage(&self) -> &str {
        &self.lineage
    }

    /// What the makers want put before texts, where the folder says it.
    pub fn prompts(&self) -> Option<&Prompts> {
        self.prompts.as_ref()
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// What is beyond so many tokens is not looked at.
    pub fn tokens_max(&self) -> usize {
        self.tokens.tokens_max()
    }

    /// One vector of length one for a text.
    ///
    /// Texts run one by one on purpose: models of 8-bit numbers scale by what else is in the batch, so a text would
    /// mean something slightly different in other company; and on processors batches were measured to gain nothing.
    pub fn embed(&self, text: &str) -> Result<Vec<f32>, OnnxError> {
        let vector = self.run(&self.tokens.read(text)?)?;
        if vector.len() != self.dimensions {
            return Err(self.failed(format!(
                "it gave {} numbers, and {} before",
                vector.len(),
                self.dimensions
            )));
        }
        Ok(vector)
    }

    fn run(&self, text: &Tokenised) -> Result<Vec<f32>, OnnxError> {
        let count = text.ids.len();
        if count == 0 {
            return Err(self.failed("a text has no tokens".to_owned()));
        }
        let mask = vec![1; count];
        let failed = |error: ort::Error| self.failed(brief(&error.to_string()));
        let mut values = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let numbers = match input {
                Input::Ids => text.ids.clone(),
                Input::Mask => mask.clone(),
                Input::Types => text.types.clone(),
                Input::Positions => (0..).take(count).collect(),
            };
            let tensor = Tensor::from_array(([1, count], numbers)).map_err(failed)?;
            values.push((Cow::Borrowed(input.name()), tensor.into_dyn()));
        }
        // A panic of another thread in there leaves nothing half done on our side.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(values).map_err(failed)?;
        let (shape, numbers) = outputs[self.output.name()]
            .try_extract_tensor::<f32>()
            .map_err(failed)?;
        let vector = match (&self.output, &shape[..]) {
            (Output::Whole { .. }, [1, _]) => numbers.to_vec(),
            (Output::PerToken { pooling, .. }, [1, tokens, dimensions])
                if usize::try_from(*tokens) == Ok(count) && *dimensions > 0 =>
            {
                pooling.pool(numbers, &mask, numbers.len() / count)
            }
            (_, shape) => {
                return Err(self.failed(format!("it answered {count} tokens with a block of {shape:?}")));
            }
        };
        unit(vector).ok_or_else(|| self.failed("it gave a vector without a direction".to_owned()))
    }

    fn failed(&self, detail: String) -> OnnxError {
        OnnxError::Failed {
            file: self.file.clone(),
            doing: "embedding a text",
            detail,
        }
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("name", &self.name)
            .field("dimensions", &self.dimensions)
            .field("tokens_max", &self.tokens_max())
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
