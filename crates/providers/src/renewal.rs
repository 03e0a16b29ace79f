//! What is known of models, taken anew while Denizen runs: the catalogue is replaced, and the defaults are chosen again.

use std::path::Path;
use std::sync::Arc;

use crate::Models;
use crate::catalogue::Catalogue;
use crate::defaults::Defaults;
use crate::kept_choice;
use crate::quirks::Quirks;

impl Models {
    /// Keeps in this folder which models were chosen, so that a move over a restart is noticed, and what they were found
    /// not to take.
    pub fn keeping_in(mut self, data: &Path) -> Self {
        self.quirks = Quirks::kept_in(&data.join(kept_choice::ABILITIES));
        self.defaults = Defaults::kept_in(data.join(kept_choice::FILE));
        self
    }

    /// Knows what the process of this folder has found out about models, and keeps nothing there.
    pub fn as_found_in(mut self, data: &Path) -> Self {
        self.quirks = Quirks::as_found_in(&data.join(kept_choice::ABILITIES));
        self.defaults = Defaults::as_found_in(&data.join(kept_choice::FILE));
        self
    }

    /// What is known of models.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.catalogue.get()
    }

    /// The operator's catalogue cannot be used, from the start; that is told with all else when a model is chosen.
    pub fn goes_without(&self, path: &Path, problem: String) {
        self.catalogue.renew(path, Err(problem));
    }

    /// Goes by another catalogue from now on. One that cannot be used changes nothing, and is told with its problem.
    pub fn know_anew(&self, path: &Path, found: Result<Catalogue, String>) {
        match &found {
            Ok(catalogue) => {
                tracing::info!(path = %path.display(), "the catalogue of models is read anew");
                for remark in catalogue.own.iter().flat_map(|own| &own.remarks) {
                    tracing::warn!(path = %path.display(), "{remark}");
                }
            }
            Err(problem) => {
                tracing::warn!(path = %path.display(), problem, "the catalogue of models is not taken, and the one before counts");
            }
        }
        if self.catalogue.renew(path, found) {
            self.defaults.choose_anew(self.sources());
        }
    }
}
