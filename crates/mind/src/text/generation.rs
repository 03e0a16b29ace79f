//! From a finished burst to an answer: classify if unclear, recall, ask the gate again, ask the model, read what it says.

use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, AskPurpose, Finish, Message, ModelAnswer, ModelRequest,
    Moment, RecallId, SectionFate, Span,
};

use super::DelayReason;
use super::burst::Burst;
use super::gate::{AtGate, eagerness};
use super::room::TextRoom;
use super::turn::{Stage, Turn};
use crate::addressing::{AddressReason, AddressSignal};
use crate::admission::{AdmissionReason, Gate};
use crate::desk::Desk;
use crate::effect::{Asking, Effect, RecallQuery};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::prompt::{ReplyBrief, classifier_request, read_confidence, reply_request, search_tool};
use crate::reply::{Draft, ReplyOutcome, SkipReason, read_answer};

/// The shell gives up an ask at its deadline; the mind does so a little later, in case the shell does not.
const DEADLINE_GRACE: Span = Span::seconds(5);
/// Words of a turn that are looked for among older messages.
const RECALL_WORDS_CHARS: usize = 600;
/// Longest wait before a retry, whatever a provider asks for.
const RETRY_DELAY_MAX: Span = Span::minutes(2);
/// Restarts that one turn lives through: a question that brings the process down must not be asked for ever.
const INTERRUPTIONS_MAX: u64 = 20;
/// A prompt is made smaller at most this often because a model says it is too long.
const BUDGET_DIVISOR_MAX: usize = 8;

impl TextRoom {
    /// A burst is finished: a turn begins, unless the hour is full and no reply is owed.
    pub(super) fn open(&mut self, burst: Burst, desk: &mut Desk<'_>) {
        let now = desk.moment();
        let forced = burst.is_forced();
        let ids: Vec<_> = burst
            .triggers
            .iter()
            .map(|trigger| trigger.message.clone())
            .collect();
        let Some(last) = burst.triggers.last() else { return };
        let scope = Scope::room(&self.id).about_all(&ids).because(Some(last.cause));
        if !forced && self.pace.hour_is_full(now, &desk.settings.activity) {
            let detail = format!(
                "{} an hour are allowed here",
                desk.settings.activity.max_messages_per_hour
            );
            desk.ledger.note(
                scope,
                JournalEvent::ReplySkipped {
                    reason: SkipReason::HourlyCap,
                    detail,
                },
            );
            return;
        }
        let id = desk.counters.turn.take_next();
        let event = JournalEvent::TurnOpened {
            author: burst.author.clone(),
            trigger_message_ids: ids,
            forced,
            waited: now.since(burst.first_at),
        };
        let cause = desk.ledger.note(scope.turn(id), event);
        let strongest = burst
            .triggers
            .iter()
            .min_by_key(|trigger| trigger.signal.reason)
            .unwrap_or(last);
        let address = strongest.signal.clone();
        let unclear = burst
            .triggers
            .iter()
            .all(|trigger| trigger.reason == AdmissionReason::AskClassifier);
        let turn = Turn {
            id,
            burst,
            address,
            forced,
            opened_at: now,
            cause,
            stage: Stage::Resting { until: now },
            failures: 0,
            interruptions: 0,
            insist: false,
            budget_divisor: 1,
            found: Recollection::default(),
            tool_steps: 0,
            tool_calls: 0,
            tool_turns: Vec::new(),
            typing_shown: false,
            draft_shown: false,
        };
        if unclear {
            self.classify(turn, desk)
        } else {
            self.recall(turn, desk)
        }
    }

    fn classify(&mut self, mut turn: Turn, desk: &mut Desk<'_>) {
        let window: Vec<&Message> = self
            .history
            .newest(desk.settings.memory.max_recent_messages as usize)
            .collect();
        let request = classifier_request(&window, &self.current(&turn), desk.settings);
        let (ask, deadline) = self.ask_model(&mut turn, request, desk);
        turn.stage = Stage::Classifying { ask, deadline };
        self.turn = Some(turn);
    }

    /// The messages a turn answers, as they stand now.
    pub(super) fn current(&self, turn: &Turn) -> Vec<&Message> {
        turn.messages().filter_map(|id| self.history.find(id)).collect()
    }

    /// Looks for older messages that fit, unless the settings want none.
    pub(super) fn recall(&mut self, mut turn: Turn, desk: &mut Desk<'_>) {
        let context = &desk.settings.context;
        let words: String = self
            .current(&turn)
            .iter()
            .flat_map(|message| message.text.chars().chain([' ']))
            .take(RECALL_WORDS_CHARS)
            .collect();
        if context.max_relevant_messages == 0 || words.trim().is_empty() {
            return self.generate(turn, desk);
        }
        let recall = desk.counters.recall.take_next();
        let event = JournalEvent::RecallStarted {
            recall,
            query_characters: words.chars().count(),
        };
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        let recent = desk.settings.memory.max_recent_messages as usize;
        desk.ledger.want(Effect::Recall(RecallQuery {
            recall,
            room: self.id.clone(),
            words,
            exclude: self
                .history
                .newest(recent)
                .map(|message| message.id.clone())
                .collect(),
            max_messages: context.max_relevant_messages as usize,
        }));
        let started = desk.moment();
        turn.stage = Stage::Recalling {
            recall,
            started,
            deadline: started + Span::from_seconds(context.recall_timeout_seconds),
        };
        self.turn = Some(turn);
    }

