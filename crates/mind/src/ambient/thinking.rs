//! A run looks around, asks a model what it is thinking, as far as the budget takes it, and follows it through its
//! look-ups: every call is answered, then it is asked again.

use vocabulary::text::counted;
use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, FeedHarvest, ModelAnswer, Span, ToolResult, ToolRunId,
};

use super::curating::Curation;
use super::gathering::{candidates, interests_of, query, recent_words, viewpoint};
use super::moment::passed_for_asking;
use super::question::{self, tool_budget};
use super::run::{Next, Run, RunContext, Stage};
use super::sources;
use super::view::RunStepKind;
use crate::asking;
use crate::effect::{Effect, Gather};
use crate::input::Recollection;
use crate::journal::JournalEvent;
use crate::prompt::thought_tools;
use crate::reasons::InitiativeSkip;
use crate::spending::Reservation;
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, Launched, LookUp, Owner, Question, launch};
use crate::tool_loop::Workplace;

/// How long it looks around, at most.
const GATHER_DEADLINE: Span = Span::seconds(12);
/// A prompt is made smaller at most this often because a model says it is too long.
const BUDGET_DIVISOR_MAX: usize = 8;

impl Run {
    /// Wants the feed read and memory searched, where there is something to read and to search for.
    pub fn look_around(&mut self, context: &mut RunContext<'_>, step: &mut StepContext<'_>) -> Next {
        let own = context.books.sources.own_ones();
        let wish = sources::wish(step.settings, &own, step.now().wall);
        let deadline = step.moment() + GATHER_DEADLINE;
        let gather = (!wish.sources.is_empty()).then(|| {
            let gather = step.counters.gather.take_next();
            step.flights
                .expect(LookUp::Gather(gather), Owner::Ambient, deadline);
            step.ledger.want(Effect::GatherSurroundings(Box::new(Gather {
                gather,
                wish,
                deadline: GATHER_DEADLINE,
            })));
            gather
        });
        let words = recent_words(&self.pool, context.rooms, step.settings);
        // Standing wishes hold also where nobody has said anything yet.
        let recall = step.settings.memory.enabled.then(|| {
            let recall = step.counters.recall.take_next();
            step.flights
                .expect(LookUp::Recall(recall), Owner::Ambient, deadline);
            step.ledger.want(Effect::Recall(query(self, recall, words, step)));
            recall
        });
        self.stage = Stage::Gathering { gather, recall };
        self.go_on_when_gathered(context, step)
    }

    /// The feed was read.
    pub fn harvested(
        &mut self,
        found: FeedHarvest,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        if let Stage::Gathering { gather, .. } = &mut self.stage {
            *gather = None;
        }
        context.books.sources.read(&found, step.now().wall);
        self.gathered = found;
        self.go_on_when_gathered(context, step)
    }

    /// Memory was searched.
    pub fn remembered(
        &mut self,
        found: &Recollection,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        if let Stage::Gathering { recall, .. } = &mut self.stage {
            *recall = None;
        }
        self.recalled = found.clone();
        self.go_on_when_gathered(context, step)
    }

    fn go_on_when_gathered(&mut self, context: &mut RunContext<'_>, step: &mut StepContext<'_>) -> Next {
        match self.stage {
            Stage::Gathering {
                gather: None,
                recall: None,
            } => self.looked_around(false, context, step),
            _ => Next::Wait,
        }
    }

    /// It has looked around, as far as its time took it: what is worth showing is chosen, and the model is asked.
    pub fn looked_around(
        &mut self,
        abandoned: bool,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        self.interests = interests_of(&self.pool, context.rooms, step.settings);
        self.candidates = candidates(self, &context.books.sources, step);
        if !self.trial {
            for candidate in &self.candidates {
                context.books.sources.tally(&candidate.item.source).shown += 1;
            }
        }
        // Everything worth showing is in the candidates now; the rest would only fill the snapshots.
        let FeedHarvest { items, reports, .. } = std::mem::take(&mut self.gathered);
        let failed = reports.iter().filter(|report| report.failure.is_some());
        let sources_failed = failed.count();
        let event = JournalEvent::AmbientRunGathered {
            items: items.len(),
            candidates: self.candidates.len(),
            sources: reports.len(),
            sources_failed,
            facts: self.recalled.facts.len(),
            abandoned,
            took: step.took(self.started),
        };
        self.write(event, step);
        let words = format!(
            "read {}, {sources_failed} in vain: {}, {} shown; {}",
            counted(reports.len(), "source"),
            counted(items.len(), "item"),
            self.candidates.len(),
            counted(self.recalled.facts.len(), "fact")
        );
        self.told(RunStepKind::Gathered, words, None, step);
        context.books.candidates.clone_from(&self.candidates);
        self.ask(context, step)
    }

