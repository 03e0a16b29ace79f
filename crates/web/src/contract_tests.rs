//! Each kind of schema becomes the TypeScript type that a page expects.

use serde_json::json;

use super::typescript;

fn declared(schema: serde_json::Value) -> String {
    let file = typescript(&json!({"components": {"schemas": {"Thing": schema}}}));
    file.split_once("\n\n").expect("a head, and a type").1.to_owned()
}

#[test]
fn an_object_becomes_an_interface_and_what_may_be_left_out_is_never_null() {
    let schema = json!({
        "type": "object", "description": "A thing.",
        "properties": {
            "id": {"$ref": "#/components/schemas/ThingId"},
            "size": {"type": ["integer", "null"], "description": "In bytes."},
            "remark": {"type": ["string", "null"]},
            "parts": {"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/Part"}, {"type": "null"}]}},
        },
        "required": ["id", "size", "parts"],
    });
    assert_eq!(
        declared(schema),
        "/** A thing. */\nexport interface Thing {\n  id: ThingId;\n  parts: (Part | null)[];\n  remark?: string;\n  \
         /** In bytes. */\n  size: number | null;\n}\n"
    );
}

#[test]
fn choices_become_unions() {
    let words = json!({"oneOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "string", "const": "c"}]});
    assert_eq!(declared(words), "export type Thing = 'a' | 'b' | 'c';\n");
    let tagged = json!({"oneOf": [
        {"type": "object", "properties": {"type": {"type": "string", "const": "switch"}}, "required": ["type"]},
        {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    ]});
    assert_eq!(
        declared(tagged),
        "export type Thing = { type: 'switch' } | { text: string };\n"
    );
}

#[test]
fn what_can_be_anything_is_unknown() {
    assert_eq!(declared(json!(true)), "export type Thing = unknown;\n");
    let open = json!({"type": "object", "additionalProperties": true});
    assert_eq!(
        declared(open),
        "export type Thing = { [key: string]: unknown };\n"
    );
    let pairs = json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]});
    assert_eq!(declared(pairs), "export type Thing = [string, number];\n");
}
