//! What comes back from outside, or does not come back in time, goes to the run that waits for it.

use vocabulary::{
    AskOutcome, DeliveryId, FeedHarvest, GatherId, MediaId, MediaOutcome, Message, RecallId, ToolResult,
    ToolRunId,
};

use super::run::{Next, Run, RunContext, Stage};
use super::{Ambient, RoomsInView};
use crate::input::Recollection;
use crate::step_context::StepContext;
use crate::step_context::flight::{Flight, LookUp};

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

    /// The feed was read for a run.
    pub fn surroundings_gathered(
        &mut self,
        gather: GatherId,
        found: FeedHarvest,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| run.waits_for(LookUp::Gather(gather));
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
        let waits = |run: &mut Run| run.waits_for(LookUp::Recall(recall));
        self.land(waits, rooms, step, |run, context, step| {
            run.remembered(found, context, step)
        });
    }

    pub fn ask_ended(
        &mut self,
        flight: &Flight,
        outcome: AskOutcome,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        match self.run.take_if(|run| run.waits_for_ask(flight.ask)) {
            Some(run) => self.go_on(run, rooms, step, |run, context, step| {
                run.ask_ended(flight, outcome, context, step)
            }),
            None => {
                flight.closed(&outcome, step);
            }
        }
    }

    pub fn tool_ended(
        &mut self,
        id: ToolRunId,
        result: &ToolResult,
        rooms: RoomsInView<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| run.waits_for(LookUp::Tool(id));
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
        let waits = |run: &mut Run| run.waits_for(LookUp::Media(media));
        self.land(waits, rooms, step, |run, context, step| {
            run.media_ended(outcome, context, step)
        });
    }

    /// Something the run waits for has had its time.
    pub fn look_up_overdue(&mut self, look_up: LookUp, rooms: RoomsInView<'_>, step: &mut StepContext<'_>) {
        let waits = |run: &mut Run| run.waits_for(look_up);
        self.land(waits, rooms, step, |run, context, step| match look_up {
            LookUp::Gather(_) | LookUp::Recall(_) => run.looked_around(true, context, step),
            LookUp::Tool(_) => {
                run.tools.time_out();
                run.go_on_when_answered(context, step)
            }
            LookUp::Media(_) => run.media_failed("it took too long", false, context, step),
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
    pub(super) fn advance_run(&mut self, step: &mut StepContext<'_>) {
        let now = step.moment();
        let due = |run: &Run| run.next_wake().is_some_and(|wake| wake.at <= now);
        // A state that was kept before questions were registered has one that nobody will answer.
        let lost =
            |run: &Run| matches!(run.stage, Stage::Thinking { ask } if step.flights.owner(ask).is_none());
        let Some(mut run) = self.run.take_if(|run| due(run) || lost(run)) else {
            return;
        };
        let next = match run.stage {
            Stage::Posting(_) => run.posting_due(step),
            _ => Next::interrupted(),
        };
        self.follow(run, next, step);
    }
}
