//! A whole ask: one request within the deadline, and doing without what a server refuses. When a failed ask is made again
//! is for the mind to say, which alone knows what it is for and what it may cost.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use runtime::ports::Prepared;
use tokio::time::{Instant, timeout};
use vocabulary::{AskFailure, AskFailureKind, AskOutcome, ModelAnswer, ModelRequest, Span};

use crate::attempt::{Attempt, Progress};
use crate::catalogue::Catalogue;
use crate::quirks::{Quirks, without_temperature};
use crate::sight::{is_about_a_picture, remedy};
use crate::trouble::{Feature, Party, Trouble};
use crate::wire::{self, Decoded, Decoder, Manner};

/// Requests that go out for one ask: the first, and one for each thing that can be left out.
const TRIES_MAX: u32 = 4;

/// Sends a prepared request and sees it through.
pub(crate) struct Exchange<'a> {
    pub(crate) request: &'a ModelRequest,
    pub(crate) prepared: &'a Prepared,
    pub(crate) attempt: Attempt<'a>,
    pub(crate) quirks: &'a Quirks,
    pub(crate) catalogue: &'a Catalogue,
    /// A typed answer is asked for even where `may_go_plain` is not.
    pub(crate) always_structured: bool,
}

impl Exchange<'_> {
    pub(crate) async fn run(&self) -> AskOutcome {
        let deadline = Duration::from_millis(self.request.deadline.0);
        let mut progress = Progress::default();
        let tries = self.tries(&mut progress);
        let mut failure = match timeout(deadline, tries).await {
            Ok(Ok(answer)) => return AskOutcome::Answered(answer),
            Ok(Err(failure)) => failure,
            Err(_) => timed_out(self.attempt.party, self.request.deadline),
        };
        progress.fail();
        failure.tries = progress.tries.max(1);
        let party = self.attempt.party;
        failure.usage = progress.lost().map(|usage| {
            self.catalogue
                .charged(party.provider, party.url, party.model, usage)
        });
        AskOutcome::Failed(failure)
    }

    async fn tries(&self, progress: &mut Progress) -> Result<ModelAnswer, AskFailure> {
        let started = Instant::now();
        let mut body = self.prepared.body.clone();
        let mut may_go_plain = self.prepared.may_go_plain;
        loop {
            progress.tries += 1;
            let tries = progress.tries;
            let decoder = Decoder::new(self.attempt.party.provider, self.request)
                .expect("the offline model is not sent anything");
            let trouble = match self.attempt.run(body.clone(), decoder, progress).await {
                Ok(decoded) => return Ok(self.answer(decoded, started, progress, tries)),
                Err(trouble) => trouble,
            };
            progress.fail();
            tracing::debug!(
                provider = self.prepared.provider,
                kind = trouble.failure.kind.name(),
                tries,
                "a try failed"
            );
            if progress.first_text.is_some() || tries >= TRIES_MAX {
                return Err(trouble.failure);
            }
            let lighter = match trouble.refuses {
                Some(Feature::StructuredOutput) => {
                    std::mem::take(&mut may_go_plain).then(|| self.plain_body())
                }
                Some(Feature::Temperature) => without_temperature(&body),
                Some(Feature::Pictures) if is_about_a_picture(self.request.purpose) => {
                    return Err(self.blind(trouble));
                }
                Some(Feature::Pictures) => {
                    let takes_pictures = self.takes(Feature::Pictures);
                    takes_pictures.then(|| self.body_without_pictures(may_go_plain || self.always_structured))
                }
                None => None,
            };
            match (lighter, trouble.refuses) {
                (Some(lighter), Some(feature)) => {
                    self.quirks
                        .remember(&self.prepared.url, &self.prepared.model, self.request, feature);
                    self.attempt.raw.send_instead(lighter.clone());
                    body = lighter;
                }
                _ => return Err(trouble.failure),
            }
        }
    }

    fn takes(&self, feature: Feature) -> bool {
        let Prepared { url, model, .. } = self.prepared;
        self.quirks.takes(url, model, self.request, feature)
    }

    /// It cannot see what it was asked about; nobody need ask again.
    fn blind(&self, trouble: Trouble) -> AskFailure {
        let Prepared { url, model, .. } = self.prepared;
        self.quirks.remember(url, model, self.request, Feature::Pictures);
        let mut failure = trouble.failure;
        failure.detail = format!("{}. {}", failure.detail, remedy(self.request.purpose));
        failure
    }

    /// The request with a word in place of each picture, and without what was refused before that.
    fn body_without_pictures(&self, structured: bool) -> Bytes {
        let provider = self.attempt.party.provider;
        let model = &self.prepared.model;
        let manner = Manner {
            provider,
            model,
            structured: structured && wire::takes_structured_output(provider, model, self.request),
            temperature: self.takes(Feature::Temperature),
        };
        wire::body(self.request, &BTreeMap::new(), manner)
    }

    /// The request without structured output, and without what was refused before that.
    fn plain_body(&self) -> Bytes {
        let temperature = self.takes(Feature::Temperature);
        if let Some(ready) = self
            .prepared
            .plain
            .as_ref()
            .filter(|_| self.takes(Feature::Pictures))
        {
            let lighter = (!temperature).then(|| without_temperature(ready)).flatten();
            return lighter.unwrap_or_else(|| ready.clone());
        }
        self.body_without_pictures(false)
    }

    fn answer(&self, decoded: Decoded, started: Instant, progress: &Progress, tries: u32) -> ModelAnswer {
        let party = self.attempt.party;
        let usage = self
            .catalogue
            .charged(party.provider, party.url, party.model, decoded.usage);
        ModelAnswer {
            provider: self.prepared.provider.clone(),
            model: decoded.model.unwrap_or_else(|| self.prepared.model.clone()),
            text: decoded.text,
            tool_calls: decoded.tool_calls,
            finish: decoded.finish,
            usage,
            first_text: progress.first_text.map(|moment| span(moment - started)),
            took: span(started.elapsed()),
            tries,
        }
    }
}

fn timed_out(party: Party<'_>, deadline: Span) -> AskFailure {
    AskFailure {
        kind: AskFailureKind::TimedOut,
        detail: format!(
            "{} model `{}` was not done within {:.1} s. Raise llm.timeoutSeconds, or use a faster model",
            party.provider,
            party.model,
            deadline.0 as f64 / 1_000.0
        ),
        retry_after: None,
        usage: None,
        tries: 1,
    }
}

pub(crate) fn span(duration: Duration) -> Span {
    Span(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}
