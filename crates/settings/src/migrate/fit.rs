//! Old values as today's knobs take them: numbers in their ranges, several texts as one.

use serde_json::Value;

use crate::knob::Limits;

/// What today's limits make of an old value.
#[derive(Debug, PartialEq)]
pub(super) enum Fitted {
    /// Nothing to do here. Lists always, and what is no list of texts where one is wanted: what is wrong with one is told when the settings are read.
    AsItIs,
    /// The nearest number that is allowed, or a list of texts as one text.
    Moved(Value),
    /// A number is wanted, and this is none.
    NotANumber,
}

pub(super) fn fit(limits: &Limits, value: &Value) -> Fitted {
    if let (Limits::Text { .. }, Value::Array(several)) = (limits, value) {
        let texts: Option<Vec<&str>> = several.iter().map(Value::as_str).collect();
        return texts.map_or(Fitted::AsItIs, |texts| {
            Fitted::Moved(Value::from(texts.join("\n")))
        });
    }
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
