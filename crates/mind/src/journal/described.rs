//! What a journal line looks like as JSON: a name that is one of those in the manual, and its data.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{JournalEvent, event_docs};

/// The name of a kind of journal line.
struct JournalName;

impl JsonSchema for JournalName {
    fn schema_name() -> Cow<'static, str> {
        "JournalName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = event_docs().iter().map(|doc| doc.name).collect();
        json_schema!({
            "description": "What a journal line is called. Stable; GET /api/journal/events says what each means.",
            "type": "string",
            "enum": names,
        })
    }
}

impl JsonSchema for JournalEvent {
    fn schema_name() -> Cow<'static, str> {
        "JournalEvent".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "name": generator.subschema_for::<JournalName>(),
                "data": {"type": "object", "additionalProperties": true},
            },
            "required": ["name", "data"],
        })
    }
}
