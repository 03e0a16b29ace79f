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

/// Settings of an older version.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Migration {
    /// A settings document, nested or flat.
    #[schema(value_type = Object)]
    pub document: Value,
    /// Keys, as they are after the migration, to do without.
    #[schema(required = false)]
    pub leave_out: Vec<String>,
}

/// What a migration did or, in a dry run, would do.
#[derive(Debug, ToSchema)]
pub struct MigrationView {
    /// The version of the settings in force.
    pub version: u64,
    pub saved: bool,
    pub notes: Vec<MigrationNote>,
    /// Values that are other than before.
    pub changes: Vec<SettingChange>,
    /// What cannot be used; only a dry run has any.
    pub problems: Vec<SettingProblem>,
}

/// What became of an old key.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MigrationNote {
    pub old_key: String,
    /// Where its value went; empty when it was dropped.
    pub new_keys: Vec<String>,
    pub remark: String,
}

#[derive(Debug, ToSchema)]
pub struct SettingChange {
    pub key: String,
    pub from: Value,
    pub to: Value,
}

/// A value that cannot be used, and what can.
#[derive(Debug, ToSchema)]
pub struct SettingProblem {
    pub key: String,
    pub problem: String,
    pub remedy: String,
}
