//! From a finished burst to a question: classify if unclear, recall, ask the gate again, ask the model.

use settings::MemorySettings;
use vocabulary::{AskFailureKind, AskId, AskPurpose, Glimpse, MessageId, ModelRequest, RecallId, Span};

use super::burst::Burst;
use super::gate::{AtGate, eagerness};
use super::paying::end_unpaid;
use super::plainly::{self, is_plain};
use super::prompt::{ReplyBrief, classifier_request, plain_request, reply_request, shown_messages};
use super::reacting;
use super::tools::{reply_budget, reply_offer};
use super::turn::{Stage, Turn};
use super::{Replies, ReplyContext, end_silent, skip};
use crate::admission::{AdmissionReason, Gate};
use crate::asking;
use crate::context::compaction::Compaction;
use crate::effect::{Effect, RecallQuery};
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::memory::recall::{Chosen, Wanted, choose, is_small_talk, shown_turns};
use crate::reply::{Draft, SkipReason};
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, Owner, Question, launch};
use crate::step_context::paying::Unaffordable;
use crate::watch::prompt::{ScreenShown, note_lines};
use crate::watch::screen_question::asks_about_screen;
use crate::watch::{FrameAttached, Watch};

/// A prompt is given this part of its budget at least, however long a model says that it is.
pub(super) const BUDGET_DIVISOR_MAX: usize = 8;

/// Words of a turn that are looked for among older messages.
const RECALL_WORDS_CHARS: usize = 600;

