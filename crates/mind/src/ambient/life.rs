//! How a run begins and ends, and what else happens to thoughts: they expire, the operator drops them, the process ends.

use vocabulary::{AskId, AuthorKind, FeedHarvest, Forget, JournalSeq, Message, MessageId, PersonId, TurnId};

use super::gates::AmbientGate;
use super::run::{Run, Stage};
use super::thought::HeldThought;
use super::{Ambient, Around, pool};
use crate::effect::Effect;
use crate::input::{Forgotten, Recollection};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{InitiativeSkip, RunOutcome};
use crate::step_context::StepContext;
use crate::tool_loop::ToolLoop;

impl Ambient {
    /// A run begins: it looks around first.
    pub(super) fn begin(
        &mut self,
        turn: TurnId,
        trial: bool,
        revisits: bool,
        cause: Option<JournalSeq>,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let pool = pool::lively(step.settings, around);
        let now = step.now();
        if !trial && !revisits {
            // Every attempt starts the gap, whatever comes of it.
            self.considered = Some(now.moment);
        }
        let event = JournalEvent::AmbientRunStarted {
            trial,
            revisits,
            channels: pool.len(),
        };
        let scope = pool.first().map_or_else(Scope::default, Scope::room);
        let cause = step.ledger.write(scope.turn(turn).because(cause), event);
        let run = Run {
            turn,
            started: now.moment,
            started_at: now.wall,
            trial,
            revisits,
            pool,
            cause,
            stage: Stage::UsingTools,
            gathered: FeedHarvest::default(),
            recalled: Recollection::default(),
            candidates: Vec::new(),
            interests: Vec::new(),
            handles: Vec::new(),
            tools: ToolLoop::default(),
            adding: Vec::new(),
            looks_at_screen: false,
            budget_divisor: 1,
            steps: Vec::new(),
            decision: None,
            post: None,
        };
        if run.pool.is_empty() {
            return self.end(run, RunOutcome::Dropped, AmbientGate::NoChannels.words(), step);
        }
        self.look_around(run, around, step);
    }

    /// Somebody wants to see what it would think now.
    pub fn think_now(&mut self, around: Around<'_>, step: &mut StepContext<'_>) {
        if self.run.is_some() {
            return;
        }
        self.trial = None;
        let turn = step.counters.turn.take_next();
        let revisits = self.held.is_some();
        self.begin(turn, true, revisits, None, around, step);
    }

    /// A run is over.
    pub(super) fn end(&mut self, mut run: Run, outcome: RunOutcome, words: &str, step: &mut StepContext<'_>) {
        let is_failure = matches!(outcome, RunOutcome::Failed | RunOutcome::Interrupted);
        let outcome = if run.trial { RunOutcome::Trial } else { outcome };
        let (calls, tokens, cost_micro_dollars) = self.spending.of(run.turn);
        let event = JournalEvent::AmbientRunEnded {
            outcome,
            took: step.moment().since(run.started),
            calls,
            tokens,
            cost_micro_dollars,
        };
        run.cause = step.ledger.write(run.scope(), event);
        if let Some(held) = self.held.as_mut().filter(|_| run.revisits && !run.trial) {
            // Every look counts, also one that came to nothing.
            held.looked_at = step.moment();
            held.looks += 1;
        }
        self.receipts.came_of(run.turn, outcome.action());
        if run.trial {
            let mut trial = run.view(Some(step.now().wall), words);
            if is_failure {
                "failed".clone_into(&mut trial.stage);
            }
            self.trial = Some(trial);
        }
    }

    /// A run is over without a post, and this is why.
    pub(super) fn skip(
        &mut self,
        mut run: Run,
        reason: InitiativeSkip,
        detail: &str,
        ask: Option<AskId>,
        step: &mut StepContext<'_>,
    ) {
        if !run.trial {
            let revisions = self.held.as_ref().map_or(0, |held| held.revisions);
            let event = JournalEvent::InitiativeSkip {
                reason,
                detail: detail.to_owned(),
                ask,
                revisions,
            };
            run.cause = step.ledger.write(run.scope(), event);
        }
        let head = if run.trial {
            "Nothing would have been posted: "
        } else {
            ""
        };
        let words = match detail {
            "" => format!("{head}{}", reason.words()),
            detail => format!("{head}{} ({detail})", reason.words()),
        };
        let looked_at = run.revisits && !run.trial;
        self.end(run, reason.outcome(), &words, step);
        if looked_at && reason.ends_held_thought() {
            self.held = None;
        }
    }

