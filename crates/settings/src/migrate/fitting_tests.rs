//! One key that nobody knows costs no other.

use serde_json::json;

use super::take_what_fits;
use crate::{Document, Settings};

fn document(value: serde_json::Value) -> Document {
    Document::from_value(value).expect("an object")
}

fn read(document: &Document) -> Result<(), Vec<crate::SettingError>> {
    Settings::read(document).map(|_| ())
}

#[test]
fn what_is_not_understood_is_named_and_the_rest_is_taken() {
    let below = document(json!({"llm.temperature": 0.5}));
    let given = document(json!({"voice.volume": 3, "llm.temperature": 7, "identity.name": "Robin"}));
    let (taken, left_out) = take_what_fits(&below, given, read);
    let keys: Vec<&str> = left_out.iter().map(|error| error.key.as_str()).collect();
    assert_eq!(keys, ["llm.temperature", "voice.volume"]);
    assert_eq!(
        taken,
        document(json!({"llm.temperature": 0.5, "identity.name": "Robin"}))
    );
    assert!(read(&taken).is_ok());
}

#[test]
fn what_is_wrong_below_is_not_touched() {
    let below = document(json!({"voice.volume": 3}));
    let given = document(json!({"identity.name": "Robin"}));
    let (taken, left_out) = take_what_fits(&below, given, read);
    assert_eq!(left_out, []);
    assert_eq!(
        read(&taken).expect_err("it is still there")[0].key,
        "voice.volume"
    );
}
