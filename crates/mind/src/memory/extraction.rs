//! A run begins: a conversation is due, what is known is looked up, and a model is asked.

use settings::ModelOrOffline;
use vocabulary::{CapturedTurn, Gem, PersonId, Reach, RecallId, Record, RoomId, SessionId, Span, Viewpoint};

use super::prompt::{ExtractionBrief, extraction_request};
use super::skips::{close_skips, note_skip};
use super::state::{Memory, Run, Stage};
use super::stream::Stream;
use super::triggers::{ExtractionDecision, ExtractionTrigger};
use crate::effect::{Effect, RecallQuery};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, Owner, Question, launch};

/// How long memory may take to say what it knows already.
const LOOK_UP_DEADLINE: Span = Span::seconds(5);
/// Words of a batch that are looked up.
const LOOK_UP_CHARS: usize = 2_000;
/// Known gems that the model is shown.
const KNOWN_GEMS_MAX: usize = 24;

impl Memory {
    /// Looks at every conversation; the first that is due begins a run.
    pub fn advance(&mut self, step: &mut StepContext<'_>) {
        self.advance_run(step);
        if self.resting_until.is_some_and(|until| until <= step.moment()) {
            self.resting_until = None;
        }
        let sessions: Vec<SessionId> = self.streams.keys().cloned().collect();
        for session in sessions {
            self.consider(&session, step);
        }
        self.prune();
    }

    fn consider(&mut self, session: &SessionId, step: &mut StepContext<'_>) {
        let now = step.moment();
        let resting = self.resting_until.is_some_and(|until| until > now);
        let Some(stream) = self.streams.get_mut(session) else {
            return;
        };
        let news = std::mem::take(&mut stream.news);
        match stream.decide(now, self.run.is_some(), resting, &step.settings.memory) {
            ExtractionDecision::Wait(reason) if news => note_skip(stream, session, reason, step),
            ExtractionDecision::Wait(_) => {}
            ExtractionDecision::Extract { trigger, turns } => {
                close_skips(stream, session, step);
                if trigger == ExtractionTrigger::Context {
                    stream.context_heeded = true;
                }
                let turns = stream
                    .pending
                    .iter()
                    .take(turns)
                    .map(|turn| turn.id.clone())
                    .collect();
                self.begin(session.clone(), trigger, turns, step);
            }
        }
    }

    fn begin(
        &mut self,
        session: SessionId,
        trigger: ExtractionTrigger,
        turns: Vec<vocabulary::TurnKey>,
        step: &mut StepContext<'_>,
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
        let cause = step.ledger.write(scope(stream), event);
        let run = Run {
            extraction,
            session,
            turns,
            started: step.moment(),
            cause,
            ask: None,
            known: Vec::new(),
            stage: Stage::LookingUp {
                recall: step.counters.recall.take_next(),
            },
        };
        if step.settings.memory.extractor == ModelOrOffline::Offline {
            return self.go_by_patterns(run, step);
        }
        self.look_up(run, step);
    }

    /// Asks memory what it knows already of what the turns are about.
    pub(super) fn look_up(&mut self, run: Run, step: &mut StepContext<'_>) {
        let (Some(batch), Stage::LookingUp { recall }) = (self.batch(&run), &run.stage) else {
            return;
        };
        let words = batch.iter().flat_map(|turn| turn.text.chars().chain([' ']));
        let mut people: Vec<PersonId> = batch.iter().map(|turn| turn.speaker.id.clone()).collect();
        people.sort();
        people.dedup();
        let Some(place) = batch.first().map(|turn| &turn.place) else {
            return;
        };
        let deadline = step.moment() + LOOK_UP_DEADLINE;
        let look_up = LookUp::Recall(*recall);
        step.flights.expect(look_up, Owner::Memory, deadline);
        step.ledger.want(Effect::Recall(RecallQuery {
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

    pub fn recalled(&mut self, recall: RecallId, found: &Recollection, step: &mut StepContext<'_>) {
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
        self.ask(run, 1, step);
    }

    /// Memory did not say what it knows in time: that is a help, not a need.
    pub fn recall_overdue(&mut self, recall: RecallId, step: &mut StepContext<'_>) {
        if let Some(run) = self.run.take_if(|run| run.looks_up(recall)) {
            self.ask(run, 1, step);
        }
    }

    pub(super) fn ask(&mut self, mut run: Run, history_divisor: usize, step: &mut StepContext<'_>) {
        let Some(batch) = self.batch(&run) else {
            return;
        };
        let request = extraction_request(&ExtractionBrief {
            batch: &batch,
            settings: step.settings,
            now: step.now().wall,
            known: &run.known,
            history_divisor,
        });
        let room = batch
            .first()
            .map_or_else(|| RoomId::new(""), |turn| turn.place.room.clone());
        let question = Question {
            owner: Owner::Memory,
            scope: self.scope_of(&run).because(Some(run.cause)),
            room,
            turn: step.counters.turn,
            attempt: u64::from(self.failures) + 1,
            request,
        };
        run.ask = Some(launch(question, step).ask);
        run.stage = Stage::Asking { history_divisor };
        self.run = Some(run);
    }

    /// The turns of a run that are still wanted; none when all of them were forgotten meanwhile.
    pub(super) fn batch(&self, run: &Run) -> Option<Vec<CapturedTurn>> {
        let stream = self.streams.get(&run.session)?;
        let turns = stream.pending.iter().filter(|turn| run.turns.contains(&turn.id));
        let batch: Vec<CapturedTurn> = turns.cloned().collect();
        (!batch.is_empty()).then_some(batch)
    }

    pub(super) fn scope_of(&self, run: &Run) -> Scope {
        self.streams.get(&run.session).map_or_else(Scope::default, scope)
    }
}

pub(super) fn scope(stream: &Stream) -> Scope {
    Scope::room(&stream.place.room)
}
