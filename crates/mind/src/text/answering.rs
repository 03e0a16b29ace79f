//! What comes back from a model: pieces that are shown, an answer that is read, a failure that is tried again.

use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, AskPurpose, Finish, Message, ModelAnswer, Span,
};

use super::DelayReason;
use super::burst::Burst;
use super::room::TextRoom;
use super::turn::{Stage, Turn};
use crate::addressing::{AddressReason, AddressSignal};
use crate::asking;
use crate::effect::{Effect, RoomWish};
use crate::journal::JournalEvent;
use crate::memory::triggers::ContextUse;
use crate::prompt::{CHARS_PER_TOKEN, read_confidence};
use crate::reply::{ReplyOutcome, SkipReason, read_answer};
use crate::step_context::StepContext;

/// Longest wait before a retry, whatever a provider asks for.
const RETRY_DELAY_MAX: Span = Span::minutes(2);
/// Restarts that one turn lives through: a question that brings the process down must not be asked for ever.
const INTERRUPTIONS_MAX: u64 = 20;
/// A prompt is made smaller at most this often because a model says it is too long.
const BUDGET_DIVISOR_MAX: usize = 8;

impl TextRoom {
    pub fn ask_progressed(&mut self, piece: &str, step: &mut StepContext<'_>) {
        let Some(mut turn) = self.turn.take() else { return };
        let target = self
            .target(&turn.burst)
            .map(|message| message.author.name.as_str());
        let name = &step.settings.identity.name;
        let text = match &mut turn.stage {
            Stage::Asking { draft, .. } => draft.push(piece, name, target).map(str::to_owned),
            _ => None,
        };
        if let Some(text) = text {
            self.outbox.show_typing(&self.id, true, step);
            turn.draft_shown = true;
            step.ledger.want(Effect::Room(
                self.id.clone(),
                RoomWish::ShowDraft { turn: turn.id, text },
            ));
        }
        self.turn = Some(turn);
    }

    /// The message that is answered: the newest that was addressed, else the newest. It may be gone by now.
    pub(super) fn target(&self, burst: &Burst) -> Option<&Message> {
        let addressed = burst
            .triggers
            .iter()
            .rev()
            .find(|trigger| trigger.signal.triggered);
        let trigger = addressed.or(burst.triggers.last())?;
        self.compaction.log.find(&trigger.message)
    }

    /// An ask this room waits for has ended.
    pub fn ask_ended(&mut self, ask: AskId, outcome: AskOutcome, step: &mut StepContext<'_>) {
        let Some(mut turn) = self.turn.take() else { return };
        let purpose = match turn.stage {
            Stage::Asking { purpose, .. } => purpose,
            _ => AskPurpose::AddressClassifier,
        };
        let answer = match outcome {
            AskOutcome::Answered(answer) => answer,
            AskOutcome::Failed(failure) if purpose == AskPurpose::AddressClassifier => {
                let again = survives_interruption(&turn, failure.kind);
                let event = JournalEvent::AskFailed {
                    ask,
                    purpose,
                    kind: failure.kind,
                    detail: failure.detail,
                    retry_in: again.then_some(Span::ZERO),
                };
                turn.cause = step.ledger.write(turn.scope(&self.id), event);
                if again {
                    turn.interruptions += 1;
                    return self.classify(turn, step);
                }
                return self.end_silent(
                    turn,
                    SkipReason::NotAddressed,
                    "the classifier could not be asked",
                    step,
                );
            }
            AskOutcome::Failed(failure) => return self.ask_failed(turn, ask, purpose, failure, step),
        };
        let event = asking::completed(ask, purpose, &answer);
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        if purpose != AskPurpose::AddressClassifier {
            step.context_used = Some((self.id.clone(), context_use(&turn, &answer, step)));
        }
        match purpose {
            AskPurpose::AddressClassifier => self.classified(turn, &answer, step),
            // A summary is the session's affair, a gem the memory's and a screen the watch's: never a turn's.
            AskPurpose::ContextCompaction
            | AskPurpose::GemExtraction
            | AskPurpose::ScreenNote
            | AskPurpose::ScreenCommentary
            | AskPurpose::AmbientThought => self.turn = Some(turn),
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup if turn.tools.takes(&answer) => {
                self.run_tools(turn, &answer, step);
            }
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup => self.answered(turn, ask, &answer, step),
        }
    }

