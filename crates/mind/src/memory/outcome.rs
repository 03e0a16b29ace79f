//! How a run goes on and ends: the answer is read or patterns are used, the gems are stored, and whatever fails is tried again.

use std::collections::BTreeMap;

use gist::Gathered;
use gist::gems::offline;
use gist::gems::reading::{Reading, ReadingContext, read_gems};
use gist::gems::rejection::RejectReason;
use settings::ModelOrOffline;
use vocabulary::{AskFailure, AskFailureKind, AskOutcome, ModelAnswer, Span};

use super::extraction::{Extractor, FAILURES_BEFORE_FALLBACK};
use super::run::{ExtractionRun, Stage};
use super::streams::Streams;
use crate::effect::{Effect, Gathering};
use crate::input::StoringOutcome;
use crate::journal::JournalEvent;
use crate::reasons::ExtractionDrop;
use crate::step_context::StepContext;
use crate::step_context::flight::Flight;
use crate::step_context::paying::Unaffordable;

/// The first wait after a failure; it doubles.
const FIRST_REST: Span = Span::seconds(30);
/// The same after gems could not be stored, which costs nothing to try.
const FIRST_STORE_REST: Span = Span::seconds(2);
const LONGEST_REST: Span = Span::minutes(15);
/// A store that has not said by then whether it has the gems is given them again.
const STORE_DEADLINE: Span = Span::minutes(10);
/// Who makes gems without a model.
const PATTERNS: &str = "offline";

impl Extractor {
    pub fn ask_ended(
        &mut self,
        flight: &Flight,
        outcome: AskOutcome,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let Some(run) = self.run.take_if(|run| run.asks(flight.ask)) else {
            flight.closed(&outcome, step);
            return;
        };
        match outcome {
            AskOutcome::Answered(answer) => {
                flight.completed(&answer, step);
                self.answered(run, &answer, streams, step);
            }
            AskOutcome::Failed(failure) => self.ask_failed(run, flight, failure, streams, step),
        }
    }

    fn answered(
        &mut self,
        run: ExtractionRun,
        answer: &ModelAnswer,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let Some(batch) = streams.batch(&run.session, &run.turns) else {
            return run.end(ExtractionDrop::TurnsGone, streams, step);
        };
        let mut around: Vec<String> = run.known.iter().map(|gem| gem.content.clone()).collect();
        around.push(step.settings.identity.name.clone());
        let reading = read_gems(
            &answer.text,
            &ReadingContext {
                batch: &batch,
                by: &answer.model,
                now: step.now().wall,
                around: &around,
            },
        );
        if reading.is_unreadable() {
            let detail = "the answer holds no list of gems";
            return self.failed(
                run,
                None,
                AskFailure::new(AskFailureKind::Malformed, detail),
                streams,
                step,
            );
        }
        self.gathered(run, reading, answer.model.clone(), streams, step);
    }

    /// No answer came: with less to read it may.
    fn ask_failed(
        &mut self,
        run: ExtractionRun,
        flight: &Flight,
        failure: AskFailure,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let is_too_long = failure.kind == AskFailureKind::ContextTooLong;
        // The same words are not sent again.
        let may_be_shorter = !self.alone && streams.has_more_than_turns(&run);
        self.alone |= is_too_long;
        if is_too_long && may_be_shorter {
            flight.failed(&failure, Some(Span::ZERO), step);
            return self.ask(run, streams, step);
        }
        self.failed(run, Some(flight), failure, streams, step);
    }

