//! A run begins: a conversation is due, what is known is looked up, and a model is asked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::{ModelOrOffline, ProviderOrInherit, Settings};
use vocabulary::{
    AskPurpose, ExtractionId, Gem, Moment, PersonId, Reach, RecallId, Record, RoomId, SessionId, Span,
    TurnKey, Viewpoint,
};

use super::fitting::fitted;
use super::prompt::{Extent, ExtractionBrief};
use super::run::{ExtractionRun, Stage};
use super::skips::{close_skips, note_skip};
use super::stream::Stream;
use super::streams::Streams;
use super::triggers::{ExtractionDecision, ExtractionTrigger};
use crate::effect::{Effect, RecallQuery, Wake, WakeReason};
use crate::input::Recollection;
use crate::journal::JournalEvent;
use crate::prompt::Profile;
use crate::reasons::{CancelReason, ExtractionDrop};
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, Owner, Question, cancel, launch};

/// How long memory may take to say what it knows already.
const LOOK_UP_DEADLINE: Span = Span::seconds(5);
/// Words of a batch that are looked up.
const LOOK_UP_CHARS: usize = 2_000;
/// After so many failures in a row gems are made without a model, where that is allowed.
pub(super) const FAILURES_BEFORE_FALLBACK: u32 = 3;
/// Known gems that the model is shown.
const KNOWN_GEMS_MAX: usize = 24;

/// Whether gems would be asked of the small model that writes the replies, which was not chosen for them: it takes minutes
/// over a handful of lines, and half of what it finds is a joke or a question turned into a fact. Patterns do better.
fn would_ask_small_model(step: &StepContext<'_>) -> bool {
    let memory = &step.settings.memory;
    let is_chosen = memory.provider != ProviderOrInherit::Inherit || !memory.model.is_empty();
    let profile = Profile::of(step.settings, step.outside.reply_model.as_ref());
    memory.extractor == ModelOrOffline::Auto && !is_chosen && profile.is_of_small_model()
}

/// Whoever knows the running summary of a room.
pub(crate) trait RunningSummaries {
    /// What stands in it now; empty for none.
    fn running_summary(&self, room: &RoomId, settings: &Settings) -> String;
}

/// Whoever makes gems of turns: at most one run at a time, for gems are not in a hurry, and a model is not free.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Extractor {
    pub(super) run: Option<ExtractionRun>,
    extraction: ExtractionId,
    pub(super) failures: u32,
    pub(super) resting_until: Option<Moment>,
    /// With all that helps to understand a batch it was too long for the model: it is shown alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) alone: bool,
}

impl Extractor {
    /// Looks at every conversation; the first that is due begins a run.
    pub fn advance(
        &mut self,
        streams: &mut Streams,
        rooms: &dyn RunningSummaries,
        step: &mut StepContext<'_>,
    ) {
        self.store_again(step);
        let now = step.moment();
        if self.resting_until.is_some_and(|until| until <= now) {
            self.resting_until = None;
        }
        let by_patterns = self.goes_by_patterns(step.settings);
        let resting = self.resting_until.is_some() && !by_patterns;
        let mut due = None;
        for (session, stream) in streams.each_mut() {
            let busy = self.run.is_some() || due.is_some();
            let news = std::mem::take(&mut stream.news);
            match stream.decide(now, busy, resting, &step.settings.memory) {
                ExtractionDecision::Wait(reason) if news => note_skip(stream, session, reason, step),
                ExtractionDecision::Wait(_) => {}
                ExtractionDecision::Extract { trigger, turns } => {
                    close_skips(stream, session, step);
                    stream.context_heeded |= trigger == ExtractionTrigger::Context;
                    due = Some(self.begin(session, stream, trigger, turns, step));
                }
            }
        }
        if let Some(mut run) = due {
            run.summary = streams.summary_for(&run.session, rooms, step);
            let without_model = by_patterns
                || step.settings.memory.extractor == ModelOrOffline::Offline
                || would_ask_small_model(step)
                || streams.is_small_talk(&run.session, &run.turns, step);
            match without_model {
                true => self.go_by_patterns(run, streams, step),
                false => self.look_up(run, streams, step),
            }
        }
    }

