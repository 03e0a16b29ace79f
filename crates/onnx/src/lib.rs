//! Models in ONNX format. A folder with `model.onnx` and `tokenizer.json` becomes something that turns texts into
//! vectors of length one, or judges which text answers a question; any other network is run for whoever knows what its numbers mean. ONNX Runtime is not
//! linked: it is found and loaded when a model is.
//!
//! Nothing here is async and nothing keeps time; whoever calls does so from a thread that may be busy for a while.

mod error;
mod folder;
mod graph;
mod library;
mod model;
mod network;
mod pairs;
mod pooling;
mod session;
mod signature;
mod tokens;
mod wording;

pub use error::OnnxError;
pub use folder::Prompts;
pub use graph::{Graph, Numbers};
pub use library::also_look_in;
pub use model::Model;
pub use network::{Block, Network};
pub use pairs::CrossEncoder;
pub use wording::Wording;
