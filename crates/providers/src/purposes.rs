//! What models are wanted for, and where the settings say which.

use std::collections::BTreeMap;

use runtime::ports::{AskedBy, Language};
use runtime::questions::{Surroundings, asked_under};
use settings::{ModelKeys, Settings};
use vocabulary::{AskPurpose, ModelChoice, ModelRequest};

use crate::Models;
use crate::catalogue::Provider;
use crate::defaults::DefaultOf;

/// One purpose under some settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) purpose: AskPurpose,
    pub(crate) choice: ModelChoice,
    /// The setting that names its model.
    pub(crate) key: &'static str,
}

/// In the order in which they are told; whatever is said aloud after a look-up or into a silence is asked of whoever
/// speaks.
const PURPOSES: [AskPurpose; 10] = [
    AskPurpose::TextReply,
    AskPurpose::TextReplyFollowup,
    AskPurpose::AddressClassifier,
    AskPurpose::ContextCompaction,
    AskPurpose::GemExtraction,
    AskPurpose::ScreenNote,
    AskPurpose::ScreenCommentary,
    AskPurpose::VoiceReply,
    AskPurpose::VoiceReplyDecision,
    AskPurpose::AmbientThought,
];

/// What models may be asked for under these settings, replies first.
pub(crate) fn wanted(settings: &Settings) -> Vec<Wanted> {
    let has_second = settings.reply_followup.enabled;
    let asked = PURPOSES.into_iter().filter(|purpose| match purpose {
        AskPurpose::TextReplyFollowup => has_second,
        purpose => settings.asks_for(*purpose),
    });
    asked
        .map(|purpose| Wanted {
            purpose,
            choice: settings.choice_for(purpose),
            key: settings.keys_for(purpose).model,
        })
        .collect()
}

/// Whose default models are taken under these settings, and for what.
pub(crate) fn by_default(models: &Models, settings: &Settings) -> Vec<DefaultOf> {
    let wanted = wanted(settings).into_iter();
    let unnamed = wanted.filter(|wanted| wanted.choice.model.trim().is_empty());
    unnamed
        .filter_map(|wanted| {
            let target = models.target(&wanted.choice, wanted.purpose, settings).ok()?;
            Some(DefaultOf {
                provider: target.provider,
                role: wanted.purpose.role(),
                base_url: match target.provider {
                    Provider::Compatible => target.base_url,
                    _ => String::new(),
                },
            })
        })
        .collect()
}

/// The settings to change where a question comes to nothing; the one for the length of its answer only where that is
/// what binds.
pub(crate) fn keys_of(request: &ModelRequest, settings: &Settings) -> ModelKeys {
    let keys = settings.keys_for(request.purpose);
    let binds = settings.llm.max_output_tokens == u64::from(request.max_output_tokens);
    ModelKeys {
        cap: keys.cap.filter(|_| binds),
        ..keys
    }
}

/// Whom a purpose is asked of; none where nobody can be.
pub(crate) fn asked_of(models: &Models, purpose: AskPurpose, settings: &Settings) -> Option<ModelChoice> {
    let target = models.target(&settings.choice_for(purpose), purpose, settings);
    let target = target.ok()?;
    Some(ModelChoice {
        provider: target.provider.name().to_owned(),
        model: target.model,
    })
}

/// Providers whose list of models was asked for with a key, and whether it was accepted.
pub(crate) fn keys_heard_of(models: &Models, settings: &Settings) -> BTreeMap<String, bool> {
    let listing = Provider::WITH_KEYS
        .into_iter()
        .filter_map(|provider| Some((provider, models.defaults.accepts_key(provider)?)));
    let resolution = models.resolution(settings);
    let server = resolution.server().and_then(|(_, listed)| match listed {
        Ok(_) => Some(true),
        Err(problem) => problem.key_refused().then_some(false),
    });
    listing
        .chain(server.map(|accepted| (Provider::Compatible, accepted)))
        .map(|(provider, accepted)| (provider.name().to_owned(), accepted))
        .collect()
}

/// Whether memories are asked of a model at all: a small one that writes the replies is not, unless it was chosen for them.
pub(crate) fn asks_for_gems(models: &Models, settings: &Settings) -> bool {
    let around = Surroundings {
        reply_model: models.reply_model(settings),
        ..Surroundings::default()
    };
    let asked = asked_under(settings, &around);
    asked
        .iter()
        .any(|request| request.purpose == AskPurpose::GemExtraction)
}

/// By which address and with which key that is done.
pub(crate) fn asked_by(models: &Models, purpose: AskPurpose, settings: &Settings) -> Option<AskedBy> {
    let target = models.target(&settings.choice_for(purpose), purpose, settings);
    let target = target.ok()?;
    Some(AskedBy {
        key_mark: models.key_mark(target.provider, &target.base_url),
        base_url: target.base_url,
    })
}
