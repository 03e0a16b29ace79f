//! `denizen settings`: the same knobs as on the page. A running Denizen takes a change up within a second.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Subcommand;
use runtime::ports::{SavedSettings, Store};
use settings::{Document, Settings};
use storage::Sqlite;

use super::block_on;

#[derive(Debug, Subcommand)]
pub enum SettingsAction {
    /// List every setting with its value; a word narrows it to keys and help texts that contain it.
    List { word: Option<String> },
    /// Print one value.
    Get { key: String },
    /// Set a value. Lists are written with commas, or as JSON.
    Set { key: String, value: String },
    /// Take a setting back to its default.
    Reset { key: String },
    /// Bring old keys up to date: in the store, or in a JSON file whose values are then laid over the saved ones.
    Migrate {
        /// A settings document, nested or flat; without it the saved settings are migrated.
        file: Option<PathBuf>,
        /// Only say what would be done.
        #[arg(long)]
        dry_run: bool,
    },
    /// Print the JSON schema of a settings document.
    Schema,
}

pub fn run(data: &Path, action: SettingsAction) -> anyhow::Result<ExitCode> {
    if matches!(action, SettingsAction::Schema) {
        println!("{}", serde_json::to_string_pretty(&settings::schema())?);
        return Ok(ExitCode::SUCCESS);
    }
    let store = Sqlite::open(data)?;
    block_on(async {
        let saved = store.base_settings().await?;
        match action {
            SettingsAction::List { word } => list(&saved.document, word.as_deref()),
            SettingsAction::Get { key } => {
                let knob = Settings::knob(&key)?;
                println!("{}", saved.document.get(&knob.key).unwrap_or(&knob.default));
            }
            SettingsAction::Set { key, value } => {
                let knob = Settings::knob(&key)?;
                let value = knob.parse_typed(&value)?;
                let mut document = saved.document.clone();
                document.set(knob.key.clone(), value.clone());
                save(&store, &saved, document).await?;
                println!("{} is {value} now", knob.key);
            }
            SettingsAction::Reset { key } => {
                // An unknown key may be a leftover; taking it out is how to be rid of it.
                let mut document = saved.document.clone();
                if document.reset(&key).is_none() {
                    bail!("{key} was not set; `denizen settings list` shows what is");
                }
                save(&store, &saved, document).await?;
                println!("{key} has its default again");
            }
            SettingsAction::Migrate { file, dry_run } => {
                migrate(&store, saved, file.as_deref(), dry_run).await?
            }
            SettingsAction::Schema => {}
        }
        Ok(ExitCode::SUCCESS)
    })
}

fn list(document: &Document, word: Option<&str>) {
    let word = word.unwrap_or_default().to_lowercase();
    let mut section = "";
    for knob in Settings::knobs() {
        if !knob.key.to_lowercase().contains(&word) && !knob.doc.to_lowercase().contains(&word) {
            continue;
        }
        if knob.section != section {
            section = knob.section;
            println!("\n{section}: {}", knob.section_doc);
        }
        let (value, source) = match document.get(&knob.key) {
            Some(value) => (value, "saved"),
            None => (&knob.default, "default"),
        };
        println!(
            "  {} = {value}  ({source})\n      {} Takes {}.",
            knob.key,
            knob.doc,
            knob.limits.wanted()
        );
    }
}

async fn migrate(
    store: &Sqlite,
    saved: SavedSettings,
    file: Option<&Path>,
    dry_run: bool,
) -> anyhow::Result<()> {
    let (migrated, notes) = match file {
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            let given = Document::from_json(&text).with_context(|| path.display().to_string())?;
            let (given, notes) = settings::migrate(&given);
            let mut document = saved.document.clone();
            document.lay_over(given);
            (document, notes)
        }
        None => settings::migrate(&saved.document),
    };
    for note in &notes {
        let target = if note.new_keys.is_empty() {
            "dropped".to_owned()
        } else {
            format!("→ {}", note.new_keys.join(", "))
        };
        println!("{} {target}: {}", note.old_key, note.remark);
    }
    if let Err(errors) = Settings::read(&migrated) {
        let problems: Vec<String> = errors.iter().map(ToString::to_string).collect();
        return Err(anyhow!(
            "after the migration these are still wrong, so nothing was saved:\n{}",
            problems.join("\n")
        ));
    }
    if notes.is_empty() {
        println!("no old keys were found");
    }
    if dry_run {
        println!("nothing was saved (--dry-run)");
    } else if migrated != saved.document {
        save(store, &saved, migrated).await?;
        println!("saved");
    }
    Ok(())
}

async fn save(store: &Sqlite, saved: &SavedSettings, document: Document) -> anyhow::Result<()> {
    if let Err(errors) = Settings::read(&document) {
        let problems: Vec<String> = errors.iter().map(ToString::to_string).collect();
        bail!("nothing was saved:\n{}", problems.join("\n"));
    }
    store.save_settings(None, saved.version, document).await?;
    Ok(())
}
