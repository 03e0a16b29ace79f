//! What the mind was told of the models last: which one writes the replies, whom questions go to, what they may take, and
//! which keys are accepted. It is told again when that is another one, or when more is known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use mind::{Input, Mind, ShellEvent};
use settings::Settings;
use vocabulary::{AskAllowance, AskPurpose, ModelChoice, ReplyModel};

use crate::ailments::Ailments;
use crate::ports::Language;

/// What the mind was told. Cheap to clone; all clones are of one community.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplyModelTold {
    told: Arc<Mutex<Told>>,
    ailments: Ailments,
}

#[derive(Debug, Default)]
struct Told {
    model: Option<ReplyModel>,
    allowances: BTreeMap<AskPurpose, AskAllowance>,
    models: BTreeMap<AskPurpose, ModelChoice>,
    /// Providers that do not accept the key, as they said last.
    refused: BTreeSet<String>,
}

impl ReplyModelTold {
    /// Nothing yet; what ails models is over where a provider accepts its key again.
    pub fn new(ailments: Ailments) -> Self {
        let told = Arc::default();
        Self { told, ailments }
    }

    /// What a mind knows that was restored.
    pub fn knows(&self, mind: &Mind) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = Told {
            model: mind.reply_model().cloned(),
            allowances: mind.allowances().clone(),
            models: mind.asked_models().clone(),
            refused: mind.refused_keys().map(str::to_owned).collect(),
        };
    }

    /// What is to be told now, once; nothing where nothing has changed.
    pub fn news(&self, language: &dyn Language, settings: &Settings) -> Vec<Input> {
        let (model, allowances) = (language.reply_model(settings), language.allowances(settings));
        let asked = |purpose| Some((purpose, language.asked_of(purpose, settings)?));
        let models: BTreeMap<_, _> = AskPurpose::ALL.into_iter().filter_map(asked).collect();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut news = Vec::new();
        if told.model != model {
            told.model.clone_from(&model);
            news.push(Input::Shell(ShellEvent::ReplyModelChanged { model }));
        }
        if told.allowances != allowances {
            told.allowances.clone_from(&allowances);
            news.push(Input::Shell(ShellEvent::AllowancesChanged { allowances }));
        }
        if told.models != models {
            told.models.clone_from(&models);
            news.push(Input::Shell(ShellEvent::ModelsChanged { models }));
        }
        for (provider, accepted) in language.keys_heard_of(settings) {
            if !accepted {
                told.refused.insert(provider);
            } else if told.refused.remove(&provider) || told.refused.remove("auto") {
                self.ailments.set_key_accepted(&provider);
                news.push(Input::Shell(ShellEvent::KeyAccepted { provider }));
            }
        }
        news
    }
}
