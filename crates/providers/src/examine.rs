//! What `denizen doctor` tells about language models.

use std::collections::BTreeMap;

use runtime::ports::{Language, RawResponse};
use settings::Settings;
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskOutcome, AskPurpose, ChatRole, ChatTurn, ContentPart, ModelChoice, ModelRequest,
    OutputShape, Span,
};

use crate::Models;
use crate::catalogue::Provider;
use crate::discover::{look_around, usual_name};

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Keys, servers on this machine, and the choice.
    Shallow,
    /// Also ask the chosen model something tiny, which may cost a fraction of a cent.
    Deep,
}

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
    pub async fn examine(&self, depth: Depth, settings: &Settings) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Provider::WITH_KEYS
            .into_iter()
            .map(|provider| self.key(provider))
            .collect();
        findings.extend(self.servers().await);
        findings.push(self.choice(settings));
        if depth == Depth::Deep {
            findings.push(self.trial(settings).await);
        }
        findings
    }

    /// Who answers a choice: provider and model, or why nobody does.
    pub fn who_answers(
        &self,
        choice: &ModelChoice,
        purpose: AskPurpose,
        settings: &Settings,
    ) -> Result<(Provider, String), AskFailure> {
        self.target(choice, purpose, settings)
            .map(|target| (target.provider, target.model))
    }

    /// A key that is not there is no fault: one model is enough.
    fn key(&self, provider: Provider) -> Finding {
        let detail = match self.keys.origin(provider) {
            Some(origin) => origin.to_owned(),
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
                    Err(problem) => problem,
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
                detail: format!("{} model `{}`: {}", target.provider, target.model, target.because),
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

    async fn trial(&self, settings: &Settings) -> Finding {
        let choice = ModelChoice {
            provider: settings.llm.provider.name().to_owned(),
            model: settings.llm.model.clone(),
        };
        let request = trial_request(choice);
        let outcome = match self.prepare(&request, &BTreeMap::new(), settings) {
            Ok(prepared) => {
                // Nobody listens to the pieces; the whole is enough.
                let deltas = mpsc::channel(1).0;
                self.send(&request, &prepared, deltas, RawResponse::default())
                    .await
            }
            Err(failure) => AskOutcome::Failed(failure),
        };
        let what = "a trial question".to_owned();
        match outcome {
            AskOutcome::Answered(answer) => Finding {
                what,
                ok: true,
                detail: format!(
                    "{} model `{}` answered in {} ms ({} tokens in, {} out)",
                    answer.provider,
                    answer.model,
                    answer.took.0,
                    answer.usage.input_tokens,
                    answer.usage.output_tokens
                ),
                remedy: None,
            },
            AskOutcome::Failed(failure) => Finding {
                what,
                ok: false,
                detail: failure.kind.name().to_owned(),
                remedy: Some(failure.detail),
            },
        }
    }
}

fn trial_request(choice: ModelChoice) -> ModelRequest {
    ModelRequest {
        purpose: AskPurpose::TextReply,
        choice,
        system: "Answer with the single word: ready".to_owned(),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![ContentPart::Text("Are you there?".to_owned())],
        }],
        tools: Vec::new(),
        output: OutputShape::Text,
        max_output_tokens: 16,
        temperature: 0.0,
        deadline: Span::seconds(30),
        sections: Vec::new(),
    }
}
