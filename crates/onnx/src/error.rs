//! What can be wrong with a model folder or with the library that runs it, for a person.

use std::path::PathBuf;

use thiserror::Error;

/// Why a model cannot be used. Never holds any part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OnnxError {
    #[error(
        "there is no {file} in {folder}. A model folder holds model.onnx (or onnx/model.onnx) and tokenizer.json, as sentence models on Hugging Face do"
    )]
    MissingFile { file: &'static str, folder: PathBuf },
    #[error("{file} cannot be used: {detail}. Fetch it again from where the model came from")]
    BadFile { file: PathBuf, detail: String },
    #[error(
        "ONNX Runtime was not found: {looked}. Get it with `denizen models install onnxruntime`, put {library} (1.17 or newer, from the onnxruntime releases or the PyPI wheel) into the model folder, or set ORT_DYLIB_PATH to it"
    )]
    NoLibrary { looked: String, library: String },
    #[error("the model at {file} is not one for sentences: {detail}. Use the export of a sentence model")]
    NotForSentences { file: PathBuf, detail: String },
    #[error("the model at {file} is not one for {doing}: {detail}")]
    Unsuitable {
        file: PathBuf,
        doing: &'static str,
        detail: String,
    },
    #[error("the model at {file} failed while {doing}: {detail}")]
    Failed {
        file: PathBuf,
        doing: &'static str,
        detail: String,
    },
}