    /// Nothing came of a question: the batch stays, and is tried again later or made into gems without a model.
    fn failed(
        &mut self,
        run: ExtractionRun,
        flight: Option<&Flight>,
        failure: AskFailure,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let interrupted = failure.kind == AskFailureKind::Interrupted;
        // That the process ended says nothing about the model.
        self.failures += u32::from(!interrupted);
        let unavailable = failure.kind == AskFailureKind::Unavailable;
        let may_fall_back = step.settings.memory.extractor == ModelOrOffline::Auto;
        // To ask the same a little later only helps where it may have passed by then.
        let in_vain = !failure.kind.is_retryable() || self.failures >= FAILURES_BEFORE_FALLBACK;
        let falls_back = may_fall_back && in_vain;
        let rest = if interrupted {
            Span::ZERO
        } else {
            rest(FIRST_REST, self.failures, failure.retry_after)
        };
        let retry_in = (!falls_back).then_some(rest);
        if let Some(flight) = flight {
            flight.failed(&failure, retry_in, step);
        }
        let event = JournalEvent::MemoryExtractionFailed {
            extraction: run.extraction,
            session: run.session.clone(),
            ask: run.ask,
            error: failure.kind,
            detail: failure.detail,
            turns: run.turns.len(),
            retry_in,
            falls_back,
        };
        step.ledger.write(streams.scope_of(&run.session), event);
        if falls_back {
            self.go_by_patterns(run, streams, step);
        }
        // Where nothing can be asked there is nobody to be left alone.
        let is_unfit = failure.kind == AskFailureKind::ContextTooLong && flight.is_none();
        if !(falls_back && (unavailable || is_unfit)) {
            self.resting_until = Some(step.moment() + rest);
        }
    }

    /// Not one turn fits what the model reads: it is not asked.
    pub(super) fn unfit(
        &mut self,
        run: ExtractionRun,
        reads: u64,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let detail = format!(
            "the model reads {reads} tokens, which is too little for a question about memories. Give it a larger window, or choose another with memory.provider and memory.model"
        );
        let failure = AskFailure::new(AskFailureKind::ContextTooLong, detail);
        self.failed(run, None, failure, streams, step);
    }

    /// A model may not be asked now: patterns do, or the batch waits.
    pub(super) fn unpaid(
        &mut self,
        run: ExtractionRun,
        why: &Unaffordable,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let falls_back = step.settings.memory.extractor == ModelOrOffline::Auto;
        let (now, until) = (step.moment(), why.until());
        let event = JournalEvent::MemoryExtractionFailed {
            extraction: run.extraction,
            session: run.session.clone(),
            ask: None,
            error: why.kind(),
            detail: why.words(now),
            turns: run.turns.len(),
            retry_in: (!falls_back).then(|| until.since(now)),
            falls_back,
        };
        step.ledger.write(streams.scope_of(&run.session), event);
        match falls_back {
            true => self.go_by_patterns(run, streams, step),
            false => self.resting_until = Some(until),
        }
    }

    pub(super) fn go_by_patterns(
        &mut self,
        mut run: ExtractionRun,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let Some(batch) = streams.batch(&run.session, &run.turns) else {
            return run.end(ExtractionDrop::TurnsGone, streams, step);
        };
        run.hear(&batch);
        let reading = offline::extract(&batch, step.now().wall, &step.settings.identity.names());
        self.gathered(run, reading, PATTERNS.to_owned(), streams, step);
    }

    fn gathered(
        &mut self,
        mut run: ExtractionRun,
        mut reading: Reading,
        by: String,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) {
        let mut rejected: BTreeMap<String, usize> = BTreeMap::new();
        for rejection in &reading.rejected {
            *rejected.entry(rejection.reason.name().to_owned()).or_default() += 1;
        }
        let changed = streams.changed_since(&run);
        let offered = reading.gems.len();
        let is_stale = |gathered: &Gathered| {
            gathered
                .gem
                .source
                .turns
                .iter()
                .any(|turn| changed.contains(turn))
        };
        reading.gems.retain(|gathered| !is_stale(gathered));
        if reading.gems.len() < offered {
            let reason = RejectReason::WordsChanged.name().to_owned();
            rejected.insert(reason, offered - reading.gems.len());
        }
        let event = JournalEvent::MemoryExtractionCompleted {
            extraction: run.extraction,
            session: run.session.clone(),
            ask: run.ask,
            by: by.clone(),
            gems: reading.gems.len(),
            rejected,
            took: step.took(run.started),
        };
        step.ledger.write(streams.scope_of(&run.session), event);
        // Patterns say nothing about whether a model that fails has come back.
        if run.ask.is_some() && by != PATTERNS {
            self.failures = 0;
            self.resting_until = None;
        }
        // What reads otherwise by now stays, and is read again.
        run.turns.retain(|turn| !changed.contains(turn));
        if run.turns.is_empty() {
            run.turns = changed;
            return run.end(ExtractionDrop::WordsChanged, streams, step);
        }
        run.stage = Stage::Storing {
            gems: reading.gems,
            again_at: None,
            failures: 0,
        };
        self.store(run, step);
    }

