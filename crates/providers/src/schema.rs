//! JSON that is written the same way every time: models fill a schema in the order of its properties, and the
//! inspector compares bytes, so the order must not hang on how a map happens to be sorted.

use serde_json::Value;
use serde_json::value::RawValue;

/// Which schema keywords a provider takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// As it is.
    Full,
    /// Without bounds on values and lengths, which are answered with an error.
    WithoutBounds,
}

const LEADING_KEYWORDS: &[&str] = &["type", "title", "description", "enum", "const"];
const BOUND_KEYWORDS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// Writes a schema: properties in the order of `required`, objects closed to further properties.
pub(crate) fn write_schema(schema: &Value, dialect: Dialect) -> Box<RawValue> {
    let mut text = String::new();
    write_node(&mut text, schema, dialect);
    raw(text)
}

/// Writes any other value with its keys sorted.
pub(crate) fn write_value(value: &Value) -> Box<RawValue> {
    let mut text = String::new();
    write_sorted(&mut text, value);
    raw(text)
}

fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).expect("what is written here is JSON")
}

fn write_node(out: &mut String, schema: &Value, dialect: Dialect) {
    let Value::Object(object) = schema else {
        return write_sorted(out, schema);
    };
    let mut keys: Vec<&String> = object
        .keys()
        .filter(|key| dialect == Dialect::Full || !BOUND_KEYWORDS.contains(&key.as_str()))
        .collect();
    keys.sort_by_key(|key| {
        let rank = LEADING_KEYWORDS.iter().position(|leading| leading == key);
        (rank.unwrap_or(LEADING_KEYWORDS.len()), key.as_str())
    });
    let mut list = List::open(out, '{');
    for key in keys {
        list.key(key);
        let value = &object[key.as_str()];
        match key.as_str() {
            "properties" => write_properties(list.out, value, object.get("required"), dialect),
            "items" | "not" => write_node(list.out, value, dialect),
            "anyOf" | "oneOf" | "allOf" => write_alternatives(list.out, value, dialect),
            "$defs" | "definitions" => write_properties(list.out, value, None, dialect),
            _ => write_sorted(list.out, value),
        }
    }
    // Structured output demands it of every object, and a tool's arguments gain nothing from strangers.
    if object.contains_key("properties") && !object.contains_key("additionalProperties") {
        list.key("additionalProperties");
        list.out.push_str("false");
    }
    list.close('}');
}

fn write_properties(out: &mut String, properties: &Value, required: Option<&Value>, dialect: Dialect) {
    let Value::Object(object) = properties else {
        return write_sorted(out, properties);
    };
    let required: Vec<&str> = required
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut keys: Vec<&String> = object.keys().collect();
    keys.sort_by_key(|key| {
        let rank = required.iter().position(|name| name == key);
        (rank.unwrap_or(required.len()), key.as_str())
    });
    let mut list = List::open(out, '{');
    for key in keys {
        list.key(key);
        write_node(list.out, &object[key.as_str()], dialect);
    }
    list.close('}');
}

fn write_alternatives(out: &mut String, value: &Value, dialect: Dialect) {
    let Value::Array(alternatives) = value else {
        return write_sorted(out, value);
    };
    let mut list = List::open(out, '[');
    for alternative in alternatives {
        list.next();
        write_node(list.out, alternative, dialect);
    }
    list.close(']');
}

fn write_sorted(out: &mut String, value: &Value) {
    match value {
        Value::Array(items) => {
            let mut list = List::open(out, '[');
            for item in items {
                list.next();
                write_sorted(list.out, item);
            }
            list.close(']');
        }
        Value::Object(object) => {
            let mut keys: Vec<&String> = object.keys().collect();
            keys.sort();
            let mut list = List::open(out, '{');
            for key in keys {
                list.key(key);
                write_sorted(list.out, &object[key.as_str()]);
            }
            list.close('}');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// Puts commas between the members of an array or object.
struct List<'a> {
    out: &'a mut String,
    first: bool,
}

impl<'a> List<'a> {
    fn open(out: &'a mut String, bracket: char) -> Self {
        out.push(bracket);
        Self { out, first: true }
    }

    fn next(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
    }

    fn key(&mut self, key: &str) {
        self.next();
        self.out.push_str(&Value::from(key).to_string());
        self.out.push(':');
    }

    fn close(self, bracket: char) {
        self.out.push(bracket);
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
