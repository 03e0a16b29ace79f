//! The API's types in TypeScript, for the pages: written from the description, so that neither can drift from the other.

use std::fmt::Write;

use serde_json::{Map, Value};

/// Longest line before alternatives stand below each other.
const LINE_CHARS_MAX: usize = 120;

/// Every schema of the description as a TypeScript type.
pub fn typescript(description: &Value) -> String {
    let mut file = String::from(
        "// The types of the HTTP API. Written by `make docs` from the description that is served at /api/openapi.json; not to be edited.\n\
         // Times are unix milliseconds, spans are milliseconds, costs are millionths of a dollar.\n",
    );
    let schemas = &description["components"]["schemas"];
    for (name, schema) in schemas.as_object().into_iter().flatten() {
        file.push('\n');
        declare(&mut file, name, schema);
    }
    file
}

fn declare(file: &mut String, name: &str, schema: &Value) {
    remark(file, "", schema);
    if is_record(schema) {
        let _ = writeln!(file, "export interface {name} {{");
        for (field, kind, schema) in fields(schema) {
            remark(file, "  ", schema);
            let _ = writeln!(file, "  {field}: {kind};");
        }
        file.push_str("}\n");
        return;
    }
    let kinds = kinds(schema);
    let line = format!("export type {name} = {};", kinds.join(" | "));
    if line.len() <= LINE_CHARS_MAX {
        let _ = writeln!(file, "{line}");
    } else {
        let _ = writeln!(file, "export type {name} =\n  | {};", kinds.join("\n  | "));
    }
}

fn remark(file: &mut String, indent: &str, schema: &Value) {
    if let Some(words) = schema["description"].as_str() {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(file, "{indent}/** {} */", words.replace("*/", "* /"));
    }
}

/// An object whose fields are all known, and that is nothing else besides.
fn is_record(schema: &Value) -> bool {
    schema["type"] == "object" && schema["oneOf"].is_null() && schema["additionalProperties"] != true
}

/// The fields of an object: how each is declared, its type, and its schema.
fn fields(schema: &Value) -> Vec<(String, String, &Value)> {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let declared = |(name, schema)| {
        let name: &String = name;
        field(name, schema, required.contains(&name.as_str()))
    };
    properties.map(declared).collect()
}

/// What may be left out is left out, and never null.
fn field<'a>(name: &str, schema: &'a Value, required: bool) -> (String, String, &'a Value) {
    let mut kinds = kinds(schema);
    if required {
        return (name.to_owned(), kinds.join(" | "), schema);
    }
    kinds.retain(|kind| kind != "null");
    (format!("{name}?"), kinds.join(" | "), schema)
}

/// The alternatives a value may be.
fn kinds(schema: &Value) -> Vec<String> {
    let Some(schema) = schema.as_object().filter(|schema| !schema.is_empty()) else {
        return vec!["unknown".to_owned()];
    };
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return vec![target.rsplit('/').next().unwrap_or(target).to_owned()];
    }
    for either in ["oneOf", "anyOf"] {
        if let Some(choices) = schema.get(either).and_then(Value::as_array) {
            return chosen(schema, choices);
        }
    }
    if let Some(constant) = schema.get("const") {
        return vec![literal(constant)];
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().map(literal).collect();
    }
    match schema.get("type") {
        Some(Value::String(kind)) => vec![plain(kind, schema)],
        Some(Value::Array(kinds)) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            kinds.map(|kind| plain(kind, schema)).collect()
        }
        _ => vec!["unknown".to_owned()],
    }
}

/// One of several; what stands beside the choices belongs to each of them.
fn chosen(schema: &Map<String, Value>, choices: &[Value]) -> Vec<String> {
    let all: Vec<String> = choices.iter().flat_map(kinds).collect();
    if !schema.contains_key("properties") {
        return all;
    }
    let shared = plain("object", schema);
    all.iter().map(|choice| format!("{shared} & {choice}")).collect()
}

fn plain(kind: &str, schema: &Map<String, Value>) -> String {
    match kind {
        "integer" | "number" => "number".to_owned(),
        "array" => list(schema),
        "object" => object(schema),
        other => other.to_owned(),
    }
}

fn list(schema: &Map<String, Value>) -> String {
    if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
        let items: Vec<String> = items.iter().map(|item| kinds(item).join(" | ")).collect();
        return format!("[{}]", items.join(", "));
    }
    let item = kinds(schema.get("items").unwrap_or(&Value::Null));
    match item.as_slice() {
        [one] => format!("{one}[]"),
        several => format!("({})[]", several.join(" | ")),
    }
}

fn object(schema: &Map<String, Value>) -> String {
    let whole = Value::Object(schema.clone());
    let fields = fields(&whole);
    if fields.is_empty() {
        let value = match schema.get("additionalProperties") {
            Some(schema @ Value::Object(_)) => kinds(schema).join(" | "),
            _ => "unknown".to_owned(),
        };
        return format!("{{ [key: string]: {value} }}");
    }
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, kind, _)| format!("{name}: {kind}"))
        .collect();
    format!("{{ {} }}", fields.join("; "))
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "contract_tests.rs"]
mod tests;
