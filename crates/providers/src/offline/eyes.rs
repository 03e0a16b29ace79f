//! Who reads screens for the built-in model: chosen by the settings, and chosen anew when they change.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use runtime::ports::TextReader;
use settings::Settings;

use super::screen::Glances;

/// Decides who reads screens. It is asked whenever settings change, so it must not take long: whatever is slow to
/// start may start when it is first asked to read.
pub type ChooseReader = dyn Fn(&Settings) -> Option<Arc<dyn TextReader>> + Send + Sync;

/// The reader of the moment, and what it read lately.
#[derive(Default)]
pub(crate) struct Eyes {
    choose: Option<Box<ChooseReader>>,
    reader: Mutex<Option<Arc<dyn TextReader>>>,
    pub(super) glances: Glances,
}

impl Eyes {
    pub(crate) fn chosen_by(choose: Box<ChooseReader>) -> Self {
        Self {
            choose: Some(choose),
            ..Self::default()
        }
    }

    pub(crate) fn configure(&self, settings: &Settings) {
        let reader = self.choose.as_ref().and_then(|choose| choose(settings));
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = reader;
    }

    /// Who reads now, if anybody.
    pub(crate) fn reader(&self) -> Option<Arc<dyn TextReader>> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Eyes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reader = self.reader().map(|reader| reader.name());
        f.debug_struct("Eyes")
            .field("reader", &reader)
            .finish_non_exhaustive()
    }
}
