//! A run: turns become gems. It begins on a trigger, asks a model or goes by patterns, and ends when the gems are stored.

use std::collections::BTreeMap;

use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, CapturedTurn, Gem, ModelAnswer, PersonId, Reach, RecallId,
    Record, RoomId, SessionId, Span, Viewpoint,
};

use super::gems::offline;
use super::gems::reading::{Reading, ReadingContext, read_gems};
use super::state::{Memory, Run, Stage};
use super::stream::Stream;
use super::triggers::{ExtractionDecision, ExtractionSkip, ExtractionTrigger};
use crate::desk::Desk;
use crate::effect::{Asking, Effect, Gathering, RecallQuery};
use crate::input::{Recollection, StoringOutcome};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::memory::{ExtractionBrief, extraction_request};

/// The shell gives up an ask at its deadline; the mind does so a little later, in case the shell does not.
const DEADLINE_GRACE: Span = Span::seconds(5);
/// How long memory may take to say what it knows already.
const LOOK_UP_DEADLINE: Span = Span::seconds(5);
/// Words of a batch that are looked up.
const LOOK_UP_CHARS: usize = 2_000;
/// Known gems that the model is shown.
const KNOWN_GEMS_MAX: usize = 24;
/// After so many failures in a row gems are made without a model, where that is allowed.
const FAILURES_BEFORE_FALLBACK: u32 = 3;
/// The first wait after a failure; it doubles.
const FIRST_REST: Span = Span::seconds(30);
/// The same after gems could not be stored, which costs nothing to try.
const FIRST_STORE_REST: Span = Span::seconds(2);
const LONGEST_REST: Span = Span::minutes(15);
/// History is halved so often before a model is taken to be unable to read the batch itself.
const HISTORY_DIVISOR_MAX: usize = 64;

impl Memory {
    /// Looks at every conversation; the first that is due begins a run.
    pub fn advance(&mut self, desk: &mut Desk<'_>) {
        self.advance_run(desk);
        if self.resting_until.is_some_and(|until| until <= desk.moment()) {
            self.resting_until = None;
        }
        let sessions: Vec<SessionId> = self.streams.keys().cloned().collect();
        for session in sessions {
            self.consider(&session, desk);
        }
        self.prune();
    }

    fn consider(&mut self, session: &SessionId, desk: &mut Desk<'_>) {
        let now = desk.moment();
        let resting = self.resting_until.is_some_and(|until| until > now);
        let Some(stream) = self.streams.get_mut(session) else {
            return;
        };
        let news = std::mem::take(&mut stream.news);
        match stream.decide(now, self.run.is_some(), resting, &desk.settings.memory) {
            ExtractionDecision::Wait(reason) if news => note_skip(stream, session, reason, desk),
            ExtractionDecision::Wait(_) => {}
            ExtractionDecision::Extract { trigger, turns } => {
                close_skips(stream, session, desk);
                if trigger == ExtractionTrigger::Context {
                    stream.context_heeded = true;
                }
                let turns = stream
                    .pending
                    .iter()
                    .take(turns)
                    .map(|turn| turn.id.clone())
                    .collect();
                self.begin(session.clone(), trigger, turns, desk);
            }
        }
    }

    fn begin(
        &mut self,
        session: SessionId,
        trigger: ExtractionTrigger,
        turns: Vec<vocabulary::TurnKey>,
        desk: &mut Desk<'_>,
    ) {
        let Some(stream) = self.streams.get(&session) else {
            return;
        };
        let extraction = self.extraction.take_next();
        let event = JournalEvent::MemoryExtractionStarted {
            extraction,
            session: session.clone(),
            reason: trigger,
            turns: turns.len(),
            waiting: stream.pending.len() - turns.len(),
            context_share: stream.context.map(|context| context.share()),
        };
        desk.ledger.note(scope(stream), event);
        let run = Run {
            extraction,
            session,
            trigger,
            turns,
            started: desk.moment(),
            ask: None,
            known: Vec::new(),
            stage: Stage::LookingUp {
                recall: desk.counters.recall.take_next(),
                deadline: desk.moment() + LOOK_UP_DEADLINE,
            },
        };
        if desk.settings.memory.extractor == "offline" {
            return self.go_by_patterns(run, desk);
        }
        self.look_up(run, desk);
    }

