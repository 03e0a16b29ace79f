//! The door of this crate: every provider behind the shell's `Language` port.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use fetching::service::ServiceClients;
use runtime::ports::{Delta, Language, LanguageStatus, Prepared, RawResponse, Wire};
use settings::{Settings, StructuredOutput};
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, AskPurpose, AttachmentId, ModelChoice, ModelRequest, OutputShape,
};

use crate::attempt::Attempt;
use crate::catalogue::{LOOPBACK_PORTS, Provider};
use crate::exchange::Exchange;
use crate::keys::Keys;
use crate::offline::{self, ChooseReader, Eyes};
use crate::quirks::Quirks;
use crate::resolve::{Resolution, Target};
use crate::sight::{blind, insist_on_picture, is_about_a_picture};
use crate::trouble::{Feature, Party};
use crate::wire::{self, Manner};

/// What is the same for every request of this process; tests make it small.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where model servers are looked for, most wanted first.
    pub loopback_ports: Vec<u16>,
    /// How long a server may take to list its models.
    pub probe_patience: Duration,
    /// Wait before the second try of an ask; each further one waits twice as long.
    pub first_pause: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            loopback_ports: LOOPBACK_PORTS.iter().map(|(port, _)| *port).collect(),
            probe_patience: Duration::from_millis(800),
            first_pause: Duration::from_millis(500),
        }
    }
}

/// All language models there are. Cheap to share behind an `Arc`; call `configure` once before use.
#[derive(Debug)]
pub struct Models {
    pub(crate) keys: Keys,
    pub(crate) clients: ServiceClients,
    pub(crate) options: Options,
    quirks: Quirks,
    pub(crate) eyes: Eyes,
    resolution: Mutex<Arc<Resolution>>,
    /// Of two looks around at the same time, the later must win.
    looking: tokio::sync::Mutex<()>,
}

impl Models {
    /// With the usual ports and pauses.
    pub fn new(keys: Keys) -> Self {
        Self::with_options(keys, Options::default())
    }

    pub fn with_options(keys: Keys, options: Options) -> Self {
        Self {
            resolution: Mutex::new(Arc::new(Resolution::at_first(&keys))),
            keys,
            clients: ServiceClients::default(),
            options,
            quirks: Quirks::default(),
            eyes: Eyes::default(),
            looking: tokio::sync::Mutex::new(()),
        }
    }

    /// Has the text of screens read by whom this chooses, for notes of the built-in model.
    pub fn reading_with(mut self, choose: Box<ChooseReader>) -> Self {
        self.eyes = Eyes::chosen_by(choose);
        self
    }

    fn resolution(&self) -> Arc<Resolution> {
        self.resolution
            .lock()
            .expect("no holder of this lock can panic")
            .clone()
    }

    /// What the settings want for replies.
    pub(crate) fn reply_choice(&self) -> ModelChoice {
        self.resolution().replies.clone()
    }

    /// Whom replies are asked of now.
    pub(crate) fn reply_target(&self) -> Result<Target, AskFailure> {
        self.target(&self.reply_choice(), AskPurpose::TextReply)
    }

    pub(crate) fn target(&self, choice: &ModelChoice, purpose: AskPurpose) -> Result<Target, AskFailure> {
        self.resolution().target(&self.keys, choice, purpose)
    }
}

#[async_trait]
impl Language for Models {
    fn prepare(
        &self,
        request: &ModelRequest,
        images: &BTreeMap<AttachmentId, Bytes>,
    ) -> Result<Prepared, AskFailure> {
        let resolution = self.resolution();
        let target = resolution.target(&self.keys, &request.choice, request.purpose)?;
        let url = wire::url(target.provider, &target.base_url, &target.model);
        let takes = |feature| self.quirks.takes(&url, &target.model, request, feature);
        insist_on_picture(request, images)?;
        let nothing = BTreeMap::new();
        let images = match takes(Feature::Pictures) {
            true => images,
            false if is_about_a_picture(request.purpose) => {
                return Err(blind(target.provider, &target.model, request.purpose));
            }
            false => &nothing,
        };
        let structured = matches!(request.output, OutputShape::Json { .. })
            && wire::takes_structured_output(target.provider, &target.model, request)
            && match resolution.structured {
                StructuredOutput::On => true,
                StructuredOutput::Off => false,
                StructuredOutput::Auto => takes(Feature::StructuredOutput),
            };
        let manner = Manner {
            provider: target.provider,
            model: &target.model,
            structured,
            temperature: takes(Feature::Temperature),
        };
        let body = wire::body(request, images, manner);
        let may_go_plain = structured && resolution.structured == StructuredOutput::Auto;
        let plain = (may_go_plain && !images.is_empty()).then(|| {
            wire::body(
                request,
                images,
                Manner {
                    structured: false,
                    ..manner
                },
            )
        });
        Ok(Prepared {
            provider: target.provider.name().to_owned(),
            wire: wire::wire_of(target.provider),
            model: target.model,
            url,
            body,
            may_go_plain,
            plain,
            pictures: match target.provider {
                Provider::Offline => images.clone(),
                _ => BTreeMap::new(),
            },
        })
    }

    async fn send(
        &self,
        request: &ModelRequest,
        prepared: &Prepared,
        deltas: mpsc::Sender<Delta>,
        raw: RawResponse,
    ) -> AskOutcome {
        if prepared.wire == Wire::Offline {
            return offline::run(request, prepared, &self.eyes, &deltas, &raw).await;
        }
        let Some(provider) = Provider::from_name(&prepared.provider) else {
            return AskOutcome::Failed(AskFailure {
                kind: AskFailureKind::Rejected,
                detail: format!(
                    "`{}` is no provider; prepare the request again",
                    prepared.provider
                ),
                retry_after: None,
            });
        };
        let key = self.keys.expose(provider);
        if let Some(key) = key {
            raw.hide(key);
        }
        let exchange = Exchange {
            request,
            prepared,
            attempt: Attempt {
                client: self.clients.for_address(&prepared.url),
                party: Party {
                    provider,
                    model: &prepared.model,
                    url: &prepared.url,
                    key,
                },
                deltas: &deltas,
                raw: &raw,
            },
            quirks: &self.quirks,
            first_pause: self.options.first_pause,
            always_structured: self.resolution().structured == StructuredOutput::On
                && matches!(request.output, OutputShape::Json { .. }),
        };
        exchange.run().await
    }

    async fn configure(&self, settings: &Settings) {
        let _looking = self.looking.lock().await;
        let resolution = Resolution::new(settings, &self.keys, &self.clients, &self.options).await;
        *self.resolution.lock().expect("no holder of this lock can panic") = Arc::new(resolution);
        self.eyes.configure(settings);
        self.quirks.forget_blindness();
        let status = self.status();
        tracing::info!(
            provider = status.provider,
            model = status.model,
            because = status.because,
            "the language model is chosen"
        );
    }

    fn status(&self) -> LanguageStatus {
        let resolution = self.resolution();
        match self.reply_target() {
            Ok(target) => LanguageStatus {
                offline: target.provider == Provider::Offline,
                how_to_change: how_to_change(target.provider).to_owned(),
                provider: target.provider.name().to_owned(),
                model: target.model,
                base_url: target.base_url,
                because: target.because,
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
            },
        }
    }
}

fn how_to_change(provider: Provider) -> &'static str {
    match provider {
        Provider::Offline => {
            "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and start again; or start a model server such as Ollama, or name one in llm.compatibleBaseUrl, and look again"
        }
        _ => "Set llm.provider and llm.model in the settings",
    }
}
