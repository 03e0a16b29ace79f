//! Which models were taken by default, kept in a file so that a move over a restart is noticed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::gone::KeptGone;
use crate::quirks::Quirks;

/// In the data folder.
pub(crate) const FILE: &str = "models.json";
/// Beside it: what models were found not to take.
pub(crate) const ABILITIES: &str = "abilities.json";

/// The choice of a process.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct KeptChoice {
    /// By provider and role.
    pub(crate) chosen: BTreeMap<String, BTreeMap<String, String>>,
    /// The first model of a server, by its address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) served: BTreeMap<String, String>,
    /// Defaults that were not there when they were asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) gone: Vec<KeptGone>,
}

/// Has the next process that runs on this folder try again what was not there, and what was refused.
pub fn try_gone_again(data: &Path) {
    Quirks::kept_in(&data.join(ABILITIES)).forget_all();
    let path = data.join(FILE);
    let mut kept = KeptChoice::read(&path);
    if !kept.gone.is_empty() {
        kept.gone.clear();
        kept.write(&path);
    }
}

impl KeptChoice {
    /// What is kept there; nothing where it cannot be read.
    pub(crate) fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).ok();
        let kept = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        kept.unwrap_or_default()
    }

    /// Keeps it, where it is news.
    pub(crate) fn write(&self, path: &Path) {
        if self.chosen.is_empty() && self.served.is_empty() {
            return;
        }
        let Ok(text) = serde_json::to_vec_pretty(self) else {
            return;
        };
        if std::fs::read(path).is_ok_and(|known| known == text) {
            return;
        }
        if let Err(error) = std::fs::write(path, text) {
            tracing::warn!(path = %path.display(), %error, "which models were chosen could not be kept; a move over a restart is not noticed");
        }
    }
}