    fn classified(&mut self, mut turn: Turn, answer: &ModelAnswer, step: &mut StepContext<'_>) {
        let threshold = step.settings.address_classifier.threshold;
        let Some(confidence) = read_confidence(&answer.text) else {
            return self.end_silent(
                turn,
                SkipReason::NotAddressed,
                "the classifier's answer could not be understood",
                step,
            );
        };
        let addressed = confidence >= threshold;
        let event = JournalEvent::AddressClassified {
            confidence,
            threshold,
            addressed,
        };
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        if !addressed {
            return self.end_silent(
                turn,
                SkipReason::NotAddressed,
                "the classifier's confidence is too low",
                step,
            );
        }
        turn.address = AddressSignal::classified(confidence);
        self.recall(turn, step);
    }

    fn answered(&mut self, mut turn: Turn, ask: AskId, answer: &ModelAnswer, step: &mut StepContext<'_>) {
        let reading = read_answer(&answer.text, &step.settings.identity.name, turn.forced);
        if let Some(what) = reading.repaired {
            let event = JournalEvent::AnswerRepaired {
                ask,
                what: what.to_owned(),
            };
            turn.cause = step.ledger.write(turn.scope(&self.id), event);
        }
        let (reason, detail) = match reading.outcome {
            ReplyOutcome::Say(text) => return self.dispatch(turn, ask, &text, step),
            _ if answer.finish == Finish::Refused => {
                return self.end_silent(turn, SkipReason::Refused, "the model declined to answer", step);
            }
            ReplyOutcome::Skip { why } => (SkipReason::LlmSkip, why),
            ReplyOutcome::Empty => (SkipReason::EmptyReply, String::new()),
            ReplyOutcome::EmptyAfterMedia => (SkipReason::EmptyReplyAfterMedia, String::new()),
        };
        if turn.forced && turn.failures < step.settings.activity.max_retries {
            turn.failures += 1;
            turn.insist = true;
            return self.generate(turn, step);
        }
        self.end_silent(turn, reason, &detail, step);
    }

    fn ask_failed(
        &mut self,
        mut turn: Turn,
        ask: AskId,
        purpose: AskPurpose,
        failure: AskFailure,
        step: &mut StepContext<'_>,
    ) {
        let activity = &step.settings.activity;
        let shrinkable =
            failure.kind == AskFailureKind::ContextTooLong && turn.budget_divisor < BUDGET_DIVISOR_MAX;
        let interrupted = survives_interruption(&turn, failure.kind);
        let retry =
            shrinkable || interrupted || failure.kind.is_retryable() && turn.failures < activity.max_retries;
        let delay = match failure.kind {
            _ if shrinkable || interrupted => Span::ZERO,
            _ => Span::from_seconds(activity.retry_delay_seconds * f64::from(1_u32 << turn.failures.min(16)))
                .max(failure.retry_after.unwrap_or_default())
                .min(RETRY_DELAY_MAX),
        };
        let retry_in = retry.then_some(delay);
        let event = JournalEvent::AskFailed {
            ask,
            purpose,
            kind: failure.kind,
            detail: failure.detail,
            retry_in,
        };
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        self.take_draft_back(&mut turn, step);
        if !retry {
            let reason = if failure.kind == AskFailureKind::Refused {
                SkipReason::Refused
            } else {
                SkipReason::ModelFailed
            };
            return self.end_silent(turn, reason, failure.kind.name(), step);
        }
        if shrinkable {
            turn.budget_divisor *= 2;
        } else if interrupted {
            turn.interruptions += 1;
        } else {
            turn.failures += 1;
        }
        if delay > Span::ZERO {
            let event = JournalEvent::TurnDelayed {
                reason: DelayReason::Retry,
                delay,
            };
            turn.cause = step.ledger.write(turn.scope(&self.id), event);
        }
        turn.stage = Stage::Resting {
            until: step.moment() + delay,
        };
        self.turn = Some(turn);
    }
}

/// Whether an ask was lost with the process and is made again, whatever the settings say about retries.
fn survives_interruption(turn: &Turn, kind: AskFailureKind) -> bool {
    kind == AskFailureKind::Interrupted && turn.interruptions < INTERRUPTIONS_MAX
}

impl AddressSignal {
    /// What the classifier's yes amounts to.
    fn classified(confidence: f64) -> Self {
        Self {
            reason: AddressReason::LlmDirectAddress,
            confidence,
            triggered: true,
            rule: "classifier".to_owned(),
        }
    }
}

/// How much of its window a reply took: as the provider counted, or as its characters tell where it does not.
fn context_use(turn: &Turn, answer: &ModelAnswer, step: &StepContext<'_>) -> ContextUse {
    let counted = answer.usage.input_tokens + answer.usage.output_tokens;
    let characters = turn.prompt_chars + answer.text.chars().count();
    ContextUse {
        tokens: if counted > 0 {
            counted
        } else {
            (characters / CHARS_PER_TOKEN) as u64
        },
        window: step.settings.llm.context_tokens,
    }
}
