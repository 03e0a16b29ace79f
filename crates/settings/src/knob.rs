//! A knob: one setting with its doc, default, limits and unit, and the check of a value against them.

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

/// One setting as it is declared.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Knob {
    /// The full public key, such as `activity.replyCoalesceWindowSeconds`.
    pub key: String,
    /// The key of its section, such as `activity`.
    pub section: &'static str,
    /// What the section is for.
    pub section_doc: &'static str,
    pub doc: &'static str,
    #[cfg_attr(feature = "describe", schemars(with = "KnobValue"))]
    pub default: Value,
    pub limits: Limits,
    pub unit: Unit,
    /// Keys it used to have.
    pub former: &'static [&'static str],
    /// Where it acts.
    #[serde(skip)]
    pub acts: Acts,
}

/// Where a knob acts, seen from the decisions that a recording holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acts {
    /// In what is decided: a replay with another value decides anew.
    Deciding,
    /// Before it: in what is heard, seen, found or offered, which a recording holds as it was.
    Before,
    /// In what a model is told, or which one is asked; a recording holds the answers as they were.
    Answering,
    /// After it: in how it is said or kept.
    After,
}

impl Acts {
    /// Why a replay cannot tell what another value would have changed; none where it can.
    pub fn untold(self) -> Option<&'static str> {
        match self {
            Acts::Deciding => None,
            Acts::Before => {
                Some("acts before what was recorded: a replay cannot tell what it would have changed")
            }
            Acts::Answering => Some(
                "acts in what models are told and answer, and the recorded answers are taken: a replay cannot tell what else they would have said",
            ),
            Acts::After => {
                Some("acts after what is decided: a replay cannot tell what it would have changed")
            }
        }
    }
}

/// What a value of a knob looks like as JSON.
#[cfg(feature = "describe")]
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum KnobValue {
    Switch(bool),
    Number(f64),
    Text(String),
    List(Vec<String>),
}

/// What values a knob takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Limits {
    Switch,
    Whole {
        min: u64,
        max: u64,
    },
    Fraction {
        min: f64,
        max: f64,
    },
    /// Text of so many characters.
    Text {
        min: usize,
        max: usize,
    },
    Choice {
        options: &'static [&'static str],
    },
    /// A list of at most so many texts of at most 200 characters.
    List {
        max: usize,
    },
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Unit {
    None,
    Seconds,
    Minutes,
    Hours,
    Days,
    Messages,
    Characters,
    Tokens,
    Percent,
    Megabytes,
}

/// Longest item of a list.
pub const LIST_ITEM_CHARS_MAX: usize = 200;

/// A value that was refused: which key, what was wrong, and what to do.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[error("{key}: {problem}. {remedy}")]
#[serde(rename_all = "camelCase")]
pub struct SettingError {
    pub key: String,
    pub problem: String,
    pub remedy: String,
}

impl Limits {
    /// Checks a value; the error says what is wrong and what would be right.
    pub fn check(&self, key: &str, value: &Value) -> Result<(), SettingError> {
        let refuse = |problem: String| {
            Err(SettingError {
                key: key.to_owned(),
                problem,
                remedy: format!("Give {}", self.wanted()),
            })
        };
        let shown = abbreviated(value);
        match self {
            Limits::Switch if value.is_boolean() => Ok(()),
            Limits::Whole { min, max } => match value.as_u64() {
                Some(number) if (*min..=*max).contains(&number) => Ok(()),
                Some(_) => refuse(format!("{shown} is out of range")),
                None => refuse(format!("{shown} is not a whole number")),
            },
            Limits::Fraction { min, max } => match value.as_f64() {
                Some(number) if (*min..=*max).contains(&number) => Ok(()),
                Some(_) => refuse(format!("{shown} is out of range")),
                None => refuse(format!("{shown} is not a number")),
            },
            Limits::Text { min, max } => match value.as_str().map(|text| text.chars().count()) {
                Some(length) if (*min..=*max).contains(&length) => Ok(()),
                Some(length) => refuse(format!("the text has {length} characters")),
                None => refuse(format!("{shown} is not a text")),
            },
            Limits::Choice { options } => match value.as_str() {
                Some(text) if options.contains(&text) => Ok(()),
                _ => refuse(format!("{shown} is not one of the choices")),
            },
            Limits::List { max } => match value.as_array() {
                Some(items) if items.len() > *max => refuse(format!("the list has {} items", items.len())),
                Some(items) if items.iter().all(is_list_item) => Ok(()),
                _ => refuse(format!("{shown} is not a list of short texts")),
            },
            Limits::Switch => refuse(format!("{shown} is neither true nor false")),
        }
    }

    /// What would be accepted, in words.
    pub fn wanted(&self) -> String {
        match self {
            Limits::Switch => "true or false".into(),
            Limits::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Limits::Fraction { min, max } => format!("a number from {min} to {max}"),
            Limits::Text { min, max } => format!("a text of {min} to {max} characters"),
            Limits::Choice { options } => format!("one of {}", options.join(", ")),
            Limits::List { max } => {
                format!("a list of at most {max} texts of 1 to {LIST_ITEM_CHARS_MAX} characters")
            }
        }
    }
}

impl Knob {
    /// Reads what somebody typed on a command line: JSON where it is JSON, otherwise text or a comma list.
    pub fn parse_typed(&self, typed: &str) -> Result<Value, SettingError> {
        let value = match self.limits {
            Limits::Text { .. } | Limits::Choice { .. } => Value::String(typed.to_owned()),
            Limits::List { .. } if !typed.trim_start().starts_with('[') => typed
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .collect(),
            _ => serde_json::from_str(typed).unwrap_or_else(|_| Value::String(typed.to_owned())),
        };
        self.limits.check(&self.key, &value)?;
        Ok(value)
    }
}

fn is_list_item(item: &Value) -> bool {
    item.as_str()
        .is_some_and(|text| (1..=LIST_ITEM_CHARS_MAX).contains(&text.chars().count()))
}

/// A value for an error message: short enough to read.
pub(crate) fn abbreviated(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
