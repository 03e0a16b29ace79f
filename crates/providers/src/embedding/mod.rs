//! Whoever tells what texts mean: the table inside the binary, a model in a folder, or a server that speaks
//! OpenAI's embeddings API or Ollama's.
//!
//! [`open`] makes one of the settings and learns how long its vectors are; [`CachedQueries`] keeps what was looked for
//! lately. No text and no key is ever in a log line or an error.

mod batch;
mod builtin;
mod cache;
mod exchange;
mod model_folder;
mod open;
mod prefix;
mod refusal;
mod served;
mod vectors;
mod wire;

pub use cache::CachedQueries;
pub(crate) use model_folder::blocking;
pub use open::{EmbedderOptions, open, open_with};
