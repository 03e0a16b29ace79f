//! A network with several inputs and outputs, each with a name. What it gives can be what it takes next, uncopied.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::session::{Session, SessionInputValue};
use ort::value::{DynValue, Tensor, ValueType};

use crate::error::OnnxError;
use crate::network::Block;
use crate::session::{brief, load_session};

/// A network with named inputs and outputs, ready to be run.
pub struct Graph {
    session: Mutex<Session>,
    /// Each input with its shape; where a side is free it is -1.
    inputs: BTreeMap<String, Vec<i64>>,
    outputs: Vec<String>,
    file: PathBuf,
    doing: &'static str,
}

/// What goes into a network or comes out of it.
#[derive(Debug)]
pub struct Numbers(DynValue);

impl Numbers {
    /// 32-bit numbers with a fraction.
    pub fn floats(shape: &[usize], numbers: Vec<f32>) -> Result<Self, String> {
        Self::of(Tensor::from_array((shape.to_vec(), numbers)).map(|tensor| tensor.into_dyn()))
    }

    /// 64-bit whole numbers.
    pub fn integers(shape: &[usize], numbers: Vec<i64>) -> Result<Self, String> {
        Self::of(Tensor::from_array((shape.to_vec(), numbers)).map(|tensor| tensor.into_dyn()))
    }

    /// One yes or no.
    pub fn flag(flag: bool) -> Result<Self, String> {
        Self::of(Tensor::from_array(([1_usize], vec![flag])).map(|tensor| tensor.into_dyn()))
    }

    fn of(value: ort::Result<DynValue>) -> Result<Self, String> {
        value.map(Self).map_err(|error| brief(&error.to_string()))
    }

    /// The numbers themselves, where they are 32-bit ones with a fraction.
    pub fn block(&self) -> Result<Block, String> {
        let (shape, numbers) = self
            .0
            .try_extract_tensor::<f32>()
            .map_err(|error| brief(&error.to_string()))?;
        let shape: Result<Vec<usize>, _> = shape.iter().map(|side| usize::try_from(*side)).collect();
        Ok(Block {
            shape: shape.map_err(|_| "a block of an impossible shape".to_owned())?,
            numbers: numbers.to_vec(),
        })
    }
}

impl Graph {
    /// Loads a network; `doing` says what it is used for, in errors. `library` names the ONNX Runtime to use; without
    /// it, one is looked for beside the file and among the system's libraries.
    pub fn load(file: &Path, library: Option<&Path>, doing: &'static str) -> Result<Self, OnnxError> {
        let session = load_session(file, library)?;
        let shape = |kind: &ValueType| match kind {
            ValueType::Tensor { shape, .. } => shape.to_vec(),
            _ => Vec::new(),
        };
        Ok(Self {
            inputs: session
                .inputs()
                .iter()
                .map(|input| (input.name().to_owned(), shape(input.dtype())))
                .collect(),
            outputs: session
                .outputs()
                .iter()
                .map(|output| output.name().to_owned())
                .collect(),
            session: Mutex::new(session),
            file: file.to_owned(),
            doing,
        })
    }

    /// What it takes: each name with its shape, in which a free side is -1.
    pub fn inputs(&self) -> &BTreeMap<String, Vec<i64>> {
        &self.inputs
    }

    /// What it gives.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// Runs the network once.
    pub fn run(&self, inputs: &[(&str, &Numbers)]) -> Result<BTreeMap<String, Numbers>, OnnxError> {
        let failed = |error: ort::Error| self.failed(brief(&error.to_string()));
        let values: Vec<(Cow<'_, str>, SessionInputValue<'_>)> = inputs
            .iter()
            .map(|(name, numbers)| (Cow::Borrowed(*name), SessionInputValue::from(&numbers.0)))
            .collect();
        // A panic of another thread in there leaves nothing half done on our side.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let mut outputs = session.run(values).map_err(failed)?;
        let mut given = BTreeMap::new();
        for name in &self.outputs {
            if let Some(value) = outputs.remove(name) {
                given.insert(name.clone(), Numbers(value));
            }
        }
        Ok(given)
    }

    /// The model is not one for what it is to be used for.
    pub fn unsuitable(&self, detail: String) -> OnnxError {
        OnnxError::Unsuitable {
            file: self.file.clone(),
            doing: self.doing,
            detail,
        }
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

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;