    /// Hands the gems to the store. With none at all the turns still have to leave the buffer.
    fn store(&mut self, mut run: ExtractionRun, step: &mut StepContext<'_>) {
        if let Stage::Storing { gems, again_at, .. } = &mut run.stage {
            // Should its word be lost, it is asked again; to store a gem twice does no harm.
            *again_at = Some(step.moment() + STORE_DEADLINE);
            step.ledger.want(Effect::StoreGems(Box::new(Gathering {
                extraction: run.extraction,
                session: run.session.clone(),
                turns: run.turns.clone(),
                gems: gems.clone(),
                heard: run.heard.clone(),
            })));
        }
        self.run = Some(run);
    }

    /// What came of storing; the run, where it is done.
    pub fn gems_stored(
        &mut self,
        extraction: vocabulary::ExtractionId,
        outcome: StoringOutcome,
        streams: &Streams,
        step: &mut StepContext<'_>,
    ) -> Option<ExtractionRun> {
        let storing = |run: &mut ExtractionRun| {
            run.extraction == extraction && matches!(run.stage, Stage::Storing { .. })
        };
        let mut run = self.run.take_if(storing)?;
        let scope = streams.scope_of(&run.session);
        match outcome {
            StoringOutcome::Stored(stored) => {
                let event = JournalEvent::MemoryGemsStored {
                    extraction,
                    session: run.session.clone(),
                    added: stored.added,
                    strengthened: stored.strengthened,
                    superseded: stored.superseded,
                    already_there: stored.already_there,
                    changed: Some(stored.changed).filter(|changed| *changed > 0),
                    turns: run.turns.len(),
                    took: step.took(run.started),
                };
                step.ledger.write(scope, event);
                Some(run)
            }
            StoringOutcome::Failed { detail } => {
                let Stage::Storing {
                    again_at, failures, ..
                } = &mut run.stage
                else {
                    return None;
                };
                *failures += 1;
                let wait = rest(FIRST_STORE_REST, *failures, None);
                *again_at = Some(step.moment() + wait);
                let event = JournalEvent::MemoryStoringFailed {
                    extraction,
                    session: run.session.clone(),
                    detail,
                    retry_in: wait,
                };
                step.ledger.write(scope, event);
                self.run = Some(run);
                None
            }
        }
    }

    /// Hands gems to the store once more when it is time.
    pub(super) fn store_again(&mut self, step: &mut StepContext<'_>) {
        let now = step.moment();
        let due = |run: &mut ExtractionRun| matches!(run.stage, Stage::Storing { again_at: Some(at), .. } if at <= now);
        if let Some(run) = self.run.take_if(due) {
            self.store(run, step);
        }
    }

    /// The process is back: what is known is looked up again, and what was gathered is handed to the store once more.
    pub fn restarted(&mut self, streams: &Streams, step: &mut StepContext<'_>) {
        // What it reads by may be another one by now.
        self.alone = false;
        let Some(run) = self.run.take() else { return };
        match run.stage {
            Stage::LookingUp { .. } => self.look_up(run, streams, step),
            Stage::Asking { .. } => self.run = Some(run),
            Stage::Storing { .. } => self.store(run, step),
        }
    }

    /// After a restart: a run whose question a state that was not read whole has lost is given up; its turns still wait.
    pub fn let_go_of_lost_run(&mut self, streams: &Streams, step: &mut StepContext<'_>) {
        let is_lost = |run: &mut ExtractionRun| {
            let asking = run.ask.filter(|_| matches!(run.stage, Stage::Asking { .. }));
            asking.is_some_and(|ask| step.flights.owner(ask).is_none())
        };
        if let Some(run) = self.run.take_if(is_lost) {
            run.end(ExtractionDrop::QuestionLost, streams, step);
        }
    }
}

fn rest(first: Span, failures: u32, asked_for: Option<Span>) -> Span {
    let doubled = Span(first.0 << failures.saturating_sub(1).min(10));
    doubled.max(asked_for.unwrap_or_default()).min(LONGEST_REST)
}
