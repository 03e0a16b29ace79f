//! What comes back from outside, or does not come back in time, goes to the run that waits for it.

use vocabulary::{
    AskOutcome, FeedHarvest, GatherId, MediaId, MediaOutcome, Now, RecallId, ToolResult, ToolRunId,
};

use super::posts::Post;
use super::run::{Next, Run, RunContext, Stage};
use super::view::Receipt;
use super::{Ambient, RoomsInView};
use crate::input::Recollection;
use crate::parcel::{Report, ThoughtAloud};
use crate::reasons::InitiativeSkip;
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
            LookUp::Media(_) => run.media_lost("it took too long", context, step),
        });
    }

    /// A post is in its room, or could not get there.
    pub fn post_ended(&mut self, report: Report, step: &mut StepContext<'_>) {
        let posts = |run: &mut Run| run.turn == report.turn && matches!(run.stage, Stage::Posting(_));
        if let Some(mut run) = self.run.take_if(posts) {
            let next = run.post_ended(report);
            self.follow(run, next, step);
        }
    }

    /// Something happened to a thought in the voice of a room: it is listed with the others.
    pub fn aloud(&mut self, news: ThoughtAloud, now: Now) {
        match news {
            ThoughtAloud::Looked {
                room,
                gate,
                revisits,
                roll,
                turn,
            } => {
                let words = match gate {
                    Some(gate) => gate.words(),
                    None if revisits => "looked at the thought it holds",
                    None => "looked for a fresh thought",
                };
                self.receipts.aloud(
                    Receipt {
                        ran: gate.is_none(),
                        gate: gate.map(|gate| gate.name().to_owned()),
                        words: words.to_owned(),
                        roll: roll.map(|(roll, _)| roll),
                        below: roll.map(|(_, below)| below),
                        turn,
                        room: Some(room),
                        ..Receipt::at(now.wall)
                    },
                    now.wall,
                );
            }
            ThoughtAloud::CameOf { turn, action } => self.receipts.came_of(turn, action),
            ThoughtAloud::Said { turn, room, text } => self.books.posts.add(Post {
                turn,
                room,
                messages: Vec::new(),
                text,
                moment: now.moment,
                at: now.wall,
                links: Vec::new(),
                media: None,
                reactions: Vec::new(),
                replies: Vec::new(),
                spoken: true,
            }),
        }
    }

    /// Ends a run that waits for what nobody will bring.
    pub(super) fn end_stranded_run(&mut self, step: &mut StepContext<'_>) {
        let Some(run) = self.run.take_if(|run| run.is_stranded(step)) else {
            return;
        };
        let next = match &run.stage {
            Stage::Posting(draft) => {
                Next::skip(InitiativeSkip::SendFailed, "the room is gone", Some(draft.ask))
            }
            _ => Next::interrupted(),
        };
        self.follow(run, next, step);
    }
}
