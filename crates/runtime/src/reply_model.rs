//! Which model writes the replies, as the mind was told last: it is told again when that is another one, or when more is
//! known of it.

use std::sync::{Arc, Mutex, PoisonError};

use mind::{Input, ShellEvent};
use settings::Settings;
use vocabulary::ReplyModel;

use crate::ports::Language;

/// What the mind was told. Cheap to clone; all clones are of one community.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplyModelTold(Arc<Mutex<Option<ReplyModel>>>);

impl ReplyModelTold {
    /// What a mind knows that was restored.
    pub fn knows(&self, model: Option<ReplyModel>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = model;
    }

    /// What is to be told now, once; none where nothing has changed.
    pub fn news(&self, language: &dyn Language, settings: &Settings) -> Option<Input> {
        let now = language.reply_model(settings);
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *told == now {
            return None;
        }
        told.clone_from(&now);
        Some(Input::Shell(ShellEvent::ReplyModelChanged { model: now }))
    }
}