impl Replies {
    /// A burst is finished: a turn begins, unless the hour is full and no reply is owed.
    pub(super) fn open(&mut self, burst: Burst, context: &mut ReplyContext<'_>, step: &mut StepContext<'_>) {
        let now = step.moment();
        let activity = &step.settings.activity;
        let ids: Vec<MessageId> = burst.message_ids();
        let Some(last) = burst.triggers.last() else { return };
        let scope = Scope::room(context.room)
            .about_all(&ids)
            .because(Some(last.cause));
        let forced = burst.is_forced() && !plainly::may_be_left(&burst, step);
        if let Some(detail) = plainly::stays_out(&burst, context.room, step) {
            skip(scope, SkipReason::NotAddressed, detail, step);
            return;
        }
        if !forced && context.outbox.pace().hour_is_full(now, activity) {
            let detail = format!("{} an hour are allowed here", activity.max_messages_per_hour);
            skip(scope, SkipReason::HourlyCap, &detail, step);
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
        let turn = Turn {
            forced,
            ..Turn::opened(id, burst, address, cause, now)
        };
        if turn.is_unclear() {
            self.classify(turn, context, step)
        } else {
            self.recall(turn, context, step)
        }
    }

    pub(super) fn classify(
        &mut self,
        mut turn: Turn,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let window = context.log.window(step.settings);
        let request = classifier_request(&window, &turn.current(context.log.log()), step.settings);
        match ask_model(&mut turn, request, context, step) {
            Ok(ask) => {
                turn.stage = Stage::Classifying { ask };
                self.turn = Some(turn);
            }
            Err(why) => end_unpaid(&mut self.told, turn, &why, context, step),
        }
    }

    /// Looks for older messages that fit, unless the settings want none.
    pub(super) fn recall(
        &mut self,
        mut turn: Turn,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let wanted = &step.settings.context;
        let current = turn.current(context.log.log());
        let said = current
            .iter()
            .flat_map(|message| message.text.chars().chain([' ']));
        let words = head_and_tail(&said.collect::<String>(), RECALL_WORDS_CHARS);
        let max_facts = facts_wanted(&step.settings.memory);
        if (wanted.max_relevant_messages == 0 && max_facts == 0) || words.trim().is_empty() {
            return self.generate(turn, context, step);
        }
        let recall = step.counters.recall.take_next();
        let people = turn.people(context.log.log());
        let event = JournalEvent::RecallStarted {
            recall,
            query_characters: words.chars().count(),
            people: people.len(),
        };
        turn.cause = step.ledger.write(turn.scope(context.room), event);
        let window = context.log.window(step.settings);
        step.ledger.want(Effect::Recall(RecallQuery {
            recall,
            room: context.room.clone(),
            words,
            exclude: window.iter().map(|message| message.id.clone()).collect(),
            max_messages: wanted.max_relevant_messages as usize,
            view: step.view(context.room, people.clone()),
            people,
            max_facts,
            gems_only: false,
            max_lasting: 0,
            min_confidence: step.settings.memory.min_confidence,
            unjudged: false,
        }));
        let started = step.moment();
        let deadline = started + Span::from_seconds(wanted.recall_timeout_seconds);
        let owner = Owner::Replies(context.room.clone());
        step.flights.expect(LookUp::Recall(recall), owner, deadline);
        turn.stage = Stage::Recalling { recall, started };
        self.turn = Some(turn);
    }

    /// What was looked for is here; or, where nothing is given, has not come in time.
    pub fn recalled(
        &mut self,
        recall: RecallId,
        found: Option<Recollection>,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits =
            |turn: &mut Turn| matches!(turn.stage, Stage::Recalling { recall: open, .. } if open == recall);
        let Some(mut turn) = self.turn.take_if(waits) else {
            return;
        };
        let Stage::Recalling { started, .. } = turn.stage else {
            return;
        };
        let took = step.took(started);
        let event = match found {
            Some(found) => {
                turn.found = found;
                facts_for(&turn, context.log, step).told(recall, &turn.found, took)
            }
            None => JournalEvent::RecallAbandoned { recall, after: took },
        };
        turn.cause = step.ledger.write(turn.scope(context.room), event);
        self.generate(turn, context, step);
    }

    /// Asks the gate once more, and then the model.
    pub(super) fn generate(
        &mut self,
        mut turn: Turn,
        context: &mut ReplyContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        if turn.current(context.log.log()).is_empty() {
            let detail = "every message of it was taken back";
            return end_silent(turn, SkipReason::MessageDeleted, detail, context, step);
        }
        if let Some(until) = step.reply_waits_until() {
            turn.wait_to_ask(until, context.room, step);
            self.turn = Some(turn);
            return;
        }
        let strongest = turn.burst.strongest();
        let at = AtGate {
            gate: Gate::BeforeGeneration,
            // Where several authors share a burst, whoever spoke to Denizen is the one who is answered.
            author: strongest.map_or(&turn.burst.author, |trigger| &trigger.author),
            signal: &turn.address,
            except: &turn.burst.message_ids(),
            joins_burst: !turn.is_unclear() && turn.forced,
            is_wished: turn.burst.is_wished(),
            scope: turn.scope(context.room),
        };
        let (admission, cause) = at.ask(context, step);
        turn.cause = cause;
        if !admission.allow || admission.reason == AdmissionReason::AskClassifier {
            let (reason, detail) = match admission.reason {
                AdmissionReason::Quiet => (SkipReason::Quiet, "somebody wants it quiet here since"),
                _ => (SkipReason::NoLongerAdmitted, "the room moved on while it waited"),
            };
            return end_silent(turn, reason, detail, context, step);
        }
        context.log.consider(step);
        let plain = is_plain(step);
        let tools = if turn.words_only {
            // Words alone: what it stumbled over may be what goes with them.
            Vec::new()
        } else if plain {
            match plainly::prepare(&mut turn, context, step) {
                Some(tools) => tools,
                None => return self.go_on_when_answered(turn, context, step),
            }
        } else {
            reply_offer(context, step)
        };
        let frame = frame_for(&mut turn, context, step);
        let tools = turn
            .tools
            .offer(tools, &reply_budget(step.settings), step.moment());
        let screen_notes = note_lines(context.watch.notes(), step.now().wall);
        let screen_over = context.watch.over(step.now().wall);
        let facts = facts_for(&turn, context.log, step);
        // What this very turn has looked up stands in the conversation, word for word.
        let look_ups = match turn.tools.turns.is_empty() {
            true => self.look_ups.lines(step.now().wall),
            false => Vec::new(),
        };
        let too_long = turn.too_long.take();
        let mut brief = ReplyBrief {
            summary: context.log.summary_shown(step.settings),
            room: context.name,
            now: step.now().wall,
            settings: step.settings,
            window: context.log.window(step.settings),
            current: turn.current(context.log.log()),
            relevant: &turn.found.messages,
            user_facts: &facts.user_facts,
            relevant_facts: &facts.relevant_facts,
            screen_notes: &screen_notes,
            screen_over: screen_over.as_deref(),
            look_ups: &look_ups,
            frame: frame
                .as_ref()
                .map(|(glimpse, shared_by)| ScreenShown { shared_by, glimpse }),
            address: turn.address.reason,
            required: turn.forced,
            eagerness: eagerness(context.room, step.settings),
            insist: turn.insist,
            reacts: reacting::reacts(context, step),
            may_react: !turn.forced && reacting::not_open(self, context, step).is_none(),
            words_only: turn.words_only,
            tool_turns: &turn.tools.turns,
            tools,
            prompt_tokens: step.prompt_tokens(AskPurpose::TextReply, step.settings.llm.max_output_tokens),
            budget_divisor: turn.budget_divisor,
        };
        let Some(request) = short_enough(&mut brief, plain, too_long) else {
            let kind = AskFailureKind::ContextTooLong;
            self.told.tell(kind, &turn, context, step);
            let detail = "context_too_long: the prompt cannot be made shorter";
            return end_silent(turn, SkipReason::ModelFailed, detail, context, step);
        };
        turn.budget_divisor = brief.budget_divisor;
        // What an earlier answer of this turn showed is not how the next one begins.
        turn.take_draft_back(context.room, step);
        let ask = match ask_model(&mut turn, request, context, step) {
            Ok(ask) => ask,
            Err(why) => {
                match turn.attachments.is_empty() {
                    true => end_unpaid(&mut self.told, turn, &why, context, step),
                    // What was made needs no words.
                    false => self.dispatch(turn, step.counters.ask, String::new(), context, step),
                }
                return;
            }
        };
        if turn.forced {
            context.outbox.show_typing(context.room, true, step);
        }
        let draft = Draft::default();
        turn.stage = Stage::Asking { ask, draft };
        self.turn = Some(turn);
    }
}

/// The request; where the one before was too long, one that is shorter by a good part, if there is any: the same words are
/// not sent again.
fn short_enough(brief: &mut ReplyBrief<'_>, plain: bool, too_long: Option<usize>) -> Option<ModelRequest> {
    let written = |brief: &ReplyBrief<'_>| match plain {
        true => plain_request(brief),
        false => reply_request(brief),
    };
    let Some(too_long) = too_long else {
        return Some(written(brief));
    };
    while brief.budget_divisor < BUDGET_DIVISOR_MAX {
        brief.budget_divisor *= 2;
        let request = written(brief);
        if asking::characters(&request) * 10 <= too_long * 9 {
            return Some(request);
        }
    }
    None
}

