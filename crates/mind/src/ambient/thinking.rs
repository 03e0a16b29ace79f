//! A run asks a model what it is thinking, as far as the budget takes it, and hears its answer.

use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, AskPurpose, Message, PersonId, RoomId, Span, Viewpoint,
};

use super::channels::{ChannelSummary, summarise};
use super::gathering::Facts;
use super::prompt::{AmbientBrief, HeldBrief, ambient_request};
use super::run::{Run, Stage};
use super::spending::Reservation;
use super::{Ambient, Around, sources};
use crate::asking;
use crate::effect::{Asking, Effect};
use crate::journal::JournalEvent;
use crate::prompt::{ScreenShown, thought_tools};
use crate::reasons::InitiativeSkip;
use crate::step_context::StepContext;
use crate::text::TextRoom;
use crate::tool_loop::{TOOL_WALL_TIME, ToolBudget};

/// A prompt is made smaller at most this often because a model says it is too long.
const BUDGET_DIVISOR_MAX: usize = 8;

impl Ambient {
    /// Asks the model, if the budget takes it.
    pub(super) fn ask(&mut self, mut run: Run, around: Around<'_>, step: &mut StepContext<'_>) {
        if let Some(why) = self.no_moment_to_ask(&run, around, step) {
            return self.skip(run, InitiativeSkip::MomentPassed, why, None, step);
        }
        let settings = step.settings;
        let now = step.now();
        let mut summaries: Vec<ChannelSummary> = Vec::new();
        run.handles.clear();
        for room in &run.pool {
            let newest: Vec<&Message> = around
                .rooms
                .get(room)
                .map(|known| {
                    known
                        .newest(settings.initiative.lookback_messages as usize)
                        .collect()
                })
                .unwrap_or_default();
            let summary = summarise(room, &newest, now.wall, run.handles.len() + 1);
            let handles = summary.handles.iter().cloned();
            run.handles
                .extend(handles.map(|(handle, id)| (handle, room.clone(), id)));
            summaries.push(summary);
        }
        let own = self.sources.own_ones();
        let standings: Vec<_> = sources::wish(settings, &own, now.wall)
            .sources
            .into_iter()
            .map(|source| {
                let tally = self.sources.tallies.iter().find(|(known, _)| *known == source);
                let tally = tally.map(|(_, tally)| tally.clone()).unwrap_or_default();
                let is_own = own.contains(&source);
                (source, tally, is_own)
            })
            .collect();
        let facts = Facts::of(&run.recalled, settings.memory.min_confidence);
        let screen = screen_in_view(&run.pool, around);
        // A look-up takes another question, to make something of it.
        let tools = match self.spending.calls_left(&settings.initiative_budget, now.moment) {
            0 | 1 => Vec::new(),
            _ => thought_tools(settings, screen.is_some(), step.outside),
        };
        let tools = run.tools.offer(tools, &tool_budget(step), now.moment);
        let media = self.media_on_offer(step);
        let held = self.held.as_ref().filter(|_| run.revisits);
        let request = ambient_request(&AmbientBrief {
            settings,
            now: now.wall,
            held: held.map(|held| HeldBrief {
                text: &held.text,
                channel: held.room.as_str(),
                media: held.media.as_ref(),
                reason: &held.reason,
                held_for: now.moment.since(held.created),
                expires_in: held.expires.since(now.moment),
                revisions: held.revisions as usize,
                messages_since: held.messages_since,
            }),
            channels: &summaries,
            feed: &run.candidates,
            sources: &standings,
            interests: &run.interests,
            memory: &facts.memory,
            guidance: &facts.guidance,
            behaviour: &facts.behaviour,
            media: &media,
            posts_left_today: settings
                .initiative
                .max_posts_per_day
                .saturating_sub(self.posts.meter(0, now.moment).used),
            frame: screen
                .as_ref()
                .filter(|_| run.looks_at_screen)
                .map(|(glimpse, shared_by)| ScreenShown { shared_by, glimpse }),
            tools,
            tool_turns: &run.tools.turns,
            budget_divisor: run.budget_divisor,
        });
        let characters = asking::all_characters(&request);
        let reservation = Reservation::of(
            characters,
            usize::from(run.looks_at_screen),
            request.max_output_tokens,
        );
        if let Some(gate) = self
            .spending
            .refuses(reservation, &settings.initiative_budget, now.moment)
        {
            return self.skip(run, InitiativeSkip::Budget, gate.words(), None, step);
        }
        let ask = step.counters.ask.take_next();
        self.spending.reserve(ask, run.turn, reservation, now.moment);
        let event = asking::started(ask, &request, 1);
        run.cause = step.ledger.write(run.scope(), event);
        run.step(
            now.wall,
            "asked",
            format!("asked with {characters} characters"),
            Some(ask),
        );
        run.stage = Stage::Thinking {
            ask,
            deadline: now.moment + request.deadline + asking::DEADLINE_GRACE,
        };
        step.ledger.want(Effect::Ask(Box::new(Asking {
            ask,
            room: run.home(),
            turn: run.turn,
            request,
        })));
        self.run = Some(run);
    }

