//! `denizen settings`: the same knobs as on the page. A running Denizen takes a change up within a second.
//!
//! Without `--community` the base is meant, which holds for every community; with it, what that community lays over it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Subcommand;
use runtime::ports::Store;
use settings::{Document, Knob, Layer, Layers, SettingError, Settings};
use storage::{DataLock, Sqlite};
use vocabulary::CommunityId;

use super::{block_on, known_community};

#[derive(Debug, Subcommand)]
pub enum SettingsAction {
    /// List every setting with its value; a word narrows it to keys and help texts that contain it.
    List { word: Option<String> },
    /// Print one value.
    Get { key: String },
    /// Set a value. Lists are written with commas, or as JSON.
    Set { key: String, value: String },
    /// Take a setting back to its default, or with --community to what holds for all.
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

pub fn run(data: &Path, community: Option<&str>, action: SettingsAction) -> anyhow::Result<ExitCode> {
    if matches!(action, SettingsAction::Schema) {
        println!("{}", serde_json::to_string_pretty(&settings::schema())?);
        return Ok(ExitCode::SUCCESS);
    }
    let store = Sqlite::open(data)?;
    block_on(async {
        let saved = Saved::open(&store, community).await?;
        match action {
            SettingsAction::List { word } => saved.list(word.as_deref()),
            SettingsAction::Get { key } => {
                let knob = Settings::knob(&key)?;
                println!("{}", saved.value(&knob));
            }
            SettingsAction::Set { key, value } => {
                let knob = Settings::knob(&key)?;
                let value = knob.parse_typed(&value)?;
                let mut document = saved.document().clone();
                document.set(knob.key.clone(), value.clone());
                saved.save(document).await?;
                println!("{} is {value} now{}", knob.key, saved.for_whom());
                tell_when(data);
                saved.tell_of_others(&knob.key).await?;
            }
            SettingsAction::Reset { key } => {
                // An unknown key may be a leftover; taking it out is how to be rid of it.
                let mut document = saved.document().clone();
                if document.reset(&key).is_none() {
                    bail!(
                        "{key} was not set{}; `denizen settings list` shows what is",
                        saved.for_whom()
                    );
                }
                saved.save(document).await?;
                match saved.community {
                    None => println!("{key} has its default again"),
                    Some(_) => println!("{key} is what holds for all communities again"),
                }
                tell_when(data);
            }
            SettingsAction::Migrate { file, dry_run } => migrate(&saved, file.as_deref(), dry_run).await?,
            SettingsAction::Schema => {}
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// A Denizen that runs on the folder looks for what was saved once a second.
pub(super) fn tell_when(data: &Path) {
    if matches!(DataLock::holder(data), Ok(Some(_))) {
        println!("the Denizen that runs takes it up within a second or two");
    }
}

/// Saved settings, and which layer of them is changed.
pub(super) struct Saved<'a> {
    store: &'a Sqlite,
    /// None: the base.
    community: Option<CommunityId>,
    layers: Layers,
    version: u64,
}

impl<'a> Saved<'a> {
    pub(super) async fn open(store: &'a Sqlite, community: Option<&str>) -> anyhow::Result<Self> {
        let Some(given) = community else {
            let base = store.base_settings().await?;
            let layers = Layers {
                base: base.document,
                ..Layers::default()
            };
            return Ok(Self {
                store,
                community: None,
                layers,
                version: base.version,
            });
        };
        let community = known_community(store, Some(given)).await?;
        let saved = store.settings(&community).await?;
        Ok(Self {
            store,
            community: Some(community),
            layers: saved.layers,
            version: saved.own_version,
        })
    }

    /// The document of the layer that is changed.
    pub(super) fn document(&self) -> &Document {
        match self.community {
            None => &self.layers.base,
            Some(_) => &self.layers.own,
        }
    }

    /// What holds, all layers together.
    pub(super) fn effective(&self) -> Document {
        self.layers.effective().clone()
    }

    fn value(&self, knob: &Knob) -> serde_json::Value {
        let explicit = self.layers.effective().get(&knob.key).cloned();
        explicit.unwrap_or_else(|| knob.default.clone())
    }

    fn for_whom(&self) -> String {
        match &self.community {
            None => String::new(),
            Some(community) => format!(" for community {community}"),
        }
    }

    fn list(&self, word: Option<&str>) {
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
            let source = match (self.layers.layer_of(&knob.key), &self.community) {
                (Layer::Default, _) => "default".to_owned(),
                (Layer::Community, Some(community)) => format!("saved for {community}"),
                (Layer::Base, Some(_)) => "saved for all".to_owned(),
                (Layer::Base | Layer::Community, None) => "saved".to_owned(),
            };
            println!(
                "  {} = {}  ({source})\n      {} Takes {}.",
                knob.key,
                self.value(&knob),
                knob.doc,
                knob.limits.wanted()
            );
        }
    }

    fn read(&self, document: &Document) -> Result<(), Vec<SettingError>> {
        match &self.community {
            None => Settings::read(document).map(|_| ()),
            Some(community) => {
                let layers = Layers {
                    base: self.layers.base.clone(),
                    own: document.clone(),
                };
                layers.read(community.as_str()).map(|_| ())
            }
        }
    }

    pub(super) async fn save(&self, document: Document) -> anyhow::Result<()> {
        if let Err(errors) = self.read(&document) {
            let problems: Vec<String> = errors.iter().map(ToString::to_string).collect();
            bail!("nothing was saved:\n{}", problems.join("\n"));
        }
        let layer = self.community.as_ref();
        self.store.save_settings(layer, self.version, document).await?;
        Ok(())
    }

    /// Says which communities have a value of their own, so that a change for all does not reach them.
    async fn tell_of_others(&self, key: &str) -> anyhow::Result<()> {
        if self.community.is_some() {
            return Ok(());
        }
        for record in self.store.communities().await? {
            let own = self.store.settings(&record.id).await?.layers.own;
            if let Some(value) = own.get(key) {
                println!("community {} has a value of its own: {value}", record.id);
            }
        }
        Ok(())
    }
}

async fn migrate(saved: &Saved<'_>, file: Option<&Path>, dry_run: bool) -> anyhow::Result<()> {
    let (below, (given, notes)) = match file {
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            let given = Document::from_json(&text).with_context(|| path.display().to_string())?;
            (saved.document().clone(), settings::migrate(&given))
        }
        None => (Document::default(), settings::migrate(saved.document())),
    };
    let (migrated, left_out) = settings::take_what_fits(&below, given, |document| saved.read(document));
    for note in &notes {
        let target = if note.new_keys.is_empty() {
            "dropped".to_owned()
        } else {
            format!("→ {}", note.new_keys.join(", "))
        };
        println!("{} {target}: {}", note.old_key, note.remark);
    }
    if let Err(errors) = saved.read(&migrated) {
        let problems: Vec<String> = errors.iter().map(ToString::to_string).collect();
        return Err(anyhow!(
            "after the migration these are still wrong, so nothing was saved:\n{}",
            problems.join("\n")
        ));
    }
    if !left_out.is_empty() {
        println!("not understood, and left out:");
    }
    for problem in &left_out {
        println!("  {problem}");
    }
    if notes.is_empty() {
        println!("no old keys were found");
    }
    if dry_run {
        println!("nothing was saved (--dry-run)");
    } else if migrated != *saved.document() {
        saved.save(migrated).await?;
        println!("saved");
    }
    Ok(())
}
