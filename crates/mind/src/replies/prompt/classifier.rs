//! The small question whether a message was meant for Denizen.

use minijinja::context;
use serde_json::{Value, json};
use settings::Settings;
use vocabulary::{AskPurpose, ChatRole, ChatTurn, ContentPart, Message, ModelRequest, OutputShape, Span};

use crate::prompt::budget::{Keep, Section, fit};
use crate::prompt::request::inherited;
use crate::prompt::templates::Template;
use crate::prompt::transcript;

/// Messages before the one in question that the classifier sees, and how much of each.
const CLASSIFIER_MESSAGES: usize = 8;
const CLASSIFIER_LINE_CHARS: usize = 220;
const CLASSIFIER_CURRENT_CHARS: usize = 420;

/// Each message as a line of so many letters at most, and how many were cut off.
fn lines<'a>(messages: impl Iterator<Item = &'a &'a Message>, limit: usize) -> (Vec<String>, Vec<usize>) {
    messages
        .map(|message| {
            let line = transcript::line(message, None);
            let cut = line.chars().count().saturating_sub(limit);
            (line.chars().take(limit).collect::<String>(), cut)
        })
        .unzip()
}

pub(crate) fn classifier_request(
    window: &[&Message],
    current: &[&Message],
    settings: &Settings,
) -> ModelRequest {
    let before = window
        .iter()
        .filter(|message| !current.iter().any(|other| other.id == message.id));
    let section = |name, priority, cap_chars, (lines, cut): (Vec<String>, Vec<usize>)| {
        Section::new(name, priority, cap_chars, Keep::Newest)
            .holding(lines)
            .cut_by(cut)
    };
    let sections = [
        section(
            "recent_messages",
            50,
            CLASSIFIER_MESSAGES * CLASSIFIER_LINE_CHARS,
            lines(before, CLASSIFIER_LINE_CHARS),
        ),
        section(
            "current_turn",
            100,
            CLASSIFIER_CURRENT_CHARS * current.len().max(1),
            lines(current.iter(), CLASSIFIER_CURRENT_CHARS),
        ),
    ];
    let fitted = fit(&sections, usize::MAX);
    let name = transcript::speaker(&settings.identity.name);
    let task = Template::ClassifierTask.render(context! {
        name => &name,
        transcript => &fitted[0].report.text,
        current => &fitted[1].report.text,
    });
    let classifier = &settings.address_classifier;
    ModelRequest {
        purpose: AskPurpose::AddressClassifier,
        choice: inherited(&classifier.provider, &classifier.model, settings),
        system: Template::ClassifierSystem
            .render(context! { name => &name, aliases => &settings.identity.aliases }),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![ContentPart::Text(task)],
        }],
        tools: Vec::new(),
        output: OutputShape::Json {
            name: "address".to_owned(),
            words: None,
            schema: json!({
                "type": "object",
                "properties": {"addressed": {"type": "boolean"}, "confidence": {"type": "number"}},
                "required": ["addressed", "confidence"],
                "additionalProperties": false
            }),
        },
        max_output_tokens: 60,
        temperature: 0.0,
        deadline: Span::seconds(classifier.timeout_seconds),
        sections: fitted.into_iter().map(|place| place.report).collect(),
    }
}

/// The confidence in a classifier's answer; none if it cannot be understood.
pub(crate) fn read_confidence(answer: &str) -> Option<f64> {
    let Some(start) = answer.find('{') else {
        return read_bare(answer);
    };
    let object = answer.get(start..)?;
    let value: Value = serde_json::Deserializer::from_str(object)
        .into_iter()
        .next()?
        .ok()?;
    let confidence = value.get("confidence")?.as_f64()?.clamp(0.0, 1.0);
    // "Not addressed, 0.9" is meant as sure of the no.
    match value.get("addressed").and_then(Value::as_bool) {
        Some(false) if confidence > 0.5 => Some(1.0 - confidence),
        _ => Some(confidence),
    }
}

/// A small model that is not held to a form says yes or no.
fn read_bare(answer: &str) -> Option<f64> {
    let mut words = answer.split(|letter: char| !letter.is_alphanumeric());
    let first = words.find(|word| !word.is_empty())?;
    match first.to_ascii_lowercase().as_str() {
        "yes" | "true" => Some(1.0),
        "no" | "false" => Some(0.0),
        _ => None,
    }
}
