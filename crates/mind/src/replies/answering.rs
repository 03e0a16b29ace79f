//! What comes back: pieces that are shown, an answer that is read, a failure that is tried again, a reply that was said.

use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, AskPurpose, Finish, ModelAnswer, Span, ToolResult,
    ToolRunId,
};

use super::ending::end_cut;
use super::gate::is_initiative_channel;
use super::holding_up::tell_held_up;
use super::making::BUDGET_DIVISOR_MAX;
use super::paying::{context_use, end_unpaid};
use super::plainly::{is_plain, others_in, read_as_script};
use super::prompt::read_confidence;
use super::reacting::react;
use super::tools::run_tools;
use super::turn::{Stage, Turn};
use super::{Replies, ReplyContext, end, end_silent};
use crate::addressing::AddressSignal;
use crate::effect::{Effect, RoomWish};
use crate::journal::JournalEvent;
use crate::outbox::{Route, Routing, route};
use crate::parcel::{Errand, Parcel, Report};
use crate::reasons::TurnOutcome;
use crate::reply::{Cast, ReplyOutcome, SkipReason, is_cut, read_answer, standing};
use crate::spending::PATIENCE_MAX;
use crate::step_context::StepContext;
use crate::step_context::flight::Flight;

/// A model that took its time and gave nothing is asked once more, whatever the settings say: the room waits.
const SLOW_RETRIES_MAX: u64 = 1;
/// Restarts that one turn lives through: a question that brings the process down must not be asked for ever.
const INTERRUPTIONS_MAX: u64 = 20;

impl Replies {
    /// The model has written more of its answer.
    pub fn ask_progressed(
        &mut self,
        ask: AskId,
        piece: &str,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(turn) = self.turn.as_mut().filter(|turn| turn.ask() == Some(ask)) else {
            return;
        };
        let target = turn.burst.target(context.log.log());
        let target = target.map(|message| message.author.name.as_str());
        let own_name = &step.settings.identity.name;
        let others = is_plain(step).then(|| others_in(context, step));
        let cast = others.as_deref().map(|others| Cast {
            own_name,
            others,
            answered: target,
        });
        let text = match &mut turn.stage {
            Stage::Asking { draft, .. } => draft.push(piece, own_name, target, cast),
            _ => None,
        };
        if let Some(text) = text.map(str::to_owned) {
            turn.draft_shown = true;
            context.outbox.show_typing(context.room, true, step);
            let wish = RoomWish::ShowDraft { turn: turn.id, text };
            step.ledger.want(Effect::Room(context.room.clone(), wish));
        }
    }

    /// A question of this room's replies is over.
    pub fn ask_ended(
        &mut self,
        mut flight: Flight,
        outcome: AskOutcome,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |turn: &mut Turn| turn.ask() == Some(flight.ask);
        let Some(mut turn) = self.turn.take_if(waits) else {
            flight.closed(&outcome, step);
            return;
        };
        flight.scope = turn.scope(context.room);
        let answer = match outcome {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Failed(failure) => {
                return match flight.purpose {
                    AskPurpose::AddressClassifier => {
                        self.classifier_failed(turn, &flight, &failure, context, step);
                    }
                    _ => self.ask_failed(turn, &flight, &failure, context, step),
                };
            }
        };
        turn.cause = flight.completed(&answer, step);
        tell_held_up(&self.queue, &flight, None, turn.cause, context.room, step);
        turn.answer_took(flight.purpose, answer.took);
        if flight.purpose == AskPurpose::AddressClassifier {
            return self.classified(turn, &answer, context, step);
        }
        step.context_used = Some((context.room.clone(), context_use(&turn, &answer, step)));
        if turn.tools.takes(&answer) {
            run_tools(&mut turn, &answer, context, step);
            self.go_on_when_answered(turn, context, step);
        } else {
            self.answered(turn, &flight, &answer, context, step);
        }
    }

    fn classifier_failed(
        &mut self,
        mut turn: Turn,
        flight: &Flight,
        failure: &AskFailure,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let again = survives_interruption(&turn, failure.kind);
        let retry_in = again.then_some(Span::ZERO);
        turn.cause = flight.failed(failure, retry_in, step);
        let came_to = Some((failure.kind, retry_in));
        tell_held_up(&self.queue, flight, came_to, turn.cause, context.room, step);
        if again {
            turn.interruptions += 1;
            return self.classify(turn, context, step);
        }
        let detail = "the classifier could not be asked";
        end_silent(turn, SkipReason::NotAddressed, detail, context, step);
    }

