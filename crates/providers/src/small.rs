//! What is known of the model that writes the replies, where it may be a small one: the mind asks such a model for less.

use settings::{PromptProfile, Settings};
use vocabulary::ReplyModel;

use crate::Models;
use crate::catalogue::Provider;
use crate::trouble::Feature;

/// What the mind is told of it; none where it is a model that can be asked for anything.
pub(crate) fn reply_model(models: &Models, settings: &Settings) -> Option<ReplyModel> {
    let target = models.reply_target(settings).ok()?;
    let is_told = match target.provider {
        Provider::Compatible => true,
        // It reads what it is given by its own rules, whatever is set.
        Provider::Offline => settings.llm.profile == PromptProfile::Plain,
        Provider::Anthropic | Provider::OpenAi | Provider::Gemini => false,
    };
    let entry = models.catalogue().entry(target.provider, &target.model);
    let says_of_tools = entry.set_by_operator.contains(&"tools");
    let around = models.surroundings();
    let served = around.served_of(&target.base_url, &target.model);
    let refuses_tools = (says_of_tools && !entry.abilities.tools)
        || served.tools == Some(false)
        || around
            .quirks
            .refuses(&target.base_url, &target.model, Feature::Tools);
    is_told.then(|| ReplyModel {
        provider: target.provider.name().to_owned(),
        model: target.model,
        parameters_millions: served.parameters_millions,
        // What the server really reads, rather than what the model could.
        context_tokens: served.window.or(entry.context_tokens),
        refuses_tools,
    })
}
