//! What is known of models, as rows for people: in use, preferred, or all of them, and where each fact comes from.

use serde::Serialize;
use settings::Settings;

use crate::Models;
use crate::catalogue::{Catalogue, Known, ModelEntry, PriceSource, Provider, today};
use crate::purposes;
use crate::resolve::Target;
use vocabulary::ModelRole;

/// How many models are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// Those in use, and those preferred of the providers there are keys for.
    Relevant,
    /// All that are in the catalogue or in a provider's list.
    All,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelRow {
    pub provider: String,
    pub model: String,
    /// What it is asked for under the settings.
    pub used_for: Vec<String>,
    /// The roles for which it is preferred, each with its place.
    pub preferred_for: Vec<String>,
    /// Dollars per million tokens.
    pub input_price: Option<f64>,
    pub cached_input_price: Option<f64>,
    pub cache_write_price: Option<f64>,
    pub output_price: Option<f64>,
    /// Over so many tokens a prompt costs more.
    pub long_prompt_over: Option<u64>,
    pub long_prompt_input_price: Option<f64>,
    pub long_prompt_output_price: Option<f64>,
    pub price_from: String,
    pub context_tokens: Option<u64>,
    pub output_tokens_max: Option<u64>,
    pub api: String,
    pub abilities: Vec<String>,
    pub effort: Vec<String>,
    pub thinking: String,
    pub ends: Option<String>,
    pub ends_from: String,
    pub successor: Option<String>,
    /// Whether the provider lists it; none where its list is not known.
    pub listed: Option<bool>,
    /// Where the rest comes from.
    pub facts_from: String,
}

/// What is known of models.
pub fn inventory(models: &Models, breadth: Breadth, settings: &Settings) -> Vec<ModelRow> {
    let mut wanted: Vec<(Target, Vec<String>)> = Vec::new();
    let mut add = |target: Target, purpose: Option<&str>| {
        let same = |of: &Target| of.provider == target.provider && of.model == target.model;
        let purpose = purpose.map(str::to_owned);
        match wanted.iter_mut().find(|(of, _)| same(of)) {
            Some((_, purposes)) => purposes.extend(purpose),
            None => wanted.push((target, purpose.into_iter().collect())),
        }
    };
    for one in purposes::wanted(settings) {
        if let Ok(target) = models.target(&one.choice, one.purpose, settings) {
            add(target, Some(purposes::name(one.purpose)));
        }
    }
    let plain = |provider, model: &str| Target {
        provider,
        base_url: String::new(),
        model: model.to_owned(),
        because: String::new(),
    };
    let catalogue = models.catalogue();
    for provider in Provider::WITH_KEYS {
        if models.keys.has(provider) || breadth == Breadth::All {
            for role in ModelRole::ALL {
                for model in catalogue.preferred(provider, role) {
                    add(plain(provider, model), None);
                }
            }
        }
        if breadth == Breadth::All {
            for model in catalogue.models(provider) {
                add(plain(provider, model), None);
            }
            for model in models.defaults.ids(provider) {
                add(plain(provider, &model), None);
            }
        }
    }
    let rows = wanted.into_iter();
    rows.map(|(target, used_for)| row(models, &target, used_for))
        .collect()
}

/// How many models each provider lists that there is a key for, or why that is not known.
pub fn lists(models: &Models) -> Vec<(Provider, Result<usize, String>)> {
    let providers = Provider::WITH_KEYS.into_iter();
    providers
        .filter_map(|provider| Some((provider, models.defaults.look(provider)?)))
        .collect()
}

fn row(models: &Models, target: &Target, used_for: Vec<String>) -> ModelRow {
    let (provider, model) = (target.provider, target.model.as_str());
    let catalogue = models.catalogue();
    let entry = catalogue.entry(provider, model);
    let (prices, source) = catalogue.price_at(provider, &target.base_url, model, today());
    let listed = models.defaults.listed(provider, model);
    let said = listed.flatten().and_then(|listed| listed.ends);
    let preferred_for = ModelRole::ALL.into_iter().filter_map(|role| {
        let preferred = catalogue.preferred(provider, role);
        let place = preferred.iter().position(|id| id == model)?;
        Some(format!("{} {}", role.name(), place + 1))
    });
    let long = prices.and_then(|prices| prices.long_prompt);
    ModelRow {
        provider: provider.name().to_owned(),
        model: model.to_owned(),
        used_for,
        preferred_for: preferred_for.collect(),
        input_price: prices.map(|prices| prices.rates.input),
        cached_input_price: prices.map(|prices| prices.rates.cached_input),
        cache_write_price: prices.map(|prices| prices.rates.cache_write),
        output_price: prices.map(|prices| prices.rates.output),
        long_prompt_over: long.map(|(over, _)| over),
        long_prompt_input_price: long.map(|(_, rates)| rates.input),
        long_prompt_output_price: long.map(|(_, rates)| rates.output),
        price_from: price_from(catalogue, &entry, &source),
        context_tokens: entry.context_tokens,
        output_tokens_max: entry.output_tokens_max,
        api: entry.abilities.api.name().to_owned(),
        abilities: abilities(&entry),
        effort: entry.abilities.effort.clone(),
        thinking: entry.abilities.thinking.name().to_owned(),
        ends: said.or(entry.retires).map(|end| end.to_string()),
        ends_from: match (said, entry.retires) {
            (Some(_), _) => format!("the list of {provider}"),
            (None, Some(_)) => facts_from(catalogue, &entry, "retires"),
            (None, None) => String::new(),
        },
        successor: entry.successor.clone(),
        listed: listed.map(|listed| listed.is_some()),
        facts_from: facts_from(catalogue, &entry, "context"),
    }
}

fn abilities(entry: &ModelEntry) -> Vec<String> {
    let abilities = &entry.abilities;
    let said = [
        ("tools", abilities.tools),
        ("typed answers", abilities.schema),
        ("both at once", abilities.schema_with_tools),
        ("pictures", !abilities.pictures.is_empty()),
        ("temperature", abilities.temperature),
    ];
    let said = said.into_iter().filter(|(_, can)| *can);
    said.map(|(name, _)| name.to_owned()).collect()
}

fn facts_from(catalogue: &Catalogue, entry: &ModelEntry, key: &str) -> String {
    if entry.set_by_operator.contains(&key)
        && let Some(own) = &catalogue.own
    {
        return own.path.display().to_string();
    }
    let date = catalogue.date;
    match &entry.known {
        Known::Listed => format!("the catalogue of {date}"),
        Known::Release(of) => format!("the catalogue of {date}, as {of}"),
        Known::Family(family) => format!("guessed from {family}…"),
        Known::Provider => format!("guessed from what {} usually does", entry.provider),
    }
}

fn price_from(catalogue: &Catalogue, entry: &ModelEntry, source: &PriceSource) -> String {
    match source {
        PriceSource::Listed => facts_from(catalogue, entry, "input"),
        PriceSource::Guessed => format!("a guess in the catalogue of {}", catalogue.date),
        PriceSource::DearestOf(model) => format!("not known: charged like {model}, the dearest of its kind"),
        PriceSource::MakersPrice(provider) => format!("not known: charged like {provider} charges"),
        PriceSource::Free => "it runs on this machine".to_owned(),
        PriceSource::Unknown => {
            "not known: give it one in catalogue.toml, under [compatible.models.\"…\"]".to_owned()
        }
    }
}