    fn classified(
        &mut self,
        mut turn: Turn,
        answer: &ModelAnswer,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let threshold = step.settings.address_classifier.threshold;
        let Some(confidence) = read_confidence(&answer.text) else {
            let detail = "the classifier's answer could not be understood";
            return end_silent(turn, SkipReason::NotAddressed, detail, context, step);
        };
        let addressed = confidence >= threshold;
        let event = JournalEvent::AddressClassified {
            confidence,
            threshold,
            addressed,
        };
        turn.cause = step.ledger.write(turn.scope(context.room), event);
        if !addressed {
            let detail = "the classifier's confidence is too low";
            return end_silent(turn, SkipReason::NotAddressed, detail, context, step);
        }
        turn.address = AddressSignal::classified(confidence);
        self.recall(turn, context, step);
    }

    fn answered(
        &mut self,
        mut turn: Turn,
        flight: &Flight,
        answer: &ModelAnswer,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let ask = flight.ask;
        let reading = match is_plain(step) {
            true => read_as_script(&turn, answer, context, step),
            false => read_answer(&answer.text, &step.settings.identity.name, turn.forced),
        };
        // A silence is as good as words where none are owed.
        let is_wordless = match reading.outcome {
            ReplyOutcome::Say(_) | ReplyOutcome::React { .. } => false,
            ReplyOutcome::Skip { .. } => turn.forced,
            ReplyOutcome::Empty | ReplyOutcome::EmptyAfterMedia => true,
        };
        if !is_wordless {
            flight.spoke(step);
        }
        if let Some(what) = reading.repaired {
            let event = JournalEvent::AnswerRepaired {
                ask,
                what: what.to_owned(),
            };
            turn.cause = step.ledger.write(turn.scope(context.room), event);
        }
        if let ReplyOutcome::React { emoji, why } = reading.outcome {
            return react(self, turn, ask, (emoji, why), context, step);
        }
        let is_owed = turn.forced || !matches!(reading.outcome, ReplyOutcome::Skip { .. });
        let (reason, detail) = match reading.outcome {
            ReplyOutcome::Say(text) => match standing(&text, answer.finish) {
                Some(text) => return self.dispatch(turn, ask, text, context, step),
                None => return end_cut(&mut self.told, turn, answer, context, step),
            },
            // A picture that was made is a reply.
            _ if is_owed && answer.finish != Finish::Refused && !turn.attachments.is_empty() => {
                return self.dispatch(turn, ask, String::new(), context, step);
            }
            _ if is_cut(answer) => return end_cut(&mut self.told, turn, answer, context, step),
            ReplyOutcome::Skip { why } => (SkipReason::LlmSkip, why),
            ReplyOutcome::Empty | ReplyOutcome::React { .. } => (SkipReason::EmptyReply, String::new()),
            ReplyOutcome::EmptyAfterMedia => (SkipReason::EmptyReplyAfterMedia, String::new()),
        };
        if !turn.forced {
            return end_silent(turn, reason, &detail, context, step);
        }
        // The words that it owes are asked for in another way, and not in the same way again.
        flight.said_nothing(turn.cause, step);
        if turn.failures < step.settings.activity.max_retries && !turn.words_only {
            turn.failures += 1;
            turn.insist = true;
            turn.words_only = true;
            return self.generate(turn, context, step);
        }
        self.told.tell(AskFailureKind::EmptyAnswer, &turn, context, step);
        let asked = match turn.words_only {
            true => ", asked for words alone too",
            false => "",
        };
        let detail = match detail.as_str() {
            "" => format!("the model answered without a word{asked}"),
            why => format!("the model answered without a word{asked}: {why}"),
        };
        end_silent(turn, reason, &detail, context, step);
    }

