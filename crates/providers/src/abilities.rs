//! What models can do as far as it is known now: by the catalogue, by their server, and by what they were found to refuse.

use runtime::ports::ModelInUse;
use settings::Settings;

use crate::Models;
use crate::catalogue::{Provider, Thinking};
use crate::purposes;
use crate::resolve::{self, Target};
use crate::trouble::Feature;

/// Every model that is asked under these settings, and what for; the one of replies first. The built-in one is left out.
pub(crate) fn in_use(models: &Models, settings: &Settings) -> Vec<ModelInUse> {
    let mut found: Vec<(Target, Vec<String>)> = Vec::new();
    for wanted in purposes::wanted(settings) {
        let target = models.target(&wanted.choice, wanted.purpose, settings);
        let Some(target) = target.ok().filter(|target| target.provider != Provider::Offline) else {
            continue;
        };
        let purpose = wanted.purpose.words().to_owned();
        let is_same = |of: &Target| of.provider == target.provider && of.model == target.model;
        match found.iter_mut().find(|(of, _)| is_same(of)) {
            Some((_, purposes)) => purposes.push(purpose),
            None => found.push((target, vec![purpose])),
        }
    }
    let found = found.into_iter();
    found
        .map(|(target, used_for)| {
            let around = models.surroundings();
            let entry = models.catalogue().entry(target.provider, &target.model);
            let served = around.served_of(&target.base_url, &target.model);
            let seen_thinking =
                around
                    .quirks
                    .refuses(&target.base_url, &target.model, Feature::Thoughtlessness);
            let thinks = seen_thinking
                || served
                    .thinks
                    .unwrap_or(entry.abilities.thinking != Thinking::None);
            let mut abilities = abilities(models, &target);
            abilities.extend(thinks.then(|| "thinking".to_owned()));
            ModelInUse {
                provider: target.provider.name().to_owned(),
                used_for,
                abilities,
                reads_tokens: served.window.or(entry.context_tokens),
                reads_guessed: served.is_window_guessed(),
                lacks: around.quirks.found_of(&target.base_url, &target.model),
                model: target.model,
            }
        })
        .collect()
}

/// What a model takes.
pub(crate) fn abilities(models: &Models, target: &Target) -> Vec<String> {
    let model = target.model.as_str();
    let entry = models.catalogue().entry(target.provider, model);
    let abilities = &entry.abilities;
    let base_url = address(models, target);
    let around = models.surroundings();
    let served = around.served_of(&base_url, model);
    let takes = |feature| !around.quirks.refuses(&base_url, model, feature);
    let tools = served.tools.unwrap_or(abilities.tools) && takes(Feature::Tools);
    let schema = abilities.schema && takes(Feature::StructuredOutput);
    let sees = served.sees.unwrap_or(!abilities.pictures.is_empty());
    let both = abilities.schema_with_tools && !around.quirks.refuses_schema_beside_tools(&base_url, model);
    let said = [
        ("tools", tools),
        ("typed answers", schema),
        ("both at once", tools && schema && both),
        ("pictures", sees && takes(Feature::Pictures)),
        (
            "temperature",
            abilities.temperature && takes(Feature::Temperature),
        ),
    ];
    let said = said.into_iter().filter(|(_, can)| *can);
    said.map(|(name, _)| name.to_owned()).collect()
}

/// Where a model is asked: one that nobody chose is asked at its provider's.
pub(crate) fn address(models: &Models, target: &Target) -> String {
    match target.base_url.is_empty() {
        true => resolve::home(target.provider, &models.keys).unwrap_or_default(),
        false => target.base_url.clone(),
    }
}
