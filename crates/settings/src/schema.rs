//! The JSON schema of a settings document, for editors and other programs.

use serde_json::{Map, Value, json};

use crate::catalogue::Settings;
use crate::knob::{Knob, LIST_ITEM_CHARS_MAX, Limits};

/// JSON schema (2020-12) of the nested document.
pub fn schema() -> Value {
    let mut root = object("Settings of Denizen");
    for knob in Settings::knobs() {
        let (path, name) = knob.key.rsplit_once('.').expect("every key has a section");
        let mut place = &mut root;
        for step in path.split('.') {
            place = place["properties"]
                .as_object_mut()
                .expect("every object of ours has properties")
                .entry(step)
                .or_insert_with(|| object(""));
        }
        place["description"] = json!(knob.section_doc);
        place["properties"][name] = property(&knob);
    }
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root
}

fn object(description: &str) -> Value {
    let mut object = Map::new();
    object.insert("type".into(), json!("object"));
    if !description.is_empty() {
        object.insert("description".into(), json!(description));
    }
    object.insert("properties".into(), json!({}));
    object.insert("additionalProperties".into(), json!(false));
    Value::Object(object)
}

fn property(knob: &Knob) -> Value {
    let mut property = match knob.limits {
        Limits::Switch => json!({"type": "boolean"}),
        Limits::Whole { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        Limits::Fraction { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
        Limits::Text { min, max } => json!({"type": "string", "minLength": min, "maxLength": max}),
        Limits::Choice { options } => json!({"type": "string", "enum": options}),
        Limits::List { max } => json!({
            "type": "array", "maxItems": max,
            "items": {"type": "string", "minLength": 1, "maxLength": LIST_ITEM_CHARS_MAX}
        }),
    };
    property["description"] = json!(knob.doc);
    property["default"] = knob.default.clone();
    property
}