    /// Asks the model, if the budget takes it.
    pub fn ask(&mut self, context: &mut RunContext<'_>, step: &mut StepContext<'_>) -> Next {
        if let Some(passed) = passed_for_asking(self, context.rooms, step) {
            return Next::passed(passed, None);
        }
        let (now, budget) = (step.moment(), &step.settings.initiative_budget);
        let request = question::request(self, context, step);
        let characters = asking::all_characters(&request);
        let reservation = Reservation::of(&step.most_of(&request));
        if let Some(gate) = step.thoughts.refuses(reservation, budget, now) {
            return Next::skip(InitiativeSkip::Budget, gate.words(), None);
        }
        let fare = match step.afford(&request, self.scope()) {
            Ok(fare) => fare,
            Err(why) => return Next::skip(InitiativeSkip::Budget, why.words(now), None),
        };
        let question = Question {
            owner: Owner::Ambient,
            scope: self.scope(),
            room: self.home(),
            turn: Some(self.turn),
            fare,
            attempt: 1,
            request,
        };
        let Launched { ask, cause } = launch(question, step);
        self.cause = cause;
        step.thoughts.reserve(ask, self.turn, reservation, now);
        let words = format!("asked with {characters} characters");
        self.told(RunStepKind::Asked, words, Some(ask), step);
        self.stage = Stage::Thinking { ask };
        Next::Wait
    }

    pub fn ask_ended(
        &mut self,
        flight: &Flight,
        outcome: AskOutcome,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        let answer = match outcome {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Failed(failure) => return self.ask_failed(flight, &failure, context, step),
        };
        step.thoughts.settle(flight.ask, &answer.usage);
        self.cause = flight.completed(&answer, step);
        if self.tools.takes(&answer) {
            return self.use_tools(&answer, context, step);
        }
        self.decide(flight.ask, &answer, context, step)
    }

    fn ask_failed(
        &mut self,
        flight: &Flight,
        failure: &AskFailure,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        if failure.kind.was_not_read() {
            step.thoughts.unused(flight.ask);
        }
        let too_long = failure.kind == AskFailureKind::ContextTooLong;
        let smaller = too_long && self.budget_divisor < BUDGET_DIVISOR_MAX;
        self.cause = flight.failed(failure, smaller.then_some(Span::ZERO), step);
        self.told(RunStepKind::Failed, failure.to_string(), Some(flight.ask), step);
        if flight.lost {
            return Next::interrupted();
        }
        if smaller {
            self.budget_divisor *= 2;
            return self.ask(context, step);
        }
        Next::skip(
            InitiativeSkip::ModelFailed,
            failure.detail.as_str(),
            Some(flight.ask),
        )
    }

    fn use_tools(
        &mut self,
        answer: &ModelAnswer,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        let settings = step.settings;
        let screen = context.rooms.screen(&self.pool).is_some();
        let offered = thought_tools(settings, screen, step.outside);
        for call in &answer.tool_calls {
            let words = format!("{} {}", call.name, call.arguments);
            self.told(RunStepKind::Tool, words, None, step);
        }
        let room = self.home();
        let place = Workplace {
            owner: Owner::Ambient,
            room: &room,
            turn: self.turn,
            scope: self.scope(),
            view: viewpoint(self, step),
            offered: &offered,
        };
        let mut curation = Curation::new(&context.books.sources, self.trial);
        let cause = self.tools.take_up(
            answer,
            &place,
            &tool_budget(step),
            &mut |call| curation.answer(call, settings),
            step,
        );
        self.cause = cause.unwrap_or(self.cause);
        self.looks_at_screen |= curation.looked;
        self.adding.append(&mut curation.adding);
        for source in std::mem::take(&mut curation.removed) {
            context
                .books
                .sources
                .remove_by_itself(&source, self.scope(), step);
        }
        self.stage = Stage::UsingTools;
        self.go_on_when_answered(context, step)
    }

    pub fn tool_ended(
        &mut self,
        id: ToolRunId,
        result: &ToolResult,
        context: &mut RunContext<'_>,
        step: &mut StepContext<'_>,
    ) -> Next {
        let cause = self.tools.tool_ended(id, result, self.scope(), step);
        self.cause = cause.unwrap_or(self.cause);
        let came = match result.failed {
            true => format!("failed: {}", result.text.chars().take(200).collect::<String>()),
            false => format!("gave {} characters", result.text.chars().count()),
        };
        let words = format!("{} {came}", result.name);
        self.told(RunStepKind::Tool, words, None, step);
        let added = self.adding.iter().position(|(call, ..)| *call == result.call_id);
        if let Some(place) = added {
            let (_, source, reason) = self.adding.remove(place);
            let sources = &mut context.books.sources;
            let line = sources.checked(source, reason, result.failed, self.scope(), step);
            self.cause = line.unwrap_or(self.cause);
        }
        self.go_on_when_answered(context, step)
    }

    /// Asks again once every call has its result.
    pub fn go_on_when_answered(&mut self, context: &mut RunContext<'_>, step: &mut StepContext<'_>) -> Next {
        if self.tools.close_round() {
            self.ask(context, step)
        } else {
            Next::Wait
        }
    }
}
