//! What a community spends on models in a day: one book for every purpose. A question is paid for before it is asked,
//! as dear as it may get; what it really took replaces that when it is known.

mod book;
mod fare;
mod foreseen;
mod limits;
mod manner;
mod media;
mod rests;
mod saved;
mod thoughts;
pub mod view;

pub(crate) use self::book::{SpendingBook, tomorrow};
pub(crate) use self::fare::{Fare, MostWanted};
pub(crate) use self::foreseen::Foreseen;
pub(crate) use self::rests::{AskedModel, ModelRests, PATIENCE_MAX};
pub(crate) use self::thoughts::{Reservation, ThoughtSpending};