    /// Whether a model that fails is left alone and what comes meanwhile is read without it.
    fn goes_by_patterns(&self, settings: &Settings) -> bool {
        self.resting_until.is_some()
            && self.failures >= FAILURES_BEFORE_FALLBACK
            && settings.memory.extractor == ModelOrOffline::Auto
    }

    /// The conversation whose turns are being read.
    pub fn session(&self) -> Option<&SessionId> {
        self.run.as_ref().map(|run| &run.session)
    }

    /// A run over the oldest turns of a conversation.
    fn begin(
        &mut self,
        session: &SessionId,
        stream: &Stream,
        trigger: ExtractionTrigger,
        turns: usize,
        step: &mut StepContext<'_>,
    ) -> ExtractionRun {
        let oldest = stream.pending.iter().take(turns);
        let turns: Vec<TurnKey> = oldest.map(|turn| turn.id.clone()).collect();
        let extraction = self.extraction.take_next();
        let event = JournalEvent::MemoryExtractionStarted {
            extraction,
            session: session.clone(),
            reason: trigger,
            turns: turns.len(),
            waiting: stream.pending.len() - turns.len(),
            context_share: stream.context.map(|context| context.share()),
        };
        let cause = step.ledger.write(stream.scope(), event);
        ExtractionRun {
            extraction,
            session: session.clone(),
            turns,
            started: step.moment(),
            cause,
            ask: None,
            known: Vec::new(),
            summary: String::new(),
            heard: BTreeMap::new(),
            stage: Stage::LookingUp {
                recall: step.counters.recall.take_next(),
            },
        }
    }

    /// Asks memory what it knows already of what the turns are about.
    pub(super) fn look_up(&mut self, run: ExtractionRun, streams: &Streams, step: &mut StepContext<'_>) {
        let batch = streams.batch(&run.session, &run.turns).unwrap_or_default();
        let (Some(first), Stage::LookingUp { recall }) = (batch.first(), run.stage.clone()) else {
            return run.end(ExtractionDrop::TurnsGone, streams, step);
        };
        let place = &first.place;
        let words = batch.iter().flat_map(|turn| turn.text.chars().chain([' ']));
        let mut people: Vec<PersonId> = batch.iter().map(|turn| turn.speaker.id.clone()).collect();
        people.sort();
        people.dedup();
        let deadline = step.moment() + LOOK_UP_DEADLINE;
        let look_up = LookUp::Recall(recall);
        step.flights.expect(look_up, Owner::Memory, deadline);
        step.ledger.want(Effect::Recall(RecallQuery {
            recall,
            room: place.room.clone(),
            words: words.take(LOOK_UP_CHARS).collect(),
            exclude: Vec::new(),
            max_messages: 0,
            view: Viewpoint::Room {
                community: place.community.clone(),
                room: place.room.clone(),
                reach: Reach::Community,
                people: people.clone(),
            },
            people,
            max_facts: KNOWN_GEMS_MAX,
            gems_only: true,
            max_lasting: 0,
            min_confidence: 0.0,
            unjudged: true,
        }));
        self.run = Some(run);
    }

    pub fn recalled(
        &mut self,
        recall: RecallId,
        found: &Recollection,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let Some(mut run) = self.run.take_if(|run| run.looks_up(recall)) else {
            return;
        };
        let mut known: Vec<Gem> = Vec::new();
        let fitting = found.facts.iter().filter_map(|fact| match &fact.record {
            Record::Gem(gem) => Some(gem.as_ref()),
            Record::Turn(_) => None,
        });
        for gem in fitting.chain(&found.of_people) {
            if known.len() < KNOWN_GEMS_MAX && known.iter().all(|other| other.gem_id != gem.gem_id) {
                known.push(gem.clone());
            }
        }
        run.known = known;
        self.ask(run, streams, step);
    }