    /// A held thought whose time is over goes.
    pub(super) fn expire(&mut self, step: &mut StepContext<'_>) {
        let over = |held: &HeldThought| held.expires <= step.moment();
        // While it is being looked at, the look decides.
        if self.held.as_ref().is_some_and(over) && !self.run.as_ref().is_some_and(|run| run.revisits) {
            self.let_go(InitiativeSkip::Expired, step);
        }
    }

    pub fn thought_dropped(&mut self, step: &mut StepContext<'_>) {
        if self.run.as_ref().is_some_and(|run| run.revisits && !run.trial) {
            self.give_up("the operator dropped the thought", step);
        }
        self.let_go(InitiativeSkip::DroppedByOperator, step);
    }

    fn let_go(&mut self, reason: InitiativeSkip, step: &mut StepContext<'_>) {
        let Some(held) = self.held.take() else { return };
        let event = JournalEvent::InitiativeSkip {
            reason,
            detail: String::new(),
            ask: None,
            revisions: held.revisions,
        };
        step.ledger.write(Scope::room(&held.room), event);
    }

    /// Gives the run under way up, unless its post is on its way already.
    fn give_up(&mut self, why: &str, step: &mut StepContext<'_>) {
        let posting = |run: &mut Run| !matches!(run.stage, Stage::Posting { .. });
        let Some(run) = self.run.take_if(posting) else {
            return;
        };
        if let Stage::Thinking { ask, .. } = run.stage {
            step.ledger.want(Effect::CancelAsk { ask });
        }
        self.end(run, RunOutcome::Interrupted, why, step);
    }

    /// Somebody wrote something, which may be `known`: platforms say some things twice.
    pub fn message_arrived(&mut self, message: &Message, known: bool, step: &mut StepContext<'_>) {
        if known || message.author.kind != AuthorKind::Person {
            return;
        }
        self.posts.answered(message, &mut self.sources, step);
        if let Some(held) = &mut self.held
            && pool::eligible(step.settings).contains(&message.room)
        {
            held.messages_since += 1;
        }
    }

    pub fn reaction_changed(
        &mut self,
        message: &MessageId,
        by: (&PersonId, &str),
        added: bool,
        step: &mut StepContext<'_>,
    ) {
        self.posts.reacted(message, by, added, &mut self.sources, step);
    }

    /// Something is forgotten: what speaks of it goes, and what is under way may be based on it.
    pub fn forget(&mut self, forgotten: &Forgotten, step: &mut StepContext<'_>) {
        self.give_up("what it was based on may be forgotten now", step);
        self.trial = None;
        let told = forgotten.names.iter().chain(&forgotten.texts);
        let told: Vec<String> = told
            .map(|text| text.to_lowercase())
            .filter(|text| !text.trim().is_empty())
            .collect();
        let speaks = |text: &str| {
            let text = text.to_lowercase();
            told.iter().any(|told| text.contains(told.as_str()))
        };
        let held_speaks = |held: &HeldThought| {
            let history = held.history.iter().any(|revision| speaks(&revision.text));
            history || speaks(&held.text) || speaks(&held.reason)
        };
        if self.held.as_ref().is_some_and(held_speaks) {
            self.let_go(InitiativeSkip::Forgotten, step);
        }
        if let Forget::Person { person, .. } = &forgotten.what {
            self.posts.forget(person);
        }
    }

    /// The process is back. What was missed meanwhile is missed.
    pub fn restarted(&mut self, around: Around<'_>, step: &mut StepContext<'_>) {
        self.next_tick = self.next_tick.map(|_| step.moment() + super::TICK);
        let Some(mut run) = self.run.take() else { return };
        match &mut run.stage {
            Stage::Posting { due, confirming, .. } => {
                *due = step.moment();
                *confirming = false;
                self.run = Some(run);
            }
            Stage::Making { .. } => {
                self.media_failed(run, "the process ended before it was there", false, around, step)
            }
            Stage::Gathering { .. } | Stage::Thinking { .. } | Stage::UsingTools => {
                self.end(run, RunOutcome::Interrupted, "the process ended", step);
            }
        }
    }

    /// Asks that are under way outside.
    pub fn asks_under_way(&self) -> usize {
        let asking = |run: &&Run| matches!(run.stage, Stage::Thinking { .. });
        usize::from(self.run.as_ref().filter(asking).is_some())
    }

    pub fn waits_for_ask(&self, ask: AskId) -> bool {
        self.run.as_ref().is_some_and(|run| run.waits_for_ask(ask))
    }
}