    pub fn recalled(&mut self, recall: RecallId, found: &Recollection, desk: &mut Desk<'_>) {
        let waits =
            |turn: &mut Turn| matches!(turn.stage, Stage::Recalling { recall: open, .. } if open == recall);
        let Some(mut turn) = self.turn.take_if(waits) else {
            return;
        };
        let Stage::Recalling { started, .. } = turn.stage else {
            return;
        };
        let event = JournalEvent::RecallCompleted {
            recall,
            messages: found.messages.len(),
            took: desk.moment().since(started),
            failure: found.failure.clone(),
        };
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        turn.found = found.clone();
        self.generate(turn, desk);
    }

    /// Asks the gate once more, and then the model.
    pub(super) fn generate(&mut self, mut turn: Turn, desk: &mut Desk<'_>) {
        let current = self.current(&turn);
        if current.is_empty() {
            return self.end_silent(
                turn,
                SkipReason::MessageDeleted,
                "every message of it was taken back",
                desk,
            );
        }
        let joined = turn
            .burst
            .triggers
            .iter()
            .any(|trigger| trigger.reason != AdmissionReason::AskClassifier);
        let at = AtGate {
            gate: Gate::BeforeGeneration,
            author: &turn.burst.author,
            signal: &turn.address,
            except: &turn.message_ids(),
            joins_burst: joined && turn.forced,
            scope: turn.scope(&self.id),
        };
        let (admission, cause) = self.ask_gate(at, desk);
        turn.cause = cause;
        if !admission.allow || admission.reason == AdmissionReason::AskClassifier {
            return self.end_silent(
                turn,
                SkipReason::NoLongerAdmitted,
                "the room moved on while it waited",
                desk,
            );
        }
        let request = reply_request(&ReplyBrief {
            room: self.id.as_str(),
            now: desk.now().wall,
            settings: desk.settings,
            window: self
                .history
                .newest(desk.settings.memory.max_recent_messages as usize)
                .collect(),
            current,
            relevant: &turn.found.messages,
            address: turn.address.reason,
            required: turn.forced,
            eagerness: eagerness(&self.id, desk.settings),
            insist: turn.insist,
            tool_turns: &turn.tool_turns,
            tools: if turn.may_use_tools(desk.settings) {
                vec![search_tool()]
            } else {
                Vec::new()
            },
            budget_divisor: turn.budget_divisor,
        });
        let purpose = request.purpose;
        // What an earlier answer of this turn showed is not how the next one begins.
        self.take_draft_back(&mut turn, desk);
        let (ask, deadline) = self.ask_model(&mut turn, request, desk);
        if turn.forced {
            self.show_typing(&mut turn, desk);
        }
        turn.stage = Stage::Asking {
            ask,
            purpose,
            deadline,
            draft: Draft::default(),
        };
        self.turn = Some(turn);
    }

    fn ask_model(&self, turn: &mut Turn, request: ModelRequest, desk: &mut Desk<'_>) -> (AskId, Moment) {
        let ask = desk.counters.ask.take_next();
        let with_fate = |fate| {
            let sections = request.sections.iter().filter(|section| section.fate == fate);
            sections.map(|section| section.name.clone()).collect()
        };
        let event = JournalEvent::AskStarted {
            ask,
            purpose: request.purpose,
            provider: request.choice.provider.clone(),
            model: request.choice.model.clone(),
            attempt: turn.failures + turn.interruptions + 1,
            prompt_characters: request.sections.iter().map(|section| section.kept_chars).sum(),
            sections_trimmed: with_fate(SectionFate::Trimmed),
            sections_dropped: with_fate(SectionFate::Dropped),
        };
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        let deadline = desk.moment() + request.deadline + DEADLINE_GRACE;
        desk.ledger.want(Effect::Ask(Box::new(Asking {
            ask,
            room: self.id.clone(),
            turn: turn.id,
            request,
        })));
        (ask, deadline)
    }

    pub fn ask_progressed(&mut self, piece: &str, desk: &mut Desk<'_>) {
        let Some(mut turn) = self.turn.take() else { return };
        let target = self.target(&turn.burst);
        let name = &desk.settings.identity.name;
        let text = match &mut turn.stage {
            Stage::Asking { draft, .. } => draft.push(piece, name, target).map(str::to_owned),
            _ => None,
        };
        if let Some(text) = text {
            self.show_typing(&mut turn, desk);
            turn.draft_shown = true;
            desk.ledger.want(Effect::ShowDraft {
                room: self.id.clone(),
                turn: turn.id,
                text,
            });
        }
        self.turn = Some(turn);
    }

