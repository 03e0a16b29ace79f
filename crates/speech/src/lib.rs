//! Ears and mouths: understands what people say and says words aloud, with what is built in, what is installed here, and
//! the services that the operator chose.

mod choice;
mod ears;
mod engines;
mod kept;
mod keys;
mod models;
mod mouths;
mod naming;
mod realtime;
mod services;
mod sounds;
pub mod speakable;
mod status;
mod trouble;

pub use choice::{EarsChoice, EarsEngine, MouthChoice, MouthEngine, TurnEngine};
pub use ears::Ears;
pub use engines::{Engines, InstalledSpeech};
pub use keys::SpeechKeys;
pub use mouths::Mouth;
pub use naming::{NameTrial, try_name};
pub use realtime::RealtimeWish;
pub use services::Unreached;
pub use sounds::{SoundFolder, sounds_in};
pub use status::SpeechStatus;
