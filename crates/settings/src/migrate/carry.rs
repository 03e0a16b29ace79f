//! Carries the value of a former key over, unless its new key has one.

use serde_json::Value;

use super::MigrationNote;
use super::fit::{Fitted, fit};
use crate::document::Document;
use crate::knob::{Knob, abbreviated};

/// A key that was renamed; its value is brought into today's range.
pub(super) fn renamed(document: &mut Document, old: &str, knob: &Knob, value: &Value) -> MigrationNote {
    if document.get(&knob.key).is_some() {
        let remark = format!("{} was set already and keeps its value", knob.key);
        return MigrationNote::dropped(old, remark);
    }
    let (shown, wanted) = (abbreviated(value), knob.limits.wanted());
    let (value, remark) = match fit(&knob.limits, value) {
        Fitted::AsItIs => (value.clone(), "the key has a new name".to_owned()),
        Fitted::Moved(nearest) => {
            let remark = format!("the key has a new name; {shown} became {nearest}, since it takes {wanted}");
            (nearest, remark)
        }
        Fitted::NotANumber => {
            let remark = format!("{shown} cannot be used: {} takes {wanted}", knob.key);
            return MigrationNote::dropped(old, remark);
        }
    };
    document.set(knob.key.clone(), value);
    MigrationNote {
        old_key: old.to_owned(),
        new_keys: vec![knob.key.clone()],
        remark,
    }
}

/// A key that became several.
pub(super) fn fanned(
    document: &mut Document,
    old: &str,
    new: &[&str],
    value: &Value,
    why: &str,
) -> MigrationNote {
    let mut new_keys = Vec::new();
    let mut remark = why.to_owned();
    for key in new {
        if document.get(key).is_some() {
            remark.push_str(&format!("; {key} was set already and keeps its value"));
        } else {
            document.set(*key, value.clone());
            new_keys.push((*key).to_owned());
        }
    }
    MigrationNote {
        old_key: old.to_owned(),
        new_keys,
        remark,
    }
}
