//! A whole ask: one request within the deadline, and doing without what a server refuses. When a failed ask is made again
//! is for the mind to say, which alone knows what it is for and what it may cost.

use std::time::Duration;

use runtime::ports::{Patience, Prepared, RawResponse, SentInstead, Wire};
use settings::{Effort, ModelKeys};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, AttachmentId, Carried, ContentPart, Finish, ModelAnswer,
    ModelRequest, Span, Usage,
};

use crate::attempt::{Attempt, Progress};
use crate::catalogue::Provider;
use crate::narrowing::Narrowing;
use crate::nearby::Nearby;
use crate::sight::{refused_unseen, remedy};
use crate::suspects::Suspects;
use crate::trouble::{Feature, Party, Trouble};
use crate::wire::{self, Decoded, Decoder};
use crate::writing::{Writing, Written};

/// Requests that go out for one ask: the first, and one for each thing that can be left out. Who names one thing at a time
/// has named all that a request can do without by then.
pub(crate) const TRIES_MAX: u32 = 8;

/// Sends a prepared request and sees it through.
pub(crate) struct Exchange<'a> {
    pub(crate) request: &'a ModelRequest,
    pub(crate) prepared: &'a Prepared,
    pub(crate) writing: Writing<'a>,
    pub(crate) client: &'a reqwest::Client,
    pub(crate) key: Option<&'a str>,
    pub(crate) deltas: &'a mpsc::Sender<runtime::ports::Delta>,
    pub(crate) raw: &'a RawResponse,
    pub(crate) patience: Patience,
    /// Pictures one of which may have been refused.
    pub(crate) suspects: Option<Suspects>,
    /// What is left out of a question that was refused without a word.
    pub(crate) narrowing: Option<Narrowing>,
}

