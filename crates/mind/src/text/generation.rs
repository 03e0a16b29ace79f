//! From a finished burst to a question: classify if unclear, recall, ask the gate again, ask the model.

use settings::MemorySettings;
use vocabulary::{AskId, Message, MessageId, ModelRequest, Moment, PersonId, RecallId, Span};

use super::burst::Burst;
use super::gate::{AtGate, eagerness};
use super::room::TextRoom;
use super::tools::reply_budget;
use super::turn::{Stage, Turn};
use crate::admission::{AdmissionReason, Gate};
use crate::asking;
use crate::effect::{Asking, Effect, RecallQuery};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::memory::recall::{Chosen, Wanted, choose, is_small_talk};
use crate::prompt::{ReplyBrief, classifier_request, reply_request};
use crate::reply::{Draft, SkipReason};
use crate::step_context::StepContext;
use crate::tool_loop::ToolLoop;
use crate::watch::prompt::{ScreenShown, note_lines};

/// Words of a turn that are looked for among older messages.
const RECALL_WORDS_CHARS: usize = 600;

impl TextRoom {
    /// A burst is finished: a turn begins, unless the hour is full and no reply is owed.
    pub(super) fn open(&mut self, burst: Burst, step: &mut StepContext<'_>) {
        let now = step.moment();
        let forced = burst.is_forced();
        let ids: Vec<_> = burst
            .triggers
            .iter()
            .map(|trigger| trigger.message.clone())
            .collect();
        let Some(last) = burst.triggers.last() else { return };
        let scope = Scope::room(&self.id).about_all(&ids).because(Some(last.cause));
        if !forced && self.outbox.pace().hour_is_full(now, &step.settings.activity) {
            let detail = format!(
                "{} an hour are allowed here",
                step.settings.activity.max_messages_per_hour
            );
            step.ledger.write(
                scope,
                JournalEvent::ReplySkipped {
                    reason: SkipReason::HourlyCap,
                    detail,
                },
            );
            return;
        }
        let id = step.counters.turn.take_next();
        let strongest = burst.strongest().unwrap_or(last);
        let event = JournalEvent::TurnOpened {
            author: strongest.author.clone(),
            trigger_message_ids: ids,
            forced,
            waited: now.since(burst.first_at),
        };
        let cause = step.ledger.write(scope.turn(id), event);
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
            prompt_chars: 0,
            tools: ToolLoop::default(),
            looks_at_screen: false,
            draft_shown: false,
        };
        if unclear {
            self.classify(turn, step)
        } else {
            self.recall(turn, step)
        }
    }

    pub(super) fn classify(&mut self, mut turn: Turn, step: &mut StepContext<'_>) {
        let window = self.compaction.window(step.settings);
        let request = classifier_request(&window, &self.current(&turn), step.settings);
        let (ask, deadline) = self.ask_model(&mut turn, request, step);
        turn.stage = Stage::Classifying { ask, deadline };
        self.turn = Some(turn);
    }

    /// The messages a turn answers, as they stand now.
    pub(super) fn current(&self, turn: &Turn) -> Vec<&Message> {
        turn.messages()
            .filter_map(|id| self.compaction.log.find(id))
            .collect()
    }

    /// Looks for older messages that fit, unless the settings want none.
    pub(super) fn recall(&mut self, mut turn: Turn, step: &mut StepContext<'_>) {
        let context = &step.settings.context;
        let words: String = self
            .current(&turn)
            .iter()
            .flat_map(|message| message.text.chars().chain([' ']))
            .take(RECALL_WORDS_CHARS)
            .collect();
        let max_facts = facts_wanted(&step.settings.memory);
        if (context.max_relevant_messages == 0 && max_facts == 0) || words.trim().is_empty() {
            return self.generate(turn, step);
        }
        let recall = step.counters.recall.take_next();
        let people = self.people_at_hand(&turn);
        let event = JournalEvent::RecallStarted {
            recall,
            query_characters: words.chars().count(),
            people: people.len(),
        };
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        let window = self.compaction.window(step.settings);
        step.ledger.want(Effect::Recall(RecallQuery {
            recall,
            room: self.id.clone(),
            words,
            exclude: window.iter().map(|message| message.id.clone()).collect(),
            max_messages: context.max_relevant_messages as usize,
            view: step.view(&self.id, people.clone()),
            people,
            max_facts,
            gems_only: false,
        }));
        let started = step.moment();
        turn.stage = Stage::Recalling {
            recall,
            started,
            deadline: started + Span::from_seconds(context.recall_timeout_seconds),
        };
        self.turn = Some(turn);
    }

    /// Whose messages a turn answers.
    fn people_at_hand(&self, turn: &Turn) -> Vec<PersonId> {
        let mut people: Vec<PersonId> = Vec::new();
        for message in self.current(turn) {
            if !people.contains(&message.author.id) {
                people.push(message.author.id.clone());
            }
        }
        people
    }

    /// What of a recollection a prompt is told.
    fn facts_for(&self, turn: &Turn, found: &Recollection, step: &StepContext<'_>) -> Chosen {
        let memory = &step.settings.memory;
        let shown: Vec<&MessageId> = self
            .compaction
            .window(step.settings)
            .into_iter()
            .chain(&found.messages)
            .map(|message| &message.id)
            .collect();
        let name = &step.settings.identity.name;
        let small_talk = self
            .current(turn)
            .iter()
            .all(|message| is_small_talk(&message.text, name));
        let wanted = Wanted {
            user_facts: memory.max_user_facts as usize,
            relevant_facts: if small_talk {
                0
            } else {
                memory.max_relevant_facts as usize
            },
            min_confidence: memory.min_confidence,
        };
        choose(found, &shown, wanted, step.now().wall)
    }

    pub fn recalled(&mut self, recall: RecallId, found: &Recollection, step: &mut StepContext<'_>) {
        let waits =
            |turn: &mut Turn| matches!(turn.stage, Stage::Recalling { recall: open, .. } if open == recall);
        let Some(mut turn) = self.turn.take_if(waits) else {
            return;
        };
        let Stage::Recalling { started, .. } = turn.stage else {
            return;
        };
        let chosen = self.facts_for(&turn, found, step);
        let event = JournalEvent::RecallCompleted {
            recall,
            messages: found.messages.len(),
            user_facts: chosen.user_facts.len(),
            relevant_facts: chosen.relevant_facts.len(),
            unsure: chosen.unsure,
            took: step.moment().since(started),
            failure: found.failure.clone(),
        };
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        turn.found = found.clone();
        self.generate(turn, step);
    }

    /// Asks the gate once more, and then the model.
    pub(super) fn generate(&mut self, mut turn: Turn, step: &mut StepContext<'_>) {
        if self.current(&turn).is_empty() {
            return self.end_silent(
                turn,
                SkipReason::MessageDeleted,
                "every message of it was taken back",
                step,
            );
        }
        let joined = turn
            .burst
            .triggers
            .iter()
            .any(|trigger| trigger.reason != AdmissionReason::AskClassifier);
        let at = AtGate {
            gate: Gate::BeforeGeneration,
            // Where several authors share a burst, whoever spoke to Denizen is the one who is answered.
            author: turn
                .burst
                .strongest()
                .map_or(&turn.burst.author, |trigger| &trigger.author),
            signal: &turn.address,
            except: &turn.message_ids(),
            joins_burst: joined && turn.forced,
            scope: turn.scope(&self.id),
        };
        let (admission, cause) = self.ask_gate(at, step);
        turn.cause = cause;
        if !admission.allow || admission.reason == AdmissionReason::AskClassifier {
            return self.end_silent(
                turn,
                SkipReason::NoLongerAdmitted,
                "the room moved on while it waited",
                step,
            );
        }
        self.compaction.consider(step);
        let frame = self.frame_for(&mut turn, step);
        let tools = self.tools_at_hand(step);
        let tools = turn
            .tools
            .offer(tools, &reply_budget(step.settings), step.moment());
        let screen_notes = note_lines(self.watch.notes(), step.now().wall);
        let current = self.current(&turn);
        let facts = self.facts_for(&turn, &turn.found, step);
        let request = reply_request(&ReplyBrief {
            summary: self.compaction.summary_shown(step.settings),
            room: self.id.as_str(),
            now: step.now().wall,
            settings: step.settings,
            window: self.compaction.window(step.settings),
            current,
            relevant: &turn.found.messages,
            user_facts: &facts.user_facts,
            relevant_facts: &facts.relevant_facts,
            screen_notes: &screen_notes,
            frame: frame
                .as_ref()
                .map(|(glimpse, shared_by)| ScreenShown { shared_by, glimpse }),
            address: turn.address.reason,
            required: turn.forced,
            eagerness: eagerness(&self.id, step.settings),
            insist: turn.insist,
            tool_turns: &turn.tools.turns,
            tools,
            budget_divisor: turn.budget_divisor,
        });
        let purpose = request.purpose;
        // What an earlier answer of this turn showed is not how the next one begins.
        self.take_draft_back(&mut turn, step);
        let (ask, deadline) = self.ask_model(&mut turn, request, step);
        if turn.forced {
            self.outbox.show_typing(&self.id, true, step);
        }
        turn.stage = Stage::Asking {
            ask,
            purpose,
            deadline,
            draft: Draft::default(),
        };
        self.turn = Some(turn);
    }

    fn ask_model(
        &self,
        turn: &mut Turn,
        request: ModelRequest,
        step: &mut StepContext<'_>,
    ) -> (AskId, Moment) {
        let ask = step.counters.ask.take_next();
        let event = asking::started(ask, &request, turn.failures + turn.interruptions + 1);
        turn.cause = step.ledger.write(turn.scope(&self.id), event);
        turn.prompt_chars = asking::characters(&request);
        let deadline = step.moment() + request.deadline + asking::DEADLINE_GRACE;
        step.ledger.want(Effect::Ask(Box::new(Asking {
            ask,
            room: self.id.clone(),
            turn: turn.id,
            request,
        })));
        (ask, deadline)
    }
}

/// Facts that are looked for: more than are told, because some of them are in the prompt anyway.
fn facts_wanted(memory: &MemorySettings) -> usize {
    if memory.enabled {
        (memory.max_relevant_facts + memory.max_user_facts) as usize * 2
    } else {
        0
    }
}
