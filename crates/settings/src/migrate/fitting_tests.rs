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

mod hostile_documents {
    use proptest::prelude::*;
    use serde_json::json;

    use super::read;
    use crate::{Document, migrate, take_what_fits};

    fn samples() -> Vec<serde_json::Value> {
        vec![
            json!({"identity": {"name": "Robin", "aliases": ["Rob"]}, "llm": {"provider": "auto", "temperature": 0.5},
                "permissions": {"initiativeChannelIds": ["lounge"]}, "activity": {"maxMessagesPerHour": 5}}),
            json!({"voice": {"streamWatch": {"brainContextMode": "direct", "directMinIntervalSeconds": 2,
                "directMaxEntries": 9, "brainContextMaxEntries": 8, "maxFramesPerMinute": 60}}}),
            json!({"memory.enabled": true, "storage.keepMessagesDays": 30, "initiative.discovery": {"sources": {"rss": true}}}),
        ]
    }

    proptest! {
        #![proptest_config(hostile::cases(200))]

        #[test]
        fn of_any_old_document_what_fits_is_taken_and_can_be_read(document in hostile::mangled(samples())) {
            if let Ok(document) = Document::from_value(document) {
                let (migrated, _) = migrate(&document);
                let (taken, _) = take_what_fits(&Document::default(), migrated, read);
                prop_assert!(read(&taken).is_ok());
            }
        }

        #[test]
        fn wounded_text_is_a_document_or_none(text in hostile::wounded_text(&[
            r#"{"identity": {"name": "Robin"}, "llm.temperature": 0.5, "a": [1, {"b": null}]}"#,
        ])) {
            let _ = Document::from_json(&text);
        }
    }
}
