//! What is sent was compared with the vendors' own types: a key that `make e2e-wire` has never seen fails here, without
//! the vendors' clients and in a moment.

use std::collections::BTreeSet;

use runtime::ports::{Language, Prepared};
use serde_json::{Value, json};
use settings::{Document, Settings};

use crate::requests::{models_at, pictures, rich, simple, typed};

/// Written by `make e2e-wire`.
const COMPARED: &str = include_str!("../../../../e2e/wire/compared.txt");
/// Of each family of models, one.
const MODELS: &[(&str, &[&str])] = &[
    (
        "anthropic",
        &[
            "",
            "claude-sonnet-5-5",
            "claude-haiku-5-5",
            "claude-opus-5-5",
            "claude-haiku-4-5",
        ],
    ),
    (
        "openai",
        &["", "gpt-6-luna", "gpt-6.1-terra", "gpt-5.4-mini", "gpt-4.1-mini"],
    ),
    (
        "gemini",
        &[
            "",
            "gemini-3.8-flash",
            "gemini-3.5-flash-lite",
            "gemini-flash-latest",
            "gemini-2.5-flash",
        ],
    ),
];
/// Below these stands what an operator or a model wrote.
const FREE: &[&str] = &[
    "input_schema",
    "schema",
    "parameters",
    "parametersJsonSchema",
    "responseJsonSchema",
    "args",
    "arguments",
    "response",
];
/// The values of these are words of the vendor's own.
const WORDS: &[&str] = &[
    "type",
    "role",
    "effort",
    "reasoning_effort",
    "summary",
    "detail",
    "media_type",
    "mimeType",
    "responseMimeType",
    "thinkingLevel",
    "mode",
    "ttl",
    "tool_choice",
    "verbosity",
    "display",
    "phase",
    "status",
];

#[tokio::test]
async fn every_key_that_is_sent_was_compared_with_the_vendors_types() {
    let compared: BTreeSet<&str> = COMPARED.lines().collect();
    let mut sent = BTreeSet::new();
    for (provider, names) in MODELS {
        let models = models_at(provider, "http://127.0.0.1:1");
        for settings in manners() {
            for name in *names {
                for request in [
                    simple(provider, name),
                    typed(provider, name),
                    rich(provider, name),
                ] {
                    let prepared = models.prepare(&request, &pictures(), &settings);
                    sent.extend(lines(&prepared.expect("it can be made ready")));
                }
            }
        }
    }
    let new: Vec<&String> = sent
        .iter()
        .filter(|line| !compared.contains(line.as_str()))
        .collect();
    assert!(
        new.is_empty(),
        "nobody has compared these with the vendors' types: run `make e2e-wire` and look what it says\n{new:#?}"
    );
}

/// As it is, and with each effort.
fn manners() -> Vec<Settings> {
    let efforts = ["none", "minimal", "low", "medium", "high", "max"];
    let with = |effort: &str| {
        let mut document = Document::default();
        document.set("llm.effort.reply", json!(effort));
        Settings::read(&document).expect("settings")
    };
    let mut manners = vec![Settings::default()];
    manners.extend(efforts.map(with));
    manners
}

fn lines(prepared: &Prepared) -> BTreeSet<String> {
    let body: Value = serde_json::from_slice(&prepared.body).expect("a body is JSON");
    let mut found = BTreeSet::new();
    collect(&body, "", &mut found);
    let format = format_of(&prepared.url);
    found
        .into_iter()
        .map(|line| format!("{format}: {line}"))
        .collect()
}

fn format_of(url: &str) -> &'static str {
    match url.rsplit('/').next().unwrap_or_default() {
        "messages" => "Anthropic",
        "completions" => "OpenAI chat completions",
        "responses" => "OpenAI Responses",
        _ => "Gemini",
    }
}

/// Each key with the kind of its value, or with the value where that is a word of the vendor's.
fn collect(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    let kind = match value {
        Value::Object(object) => {
            for (key, held) in object {
                let place = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                let is_free = FREE.contains(&key.as_str()) || (key == "input" && held.is_object());
                match held.as_str() {
                    _ if is_free => {
                        found.insert(format!("{place}: …"));
                    }
                    Some(word) if WORDS.contains(&key.as_str()) => {
                        found.insert(format!("{place}: {word}"));
                    }
                    _ => collect(held, &place, found),
                }
            }
            return;
        }
        Value::Array(items) if !items.is_empty() => {
            items
                .iter()
                .for_each(|item| collect(item, &format!("{path}[]"), found));
            return;
        }
        Value::Array(_) => "list",
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "text",
    };
    found.insert(format!("{path}: {kind}"));
}