    /// Memory did not say what it knows in time: that is a help, not a need.
    pub fn recall_overdue(&mut self, recall: RecallId, streams: &Streams, step: &mut StepContext<'_>) {
        if let Some(run) = self.run.take_if(|run| run.looks_up(recall)) {
            self.ask(run, streams, step);
        }
    }

    pub(super) fn ask(&mut self, mut run: ExtractionRun, streams: &Streams, step: &mut StepContext<'_>) {
        let Some(mut batch) = streams.batch(&run.session, &run.turns) else {
            return run.end(ExtractionDrop::TurnsGone, streams, step);
        };
        let brief = ExtractionBrief {
            batch: &batch,
            settings: step.settings,
            now: step.now().wall,
            known: &run.known,
            summary: &run.summary,
            extent: Extent {
                alone: self.alone,
                ..Extent::whole(step.settings)
            },
        };
        let reads = step.reads_tokens(AskPurpose::GemExtraction);
        let Some((request, turns)) = fitted(&brief, reads) else {
            return self.unfit(run, reads.unwrap_or_default(), streams, step);
        };
        // The others stay, and are read next.
        batch.truncate(turns);
        run.turns.truncate(turns);
        run.hear(&batch);
        let scope = streams.scope_of(&run.session).because(Some(run.cause));
        let fare = match step.afford(&request, scope.clone()) {
            Ok(fare) => fare,
            Err(why) => return self.unpaid(run, &why, streams, step),
        };
        let room = batch
            .first()
            .map_or_else(|| RoomId::new(""), |turn| turn.place.room.clone());
        let question = Question {
            owner: Owner::Memory,
            scope,
            room,
            turn: None,
            fare,
            attempt: u64::from(self.failures) + 1,
            request,
        };
        run.ask = Some(launch(question, step).ask);
        run.stage = Stage::Asking {};
        self.run = Some(run);
    }

    /// Something is forgotten, and may be among what a run was told of. That is a help, not a need.
    pub fn forget_known(&mut self) {
        if let Some(run) = &mut self.run {
            run.known.clear();
            run.summary.clear();
        }
    }

    /// Some of the turns are gone: a run that reads any of them would bring them back.
    pub fn give_up(&mut self, dropped: &[TurnKey], streams: &Streams, step: &mut StepContext<'_>) {
        let reads = |run: &mut ExtractionRun| run.turns.iter().any(|turn| dropped.contains(turn));
        let Some(run) = self.run.take_if(reads) else {
            return;
        };
        let scope = streams.scope_of(&run.session).because(Some(run.cause));
        match (&run.stage, run.ask) {
            (Stage::LookingUp { recall }, _) => drop(step.flights.found(LookUp::Recall(*recall))),
            (Stage::Asking { .. }, Some(ask)) => drop(cancel(ask, CancelReason::Forgotten, scope, step)),
            _ => {}
        }
        run.end(ExtractionDrop::TurnsGone, streams, step);
    }

    pub fn next_wake(&self, streams: &Streams, settings: &Settings) -> Option<Wake> {
        let wake = |reason| move |at| Wake { at, reason };
        match &self.run {
            Some(ExtractionRun {
                stage: Stage::Storing { again_at, .. },
                ..
            }) => again_at.map(wake(WakeReason::MemoryRetry)),
            Some(_) => None,
            // After a run has failed, idleness is looked at when the rest is over.
            None => match self
                .resting_until
                .filter(|_| streams.anything_waits() && !self.goes_by_patterns(settings))
            {
                Some(at) => Some(wake(WakeReason::MemoryRetry)(at)),
                None => streams
                    .idle_at(&settings.memory)
                    .map(wake(WakeReason::ConversationIdle)),
            },
        }
    }
}
