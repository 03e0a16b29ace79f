//! One question to a model, from the request to the answer, kept for the inspector byte for byte.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mind::memory::history_text;
use mind::{Answer, Asking, Input};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use vocabulary::text::without_marks;
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, AskPurpose, AttachmentId, CommunityId, ContentPart,
    FrameId, ModelRequest, Span,
};

use crate::ailments::Ailments;
use crate::asked_before::AskedBefore;
use crate::clock::wall;
use crate::community::Parts;
use crate::handle::InForce;
use crate::live::{LiveEvent, LiveFeed};
use crate::memory::MemoryService;
use crate::ports::{AskRecord, AskSummary, Delta, KeptInstead, Language, Prepared, RawResponse, Store};
use crate::reply_model::ReplyModelTold;
use crate::screens::Screens;
use crate::unkept::UnkeptPictures;
use crate::voice::{NativeSession, NativeWords, failed};

/// Pieces of an answer are gathered for so long before the mind is told: enough for the eye, kind to the disk.
const PROGRESS_EVERY: Duration = Duration::from_millis(80);
/// Pieces that may wait between the model and us.
const DELTAS_WAITING_MAX: usize = 256;
/// Models that are tried for one question, one after the other, because the one before is not there.
const MOVES_MAX: u32 = 6;

/// Asks models on behalf of a community.
#[derive(Clone)]
pub(crate) struct Asker {
    community: CommunityId,
    store: Arc<dyn Store>,
    language: Arc<dyn Language>,
    memory: Option<MemoryService>,
    screens: Screens,
    live: LiveFeed,
    in_force: watch::Receiver<InForce>,
    outcomes: mpsc::Sender<Input>,
    ailments: Ailments,
    reply_model: ReplyModelTold,
    before: AskedBefore,
}

/// An ask to carry out.
#[derive(Debug)]
pub(crate) struct AskJob {
    asking: Asking,
    raw: RawResponse,
}

impl AskJob {
    pub fn new(asking: Asking) -> Self {
        Self {
            asking,
            raw: RawResponse::default(),
        }
    }

    /// What it is for, and how long it has.
    pub fn patience(&self) -> (AskPurpose, Span) {
        (self.asking.request.purpose, self.asking.request.deadline)
    }

    /// What goes over the wire for it, also for whoever gives it up.
    pub fn raw(&self) -> RawResponse {
        self.raw.clone()
    }
}

impl Asker {
    pub fn new(
        parts: &Parts,
        screens: Screens,
        live: LiveFeed,
        in_force: watch::Receiver<InForce>,
        outcomes: mpsc::Sender<Input>,
        ailments: Ailments,
        reply_model: ReplyModelTold,
    ) -> Self {
        Self {
            community: parts.community.clone(),
            store: parts.store.clone(),
            language: parts.language.clone(),
            memory: parts.memory.clone(),
            screens,
            live,
            in_force,
            outcomes,
            ailments,
            reply_model,
            before: AskedBefore::default(),
        }
    }

    /// Carries an ask out and brings its outcome back.
    pub async fn run(self, job: AskJob) {
        let AskJob { mut asking, raw } = job;
        self.put_history_in(&mut asking.request).await;
        let images = self.images(&asking.request).await;
        raw.leave_out(UnkeptPictures::among(&images));
        let in_force = self.in_force.borrow().clone();
        let (settings, version) = (in_force.settings, in_force.saved.version);
        let request = &asking.request;
        if self
            .language
            .look_for(&request.choice, request.purpose, &settings)
            .await
        {
            let status = self.language.status(&settings);
            self.live.publish(LiveEvent::Model { status });
        }
        let mut moves = 0;
        let lessons = self.language.lessons();
        let mut started;
        let outcome = loop {
            let prepared = self.language.prepare(&asking.request, &images, &settings);
            let prepared = prepared.map(|prepared| Prepared {
                community: Some(self.community.clone()),
                ..prepared
            });
            started = self.note_started(&asking, prepared.as_ref().ok(), &raw).await;
            let prepared = match prepared {
                Ok(prepared) => prepared,
                Err(failure) => {
                    let outcome = AskOutcome::Failed(failure);
                    // That nobody can be asked is told with the models, for as long as it is so.
                    if let Some(asked) = self.language.asked_of(asking.request.purpose, &settings) {
                        self.note_health(&asking, (&asked.provider, &asked.model), version, &outcome);
                    }
                    break outcome;
                }
            };
            let outcome = self.exchange(&asking, &prepared, raw.clone()).await;
            // A default model that is not there any more is replaced, and the question asked again.
            let may_move = moves < MOVES_MAX;
            if may_move && self.language.moved_on(&asking.request, &prepared, &outcome).await {
                moves += 1;
                continue;
            }
            let party = (prepared.provider.as_str(), prepared.model.as_str());
            self.note_health(&asking, party, version, &outcome);
            break outcome;
        };
        self.note_finished(started, &outcome, &raw).await;
        // A server may have refused something, and so have told what its model is able to.
        let settings = self.in_force.borrow().settings.clone();
        for news in self.reply_model.news(self.language.as_ref(), &settings) {
            let _ = self.outcomes.send(news).await;
        }
        if self.language.lessons() != lessons {
            let status = self.language.status(&settings);
            self.live.publish(LiveEvent::Model { status });
        }
        let _ = self
            .outcomes
            .send(Input::Answer(Answer::AskEnded {
                ask: asking.ask,
                outcome,
            }))
            .await;
    }

