//! Which model writes replies under some settings, and why, for people.

use runtime::ports::LanguageStatus;
use settings::Settings;
use vocabulary::AskPurpose;

use crate::Models;
use crate::abilities::in_use;
use crate::catalogue::Provider;
use crate::outlook::outlook;
use crate::resolve::how_to_change;

/// What is in use, or why what is wanted cannot be.
pub(crate) fn status(models: &Models, settings: &Settings) -> LanguageStatus {
    let warnings = outlook(models, settings);
    let target = match models.reply_target(settings) {
        Ok(target) => target,
        Err(failure) => {
            let resolution = models.resolution(settings);
            let (provider, because) = resolution.wanted();
            let address = resolution.server().map(|(address, _)| address.to_owned());
            return LanguageStatus {
                because,
                base_url: address
                    .filter(|_| provider == Provider::Compatible.name())
                    .unwrap_or_default(),
                provider,
                model: resolution.replies.model.clone(),
                offline: false,
                how_to_change: failure.detail,
                lacks: Vec::new(),
                small_model: String::new(),
                warnings,
                in_use: in_use(models, settings),
            };
        }
    };
    LanguageStatus {
        offline: target.provider == Provider::Offline,
        how_to_change: how_to_change(target.provider).to_owned(),
        lacks: models
            .surroundings()
            .quirks
            .found_of(&target.base_url, &target.model),
        provider: target.provider.name().to_owned(),
        model: target.model,
        base_url: target.base_url,
        because: target.because,
        small_model: small_model(models, settings),
        warnings,
        in_use: in_use(models, settings),
    }
}

/// Who does what nobody reads: notes, summaries, gems.
fn small_model(models: &Models, settings: &Settings) -> String {
    let choice = settings.model_choice(settings.compaction.provider, &settings.compaction.model);
    let target = models.target(&choice, AskPurpose::ContextCompaction, settings);
    target.map(|target| target.model).unwrap_or_default()
}

/// Writes into the log which model was chosen, and what is to be known of it.
pub(crate) fn tell_choice(models: &Models, settings: &Settings) {
    let status = status(models, settings);
    tracing::info!(
        provider = status.provider,
        model = status.model,
        because = status.because,
        "the language model is chosen"
    );
    for warning in status.warnings {
        tracing::warn!("{}", warning.text);
    }
}
