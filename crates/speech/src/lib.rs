//! Ears and mouths: understands what people say and says words aloud, with what is built in, what is installed here, and
//! the services that the operator chose.

mod choice;
mod ears;
mod keys;
mod mouths;
mod services;
pub mod speakable;
mod status;
mod trouble;

pub use choice::{EarsChoice, EarsEngine, MouthChoice, MouthEngine};
pub use ears::Ears;
pub use keys::SpeechKeys;
pub use mouths::Mouth;
pub use status::{SpeechOption, SpeechStatus};
