//! Which models are in use, for people.

use runtime::ports::LanguageStatus;
use settings::Settings;
use vocabulary::AskPurpose;

use crate::Models;
use crate::catalogue::Provider;
use crate::outlook::outlook;

/// What answers replies under some settings, why, and what is wrong with it.
pub(crate) fn status(models: &Models, settings: &Settings) -> LanguageStatus {
    let resolution = models.resolution(settings);
    match models.reply_target(settings) {
        Ok(target) => LanguageStatus {
            offline: target.provider == Provider::Offline,
            how_to_change: how_to_change(target.provider).to_owned(),
            provider: target.provider.name().to_owned(),
            model: target.model,
            base_url: target.base_url,
            because: target.because,
            small_model: small_model(models, settings),
            warnings: outlook(models, settings),
        },
        Err(failure) => LanguageStatus {
            provider: resolution.replies.provider.clone(),
            model: resolution.replies.model.clone(),
            base_url: String::new(),
            offline: false,
            because: format!(
                "llm.provider is set to {}, but it cannot be used",
                resolution.replies.provider
            ),
            how_to_change: failure.detail,
            small_model: String::new(),
            warnings: outlook(models, settings),
        },
    }
}

/// Who does what nobody reads: notes, summaries, gems.
fn small_model(models: &Models, settings: &Settings) -> String {
    let choice = settings.model_choice(settings.compaction.provider, &settings.compaction.model);
    let target = models.target(&choice, AskPurpose::ContextCompaction, settings);
    target.map(|target| target.model).unwrap_or_default()
}

fn how_to_change(provider: Provider) -> &'static str {
    match provider {
        Provider::Offline => {
            "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and start again; or start a model server such as Ollama, or name one in llm.compatibleBaseUrl, and look again"
        }
        _ => "Set llm.provider and llm.model in the settings",
    }
}
