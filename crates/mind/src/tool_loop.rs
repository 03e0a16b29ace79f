//! The bounded loop in which a model uses tools, shared by replies and thoughts: so many rounds, so many calls, so much
//! time. Every call gets exactly one result; then the model is asked for its answer without tools.

mod arguments;
mod chain;
mod refusal;
mod round;

use serde::{Deserialize, Serialize};
use vocabulary::{
    ChatRole, ChatTurn, ContentPart, Finish, JournalSeq, ModelAnswer, Moment, RoomId, Span, ToolCall,
    ToolResult, ToolRunId, ToolSpec, TurnId, Viewpoint,
};

use crate::effect::{Wake, WakeReason};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::shown_result;
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, Owner};
use chain::Chain;
use refusal::refusal;
use round::Round;

/// How long the look-ups of one reply or thought may take, from the first call on.
pub(crate) const TOOL_WALL_TIME: Span = Span::seconds(30);
/// How long one call may take of a tool that does not say.
const OWN_TOOL_DEADLINE: Span = Span::seconds(30);

/// What one loop may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ToolBudget {
    pub steps: u64,
    pub calls: u64,
    /// From the first call on.
    pub time: Span,
}

/// Where a loop runs, and for whom it looks things up.
#[derive(Debug)]
pub(crate) struct Workplace<'a> {
    /// Who waits for the results.
    pub owner: Owner,
    pub room: &'a RoomId,
    pub turn: TurnId,
    pub scope: Scope,
    pub view: Viewpoint,
    /// What the model was offered; nothing else is run.
    pub offered: &'a [ToolSpec],
}

/// What the mind itself answers to a call, without a tool outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Done(String),
    Refused(String),
    /// Whoever uses the loop brings its result, until then.
    Later(Moment),
}

/// One loop, from the first call to the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToolLoop {
    pub steps: u64,
    pub calls: u64,
    /// When the first call was taken up.
    pub began: Option<Moment>,
    /// The rounds that are finished, as the model sees them.
    pub turns: Vec<ChatTurn>,
    /// Whether tools went with the newest question.
    #[serde(default)]
    offered: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    round: Option<Round>,
}

impl ToolLoop {
    /// Whether the model may be offered tools (once more).
    pub fn may_go_on(&self, budget: &ToolBudget, now: Moment) -> bool {
        self.steps < budget.steps && self.calls < budget.calls && self.time_left(budget, now) > Span::ZERO
    }

    /// What goes with the next question: these tools while there is budget, else none.
    pub fn offer(&mut self, tools: Vec<ToolSpec>, budget: &ToolBudget, now: Moment) -> Vec<ToolSpec> {
        let tools = if self.may_go_on(budget, now) {
            tools
        } else {
            Vec::new()
        };
        self.offered = !tools.is_empty();
        tools
    }

    /// Whether an answer has calls to take up. Calls of a model that was offered no tools (any more) are not followed:
    /// it could go on for ever. Those of one that was are, even where the time has run out since: each gets its result.
    pub fn takes(&self, answer: &ModelAnswer) -> bool {
        self.offered && !answer.tool_calls.is_empty() && answer.finish != Finish::Refused
    }

    /// Takes up the calls of an answer: each is run outside, answered by `inside`, or refused. Says the newest line of
    /// the journal.
    pub fn take_up(
        &mut self,
        answer: &ModelAnswer,
        place: &Workplace<'_>,
        budget: &ToolBudget,
        inside: &mut dyn FnMut(&ToolCall) -> Option<Inside>,
        step: &mut StepContext<'_>,
    ) -> Option<JournalSeq> {
        // No round is begun before the last one is answered; should one be, its calls get their results first.
        self.interrupted();
        self.close_round();
        if answer.tool_calls.is_empty() {
            return None;
        }
        self.steps += 1;
        let started = step.moment();
        let mut chain = Chain::of(place);
        let mut round = Round::begun(started);
        for call in &answer.tool_calls {
            let left = self.time_left(budget, started);
            let refused = match () {
                () if self.calls >= budget.calls => Some(refusal::BUDGET_SPENT.to_owned()),
                () if left == Span::ZERO => Some(refusal::TIME_SPENT.to_owned()),
                () => {
                    self.calls += 1;
                    self.began.get_or_insert(started);
                    refusal(call, place.offered, step.outside)
                }
            };
            let answered = match refused {
                Some(why) => Some(Inside::Refused(why)),
                None => inside(call),
            };
            round.runs.push(match answered {
                Some(Inside::Refused(why)) => chain.refuse(call, why, step),
                Some(Inside::Done(text)) => chain.complete(call, &text, step),
                Some(Inside::Later(until)) => {
                    round.deadline = round.deadline.max(until);
                    chain.wait(call, step)
                }
                None => {
                    let deadline = own_deadline(&call.name, step).min(left);
                    round.deadline = round.deadline.max(started + deadline);
                    chain.start(call, deadline, place, step)
                }
            });
        }
        for run in round.open_runs() {
            step.flights
                .expect(LookUp::Tool(run), place.owner.clone(), round.deadline);
        }
        self.turns.push(asked(answer));
        self.round = Some(round);
        chain.newest
    }

