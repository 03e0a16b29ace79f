//! Holds values against schemas: types, required fields, choices, and no field that is not described.

use serde_json::Value;

/// Says at which place a value does not fit.
pub fn fits(description: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = description.pointer(reference.trim_start_matches('#'));
        let target = target.ok_or_else(|| format!("{reference} leads nowhere"))?;
        return fits(description, target, value, place);
    }
    for either in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[either].as_array() {
            let tried: Vec<_> = choices
                .iter()
                .map(|choice| fits(description, choice, value, place))
                .collect();
            let found = tried.iter().any(Result::is_ok);
            return found
                .then_some(())
                .ok_or_else(|| format!("{place} fits no choice: {tried:?}"));
        }
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return Err(format!("{place} is {value}, described as {}", schema["const"]));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Err(format!("{place} is {value}, which is not one of {words:?}"));
    }
    of_kind(schema, value, place)?;
    fields(description, schema, value, place)?;
    for item in value.as_array().into_iter().flatten() {
        fits(description, &schema["items"], item, &format!("{place}[]"))?;
    }
    Ok(())
}

fn of_kind(schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) if kinds.contains(&"number") => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let known = kinds.contains(&kind).then_some(());
    known.ok_or_else(|| format!("{place} is {kind}, described as {kinds:?}: {value}"))
}

fn fields(description: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let (Some(properties), Some(fields)) = (schema["properties"].as_object(), value.as_object()) else {
        return Ok(());
    };
    for (name, field) in fields {
        let described = properties.get(name);
        let described = described.ok_or_else(|| format!("{place}.{name} is not described"))?;
        fits(description, described, field, &format!("{place}.{name}"))?;
    }
    let mut required = schema["required"].as_array().into_iter().flatten();
    match required.find(|name| name.as_str().is_some_and(|name| !fields.contains_key(name))) {
        Some(name) => Err(format!("{place}.{name} is missing")),
        None => Ok(()),
    }
}