    /// Has the realtime service of the room answer by itself, and brings back what came of it.
    pub async fn run_aloud(self, job: AskJob, native: Option<NativeSession>) {
        let AskJob { asking, raw } = job;
        let words = NativeWords::of(&asking);
        let choice = &asking.request.choice;
        // It is asked over a socket, by an event of that name.
        let event = native.as_ref().map_or("", NativeSession::event);
        let kept = raw.to_be_kept(words.written().as_bytes());
        let party = (choice.provider.as_str(), choice.model.as_str());
        let started = self.keep(&asking, party, event.to_owned(), kept).await;
        let outcome = match native {
            Some(native) => native.answer(&asking, words, &self.outcomes).await,
            None => failed(
                AskFailureKind::Unreachable,
                "no realtime service thinks for itself in the voice of this room",
            ),
        };
        self.note_finished(started, &outcome, &raw).await;
        let ended = Answer::AskEnded {
            ask: asking.ask,
            outcome,
        };
        let _ = self.outcomes.send(Input::Answer(ended)).await;
    }

    fn note_health(&self, asking: &Asking, party: (&str, &str), version: u64, outcome: &AskOutcome) {
        let (provider, model) = party;
        let purpose = asking.request.purpose;
        let keys = self.in_force.borrow().settings.keys_for(purpose);
        let model = format!("{provider}/{model}");
        self.ailments.set_asked(&model, (purpose, keys), version, outcome);
    }

    /// Puts the conversation in where a request only refers to it.
    async fn put_history_in(&self, request: &mut ModelRequest) {
        for part in request.turns.iter_mut().flat_map(|turn| &mut turn.parts) {
            let ContentPart::History {
                session,
                before,
                max_chars,
            } = part
            else {
                continue;
            };
            let turns = match &self.memory {
                Some(service) => service.records().history(session, *before, *max_chars).await,
                None => Ok(Vec::new()),
            };
            let turns = turns.unwrap_or_else(|fault| {
                tracing::warn!(%fault, "the conversation before could not be read; the model goes by the turns at hand");
                Vec::new()
            });
            *part = ContentPart::Text(without_marks(&history_text(&turns)));
        }
    }

    async fn images(&self, request: &ModelRequest) -> BTreeMap<AttachmentId, Bytes> {
        let mut images = BTreeMap::new();
        for part in request.turns.iter().flat_map(|turn| &turn.parts) {
            let ContentPart::Image { id, .. } = part else {
                continue;
            };
            if let Some(frame) = FrameId::of_attachment(id) {
                // A frame that has left the shelf is not described from memory: the model is told that it is gone.
                if let Some(picture) = self.screens.picture(frame) {
                    images.insert(id.clone(), picture.bytes);
                }
                continue;
            }
            match self.store.attachment(&self.community, id).await {
                Ok(Some((_, bytes))) => {
                    images.insert(id.clone(), bytes);
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(attachment = %id, %error, "a picture could not be read; the model does not see it")
                }
            }
        }
        images
    }

    /// Sends the request; what comes of the answer is passed on in pieces, the last one before the outcome.
    async fn exchange(&self, asking: &Asking, prepared: &Prepared, raw: RawResponse) -> AskOutcome {
        let (deltas, mut received) = mpsc::channel::<Delta>(DELTAS_WAITING_MAX);
        let sending = self.language.send(&asking.request, prepared, deltas, raw);
        tokio::pin!(sending);
        let mut gathered = String::new();
        let mut due = Instant::now();
        let outcome = loop {
            tokio::select! {
                biased;
                Some(Delta(piece)) = received.recv() => gathered.push_str(&piece),
                outcome = &mut sending => break outcome,
                () = sleep_until(due), if !gathered.is_empty() => {
                    self.progressed(asking.ask, std::mem::take(&mut gathered)).await;
                    due = Instant::now() + PROGRESS_EVERY;
                }
            }
        };
        while let Ok(Delta(piece)) = received.try_recv() {
            gathered.push_str(&piece);
        }
        if !gathered.is_empty() {
            self.progressed(asking.ask, gathered).await;
        }
        outcome
    }