    fn show_typing(&self, turn: &mut Turn, desk: &mut Desk<'_>) {
        if !turn.typing_shown {
            turn.typing_shown = true;
            desk.ledger.want(Effect::ShowTyping {
                room: self.id.clone(),
                typing: true,
            });
        }
    }

    /// The message that is answered: the newest that was addressed, else the newest. It may be gone by now.
    pub(super) fn target(&self, burst: &Burst) -> Option<&Message> {
        let addressed = burst
            .triggers
            .iter()
            .rev()
            .find(|trigger| trigger.signal.triggered);
        let trigger = addressed.or(burst.triggers.last())?;
        self.history.find(&trigger.message)
    }

    /// An ask this room waits for has ended.
    pub fn ask_ended(&mut self, ask: AskId, outcome: AskOutcome, desk: &mut Desk<'_>) {
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
                turn.cause = desk.ledger.note(turn.scope(&self.id), event);
                if again {
                    turn.interruptions += 1;
                    return self.classify(turn, desk);
                }
                return self.end_silent(
                    turn,
                    SkipReason::NotAddressed,
                    "the classifier could not be asked",
                    desk,
                );
            }
            AskOutcome::Failed(failure) => return self.ask_failed(turn, ask, purpose, failure, desk),
        };
        let event = JournalEvent::AskCompleted {
            ask,
            purpose,
            provider: answer.provider.clone(),
            model: answer.model.clone(),
            took: answer.took,
            first_text: answer.first_text,
            input_tokens: answer.usage.input_tokens,
            output_tokens: answer.usage.output_tokens,
            cost_micro_dollars: answer.usage.cost_micro_dollars,
        };
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        match purpose {
            AskPurpose::AddressClassifier => self.classified(turn, &answer, desk),
            // Calls of a model that was offered no tools (any more) are not followed: it could go on for ever.
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup
                if !answer.tool_calls.is_empty() && turn.may_use_tools(desk.settings) =>
            {
                self.run_tools(turn, &answer, desk);
            }
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup => self.answered(turn, ask, &answer, desk),
        }
    }

    fn classified(&mut self, mut turn: Turn, answer: &ModelAnswer, desk: &mut Desk<'_>) {
        let threshold = desk.settings.address_classifier.threshold;
        let Some(confidence) = read_confidence(&answer.text) else {
            return self.end_silent(
                turn,
                SkipReason::NotAddressed,
                "the classifier's answer could not be understood",
                desk,
            );
        };
        let addressed = confidence >= threshold;
        let event = JournalEvent::AddressClassified {
            confidence,
            threshold,
            addressed,
        };
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        if !addressed {
            return self.end_silent(
                turn,
                SkipReason::NotAddressed,
                "the classifier's confidence is too low",
                desk,
            );
        }
        turn.address = AddressSignal::classified(confidence);
        self.recall(turn, desk);
    }

    fn answered(&mut self, mut turn: Turn, ask: AskId, answer: &ModelAnswer, desk: &mut Desk<'_>) {
        let reading = read_answer(&answer.text, &desk.settings.identity.name, turn.forced);
        if let Some(what) = reading.repaired {
            let event = JournalEvent::AnswerRepaired {
                ask,
                what: what.to_owned(),
            };
            turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        }
        let (reason, detail) = match reading.outcome {
            ReplyOutcome::Say(text) => return self.dispatch(turn, ask, &text, desk),
            _ if answer.finish == Finish::Refused => {
                return self.end_silent(turn, SkipReason::Refused, "the model declined to answer", desk);
            }
            ReplyOutcome::Skip { why } => (SkipReason::LlmSkip, why),
            ReplyOutcome::Empty => (SkipReason::EmptyReply, String::new()),
            ReplyOutcome::EmptyAfterMedia => (SkipReason::EmptyReplyAfterMedia, String::new()),
        };
        if turn.forced && turn.failures < desk.settings.activity.max_retries {
            turn.failures += 1;
            turn.insist = true;
            return self.generate(turn, desk);
        }
        self.end_silent(turn, reason, &detail, desk);
    }

    fn ask_failed(
        &mut self,
        mut turn: Turn,
        ask: AskId,
        purpose: AskPurpose,
        failure: AskFailure,
        desk: &mut Desk<'_>,
    ) {
        let activity = &desk.settings.activity;
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
        turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        self.take_draft_back(&mut turn, desk);
        if !retry {
            let reason = if failure.kind == AskFailureKind::Refused {
                SkipReason::Refused
            } else {
                SkipReason::ModelFailed
            };
            return self.end_silent(turn, reason, failure.kind.name(), desk);
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
            turn.cause = desk.ledger.note(turn.scope(&self.id), event);
        }
        turn.stage = Stage::Resting {
            until: desk.moment() + delay,
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