    fn ask_failed(
        &mut self,
        mut turn: Turn,
        flight: &Flight,
        failure: &AskFailure,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let activity = &step.settings.activity;
        let shrinkable =
            failure.kind == AskFailureKind::ContextTooLong && turn.budget_divisor < BUDGET_DIVISOR_MAX;
        let interrupted = survives_interruption(&turn, failure.kind);
        let retries_max = match failure.kind.took_its_time() {
            // Whoever waits behind it has waited long enough.
            true if !self.queue.is_empty() => 0,
            true => activity.max_retries.min(SLOW_RETRIES_MAX),
            false => activity.max_retries,
        };
        let rests = flight.is_trial(step)
            || flight.was_waited_for_enough(failure, step)
            // Whoever keeps writing does not have it asked more often.
            || (turn.burst.restarts > 0 && turn.failures > 0 && flight.is_last_try(failure, step))
            || failure
                .retry_after
                .is_some_and(|asked_for| asked_for > PATIENCE_MAX);
        let again = failure.kind.is_retryable() && turn.failures < retries_max && !rests;
        let retry = shrinkable || interrupted || again;
        let delay = match failure.kind {
            _ if shrinkable || interrupted => Span::ZERO,
            _ => Span::from_seconds(activity.retry_delay_seconds * f64::from(1_u32 << turn.failures.min(16)))
                .max(failure.retry_after.unwrap_or_default())
                .min(PATIENCE_MAX),
        };
        let retry_in = retry.then_some(delay);
        turn.cause = flight.failed(failure, retry_in, step);
        let came_to = Some((failure.kind, retry_in));
        tell_held_up(&self.queue, flight, came_to, turn.cause, context.room, step);
        turn.take_draft_back(context.room, step);
        if !retry && failure.kind != AskFailureKind::Refused && !turn.attachments.is_empty() {
            // What was made needs no words.
            return self.dispatch(turn, flight.ask, String::new(), context, step);
        }
        if !retry && let Some(why) = flight.resting(step) {
            return end_unpaid(&mut self.told, turn, &why, context, step);
        }
        if !retry {
            let reason = match failure.kind {
                AskFailureKind::Refused => SkipReason::Refused,
                _ => SkipReason::ModelFailed,
            };
            self.told.tell(failure.kind, &turn, context, step);
            return end_silent(turn, reason, failure.kind.name(), context, step);
        }
        if shrinkable {
            turn.too_long = Some(turn.prompt_chars);
        } else if interrupted {
            turn.interruptions += 1;
        } else {
            turn.failures += 1;
        }
        turn.wait_to_ask(step.moment() + delay, context.room, step);
        self.turn = Some(turn);
    }

    /// A tool that a turn of this room waits for has ended.
    pub fn tool_ended(
        &mut self,
        run: ToolRunId,
        result: &ToolResult,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(mut turn) = self.turn.take_if(|turn| turn.tools.waits_for(run)) else {
            return;
        };
        let newest = turn.tools.tool_ended(run, result, turn.scope(context.room), step);
        turn.cause = newest.unwrap_or(turn.cause);
        self.go_on_when_answered(turn, context, step);
    }

    /// Asks the model again once every call of the round has its result.
    pub(super) fn go_on_when_answered(
        &mut self,
        mut turn: Turn,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        if turn.tools.close_round() {
            self.look_ups.take_in(&turn.tools.turns, step.now().wall);
            self.generate(turn, context, step);
        } else {
            self.turn = Some(turn);
        }
    }

    /// Decides how an answer goes out, and hands it to the outbox.
    pub(super) fn dispatch(
        &mut self,
        mut turn: Turn,
        ask: AskId,
        text: String,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let routing = Routing {
            addressed: turn.address.triggered,
            initiative_channel: is_initiative_channel(context.room, step.settings),
        };
        let scope = turn.scope(context.room);
        let route = route(routing).unwrap_or_else(|| {
            let percent = step.settings.activity.threaded_reply_percent;
            let threaded = step
                .dice
                .chance(percent, "threaded_reply", scope.clone(), &mut step.ledger);
            if threaded {
                Route::Reply
            } else {
                Route::ChannelMessage
            }
        });
        let target = turn.burst.target(context.log.log());
        let threaded = target.filter(|_| route == Route::Reply);
        let parcel = Parcel {
            errand: Errand::Reply,
            room: context.room.clone(),
            turn: turn.id,
            ask,
            text,
            reply_to: threaded.map(|message| message.id.clone()),
            answered: target.map(|message| message.author.clone()),
            attachments: std::mem::take(&mut turn.attachments),
            owed: turn.forced,
            scope,
        };
        turn.stage = Stage::Delivering {};
        self.turn = Some(turn);
        if let Some(report) = context.outbox.post(parcel, step) {
            self.said(report, context, step);
        }
    }

    /// A reply is in the room, or could not be brought there.
    pub fn said(&mut self, report: Report, context: &mut ReplyContext<'_>, step: &mut StepContext<'_>) {
        let Some(mut turn) = self.turn.take_if(|turn| turn.id == report.turn) else {
            return;
        };
        turn.cause = report.cause.unwrap_or(turn.cause);
        match report.lost {
            Some(detail) => end_silent(turn, SkipReason::SendFailed, &detail, context, step),
            None => {
                let burst = end(turn, TurnOutcome::Sent, context, step);
                self.settled.add(&burst.message_ids());
                self.told.reply_said();
            }
        }
    }
}

/// Whether an ask was lost with the process and is made again, whatever the settings say about retries.
fn survives_interruption(turn: &Turn, kind: AskFailureKind) -> bool {
    kind == AskFailureKind::Interrupted && turn.interruptions < INTERRUPTIONS_MAX
}
