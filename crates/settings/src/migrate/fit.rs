//! Old numbers in today's ranges.

use serde_json::Value;

use crate::knob::Limits;

/// What today's limits make of an old value.
#[derive(Debug, PartialEq)]
pub(super) enum Fitted {
    /// Nothing to do here. Texts and lists always: what is wrong with one is told when the settings are read.
    AsItIs,
    /// The nearest number that is allowed.
    Moved(Value),
    /// A number is wanted, and this is none.
    NotANumber,
}

pub(super) fn fit(limits: &Limits, value: &Value) -> Fitted {
    let nearest = match (limits, value.as_f64()) {
        (Limits::Whole { .. } | Limits::Fraction { .. }, None) => return Fitted::NotANumber,
        // The cast saturates, and the clamp has taken what is below zero away.
        (Limits::Whole { min, max }, Some(number)) => {
            Value::from((number.round().max(0.0) as u64).clamp(*min, *max))
        }
        (Limits::Fraction { min, max }, Some(number)) => Value::from(number.clamp(*min, *max)),
        _ => return Fitted::AsItIs,
    };
    if limits.check("", value).is_ok() {
        Fitted::AsItIs
    } else {
        Fitted::Moved(nearest)
    }
}