impl Exchange<'_> {
    pub(crate) async fn run(mut self) -> AskOutcome {
        let deadline = Duration::from_millis(self.request.deadline.0);
        let mut progress = Progress::default();
        let in_pieces = wire::streams(&self.writing.refused());
        let mut failure = match timeout(deadline, self.tries(&mut progress)).await {
            Ok(Ok(answer)) => return AskOutcome::Answered(answer),
            Ok(Err(failure)) => failure,
            Err(_) => self.party(&self.prepared.url).timed_out(self.request.deadline),
        };
        let is_answer = matches!(
            failure.kind,
            AskFailureKind::Rejected | AskFailureKind::ServerError
        );
        if in_pieces && is_answer {
            self.writing.ask_for_pieces();
        }
        progress.fail();
        failure.tries = progress.tries.max(1);
        let lost = progress.lost();
        failure.usage = (!lost.is_empty()).then(|| self.costing(lost.iter().copied()));
        AskOutcome::Failed(failure)
    }

    async fn tries(&mut self, progress: &mut Progress) -> Result<ModelAnswer, AskFailure> {
        let started = Instant::now();
        let mut written = self.writing.as_prepared(self.prepared);
        loop {
            progress.tries += 1;
            let tries = progress.tries;
            let decoder = Decoder::new(written.wire, self.writing.provider, self.request)
                .expect("the offline model is not sent anything");
            let attempt = Attempt {
                client: self.client,
                party: self.party(&written.url),
                deltas: self.deltas,
                raw: self.raw,
                patience: self.patience_for(&written),
                streams: written.streams,
                quiet: self.quiet(),
                nearby: self.nearby(&written),
            };
            let tried = attempt.run(written.body.clone(), decoder, progress).await;
            let lighter = match tried {
                Ok(decoded) if has_said_nothing(&decoded) => {
                    let more = self.with_more_room(decoded.thought, &written);
                    more.filter(|_| tries < TRIES_MAX)
                        .ok_or_else(|| self.mute(&written))?
                }
                Ok(decoded) => {
                    let may_be_pictures = is_blank(&decoded) && tries < TRIES_MAX;
                    let without = may_be_pictures.then(|| self.without_pictures()).flatten();
                    match without {
                        Some(lighter) => lighter,
                        None => return Ok(self.answer(decoded, &written, started, progress)),
                    }
                }
                Err(trouble) => {
                    tracing::debug!(
                        provider = self.prepared.provider,
                        kind = trouble.failure.kind.name(),
                        tries,
                        "a try failed"
                    );
                    if let Some(overfull) = trouble.overfull {
                        self.writing.note_overfull(overfull, &written);
                    }
                    if progress.first_text.is_some() || tries >= TRIES_MAX {
                        return Err(self.unexplained(trouble));
                    }
                    self.lighter(trouble, &written, tries)?
                }
            };
            progress.fail();
            self.raw.send_instead(SentInstead {
                url: lighter.url.clone(),
                body: lighter.body.clone(),
            });
            written = lighter;
        }
    }

    /// How long an answer may be without words: a model that thinks may say nothing until it is done with it.
    fn quiet(&self) -> Duration {
        match self.writing.thinks() {
            true => Duration::from_millis(self.request.deadline.0),
            false => self.patience.stall,
        }
    }

    /// What comes in one piece comes when it is done, so that only the deadline counts.
    fn patience_for(&self, written: &Written) -> Patience {
        let whole = Duration::from_millis(self.request.deadline.0);
        match written.streams {
            true => self.patience,
            false => Patience {
                first_byte: whole,
                stall: whole,
                while_it_works: false,
            },
        }
    }

    fn nearby<'b>(&'b self, written: &'b Written) -> Option<Nearby<'b>> {
        self.patience_for(written).while_it_works.then(|| Nearby {
            paces: self.writing.around.paces,
            client: self.client,
            party: self.party(&written.url),
            base_url: self.writing.base_url,
            bytes: written.body.len(),
            // That it said nothing is known before all is over.
            whole: Duration::from_millis(self.request.deadline.0.saturating_sub(1_000)),
        })
    }

    /// The question with more room, once, which is remembered: the next one begins with it. None where there is no more.
    fn with_more_room(&mut self, thought: bool, before: &Written) -> Option<Written> {
        if self.writing.has_more_room() || !self.writing.may_run_out_of_room() {
            return None;
        }
        self.writing.needs_room = true;
        if thought && self.writing.provider == Provider::Compatible {
            self.writing.remember(Feature::Thoughtlessness);
        }
        let more = Some(self.writing.write()).filter(|more| more.body != before.body)?;
        self.writing.remember(Feature::ShortThought);
        Some(more)
    }

    /// All that it may write is written, and nothing of it is a word.
    fn mute(&self, written: &Written) -> AskFailure {
        let Writing { base_url, model, .. } = self.writing;
        let (request, keys) = (self.request, self.prepared.keys);
        let tokens = written.cap.unwrap_or(request.max_output_tokens);
        let quirks = self.writing.around.quirks;
        quirks.note_mute(base_url, model, request.purpose, tokens);
        let allowed = keys.cap.map(|_| request.max_output_tokens);
        let advice = room_advice(keys, self.writing.effort, allowed);
        AskFailure::new(
            AskFailureKind::OutOfRoom,
            format!(
                "{} model `{model}` used all {tokens} tokens that it may write without a word to say. {advice}",
                self.writing.provider
            ),
        )
    }

    /// The request without what was refused, where that makes another one.
    fn lighter(&mut self, trouble: Trouble, refused: &Written, tries: u32) -> Result<Written, AskFailure> {
        if trouble.refuses.is_none()
            && let Some(lighter) = self.writing.without(&trouble.parameters, refused)
        {
            return Ok(lighter);
        }
        let is_door_shut = trouble.is_missing && refused.wire == Wire::OpenAiResponses;
        let Some(feature) = trouble.refuses.or(is_door_shut.then_some(Feature::Responses)) else {
            let is_the_point = self.is_the_point();
            let is_read = self.prepared.reader.is_some();
            let without = match () {
                () if trouble.may_be_a_picture && is_the_point && is_read => {
                    return Err(refused_unseen(trouble.failure, &self.writing, &self.readable()));
                }
                () if trouble.may_be_a_picture && !is_the_point => self.without_a_picture(),
                () if trouble.says_nothing => self.without_pictures(),
                () => None,
            };
            let is_wordless = trouble.is_wordless && without.is_none();
            let less = is_wordless.then(|| self.with_less(tries)).flatten();
            return without.or(less).ok_or_else(|| self.unexplained(trouble));
        };
        if matches!(feature, Feature::Pictures | Feature::OnePicture) && self.is_the_point() {
            return Err(self.blind(trouble, feature));
        }
        if feature == Feature::OnePicture {
            return self.without_a_picture().ok_or(trouble.failure);
        }
        // Tools and a word for effort are often refused only together, and a thoughtless reply is better than a blind one.
        let tools = !self.request.tools.is_empty() && self.writing.takes(Feature::Tools);
        let lessons: &[Feature] = match feature {
            Feature::Effort if tools => &[Feature::ThoughtWithTools, Feature::Effort],
            _ => &[feature],
        };
        for lesson in lessons.iter().filter(|lesson| self.writing.takes(**lesson)) {
            self.writing.remember(*lesson);
            let lighter = self.writing.write();
            if (&lighter.url, &lighter.body) != (&refused.url, &refused.body) {
                return Ok(lighter);
            }
            self.writing.forget(*lesson);
        }
        // It was left out already where we know it, and stands somewhere else.
        let lighter = self.writing.without(&trouble.parameters, refused);
        lighter.ok_or(trouble.failure)
    }

    /// The request without one of its pictures, or more of them; none where that was all tried.
    fn without_a_picture(&mut self) -> Option<Written> {
        if self.suspects.is_none() {
            self.suspects = Some(Suspects::among(self.readable()));
        }
        self.writing.left_out = self.suspects.as_mut()?.leave_out()?;
        Some(self.writing.write())
    }

    /// The request without any picture, once, where nothing says that these are behind it: most servers that fail so are
    /// in trouble, and are asked no more than that. None where it shows no picture, or makes no sense without.
    fn without_pictures(&mut self) -> Option<Written> {
        let is_the_point = self.is_the_point();
        let shown = self.readable();
        let shows_none = shown.is_empty() || !self.writing.given().pictures;
        if is_the_point || self.suspects.is_some() || shows_none {
            return None;
        }
        self.suspects = Some(Suspects::together(shown));
        self.without_a_picture()
    }

    /// The pictures of the question that the model is not known to stumble over, oldest first.
    pub(crate) fn readable(&self) -> Vec<AttachmentId> {
        let parts = self.request.turns.iter().flat_map(|turn| &turn.parts);
        let sent = parts.filter_map(|part| match part {
            ContentPart::Image { id, .. } if self.prepared.pictures.contains_key(id) => Some(id.clone()),
            _ => None,
        });
        sent.filter(|id| !self.writing.is_unreadable(id)).collect()
    }

    /// It answered: with a picture, so that it sees; or without some, and those to blame are not shown to it again. Nor is
    /// any other, where it has never looked at one.
    fn note_pictures(&self) {
        let Writing { base_url, model, .. } = self.writing;
        let quirks = self.writing.around.quirks;
        if self.writing.has_pictures() && self.writing.given().pictures {
            quirks.note_seeing(base_url, model);
            let shown = self.readable().into_iter();
            for id in shown.filter(|id| !self.writing.left_out.contains(id)) {
                quirks.forget_doubt(base_url, model, &id);
            }
        }
        let Some(suspects) = &self.suspects else { return };
        for id in suspects.found(&self.writing.left_out) {
            match suspects.are_named() {
                true => quirks.note_unreadable(base_url, model, id),
                false => quirks.note_doubtful(base_url, model, id),
            }
        }
        if quirks.seems_blind(base_url, model) {
            self.writing.remember(Feature::Pictures);
        }
    }

    /// It cannot see what it was asked about; nobody need ask again.
    fn blind(&self, trouble: Trouble, feature: Feature) -> AskFailure {
        let mut failure = trouble.failure;
        if feature == Feature::Pictures {
            self.writing.remember(feature);
            failure.detail = format!("{}. {}", failure.detail, remedy(self.request.purpose));
        }
        failure
    }

    fn answer(
        &self,
        decoded: Decoded,
        written: &Written,
        started: Instant,
        progress: &Progress,
    ) -> ModelAnswer {
        if decoded.thought && self.writing.provider == Provider::Compatible {
            self.writing.remember(Feature::Thoughtlessness);
        }
        if !is_blank(&decoded) {
            self.note_pictures();
            self.note_pieces();
        }
        let Writing { base_url, model, .. } = self.writing;
        let quirks = self.writing.around.quirks;
        quirks.forget_mute(base_url, model, self.request.purpose);
        let carried = Carried {
            from: wire::address(written.wire, self.writing.provider, self.writing.model),
            pieces: decoded.carried,
        };
        ModelAnswer {
            provider: self.prepared.provider.clone(),
            model: decoded.model.unwrap_or_else(|| self.prepared.model.clone()),
            text: decoded.text,
            tool_calls: decoded.tool_calls,
            carried: (!carried.pieces.is_empty())
                .then_some(carried)
                .and_then(Carried::bounded),
            finish: decoded.finish,
            cap: written.cap,
            usage: self.costing(progress.lost().iter().copied().chain([decoded.usage])),
            first_text: progress.first_text.map(|moment| span(moment - started)),
            took: span(started.elapsed()),
            tries: progress.tries,
        }
    }

    /// What the tries took together. Each is charged by itself: a long prompt may have another price than two short ones.
    fn costing(&self, tries: impl Iterator<Item = Usage>) -> Usage {
        let party = self.party(&self.prepared.url);
        let catalogue = &self.writing.around.catalogue;
        let charged = tries.map(|usage| catalogue.charged(party.provider, party.url, party.model, usage));
        let together = charged.reduce(|one, other| Usage {
            input_tokens: one.input_tokens + other.input_tokens,
            cached_input_tokens: one.cached_input_tokens + other.cached_input_tokens,
            cache_written_tokens: one.cache_written_tokens + other.cache_written_tokens,
            output_tokens: one.output_tokens + other.output_tokens,
            cost_micro_dollars: one
                .cost_micro_dollars
                .zip(other.cost_micro_dollars)
                .map(|(one, other)| one + other),
            cost_assumed: one.cost_assumed || other.cost_assumed,
            cache_saved_micro_dollars: one.cache_saved_micro_dollars + other.cache_saved_micro_dollars,
        });
        together.unwrap_or_default()
    }

    fn party<'b>(&'b self, url: &'b str) -> Party<'b> {
        Party {
            provider: self.writing.provider,
            model: &self.prepared.model,
            url,
            key: self.key,
            keys: self.prepared.keys,
        }
    }
}

/// Whether all it was allowed to write went into thoughts.
fn has_said_nothing(decoded: &Decoded) -> bool {
    decoded.finish == Finish::Length && decoded.text.trim().is_empty() && decoded.tool_calls.is_empty()
}

/// Whether it ended as if it were one, and there is nothing in it.
fn is_blank(decoded: &Decoded) -> bool {
    decoded.finish == Finish::Complete && decoded.text.trim().is_empty() && decoded.tool_calls.is_empty()
}

/// What to change where an answer has no room: effort that can be less, and the tokens of the answer where a setting
/// says how many these are.
pub(crate) fn room_advice(keys: ModelKeys, effort: Effort, allowed: Option<u32>) -> String {
    let lower = (effort != Effort::None).then(|| format!("lower {} (now {})", keys.effort, effort.name()));
    let raise = keys.cap.zip(allowed);
    let raise = raise.map(|(key, tokens)| format!("raise {key} (now {tokens})"));
    let other = format!("use another model ({})", keys.model);
    let ways: Vec<String> = lower.into_iter().chain(raise).chain([other]).collect();
    let mut advice = ways.join(", or ");
    advice[..1].make_ascii_uppercase();
    advice
}

pub(crate) fn span(duration: Duration) -> Span {
    Span(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}