    /// Asks memory what it knows already of what the turns are about.
    fn look_up(&mut self, run: Run, desk: &mut Desk<'_>) {
        let (Some(batch), Stage::LookingUp { recall, .. }) = (self.batch(&run), &run.stage) else {
            return self.let_go(run);
        };
        let words = batch.iter().flat_map(|turn| turn.text.chars().chain([' ']));
        let mut people: Vec<PersonId> = batch.iter().map(|turn| turn.speaker.id.clone()).collect();
        people.sort();
        people.dedup();
        let Some(place) = batch.first().map(|turn| &turn.place) else {
            return self.let_go(run);
        };
        desk.ledger.want(Effect::Recall(RecallQuery {
            recall: *recall,
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
        }));
        self.run = Some(run);
    }

    pub fn recalled(&mut self, recall: RecallId, found: &Recollection, desk: &mut Desk<'_>) {
        let waits =
            |run: &mut Run| matches!(run.stage, Stage::LookingUp { recall: open, .. } if open == recall);
        let Some(mut run) = self.run.take_if(waits) else {
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
        self.ask(run, 1, desk);
    }

    fn ask(&mut self, mut run: Run, history_divisor: usize, desk: &mut Desk<'_>) {
        let Some(batch) = self.batch(&run) else {
            return self.let_go(run);
        };
        let request = extraction_request(&ExtractionBrief {
            batch: &batch,
            settings: desk.settings,
            now: desk.now().wall,
            known: &run.known,
            history_divisor,
        });
        let ask = desk.counters.ask.take_next();
        let room = batch
            .first()
            .map_or_else(|| RoomId::new(""), |turn| turn.place.room.clone());
        let deadline = desk.moment() + request.deadline + DEADLINE_GRACE;
        desk.ledger.want(Effect::Ask(Box::new(Asking {
            ask,
            room,
            turn: desk.counters.turn,
            request,
        })));
        run.ask = Some(ask);
        run.stage = Stage::Asking {
            deadline,
            history_divisor,
        };
        self.run = Some(run);
    }

    pub fn ask_ended(&mut self, outcome: AskOutcome, desk: &mut Desk<'_>) {
        let Some(run) = self.run.take() else { return };
        match outcome {
            AskOutcome::Answered(answer) => self.answered(run, &answer, desk),
            AskOutcome::Failed(failure) => self.ask_failed(run, failure, desk),
        }
    }

    fn answered(&mut self, run: Run, answer: &ModelAnswer, desk: &mut Desk<'_>) {
        let Some(batch) = self.batch(&run) else {
            return self.let_go(run);
        };
        let mut around: Vec<String> = run.known.iter().map(|gem| gem.content.clone()).collect();
        around.push(desk.settings.identity.name.clone());
        let reading = read_gems(
            &answer.text,
            &ReadingContext {
                batch: &batch,
                by: &answer.model,
                now: desk.now().wall,
                around: &around,
            },
        );
        if reading.is_unreadable() {
            let detail = "the answer holds no list of gems";
            return self.ask_failed(run, AskFailure::new(AskFailureKind::Malformed, detail), desk);
        }
        self.gathered(run, reading, answer.model.clone(), desk);
    }

    /// No answer came: the batch stays, and is tried again later or made into gems without a model.
    fn ask_failed(&mut self, run: Run, failure: AskFailure, desk: &mut Desk<'_>) {
        if let (AskFailureKind::ContextTooLong, Stage::Asking { history_divisor, .. }) =
            (failure.kind, &run.stage)
            && *history_divisor < HISTORY_DIVISOR_MAX
        {
            let divisor = history_divisor * 2;
            return self.ask(run, divisor, desk);
        }
        let interrupted = failure.kind == AskFailureKind::Interrupted;
        // That the process ended says nothing about the model.
        self.failures += u32::from(!interrupted);
        let unavailable = failure.kind == AskFailureKind::Unavailable;
        let may_fall_back = desk.settings.memory.extractor == "auto";
        let falls_back = may_fall_back && (unavailable || self.failures >= FAILURES_BEFORE_FALLBACK);
        let rest = if interrupted {
            Span::ZERO
        } else {
            rest(FIRST_REST, self.failures, failure.retry_after)
        };
        let event = JournalEvent::MemoryExtractionFailed {
            extraction: run.extraction,
            session: run.session.clone(),
            ask: run.ask,
            error: failure.kind,
            detail: failure.detail,
            turns: run.turns.len(),
            retry_in: (!falls_back).then_some(rest),
            falls_back,
        };
        desk.ledger.note(self.scope_of(&run), event);
        if falls_back {
            return self.go_by_patterns(run, desk);
        }
        self.resting_until = Some(desk.moment() + rest);
    }

    fn go_by_patterns(&mut self, run: Run, desk: &mut Desk<'_>) {
        let Some(batch) = self.batch(&run) else {
            return self.let_go(run);
        };
        let reading = offline::extract(&batch, desk.now().wall);
        self.gathered(run, reading, "offline".to_owned(), desk);
    }

    fn gathered(&mut self, mut run: Run, reading: Reading, by: String, desk: &mut Desk<'_>) {
        let mut rejected: BTreeMap<String, usize> = BTreeMap::new();
        for rejection in &reading.rejected {
            *rejected.entry(rejection.reason.name().to_owned()).or_default() += 1;
        }
        let event = JournalEvent::MemoryExtractionCompleted {
            extraction: run.extraction,
            session: run.session.clone(),
            ask: run.ask,
            by,
            gems: reading.gems.len(),
            rejected,
            took: desk.moment().since(run.started),
        };
        desk.ledger.note(self.scope_of(&run), event);
        self.failures = 0;
        self.resting_until = None;
        run.stage = Stage::Storing {
            gems: reading.gems,
            again_at: None,
            failures: 0,
        };
        self.store(run, desk);
    }

    /// Hands the gems to the store. With none at all the turns still have to leave the buffer.
    fn store(&mut self, mut run: Run, desk: &mut Desk<'_>) {
        if let Stage::Storing { gems, again_at, .. } = &mut run.stage {
            *again_at = None;
            desk.ledger.want(Effect::StoreGems(Box::new(Gathering {
                extraction: run.extraction,
                session: run.session.clone(),
                turns: run.turns.clone(),
                gems: gems.clone(),
            })));
        }
        self.run = Some(run);
    }

    pub fn gems_stored(
        &mut self,
        extraction: vocabulary::ExtractionId,
        outcome: StoringOutcome,
        desk: &mut Desk<'_>,
    ) {
        let storing =
            |run: &mut Run| run.extraction == extraction && matches!(run.stage, Stage::Storing { .. });
        let Some(mut run) = self.run.take_if(storing) else {
            return;
        };
        let scope = self.scope_of(&run);
        match outcome {
            StoringOutcome::Stored(stored) => {
                let event = JournalEvent::MemoryGemsStored {
                    extraction,
                    session: run.session.clone(),
                    added: stored.added,
                    strengthened: stored.strengthened,
                    superseded: stored.superseded,
                    already_there: stored.already_there,
                    turns: run.turns.len(),
                    took: desk.moment().since(run.started),
                };
                desk.ledger.note(scope, event);
                if let Some(stream) = self.streams.get_mut(&run.session) {
                    stream.forget(&run.turns);
                }
            }
            StoringOutcome::Failed { detail } => {
                let Stage::Storing {
                    again_at, failures, ..
                } = &mut run.stage
                else {
                    return;
                };
                *failures += 1;
                let wait = rest(FIRST_STORE_REST, *failures, None);
                *again_at = Some(desk.moment() + wait);
                let event = JournalEvent::MemoryStoringFailed {
                    extraction,
                    session: run.session.clone(),
                    detail,
                    retry_in: wait,
                };
                desk.ledger.note(scope, event);
                self.run = Some(run);
            }
        }
    }

    fn advance_run(&mut self, desk: &mut Desk<'_>) {
        let now = desk.moment();
        let due = |run: &mut Run| match &run.stage {
            Stage::LookingUp { deadline, .. } => *deadline <= now,
            Stage::Asking { deadline, .. } => *deadline <= now,
            Stage::Storing { again_at, .. } => again_at.is_some_and(|at| at <= now),
        };
        let Some(run) = self.run.take_if(due) else { return };
        match (&run.stage, run.ask) {
            (Stage::Asking { .. }, Some(ask)) => {
                desk.ledger.want(Effect::CancelAsk { ask });
                let failure = AskFailure::new(AskFailureKind::TimedOut, "no gems within their time");
                self.ask_failed(run, failure, desk);
            }
            // What is known already is a help, not a need.
            (Stage::LookingUp { .. } | Stage::Asking { .. }, _) => self.ask(run, 1, desk),
            (Stage::Storing { .. }, _) => self.store(run, desk),
        }
    }

    /// The process is back: an ask is lost, and what was gathered is handed to the store once more.
    pub fn restarted(&mut self, desk: &mut Desk<'_>) {
        let Some(run) = self.run.take() else { return };
        match run.stage {
            Stage::LookingUp { .. } => self.look_up(run, desk),
            Stage::Asking { .. } => {
                let failure = AskFailure::new(AskFailureKind::Interrupted, "the process ended meanwhile");
                self.ask_failed(run, failure, desk);
            }
            Stage::Storing { .. } => self.store(run, desk),
        }
    }

    /// The turns of a run that are still wanted; none when all of them were forgotten meanwhile.
    fn batch(&self, run: &Run) -> Option<Vec<CapturedTurn>> {
        let stream = self.streams.get(&run.session)?;
        let turns = stream.pending.iter().filter(|turn| run.turns.contains(&turn.id));
        let batch: Vec<CapturedTurn> = turns.cloned().collect();
        (!batch.is_empty()).then_some(batch)
    }

    /// A run about nothing any more.
    fn let_go(&mut self, run: Run) {
        drop(run);
        self.run = None;
    }

    fn scope_of(&self, run: &Run) -> Scope {
        self.streams.get(&run.session).map_or_else(Scope::default, scope)
    }
}

fn scope(stream: &Stream) -> Scope {
    Scope::room(&stream.place.room)
}

fn rest(first: Span, failures: u32, asked_for: Option<Span>) -> Span {
    let doubled = Span(first.0 << failures.saturating_sub(1).min(10));
    doubled.max(asked_for.unwrap_or_default()).min(LONGEST_REST)
}

/// Says why no gems are made, once for equal answers in a row. That nothing waits is no news.
fn note_skip(stream: &mut Stream, session: &SessionId, reason: ExtractionSkip, desk: &mut Desk<'_>) {
    if reason == ExtractionSkip::NothingPending {
        return close_skips(stream, session, desk);
    }
    match &mut stream.skipped {
        Some((last, repeated)) if *last == reason => *repeated += 1,
        _ => {
            close_skips(stream, session, desk);
            stream.skipped = Some((reason, 0));
            write_skip(stream, session, reason, 0, desk);
        }
    }
}

/// Says how often the last answer was given again before something else happened.
fn close_skips(stream: &mut Stream, session: &SessionId, desk: &mut Desk<'_>) {
    if let Some((reason, repeated)) = stream.skipped.take()
        && repeated > 0
    {
        write_skip(stream, session, reason, repeated, desk);
    }
}

fn write_skip(
    stream: &Stream,
    session: &SessionId,
    reason: ExtractionSkip,
    repeated: u64,
    desk: &mut Desk<'_>,
) {
    let event = JournalEvent::MemoryExtractionSkipped {
        session: session.clone(),
        reason,
        pending: stream.pending.len(),
        repeated,
    };
    desk.ledger.note(scope(stream), event);
}
