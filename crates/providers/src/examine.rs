//! What `denizen doctor` tells about language models.

use runtime::ports::Language;
use settings::Settings;
use vocabulary::{AskFailure, AskPurpose, ModelChoice};

use crate::Models;
use crate::catalogue::Provider;
use crate::discover::{look_around, usual_name};
use crate::inventory::lists;
use crate::outlook::{of_catalogue, of_models};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub what: String,
    pub ok: bool,
    pub detail: String,
    /// What to do, where there is something to do.
    pub remedy: Option<String>,
}

impl Models {
    /// Looks at keys, servers and the chosen model.
    pub async fn examine(&self, settings: &Settings) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Provider::WITH_KEYS
            .into_iter()
            .map(|provider| self.key(provider))
            .collect();
        findings.extend(self.servers().await);
        findings.push(self.known());
        findings.extend(self.listed(settings));
        findings.push(self.choice(settings));
        findings.extend(self.warned(settings));
        findings
    }

    /// Who answers a choice: provider and model, or why nobody does.
    pub fn who_answers(
        &self,
        choice: &ModelChoice,
        purpose: AskPurpose,
        settings: &Settings,
    ) -> Result<(Provider, String), AskFailure> {
        let target = self.target(choice, purpose, settings)?;
        Ok((target.provider, target.model))
    }

    /// A key that is not there is no fault: one model is enough.
    fn key(&self, provider: Provider) -> Finding {
        let detail = match self.keys.origin(provider) {
            Some(origin) => match self.keys.header_names(provider).as_slice() {
                [] => origin.to_owned(),
                names => format!("{origin}; requests carry {}", names.join(", ")),
            },
            None => format!("none; {} would hold it", provider.key_variables().join(" or ")),
        };
        Finding {
            what: format!("key for {provider}"),
            ok: true,
            detail,
            remedy: None,
        }
    }

    async fn servers(&self) -> Vec<Finding> {
        let sightings = look_around(
            &self.clients,
            &self.options.loopback_ports,
            self.options.probe_patience,
        )
        .await;
        sightings
            .into_iter()
            .map(|sighting| Finding {
                what: format!("{} on port {}", usual_name(sighting.port), sighting.port),
                ok: true,
                detail: match sighting.found {
                    Ok(server) => format!("answers with {}", server.models.join(", ")),
                    Err(problem) => problem.words,
                },
                remedy: None,
            })
            .collect()
    }

    fn choice(&self, settings: &Settings) -> Finding {
        let status = self.status(settings);
        match self.reply_target(settings) {
            Ok(target) => Finding {
                what: "language model".to_owned(),
                ok: true,
                detail: format!(
                    "{} model `{}`{}: {}",
                    target.provider,
                    target.model,
                    match status.small_model.as_str() {
                        "" => String::new(),
                        small if small == target.model => String::new(),
                        small => format!(", and `{small}` for what nobody reads"),
                    },
                    target.because
                ),
                remedy: status.offline.then_some(status.how_to_change),
            },
            Err(failure) => Finding {
                what: "language model".to_owned(),
                ok: false,
                detail: status.because,
                remedy: Some(failure.detail),
            },
        }
    }

    /// Which catalogue counts, and what of it was left out.
    fn known(&self) -> Finding {
        let catalogue = self.catalogue();
        let built_in = format!("what is known of models is of {}", catalogue.date);
        let detail = match &catalogue.own {
            None => built_in,
            Some(own) => {
                let date = own.date.map_or(String::new(), |date| format!(" of {date}"));
                format!("{built_in}, with {}{date} laid over it", own.path.display())
            }
        };
        Finding {
            what: "catalogue of models".to_owned(),
            ok: true,
            detail,
            remedy: None,
        }
    }

    /// What the providers list.
    fn listed(&self, settings: &Settings) -> impl Iterator<Item = Finding> {
        lists(self, settings).into_iter().map(|list| Finding {
            what: format!("models of {}", list.address.as_deref().unwrap_or(&list.provider)),
            ok: true,
            detail: match (&list.models, &list.problem) {
                (Some(count), _) if list.address.is_some() => format!("{count} listed that can talk"),
                (Some(count), _) => format!("{count} listed for this key"),
                (None, problem) => {
                    let problem = problem.as_deref().unwrap_or_default();
                    format!("the list could not be had: {problem}")
                }
            },
            remedy: list.remedy,
        })
    }

    fn warned(&self, settings: &Settings) -> impl Iterator<Item = Finding> {
        let labelled = |label: &'static str| move |warning| (label, warning);
        let of_models = of_models(self, settings)
            .into_iter()
            .map(labelled("a model in use"));
        let of_catalogue = of_catalogue(self)
            .into_iter()
            .map(labelled("catalogue of models"));
        of_models.chain(of_catalogue).map(|(label, warning)| {
            let (detail, remedy) = match warning.text.split_once(". ") {
                Some((detail, remedy)) => (detail.to_owned(), remedy.to_owned()),
                None => (warning.text.clone(), "see `denizen models list`".to_owned()),
            };
            Finding {
                what: label.to_owned(),
                ok: !warning.broken,
                detail,
                remedy: Some(remedy),
            }
        })
    }
}
