//! What comes back from outside, or does not come back in time, goes to the run that waits for it.

use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, DeliveryId, FeedHarvest, GatherId, MediaId, MediaOutcome,
    Message, RecallId, ToolResult, ToolRunId,
};

use super::run::{Next, Run, RunContext, Stage};
use super::{Ambient, RoomsInView};
use crate::effect::Effect;
use crate::input::Recollection;
use crate::step_context::StepContext;

impl Ambient {
    /// The run under way goes on, if it waits for this.
    fn land(
        &mut self,
        waits: impl FnOnce(&mut Run) -> bool,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
        go: impl FnOnce(&mut Run, &mut RunContext<'_>, &mut StepContext<'_>) -> Next,
    ) {
        if let Some(run) = self.run.take_if(waits) {
            self.go_on(run, rooms, step, go);
        }
    }

    pub fn surroundings_gathered(
        &mut self,
        gather: GatherId,
        found: FeedHarvest,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| matches!(run.stage, Stage::Gathering { gather: open, .. } if open == Some(gather));
        self.land(waits, rooms, step, |run, context, step| {
            run.harvested(found, context, step)
        });
    }

    pub fn recalled(
        &mut self,
        recall: RecallId,
        found: &Recollection,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| matches!(run.stage, Stage::Gathering { recall: open, .. } if open == Some(recall));
        self.land(waits, rooms, step, |run, context, step| {
            run.remembered(found, context, step)
        });
    }

    pub fn waits_for_ask(&self, ask: AskId) -> bool {
        self.run.as_ref().is_some_and(|run| run.waits_for_ask(ask))
    }

    pub fn ask_ended(
        &mut self,
        ask: AskId,
        outcome: AskOutcome,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| run.waits_for_ask(ask);
        self.land(waits, rooms, step, |run, context, step| {
            run.ask_ended(ask, outcome, context, step)
        });
    }

    /// Asks that are under way outside.
    pub fn asks_under_way(&self) -> usize {
        let asking = |run: &&Run| matches!(run.stage, Stage::Thinking { .. });
        usize::from(self.run.as_ref().filter(asking).is_some())
    }

    pub fn tool_ended(
        &mut self,
        id: ToolRunId,
        result: &ToolResult,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| run.tools.waits_for(id);
        self.land(waits, rooms, step, |run, context, step| {
            run.tool_ended(id, result, context, step)
        });
    }

    pub fn media_ended(
        &mut self,
        media: MediaId,
        outcome: MediaOutcome,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| matches!(run.stage, Stage::Making { media: open, .. } if open == media);
        self.land(waits, rooms, step, |run, context, step| {
            run.media_ended(outcome, context, step)
        });
    }

    /// Whether a delivery is a piece of the post under way.
    pub fn posts(&self, delivery: &DeliveryId) -> bool {
        match self.run.as_ref().map(|run| &run.stage) {
            Some(Stage::Posting(post)) => post.has(delivery),
            _ => false,
        }
    }

    pub fn message_sent(&mut self, delivery: &DeliveryId, message: &Message, step: &mut StepContext<'_>) {
        if let Some(mut run) = self.run.take_if(|run| run.sends(delivery)) {
            let next = run.piece_sent(message.id.clone(), step);
            self.follow(run, next, step);
        }
    }

    pub fn send_failed(
        &mut self,
        delivery: &DeliveryId,
        detail: &str,
        retryable: bool,
        step: &mut StepContext<'_>,
    ) {
        if let Some(mut run) = self.run.take_if(|run| run.sends(delivery)) {
            let next = run.piece_failed(detail, retryable, step);
            self.follow(run, next, step);
        }
    }

    /// Does what time has made due for the run under way.
    pub(super) fn advance_run(&mut self, rooms: RoomsInView<'_>, step: &mut StepContext<'_>) {
        let now = step.moment();
        let due = |run: &mut Run| run.next_wake().is_some_and(|wake| wake.at <= now);
        self.land(due, rooms, step, |run, context, step| match run.stage {
            Stage::Gathering { .. } => run.looked_around(true, context, step),
            Stage::Thinking { ask, .. } => {
                step.ledger.want(Effect::CancelAsk { ask });
                let failure = AskFailure::new(AskFailureKind::TimedOut, "no answer within its time");
                run.ask_ended(ask, AskOutcome::Failed(failure), context, step)
            }
            Stage::UsingTools => {
                run.tools.time_out();
                run.go_on_when_answered(context, step)
            }
            Stage::Making { .. } => run.media_failed("it took too long", false, context, step),
            Stage::Posting(_) => run.posting_due(step),
        });
    }
}
