//! Settings.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::ToSchema;

#[derive(Debug, ToSchema)]
pub struct SettingsView {
    pub version: u64,
    pub knobs: Vec<Knob>,
}

/// One setting with its value.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Knob {
    #[schema(example = "llm.temperature")]
    pub key: String,
    pub section: String,
    pub section_doc: String,
    pub doc: String,
    pub default: Value,
    pub limits: Limits,
    /// `none`, `seconds`, `minutes`, `days`, `messages`, `characters`, `tokens`, `percent` or `megabytes`.
    pub unit: String,
    /// Keys it used to have.
    pub former: Vec<String>,
    pub value: Value,
    /// `default` or `saved`.
    pub source: String,
}

/// What values a knob takes.
#[derive(Debug, ToSchema)]
pub struct Limits {
    /// `switch`, `whole`, `fraction`, `text`, `choice` or `list`.
    pub r#type: String,
    #[schema(nullable = false)]
    pub min: Option<f64>,
    #[schema(nullable = false)]
    pub max: Option<f64>,
    #[schema(required = false)]
    pub options: Vec<String>,
}

/// Changes by full key; `null` takes a key back to its default.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsChange {
    #[schema(value_type = Object)]
    pub changes: BTreeMap<String, Value>,
}
