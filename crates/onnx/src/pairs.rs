//! A loaded cross-encoder: a question and a passage go in together, and how well the one answers the other comes out.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::session::Session;
use ort::value::{Tensor, TensorElementType, ValueType};

use crate::error::OnnxError;
use crate::folder::Folder;
use crate::library;
use crate::session::{brief, open_session};
use crate::signature::Input;
use crate::tokens::{Tokenised, Tokens};

const DOING: &str = "judging what answers a question";
/// Of a question and a passage together no more is looked at: the passage is chosen beforehand, and the work grows with the length.
const TOKENS_MAX: usize = 160;

/// A cross-encoder that is ready to be used.
pub struct CrossEncoder {
    session: Mutex<Session>,
    tokens: Tokens,
    inputs: Vec<Input>,
    output: String,
    file: PathBuf,
    name: String,
}

impl CrossEncoder {
    /// Loads the model of a folder. `library` names the ONNX Runtime to use; without it, one is looked for in the
    /// folder and among the system's libraries.
    pub fn load(folder: &Path, library: Option<&Path>) -> Result<Self, OnnxError> {
        let folder = Folder::look_through(folder)?;
        let tokens_max = folder.tokens_max.unwrap_or(TOKENS_MAX).min(TOKENS_MAX);
        let tokens = Tokens::load(&folder.tokenizer, Some(tokens_max))?;
        let environment = library::environment(library, &folder.library_places())?;
        let session = open_session(&environment, &folder.model).map_err(|error| OnnxError::BadFile {
            file: folder.model.clone(),
            detail: brief(&error.to_string()),
        })?;
        let wrong = |detail| OnnxError::Unsuitable {
            file: folder.model.clone(),
            doing: DOING,
            detail,
        };
        let model = Self {
            inputs: Input::of(&session).map_err(wrong)?,
            output: verdict(&session).map_err(wrong)?,
            session: Mutex::new(session),
            tokens,
            file: folder.model,
            name: folder.name,
        };
        // One that cannot run, or gives something else than a verdict, should say so now.
        model.score("room", "room")?;
        Ok(model)
    }

    /// The folder's name and a fingerprint of the weights.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How well a passage answers a question, as log-odds: a model with one number gives them itself, of one with two it is how
    /// far the second (yes) is above the first (no).
    ///
    /// Pairs run one by one, as texts do for a sentence model: in other company an 8-bit model would judge differently.
    pub fn score(&self, question: &str, passage: &str) -> Result<f64, OnnxError> {
        let Tokenised { ids, types } = self.tokens.read_pair(question, passage)?;
        let count = ids.len();
        if count == 0 {
            return Err(self.failed("a text has no tokens".to_owned()));
        }
        let failed = |error: ort::Error| self.failed(brief(&error.to_string()));
        let mut values = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let numbers = match input {
                Input::Ids => ids.clone(),
                Input::Mask => vec![1; count],
                Input::Types => types.clone(),
                Input::Positions => (0..).take(count).collect(),
            };
            let tensor = Tensor::from_array(([1, count], numbers)).map_err(failed)?;
            values.push((Cow::Borrowed(input.name()), tensor.into_dyn()));
        }
        // A panic of another thread in there leaves nothing half done on our side.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(values).map_err(failed)?;
        let (shape, numbers) = outputs[self.output.as_str()]
            .try_extract_tensor::<f32>()
            .map_err(failed)?;
        let score = match numbers {
            [odds] => f64::from(*odds),
            [no, yes] => f64::from(*yes) - f64::from(*no),
            _ => {
                return Err(self.failed(format!(
                    "it answered a pair with a block of {shape:?}, and one or two numbers were expected"
                )));
            }
        };
        if score.is_finite() {
            Ok(score)
        } else {
            Err(self.failed("it gave something that is no number".to_owned()))
        }
    }

    fn failed(&self, detail: String) -> OnnxError {
        OnnxError::Failed {
            file: self.file.clone(),
            doing: DOING,
            detail,
        }
    }
}

/// The output that holds the verdict: by its usual name, or the only one. A side that is told must be one or two wide.
fn verdict(session: &Session) -> Result<String, String> {
    let mut found = Vec::new();
    for output in session.outputs() {
        if let ValueType::Tensor {
            ty: TensorElementType::Float32,
            shape,
            ..
        } = output.dtype()
        {
            found.push((output.name(), shape.to_vec()));
        }
    }
    let named = found.iter().find(|(name, _)| *name == "logits");
    let (name, shape) = match (named, &found[..]) {
        (Some(output), _) | (None, [output]) => output,
        _ => {
            return Err(format!(
                "it has {} outputs of 32-bit numbers and none is named logits",
                found.len()
            ));
        }
    };
    match shape[..] {
        [_] | [_, -1 | 1 | 2] => Ok((*name).to_owned()),
        _ => Err(format!(
            "its output {name} is a block of {shape:?}, and one or two numbers a pair were expected"
        )),
    }
}

impl fmt::Debug for CrossEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrossEncoder")
            .field("name", &self.name)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "pairs_tests.rs"]
mod tests;
