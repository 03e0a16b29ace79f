//! What is known of models, as rows for people: in use, preferred, or all of them, and where each fact comes from.

use std::collections::BTreeMap;

use runtime::ports::Wire;
use serde::Serialize;
use settings::{Effort, Settings, StructuredOutput};

use crate::Models;
use crate::abilities::{abilities, address};
use crate::allowance::bare;
use crate::catalogue::{Api, Catalogue, Known, ModelEntry, PriceSource, Provider, today};
use crate::compatible;
use crate::lists::ListFault;
use crate::purposes;
use crate::resolve::Target;
use crate::servers;
use crate::writing::Writing;
use vocabulary::{AskFailure, AskPurpose, ModelChoice, ModelRole};

/// Models of one server that are asked about one by one.
const CLOSER_MAX: usize = 32;
/// Some, like Vertex, have no list; and whoever names a model needs none.
const NO_LIST_NEEDED: &str = "Nothing, if questions are answered: the model is named; otherwise correct llm.compatibleBaseUrl or COMPATIBLE_BASE_URL, which usually ends in /v1";

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
    /// Why it is in use, where it is.
    pub because: Option<String>,
}

/// A list of models that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    pub provider: String,
    /// The address of a server that is not the provider's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// How many models it lists that can talk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<usize>,
    /// Why its list is not known, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// Whom a purpose is asked of, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PurposeChoice {
    pub purpose: String,
    /// The setting that names its model.
    pub key: String,
    /// Empty where nobody is asked.
    pub provider: String,
    pub model: String,
    /// Why it is this one, or why it is none.
    pub because: String,
}

