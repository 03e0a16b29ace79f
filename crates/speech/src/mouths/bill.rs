//! What speaking costs.

use std::sync::{Mutex, PoisonError};

use runtime::ports::Spoken;

use super::voicebox::Voicebox;
use crate::speakable::Sayable;

/// How quickly voices speak, about.
pub(super) const CHARACTERS_A_SECOND: f64 = 14.0;

/// What was given to engines to say: paid for when it is begun, and not when it was refused.
#[derive(Default)]
pub(super) struct Bill {
    begun: Vec<Begun>,
}

struct Begun {
    engine: String,
    characters: u64,
    cost: Option<u64>,
    is_given_back: bool,
}

impl Bill {
    /// Something is given to an engine; the number of its place on the bill.
    pub(super) fn begin(bill: &Mutex<Bill>, voicebox: &dyn Voicebox, said: &Sayable) -> usize {
        let characters = said.text().chars().count() as u64;
        // How long it will be is known when it is over, and then it may be too late to be counted.
        let cost = voicebox.cost(characters, characters as f64 / CHARACTERS_A_SECOND);
        let mut bill = bill.lock().unwrap_or_else(PoisonError::into_inner);
        bill.begun.push(Begun {
            engine: voicebox.engine(),
            characters,
            cost,
            is_given_back: false,
        });
        bill.begun.len() - 1
    }

    /// Nothing came of it.
    pub(super) fn give_back(bill: &Mutex<Bill>, begun: usize) {
        let mut bill = bill.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(begun) = bill.begun.get_mut(begun) {
            begun.is_given_back = true;
        }
    }

    /// All of it, as it is told.
    pub(super) fn told(&self) -> Spoken {
        let paid = || self.begun.iter().filter(|begun| !begun.is_given_back);
        let mut engines: Vec<&str> = paid().map(|begun| begun.engine.as_str()).collect();
        engines.dedup();
        Spoken {
            engine: engines.join(", then "),
            characters: paid().map(|begun| begun.characters).sum(),
            cost_micro_dollars: paid().map(|begun| begun.cost).sum(),
            fault: None,
        }
    }
}
