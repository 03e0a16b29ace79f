//! A light look at the arguments of a call: whether they are what the tool's schema says, as far as its first level goes.
//! Whoever runs the tool looks closer.

use serde_json::Value;

/// Most characters of an argument's name that are quoted.
const NAME_CHARS_MAX: usize = 60;

/// Longest complaint; descriptions and options come from other people's servers.
const TROUBLE_CHARS_MAX: usize = 300;

/// What is wrong with the arguments, by name; none: nothing that can be seen from here.
pub(super) fn trouble(arguments: &Value, schema: &Value) -> Option<String> {
    found(arguments, schema).map(|why| why.chars().take(TROUBLE_CHARS_MAX).collect())
}

fn found(arguments: &Value, schema: &Value) -> Option<String> {
    let Some(given) = arguments.as_object() else {
        return Some("the arguments must be one JSON object".to_owned());
    };
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if given.get(name).is_none() {
            let name = quoted(name);
            let what = described(schema, &name);
            return Some(format!("the argument `{name}` is missing{what}"));
        }
    }
    let is_required = |name: &str| required.is_some_and(|list| list.iter().any(|entry| entry == name));
    given.iter().find_map(|(name, value)| {
        let wanted = schema.get("properties")?.get(name)?;
        // Many models say null for what they leave out.
        if value.is_null() && !is_required(name) {
            return None;
        }
        let why = mismatch(value, wanted)?;
        Some(format!("the argument `{}` {why}", quoted(name)))
    })
}

fn described(schema: &Value, name: &str) -> String {
    let words = schema.pointer(&format!("/properties/{name}/description"));
    let words = words.and_then(Value::as_str);
    words.map_or(String::new(), |words| format!(": {words}"))
}

/// Why a value is not what its schema wants.
fn mismatch(value: &Value, wanted: &Value) -> Option<String> {
    if let Some(options) = wanted.get("enum").and_then(Value::as_array)
        && !options.contains(value)
    {
        let options: Vec<String> = options.iter().map(Value::to_string).collect();
        return Some(format!("must be one of {}", options.join(", ")));
    }
    let kinds: Vec<&str> = match wanted.get("type")? {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let fits = kinds.iter().any(|kind| is_a(value, kind));
    (!fits).then(|| {
        format!(
            "must be {}",
            kinds
                .iter()
                .map(|kind| article(kind))
                .collect::<Vec<_>>()
                .join(" or ")
        )
    })
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        // A kind that nobody knows is for the tool itself to judge.
        _ => true,
    }
}

fn article(kind: &str) -> String {
    match kind {
        "string" => "text".to_owned(),
        "integer" => "a whole number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "an object".to_owned(),
        "null" => "null".to_owned(),
        other => format!("a {}", quoted(other)),
    }
}

/// Names come from schemas of other people's servers, and from models.
fn quoted(name: &str) -> String {
    let plain = name
        .chars()
        .filter(|letter| !letter.is_control() && *letter != '`');
    plain.take(NAME_CHARS_MAX).collect()
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