/// Whom each purpose that is in use is asked of.
pub fn choices(models: &Models, settings: &Settings) -> Vec<PurposeChoice> {
    let wanted = purposes::wanted(settings).into_iter();
    let asks_for_gems = purposes::asks_for_gems(models, settings);
    let choice = |one: purposes::Wanted| {
        let named = !one.choice.model.trim().is_empty();
        let is_for_gems = one.purpose == AskPurpose::GemExtraction;
        let (provider, model, because) = match models.target(&one.choice, one.purpose, settings) {
            Ok(target) if is_for_gems && !asks_for_gems && target.provider != Provider::Offline => {
                let because = format!(
                    "patterns make them: so small a model as `{}` does it badly, and is asked only where {} names it or memory.extractor is `model`",
                    target.model, one.key
                );
                (String::new(), String::new(), because)
            }
            Ok(target) if named && target.provider != Provider::Offline => {
                let because = format!("{}; {} names it", target.because, one.key);
                (target.provider.name().to_owned(), target.model, because)
            }
            Ok(target) => (target.provider.name().to_owned(), target.model, target.because),
            Err(nobody) => (String::new(), String::new(), AskFailure::from(nobody).detail),
        };
        PurposeChoice {
            purpose: one.purpose.words().to_owned(),
            key: one.key.to_owned(),
            provider,
            model,
            because,
        }
    };
    wanted.map(choice).collect()
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
    let asks_for_gems = purposes::asks_for_gems(models, settings);
    let wanted_for = purposes::wanted(settings).into_iter();
    for one in wanted_for.filter(|one| asks_for_gems || one.purpose != AskPurpose::GemExtraction) {
        if let Ok(target) = models.target(&one.choice, one.purpose, settings) {
            add(target, Some(one.purpose.words()));
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
    let resolution = models.resolution(settings);
    if let Some((base_url, Ok(ids))) = resolution.server() {
        for model in ids {
            let target = Target {
                base_url: base_url.to_owned(),
                ..plain(Provider::Compatible, model)
            };
            add(target, None);
        }
    }
    let rows = wanted.into_iter();
    rows.map(|(target, used_for)| row(models, &target, used_for))
        .collect()
}

/// Asks the OpenAI-compatible server in use what each of its models can do.
pub async fn look_closer(models: &Models, settings: &Settings) {
    let resolution = models.resolution(settings);
    let Some(server) = resolution.listed_server() else {
        return;
    };
    for model in server.models.iter().take(CLOSER_MAX) {
        servers::ask_about(models, &server, model).await;
    }
}

/// How many models each provider lists that there is a key for, and the server in use, or why that is not known.
pub fn lists(models: &Models, settings: &Settings) -> Vec<Listing> {
    let listing =
        |provider: Provider, address: Option<&str>, found: Result<usize, String>, remedy: &str| Listing {
            provider: provider.name().to_owned(),
            address: address.map(str::to_owned),
            models: found.as_ref().ok().copied(),
            remedy: found.is_err().then(|| remedy.to_owned()),
            problem: found.err(),
        };
    let until_then =
        "Until it can, the default is taken from the catalogue; `denizen models refresh` asks again";
    let providers = Provider::WITH_KEYS.into_iter();
    let mut all: Vec<Listing> = providers
        .filter_map(|provider| {
            Some(listing(
                provider,
                None,
                models.defaults.look(provider)?,
                until_then,
            ))
        })
        .collect();
    let resolution = models.resolution(settings);
    if let Some((base_url, found)) = resolution.server() {
        let is_named = || models.reply_target(settings).is_ok();
        let remedy = found.as_ref().map_or_else(
            |problem| match problem.fault {
                ListFault::NotForUs | ListFault::Answered(404 | 405) if is_named() => NO_LIST_NEEDED,
                fault => compatible::remedy(fault),
            },
            |_| "",
        );
        let found = found.map(<[String]>::len).map_err(|problem| problem.words);
        let address = Some(base_url).filter(|url| !url.is_empty());
        all.push(listing(Provider::Compatible, address, found, remedy));
    }
    all
}

fn row(models: &Models, target: &Target, used_for: Vec<String>) -> ModelRow {
    let (provider, model) = (target.provider, target.model.as_str());
    let catalogue = models.catalogue();
    let entry = catalogue.entry(provider, model);
    let (prices, source) = catalogue.price_at(provider, &target.base_url, model, today());
    let listed = models.defaults.listed(provider, model);
    let served = models.surroundings().served_of(&target.base_url, model);
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
        price_from: price_from(&catalogue, &entry, &source),
        context_tokens: served.window.or(entry.context_tokens),
        output_tokens_max: entry.output_tokens_max,
        api: api(models, target).to_owned(),
        abilities: abilities(models, target),
        effort: entry.abilities.effort.clone(),
        thinking: match served.thinks {
            Some(true) => "default".to_owned(),
            Some(false) => "none".to_owned(),
            None => entry.abilities.thinking.name().to_owned(),
        },
        ends: said.or(entry.retires).map(|end| end.to_string()),
        ends_from: match (said, entry.retires) {
            (Some(_), _) => format!("the list of {provider}"),
            (None, Some(_)) => facts_from(&catalogue, &entry, "retires"),
            (None, None) => String::new(),
        },
        successor: entry.successor.clone(),
        listed: listed.map(|listed| listed.is_some()),
        facts_from: {
            let from = match served.is_told() {
                true => "the server says so".to_owned(),
                false => facts_from(&catalogue, &entry, "context"),
            };
            match served.is_window_guessed() {
                true => format!("{from}; how much it reads is a guess"),
                false => from,
            }
        },
        because: (!target.because.is_empty()).then(|| target.because.clone()),
    }
}

/// The interface that it is really asked through: one that nobody knows at another address is asked as everybody asks, and
/// a door may have been found shut.
fn api(models: &Models, target: &Target) -> &'static str {
    let request = bare(
        AskPurpose::TextReply,
        ModelChoice {
            provider: target.provider.name().to_owned(),
            model: target.model.clone(),
        },
    );
    let base_url = address(models, target);
    let writing = Writing {
        request: &request,
        pictures: &BTreeMap::new(),
        provider: target.provider,
        model: &target.model,
        base_url: &base_url,
        typed: StructuredOutput::Auto,
        effort: Effort::Low,
        around: models.surroundings(),
        needs_room: false,
        left_out: Vec::new(),
        spared: Vec::new(),
    };
    match writing.door() {
        Wire::Offline => "built in",
        Wire::OpenAiChat => Api::Chat.name(),
        Wire::OpenAiResponses => Api::Responses.name(),
        Wire::AnthropicMessages => Api::Messages.name(),
        Wire::Gemini => Api::Generate.name(),
    }
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
        PriceSource::Free => "it runs on this machine or in its network".to_owned(),
        PriceSource::Unknown => {
            "not known: give it one in catalogue.toml, under [compatible.models.\"…\"]".to_owned()
        }
    }
}
