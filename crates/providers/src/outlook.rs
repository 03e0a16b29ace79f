//! What will go wrong with the models in use, or does already: ends that are near, models that are not there.

use std::collections::{BTreeMap, BTreeSet};

use runtime::ports::ModelWarning;
use settings::Settings;
use vocabulary::AskPurpose;

use crate::Models;
use crate::catalogue::{Provider, today};
use crate::exchange::room_advice;
use crate::http::patience_warning;
use crate::lists::{ListFault, ListProblem};
use crate::purposes::{self, Wanted};
use crate::resolve::Target;
use crate::served::window_warning;

/// The end of a model is told this many days before it comes.
const TOLD_DAYS_BEFORE: i64 = 60;
/// The most remarks on an operator's catalogue that are told at once.
const REMARKS_TOLD_MAX: usize = 5;

/// Everything that is wrong with the models in use or with what is known of them, or soon will be, the worst first.
pub(crate) fn outlook(models: &Models, settings: &Settings) -> Vec<ModelWarning> {
    let mut warnings = of_models(models, settings);
    warnings.extend(of_catalogue(models));
    warnings.sort_by_key(|warning| !warning.broken);
    warnings
}

/// What is wrong with the models in use, or soon will be, the worst first.
pub(crate) fn of_models(models: &Models, settings: &Settings) -> Vec<ModelWarning> {
    let mut warnings: Vec<ModelWarning> = Vec::new();
    let mut nobody: BTreeMap<String, Unasked> = BTreeMap::new();
    let of_replies = settings.choice_for(AskPurpose::TextReply);
    let mut refused: BTreeMap<(Provider, ListFault, String), Vec<&str>> = BTreeMap::new();
    for wanted in purposes::wanted(settings) {
        let target = match models.target(&wanted.choice, wanted.purpose, settings) {
            Ok(target) => target,
            Err(none) => {
                let unasked = nobody.entry(none.failure.detail).or_default();
                unasked.purposes.push(wanted.purpose.words());
                // What goes by the model of replies is helped with that.
                let key = match wanted.choice == of_replies {
                    true => settings.keys_for(AskPurpose::TextReply).model,
                    false => wanted.key,
                };
                unasked.or_set.extend(none.or_set.map(|_| key));
                continue;
            }
        };
        if let Some(said) = shut_out(models, &target, settings) {
            let of = refused
                .entry((target.provider, said.fault, said.words))
                .or_default();
            of.push(wanted.purpose.words());
        }
        let served = models.surroundings().served_of(&target.base_url, &target.model);
        let narrow = window_warning(&target.model, served, settings.llm.context_tokens);
        let hasty = (wanted.purpose == AskPurpose::TextReply && target.provider != Provider::Offline)
            .then(|| patience_warning(&target.base_url, settings))
            .flatten();
        let found = warning(models, &wanted, &target).into_iter();
        let mute = mute_warning(models, wanted.purpose, &target, settings);
        for warning in found.chain(mute).chain(narrow).chain(hasty) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    let nobody = nobody.into_iter();
    warnings.extend(nobody.map(|(detail, unasked)| broken(unasked.told(&detail))));
    let refused = refused.into_iter();
    warnings.extend(refused.map(|((provider, fault, said), purposes)| {
        let (why, remedy) = match fault {
            ListFault::RegionRefused => (
                "answers nobody from the country that it is asked from",
                region_remedy(provider),
            ),
            _ => ("does not accept the key", key_remedy(provider)),
        };
        broken(format!(
            "{provider} {why}, so that nothing comes of {} ({said}). {remedy}",
            purposes.join(", ")
        ))
    }));
    warnings.sort_by_key(|warning| !warning.broken);
    warnings
}

/// What nobody can be asked for, for one reason, and which settings would help.
#[derive(Default)]
struct Unasked {
    purposes: Vec<&'static str>,
    or_set: BTreeSet<&'static str>,
}

impl Unasked {
    fn told(self, why: &str) -> String {
        let mut told = format!("nobody can be asked for {}: {why}", self.purposes.join(", "));
        if !self.or_set.is_empty() {
            let keys: Vec<&str> = self.or_set.into_iter().collect();
            told.push_str(&format!("; or set {}", keys.join(" and ")));
        }
        told
    }
}

fn broken(text: String) -> ModelWarning {
    ModelWarning { text, broken: true }
}

/// Why whoever is asked will answer nothing, as it said when it was asked which models it has.
fn shut_out(models: &Models, target: &Target, settings: &Settings) -> Option<ListProblem> {
    if target.provider != Provider::Compatible {
        return models.defaults.shut_out(target.provider);
    }
    let resolution = models.resolution(settings);
    resolution.shut_out_at(&target.base_url).cloned()
}

fn region_remedy(provider: Provider) -> String {
    let address = match provider {
        Provider::Compatible => "llm.compatibleBaseUrl",
        _ => provider.base_url_variable().unwrap_or("llm.provider"),
    };
    format!("Go by an address that it answers ({address}), or use another llm.provider")
}

fn key_remedy(provider: Provider) -> String {
    format!(
        "Put another one into {} or `{provider}` in keys.toml, and start again",
        provider.key_variables().join(" or ")
    )
}

/// A model that used up what it may write and said nothing when it was asked last.
fn mute_warning(
    models: &Models,
    purpose: AskPurpose,
    target: &Target,
    settings: &Settings,
) -> Option<ModelWarning> {
    let quirks = models.surroundings().quirks;
    let tokens = quirks.mute(&target.base_url, &target.model, purpose)?;
    let keys = settings.keys_for(purpose);
    let allowed = u32::try_from(settings.llm.max_output_tokens).ok();
    let advice = room_advice(keys, settings.effort.of(purpose), allowed);
    Some(ModelWarning {
        text: format!(
            "`{}`, the model for {}, used all {tokens} tokens that it may write without a word to say when it was asked last. {advice}",
            target.model,
            purpose.words()
        ),
        broken: true,
    })
}

/// What is wrong with an operator's catalogue.
pub(crate) fn of_catalogue(models: &Models) -> Vec<ModelWarning> {
    let catalogue = models.catalogue();
    let counts = match catalogue.own {
        Some(_) => "The file as it was before counts until that is mended",
        None => "The built-in catalogue counts until that is mended",
    };
    // Prices and models are not those that the operator wants.
    let refused = models.catalogue.refused().map(|problem| ModelWarning {
        text: format!("{problem}. {counts}"),
        broken: true,
    });
    let own = catalogue.own.as_ref();
    let remarks = own.into_iter().flat_map(|own| {
        let remarks = own.remarks.iter().take(REMARKS_TOLD_MAX);
        remarks.map(|remark| ModelWarning {
            text: format!("{}: {remark}", own.path.display()),
            broken: false,
        })
    });
    // Without a key nobody is asked whose prices change.
    let has_key = Provider::WITH_KEYS
        .into_iter()
        .any(|provider| models.keys.has(provider));
    let age = catalogue.told_of_age(today()).filter(|_| has_key);
    let age = age.map(|text| ModelWarning { text, broken: false });
    refused.into_iter().chain(remarks).chain(age).collect()
}

fn warning(models: &Models, wanted: &Wanted, target: &Target) -> Option<ModelWarning> {
    let (provider, model) = (target.provider, target.model.as_str());
    if matches!(provider, Provider::Offline | Provider::Compatible) {
        return None;
    }
    let today = today();
    let entry = models.catalogue().entry_on(provider, model, today);
    let listed = models.defaults.listed(provider, model);
    let named = !wanted.choice.model.trim().is_empty();
    let ends = listed.flatten().and_then(|listed| listed.ends).or(entry.retires);
    let remedy = |what: &str| {
        let key = wanted.key;
        match (&entry.successor, named) {
            (Some(successor), true) => {
                format!("Set {key} to {successor}, or reset it to have one chosen{what}")
            }
            (None, true) => format!("Set {key} to another model, or reset it to have one chosen{what}"),
            (_, false) => "Another is chosen as soon as there is one".to_owned(),
        }
    };
    let who = match named {
        true => format!("{} is set to `{model}`, which", wanted.key),
        false => format!("`{model}`, the default for {},", wanted.purpose.words()),
    };
    let broken = |problem: String| ModelWarning {
        text: format!("{who} {problem}. {}", remedy("")),
        broken: true,
    };
    let is_there = listed.flatten().is_some_and(|listed| !listed.is_over(today));
    match (ends, listed) {
        (None, Some(Some(listed))) if listed.gone => Some(broken(format!("{provider} has shut down"))),
        (Some(end), _) if end <= today && !is_there => Some(broken(format!("{provider} shut down on {end}"))),
        (_, Some(None)) if provider.home() == Some(target.base_url.as_str()) => Some(broken(format!(
            "is not among the models that {provider} lists for this key"
        ))),
        // A gateway has names of its own, as Azure has those of deployments.
        (_, Some(None)) => Some(ModelWarning {
            text: format!(
                "{who} is not among the models that are listed at {}. Nothing is to be done if it answers: a gateway need not list it",
                target.base_url
            ),
            broken: false,
        }),
        (Some(end), _) if i64::from((end - today).get_days()) <= TOLD_DAYS_BEFORE => Some(ModelWarning {
            text: format!("{who} ends on {end}. {}", remedy(" by itself")),
            broken: false,
        }),
        (_, None) if entry.closed => Some(ModelWarning {
            text: format!("{who} is closed to new users of {provider}. {}", remedy("")),
            broken: false,
        }),
        _ => None,
    }
}
