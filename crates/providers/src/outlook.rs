//! What will go wrong with the models in use, or does already: ends that are near, models that are not there.

use std::collections::{BTreeMap, BTreeSet};

use runtime::ports::ModelWarning;
use settings::Settings;
use vocabulary::AskPurpose;

use crate::Models;
use crate::ailing::{Ailing, Mute};
use crate::catalogue::{Provider, today};
use crate::http::patience_warning;
use crate::lists::{ListFault, ListProblem};
use crate::purposes;
use crate::resolve::Target;
use crate::served::window_warning;

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
    let mut ailing: Vec<Ailing> = Vec::new();
    let mut mute: Vec<Mute> = Vec::new();
    for wanted in purposes::wanted(settings) {
        // What goes by the model of replies is helped with that.
        let key = match wanted.choice == of_replies {
            true => settings.keys_for(AskPurpose::TextReply).model,
            false => wanted.key,
        };
        let target = match models.target(&wanted.choice, wanted.purpose, settings) {
            Ok(target) => target,
            Err(none) => {
                let unasked = nobody.entry(none.failure.detail).or_default();
                unasked.purposes.push(wanted.purpose.words());
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
        if let Some(one) = Ailing::of(models, (&wanted, key), &target) {
            match ailing.iter_mut().find(|known| known.is_the_same(&one)) {
                Some(known) => known.serves(one),
                None => ailing.push(one),
            }
        }
        if let Some(one) = Mute::of(models, wanted.purpose, &target, settings) {
            match mute.iter_mut().find(|known| known.model == one.model) {
                Some(known) => known.serves(one),
                None => mute.push(one),
            }
        }
        for warning in narrow.into_iter().chain(hasty) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    warnings.extend(ailing.into_iter().map(Ailing::told));
    warnings.extend(mute.into_iter().map(Mute::told));
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