    async fn progressed(&self, ask: AskId, text: String) {
        let _ = self
            .outcomes
            .send(Input::Answer(Answer::AskProgressed { ask, text }))
            .await;
    }

    /// Keeps it for the inspector, byte for byte, and tells the pages.
    async fn note_started(
        &self,
        asking: &Asking,
        prepared: Option<&Prepared>,
        raw: &RawResponse,
    ) -> AskSummary {
        let choice = &asking.request.choice;
        let (provider, model) = match prepared {
            Some(prepared) => (&prepared.provider, &prepared.model),
            None => (&choice.provider, &choice.model),
        };
        let url = prepared.map(|prepared| prepared.url.clone()).unwrap_or_default();
        let body = prepared.map(|prepared| raw.to_be_kept(&prepared.body));
        self.keep(asking, (provider, model), url, body.unwrap_or_default())
            .await
    }

    /// Keeps a question for the inspector: whom it goes to, and what it says.
    async fn keep(
        &self,
        asking: &Asking,
        (provider, model): (&str, &str),
        url: String,
        raw_request: String,
    ) -> AskSummary {
        let record = AskRecord {
            community: self.community.clone(),
            ask: asking.ask,
            room: asking.room.clone(),
            turn: asking.turn,
            started_at: wall(),
            provider: provider.to_owned(),
            model: model.to_owned(),
            url,
            request: asking.request.clone(),
            raw_request,
            raw_response: String::new(),
            outcome: None,
            previous: self.before.of(self.store.as_ref(), &self.community, asking).await,
        };
        let summary = AskSummary::of(&record);
        if let Err(error) = self.store.start_ask(record).await {
            tracing::warn!(ask = %asking.ask, %error, "the ask could not be kept for the inspector");
        }
        self.publish(summary.clone());
        summary
    }

    async fn note_finished(&self, started: AskSummary, outcome: &AskOutcome, raw: &RawResponse) {
        let ask = started.ask;
        let sent_instead = raw.sent_instead().map(|sent| KeptInstead {
            raw_request: raw.to_be_kept(&sent.body),
            url: sent.url,
        });
        let response = raw.to_be_kept(&raw.bytes());
        if let Err(error) = self
            .store
            .finish_ask(&self.community, ask, outcome.clone(), sent_instead, response)
            .await
        {
            tracing::warn!(%ask, %error, "the answer could not be kept for the inspector");
        }
        self.publish(started.ended(outcome));
    }

    /// Nobody waits for it any more, because it has taken all the time that it had: that ails the model.
    pub fn note_overdue(&self, purpose: AskPurpose, deadline: Span) {
        let in_force = self.in_force.borrow().clone();
        let (settings, version) = (in_force.settings, in_force.saved.version);
        let Some(asked) = self.language.asked_of(purpose, &settings) else {
            return;
        };
        let keys = settings.keys_for(purpose);
        let detail = format!(
            "it was not done within {:.1} s. {}",
            deadline.0 as f64 / 1_000.0,
            keys.when_slow()
        );
        let failed = AskOutcome::Failed(AskFailure::new(AskFailureKind::TimedOut, detail));
        let model = format!("{}/{}", asked.provider, asked.model);
        self.ailments.set_asked(&model, (purpose, keys), version, &failed);
    }

    /// Nobody waits for it any more; what had come of it by then is kept.
    pub async fn note_cancelled(&self, ask: AskId, raw: &RawResponse) {
        // It may have ended just before, and waited for the mind to hear of it.
        let record = self.store.ask(&self.community, ask).await.ok().flatten();
        let Some(record) = record.filter(|record| record.outcome.is_none()) else {
            return;
        };
        let detail = "it was given up: nobody waited for the answer any more";
        let failure = AskFailure::new(AskFailureKind::Interrupted, detail);
        let started = AskSummary::of(&record);
        self.note_finished(started, &AskOutcome::Failed(failure), raw)
            .await;
    }

    fn publish(&self, summary: AskSummary) {
        self.live.publish(LiveEvent::Ask {
            ask: summary.ask,
            summary: Some(summary),
        });
    }
}