fn ask_model(
    turn: &mut Turn,
    request: ModelRequest,
    context: &ReplyContext<'_>,
    step: &mut StepContext<'_>,
) -> Result<AskId, Unaffordable> {
    let fare = step.afford_for(turn.forced, &request, turn.scope(context.room))?;
    turn.prompt_chars = asking::characters(&request);
    let question = Question {
        owner: Owner::Replies(context.room.clone()),
        scope: turn.scope(context.room),
        room: context.room.clone(),
        turn: Some(turn.id),
        fare,
        attempt: turn.failures + turn.interruptions + 1,
        request,
    };
    let launched = launch(question, step);
    turn.cause = launched.cause;
    Ok(launched.ask)
}

/// What a prompt is told of what was found for a turn.
fn facts_for(turn: &Turn, log: &Compaction, step: &StepContext<'_>) -> Chosen {
    let memory = &step.settings.memory;
    let window = log.window(step.settings);
    let shown = shown_messages(is_plain(step), &window, &turn.found.messages);
    let shown = shown_turns(&turn.found, shown, step.ledger.community());
    let name = &step.settings.identity.name;
    let current = turn.current(log.log());
    let small_talk = current.iter().all(|message| is_small_talk(&message.text, name));
    let wanted = Wanted {
        user_facts: memory.max_user_facts as usize,
        relevant_facts: if small_talk {
            0
        } else {
            memory.max_relevant_facts as usize
        },
        min_confidence: memory.min_confidence,
    };
    choose(&turn.found, &shown, wanted, step.now().wall)
}

/// The current frame, where a turn is about the screen: somebody asks about it, or the model wanted to look.
fn frame_for(
    turn: &mut Turn,
    context: &ReplyContext<'_>,
    step: &mut StepContext<'_>,
) -> Option<(Glimpse, String)> {
    let watch: &Watch = context.watch;
    let (glimpse, shared_by) = watch.in_view()?;
    let current = turn.current(context.log.log());
    let asked = current
        .iter()
        .any(|message| asks_about_screen(&message.text, turn.address.triggered));
    let because = FrameAttached::because(turn.looks_at_screen, asked)?;
    let event = JournalEvent::FrameAttached {
        frame: glimpse.frame,
        because,
    };
    turn.cause = step.ledger.write(turn.scope(context.room), event);
    Some((glimpse, shared_by.to_owned()))
}

/// At most so many characters of a text: of a long one its beginning and, as more is mostly asked there, its end.
fn head_and_tail(text: &str, chars_max: usize) -> String {
    let chars = text.chars().count();
    if chars <= chars_max {
        return text.to_owned();
    }
    let head = chars_max / 3;
    let tail = chars_max - head - 1;
    let ends = text.chars().take(head).chain([' ']);
    ends.chain(text.chars().skip(chars - tail)).collect()
}

/// Facts that are looked for: more than are told, because some of them are in the prompt anyway.
fn facts_wanted(memory: &MemorySettings) -> usize {
    if memory.enabled {
        (memory.max_relevant_facts + memory.max_user_facts) as usize * 2
    } else {
        0
    }
}
