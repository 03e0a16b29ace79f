//! Who reads screens for the built-in model, as the settings of a request choose.

use std::fmt;
use std::sync::Arc;

use runtime::ports::{ChosenReader, TextReader};
use settings::Settings;

use super::screen::Glances;

/// Decides who reads screens. It is asked with every request, so it must not take long: whatever is slow to
/// start may start when it is first asked to read.
pub type ChooseReader = dyn Fn(&Settings) -> Option<Arc<dyn TextReader>> + Send + Sync;

/// Who chooses the reader, and what was read lately.
#[derive(Default)]
pub(crate) struct Eyes {
    choose: Option<Box<ChooseReader>>,
    pub(super) glances: Glances,
}

impl Eyes {
    pub(crate) fn chosen_by(choose: Box<ChooseReader>) -> Self {
        Self {
            choose: Some(choose),
            ..Self::default()
        }
    }

    /// Who reads under these settings, if anybody.
    pub(crate) fn reader(&self, settings: &Settings) -> Option<ChosenReader> {
        let choose = self.choose.as_ref()?;
        choose(settings).map(ChosenReader)
    }
}

impl fmt::Debug for Eyes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eyes").finish_non_exhaustive()
    }
}
