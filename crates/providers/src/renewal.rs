//! What is known of models, taken anew while Denizen runs: the catalogue is replaced, and the defaults are chosen again.

use std::path::Path;
use std::sync::Arc;

use crate::Models;
use crate::catalogue::Catalogue;

impl Models {
    /// What is known of models.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.catalogue.get()
    }

    /// Goes by another catalogue from now on. One that cannot be used changes nothing, and is told with its problem.
    pub fn know_anew(&self, path: &Path, found: Result<Catalogue, String>) {
        match &found {
            Ok(_) => tracing::info!(path = %path.display(), "the catalogue of models is read anew"),
            Err(problem) => {
                tracing::warn!(path = %path.display(), problem, "the catalogue of models is not taken, and the one before counts");
            }
        }
        if self.catalogue.renew(path, found) {
            self.defaults.choose_anew(self.sources());
        }
    }
}
