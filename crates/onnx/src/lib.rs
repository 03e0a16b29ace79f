//! Sentence models in ONNX format: a folder with `model.onnx` and `tokenizer.json` becomes something that turns
//! texts into vectors of length one. ONNX Runtime is not linked: it is found and loaded when a model is.
//!
//! Nothing here is async and nothing keeps time; whoever calls does so from a thread that may be busy for a while.

mod error;
mod folder;
mod library;
mod model;
mod pooling;
mod signature;
mod tokens;

pub use error::OnnxError;
pub use folder::Prompts;
pub use model::Model;
