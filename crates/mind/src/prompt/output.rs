//! What an answer must look like, as far as the settings leave it open.

use serde_json::Value;
use settings::{Settings, StructuredOutput};
use vocabulary::OutputShape;

/// Whether models are asked for typed answers.
pub(crate) fn is_typed(settings: &Settings) -> bool {
    settings.llm.structured_output != StructuredOutput::Off
}

/// A typed answer of this schema, or plain text where an operator wants that.
pub(crate) fn shape(settings: &Settings, name: &str, schema: Value) -> OutputShape {
    if is_typed(settings) {
        OutputShape::Json {
            name: name.to_owned(),
            words: None,
            schema,
        }
    } else {
        OutputShape::Text
    }
}

/// The schema of an object with these properties, and no others.
pub(crate) fn object(properties: Value, required: &[&str]) -> Value {
    let fields = [
        ("type", Value::from("object")),
        ("properties", properties),
        ("required", Value::from(required)),
        ("additionalProperties", Value::from(false)),
    ];
    // `json!` would copy the properties.
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.collect())
}
