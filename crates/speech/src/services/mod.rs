//! Services that hear or speak for Denizen: where they are, what they are asked, what they answer.

mod complaint;
mod exchange;
mod multipart;
mod prices;
mod reach;
mod service;
mod sound_body;
mod usual;

pub(crate) use exchange::Exchange;
pub(crate) use multipart::Multipart;
pub(crate) use prices::{heard_cost, spoken_cost};
pub use reach::Unreached;
pub(crate) use reach::{TrialTime, answers, unreached};
pub(crate) use service::{Api, Purpose, Service};
pub(crate) use sound_body::SoundBody;
pub(crate) use usual::{Usual, model_ids};
