//! Which of a server's tools are offered to a model, in which words, and why the others are not.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::config::ServerConfig;
use super::listing::Listed;
use super::{naming, plain};

const DESCRIPTION_CHARACTERS_MAX: usize = 1_000;

const SCHEMA_BYTES_MAX: usize = 16 * 1024;

pub(crate) const TOOLS_OF_A_SERVER_MAX: usize = 40;

/// What is offered, and what is not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Offer {
    pub(crate) tools: Vec<Offered>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Offered {
    /// As the model calls it.
    pub(crate) name: String,
    /// As its server calls it.
    pub(crate) tool: String,
    pub(crate) description: String,
    pub(crate) schema: Value,
}

/// A tool that is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    pub(crate) tool: String,
    pub(crate) why: String,
}

/// Chooses, in the order of names: a list in another order is the same list.
pub(crate) fn choose(config: &ServerConfig, listed: Vec<Listed>) -> Offer {
    let by_name: BTreeMap<String, Listed> =
        listed.into_iter().map(|tool| (tool.name.clone(), tool)).collect();
    let mut offer = Offer::default();
    for (tool, listed) in by_name {
        match consider(config, listed, &offer.tools) {
            Ok(offered) => offer.tools.push(offered),
            Err(why) => offer.left_out.push(LeftOut {
                tool: plain::paragraph(&tool, 100),
                why,
            }),
        }
    }
    offer
}

fn consider(config: &ServerConfig, listed: Listed, before: &[Offered]) -> Result<Offered, String> {
    if config.deny.contains(&listed.name) {
        return Err("`deny` names it".to_owned());
    }
    if !config.allow.is_empty() && !config.allow.contains(&listed.name) {
        return Err("`allow` does not name it".to_owned());
    }
    let schema = object_schema(listed.schema)?;
    if before.len() == TOOLS_OF_A_SERVER_MAX {
        return Err(format!(
            "{TOOLS_OF_A_SERVER_MAX} of the server's tools are offered already; choose with `allow`"
        ));
    }
    let name = naming::tool_name(&config.name, &listed.name);
    if before.iter().any(|offered| offered.name == name) {
        return Err("another of the server's tools has the same name".to_owned());
    }
    Ok(Offered {
        name,
        tool: listed.name,
        description: config
            .secrets
            .hide(&plain::paragraph(&listed.description, DESCRIPTION_CHARACTERS_MAX)),
        schema,
    })
}

/// The schema of an object, in the form that model APIs take.
fn object_schema(schema: Value) -> Result<Value, String> {
    let Value::Object(mut schema) = schema else {
        return Err("its input schema is missing or no object".to_owned());
    };
    if schema.get("type").is_some_and(|kind| kind != "object") {
        return Err("its input schema is not that of an object".to_owned());
    }
    schema.insert("type".to_owned(), json!("object"));
    if !schema.get("properties").is_some_and(Value::is_object) {
        schema.insert("properties".to_owned(), json!({}));
    }
    let mut schema = Value::Object(schema);
    tidy(&mut schema);
    let bytes = schema.to_string().len();
    if bytes > SCHEMA_BYTES_MAX {
        return Err(format!(
            "its input schema has {} kB, and {} is the most",
            bytes.div_ceil(1024),
            SCHEMA_BYTES_MAX / 1024
        ));
    }
    Ok(schema)
}

/// Descriptions inside a schema are read by the model just as well.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                match value {
                    Value::String(text) if matches!(key.as_str(), "description" | "title" | "$comment") => {
                        *text = plain::paragraph(text, DESCRIPTION_CHARACTERS_MAX);
                    }
                    other => tidy(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

#[cfg(test)]
#[path = "offer_tests.rs"]
mod tests;
