//! Which models were taken by default, kept in a file so that a move over a restart is noticed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The choice of a process.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct KeptChoice {
    /// By provider and role.
    pub(crate) chosen: BTreeMap<String, BTreeMap<String, String>>,
    /// The first model of a server, by its address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) served: BTreeMap<String, String>,
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
