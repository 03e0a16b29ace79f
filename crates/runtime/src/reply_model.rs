//! What the mind was told of the models last: which one writes the replies, and what questions may take. It is told again
//! when that is another one, or when more is known.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use mind::{Input, Mind, ShellEvent};
use settings::Settings;
use vocabulary::{AskAllowance, AskPurpose, ReplyModel};

use crate::ports::Language;

/// What the mind was told. Cheap to clone; all clones are of one community.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplyModelTold(Arc<Mutex<Told>>);

#[derive(Debug, Default)]
struct Told {
    model: Option<ReplyModel>,
    allowances: BTreeMap<AskPurpose, AskAllowance>,
}

impl ReplyModelTold {
    /// What a mind knows that was restored.
    pub fn knows(&self, mind: &Mind) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Told {
            model: mind.reply_model().cloned(),
            allowances: mind.allowances().clone(),
        };
    }

    /// What is to be told now, once; nothing where nothing has changed.
    pub fn news(&self, language: &dyn Language, settings: &Settings) -> Vec<Input> {
        let (model, allowances) = (language.reply_model(settings), language.allowances(settings));
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut news = Vec::new();
        if told.model != model {
            told.model.clone_from(&model);
            news.push(Input::Shell(ShellEvent::ReplyModelChanged { model }));
        }
        if told.allowances != allowances {
            told.allowances.clone_from(&allowances);
            news.push(Input::Shell(ShellEvent::AllowancesChanged { allowances }));
        }
        news
    }
}
