//! A network that turns one block of numbers into another: what its numbers mean is for whoever runs it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::session::Session;
use ort::value::{Tensor, TensorElementType, ValueType};

use crate::error::OnnxError;
use crate::session::{brief, load_session};

/// A network with one input and one output of 32-bit numbers, ready to be run.
pub struct Network {
    session: Mutex<Session>,
    output: String,
    file: PathBuf,
    doing: &'static str,
}

/// Numbers in as many directions as `shape` has.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub shape: Vec<usize>,
    pub numbers: Vec<f32>,
}

impl Network {
    /// Loads a network; `doing` says what it is used for, in errors. `library` names the ONNX Runtime to use; without
    /// it, one is looked for beside the file and among the system's libraries.
    pub fn load(file: &Path, library: Option<&Path>, doing: &'static str) -> Result<Self, OnnxError> {
        let session = load_session(file, library)?;
        let output = single_output(&session).map_err(|detail| OnnxError::Unsuitable {
            file: file.to_owned(),
            doing,
            detail,
        })?;
        Ok(Self {
            session: Mutex::new(session),
            output,
            file: file.to_owned(),
            doing,
        })
    }

    /// Runs the network once.
    pub fn run(&self, input: Block) -> Result<Block, OnnxError> {
        let failed = |error: ort::Error| self.failed(brief(&error.to_string()));
        let tensor = Tensor::from_array((input.shape, input.numbers)).map_err(failed)?;
        // A panic of another thread in there leaves nothing half done on our side.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(ort::inputs![tensor]).map_err(failed)?;
        let (shape, numbers) = outputs[self.output.as_str()]
            .try_extract_tensor::<f32>()
            .map_err(failed)?;
        let shape: Result<Vec<usize>, _> = shape.iter().map(|side| usize::try_from(*side)).collect();
        let shape = shape.map_err(|_| self.failed("it gave a block of an impossible shape".to_owned()))?;
        Ok(Block {
            shape,
            numbers: numbers.to_vec(),
        })
    }

    /// What it gave cannot be what it was run for.
    pub fn failed(&self, detail: String) -> OnnxError {
        OnnxError::Failed {
            file: self.file.clone(),
            doing: self.doing,
            detail,
        }
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

fn single_output(session: &Session) -> Result<String, String> {
    let of_numbers = |kind: &ValueType| {
        matches!(
            kind,
            ValueType::Tensor {
                ty: TensorElementType::Float32,
                ..
            }
        )
    };
    match (session.inputs(), session.outputs()) {
        ([input], [output]) if of_numbers(input.dtype()) && of_numbers(output.dtype()) => {
            Ok(output.name().to_owned())
        }
        (inputs, outputs) => Err(format!(
            "it has {} inputs and {} outputs, and one of each was expected, of 32-bit numbers",
            inputs.len(),
            outputs.len()
        )),
    }
}

#[cfg(test)]
#[path = "network_tests.rs"]
mod tests;