    pub fn ask_ended(
        &mut self,
        ask: AskId,
        outcome: AskOutcome,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(mut run) = self.run.take_if(|run| run.waits_for_ask(ask)) else {
            return;
        };
        let purpose = AskPurpose::AmbientThought;
        let answer = match outcome {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Failed(failure) => {
                if reached_nobody(failure.kind) {
                    self.spending.unused(ask);
                }
                let smaller =
                    failure.kind == AskFailureKind::ContextTooLong && run.budget_divisor < BUDGET_DIVISOR_MAX;
                let event = JournalEvent::AskFailed {
                    ask,
                    purpose,
                    kind: failure.kind,
                    detail: failure.detail.clone(),
                    retry_in: smaller.then_some(Span::ZERO),
                };
                run.cause = step.ledger.write(run.scope(), event);
                run.step(step.now().wall, "failed", failure.to_string(), Some(ask));
                if smaller {
                    run.budget_divisor *= 2;
                    return self.ask(run, around, step);
                }
                return self.skip(run, InitiativeSkip::ModelFailed, &failure.detail, Some(ask), step);
            }
        };
        self.spending.settle(ask, &answer.usage);
        let event = asking::completed(ask, purpose, &answer);
        run.cause = step.ledger.write(run.scope(), event);
        let budget = tool_budget(step);
        if run.tools.takes(&answer) {
            return self.use_tools(run, &answer, &budget, around, step);
        }
        self.decide(run, ask, &answer, around, step);
    }

    /// Does what time has made due for the run under way.
    pub(super) fn advance_run(&mut self, around: Around<'_>, step: &mut StepContext<'_>) {
        let now = step.moment();
        let due = |run: &mut Run| run.next_wake().is_some_and(|wake| wake.at <= now);
        let Some(mut run) = self.run.take_if(due) else {
            return;
        };
        match &run.stage {
            Stage::Gathering { .. } => self.gathered(run, true, around, step),
            Stage::Thinking { ask, .. } => {
                let ask = *ask;
                step.ledger.want(Effect::CancelAsk { ask });
                self.run = Some(run);
                let failure = AskFailure::new(AskFailureKind::TimedOut, "no answer within its time");
                self.ask_ended(ask, AskOutcome::Failed(failure), around, step);
            }
            Stage::UsingTools => {
                run.tools.time_out();
                self.go_on_when_answered(run, around, step);
            }
            Stage::Making { .. } => self.media_failed(run, "it took too long", false, around, step),
            Stage::Posting { .. } => self.posting_due(run, step),
        }
    }
}

pub(super) fn tool_budget(step: &StepContext<'_>) -> ToolBudget {
    ToolBudget {
        steps: step.settings.initiative.max_tool_steps,
        calls: step.settings.initiative.max_tool_calls,
        time: TOOL_WALL_TIME,
    }
}

/// What of memory a thought may draw on: what may be told in every channel it could be posted to.
pub(super) fn viewpoint(run: &Run, step: &StepContext<'_>) -> Viewpoint {
    let room = match run.pool.as_slice() {
        [only] => only.clone(),
        // No room is called so: the memories of a private one stay there.
        _ => RoomId::new(""),
    };
    step.view(&room, Vec::<PersonId>::new())
}

/// The screen that is shared in a room of the pool.
pub(super) fn screen_in_view<'a>(
    pool: &[RoomId],
    around: Around<'a>,
) -> Option<(vocabulary::Glimpse, &'a str)> {
    pool.iter()
        .filter_map(|room| around.rooms.get(room))
        .find_map(TextRoom::screen_in_view)
}

/// Whether a failed question cost nothing for certain.
fn reached_nobody(kind: AskFailureKind) -> bool {
    matches!(
        kind,
        AskFailureKind::Unreachable
            | AskFailureKind::Unavailable
            | AskFailureKind::Rejected
            | AskFailureKind::RateLimited
            | AskFailureKind::ContextTooLong
    )
}