    /// Whether it waits for this run.
    pub fn waits_for(&self, run: ToolRunId) -> bool {
        self.round.as_ref().is_some_and(|round| round.waits_for(run))
    }

    /// The runs it waits for.
    pub fn open_runs(&self) -> impl Iterator<Item = ToolRunId> {
        self.round.iter().flat_map(Round::open_runs)
    }

    /// A tool it waits for has ended.
    pub fn tool_ended(
        &mut self,
        run: ToolRunId,
        result: &ToolResult,
        scope: Scope,
        step: &mut StepContext<'_>,
    ) -> Option<JournalSeq> {
        let round = self.round.as_mut()?;
        let took = step.took(round.started);
        let open = round.open_mut(run)?;
        let text = shown_result(&open.call.name, &result.text);
        let event = JournalEvent::ToolCompleted {
            run,
            tool: open.call.name.clone(),
            failed: result.failed,
            characters: text.chars().count(),
            took,
        };
        open.answer(text, result.failed);
        Some(step.ledger.write(scope, event))
    }

    /// The result of a call that its user brings is there.
    pub fn brought(
        &mut self,
        text: &str,
        failed: bool,
        scope: Scope,
        step: &mut StepContext<'_>,
    ) -> Option<JournalSeq> {
        let run = self.round.as_ref().and_then(Round::brought_later)?;
        let result = ToolResult {
            call_id: String::new(),
            name: String::new(),
            text: text.to_owned(),
            failed,
        };
        self.tool_ended(run, &result, scope, step)
    }

    /// The round has had its time: calls without a result are answered with that.
    pub fn time_out(&mut self) {
        self.answer_open("it took too long");
    }

    /// No result will come any more, because the process ended: what is open is answered at once.
    pub fn interrupted(&mut self) {
        self.answer_open("it was interrupted before it was done");
    }

    fn answer_open(&mut self, why: &str) {
        let runs = self.round.iter_mut().flat_map(|round| &mut round.runs);
        for open in runs.filter(|open| open.result.is_none()) {
            open.answer(why.to_owned(), true);
        }
    }

    /// Closes the round once every call is answered; whether it did (or none is open).
    pub fn close_round(&mut self) -> bool {
        let Some(round) = &self.round else { return true };
        let results: Option<Vec<ToolResult>> = round.runs.iter().map(|open| open.result.clone()).collect();
        let Some(results) = results else { return false };
        self.turns.push(ChatTurn {
            role: ChatRole::Tool,
            parts: results.into_iter().map(ContentPart::ToolResult).collect(),
        });
        self.round = None;
        true
    }

    /// When the round has had its time.
    pub fn next_wake(&self) -> Option<Wake> {
        self.round.as_ref().map(|round| Wake {
            at: round.deadline,
            reason: WakeReason::ToolDeadline,
        })
    }

    fn time_left(&self, budget: &ToolBudget, now: Moment) -> Span {
        let gone = self.began.map_or(Span::ZERO, |began| now.since(began));
        Span(budget.time.0.saturating_sub(gone.0))
    }
}

/// The model's side of a round.
fn asked(answer: &ModelAnswer) -> ChatTurn {
    let words = Some(&answer.text).filter(|text| !text.is_empty());
    let words = words.cloned().map(ContentPart::Text);
    let calls = answer.tool_calls.iter().cloned().map(ContentPart::ToolCall);
    let carried = answer.carried.clone().map(ContentPart::Carried);
    ChatTurn {
        role: ChatRole::Assistant,
        parts: words.into_iter().chain(calls).chain(carried).collect(),
    }
}

/// How long one call of a tool may take, whatever time is left.
fn own_deadline(tool: &str, step: &StepContext<'_>) -> Span {
    let known = step
        .outside
        .tools
        .iter()
        .find(|outside| outside.spec.name == tool);
    known.map_or(OWN_TOOL_DEADLINE, |outside| outside.deadline)
}

#[cfg(test)]
mod bench;
#[cfg(test)]
#[path = "tool_loop_tests.rs"]
mod tests;
