//! A run: when it begins, and what it asks.

use gist::gems::redaction::redact;
use gist::summary::{FoldedTurn, summarise};
use settings::ModelOrOffline;
use vocabulary::{AskId, AskOutcome, AskPurpose, Moment, Span};

use super::plan::{Plan, Question, Verbatim, holds_chars, large_batch, outgrown, plan};
use super::state::{Compaction, FoldRun, Phase, Skipped, Stretch};
use super::{NOTES_CHARS_MAX, SUMMARY_CHARS_MAX};
use crate::context::notes::PendingNote;
use crate::context::prompt::{CompactionBrief, OUTPUT_TOKENS_MAX, compaction_request};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::CompactionSkip;
use crate::step_context::StepContext;
use crate::step_context::flight::{self, Flight, Owner, launch};
use crate::step_context::paying::Unaffordable;

/// Runs that may ask a model while nobody asks Denizen anything; after that the summary is written without one, where
/// that is allowed. A room in which Denizen is never asked costs no more than this, however much is said there.
pub const UNASKED_RUNS_MAX: u64 = 10;
/// Who writes a summary without a model.
pub(super) const WITHOUT_MODEL: &str = "offline";
/// After a failure a room that only listens leaves the model alone for so long.
pub(super) const FAILED_REST: Span = Span::minutes(1);

/// A summary that is to be taken over.
#[derive(Debug)]
pub(super) struct Written {
    pub stretch: Stretch,
    pub started: Moment,
    pub ask: Option<AskId>,
    pub summary: String,
    pub summariser: String,
}

/// Tokens that a question for a summary may have.
fn prompt_tokens(step: &StepContext<'_>) -> u64 {
    step.prompt_tokens(AskPurpose::ContextCompaction, u64::from(OUTPUT_TOKENS_MAX))
}

/// Characters of turns that a prompt for a reply holds word for word.
fn held(step: &StepContext<'_>) -> usize {
    holds_chars(step.prompt_tokens(AskPurpose::TextReply, 0))
}

impl Compaction {
    /// The one place where folding is considered for a prompt; every builder of a prompt comes here first.
    pub(crate) fn consider(&mut self, step: &mut StepContext<'_>) {
        if !self.folds(step.settings) {
            return;
        }
        self.unasked_runs = 0;
        self.look(step);
    }

    /// The same for a prompt that is not made where its model is left alone.
    pub(crate) fn consider_for(&mut self, purpose: AskPurpose, is_called: bool, step: &mut StepContext<'_>) {
        if !step.is_left_alone(purpose, is_called) {
            self.consider(step);
        }
    }

    /// Folds, or says why not.
    pub(super) fn look(&mut self, step: &mut StepContext<'_>) {
        match self.plan(step) {
            Plan::Skip(reason) => self.note_skip(reason, step),
            plan => self.start(plan, step),
        }
    }

    /// Something was said: has the log outgrown what stands word for word? Most of the time it has not, and that is no
    /// line of the journal.
    pub(super) fn consider_outgrown(&mut self, step: &mut StepContext<'_>) {
        let rests = self.rests_until.is_some_and(|until| until > step.moment());
        if self.run.is_some() || self.is_ending() || rests {
            return;
        }
        let Some(by) = outgrown(&self.log, held(step)) else {
            return;
        };
        let plan @ Plan::Fold { .. } = self.plan(step) else {
            return;
        };
        let verbatim_chars = self.log.verbatim().map(|said| Verbatim::from(said).chars);
        let event = JournalEvent::ContextOutgrown {
            by,
            verbatim_turns: self.log.verbatim().len(),
            verbatim_chars: verbatim_chars.sum(),
            asks_model: self.asks_model(step),
        };
        self.write(event, step);
        self.start(plan, step);
    }

    pub(super) fn plan(&self, step: &StepContext<'_>) -> Plan {
        let verbatim: Vec<Verbatim> = self.log.verbatim().map(Into::into).collect();
        plan(&Question {
            verbatim: &verbatim,
            cursor: self.log.cursor(),
            next: self.log.next_seq(),
            holds_chars: held(step),
            large_batch: large_batch(prompt_tokens(step)),
            pending_notes: self.notes.len(),
            in_flight: self.run.is_some(),
            ending: self.is_ending(),
            summariser_available: self.summariser_available(step),
        })
    }

    /// Whether anybody can write a summary now. Failures alone never end it: they are tried again.
    fn summariser_available(&self, step: &StepContext<'_>) -> bool {
        step.settings.compaction.summariser != ModelOrOffline::Model
            || self.unavailable_until.is_none_or(|until| until <= step.moment())
    }

    /// Whether a model writes the next summary.
    fn asks_model(&self, step: &StepContext<'_>) -> bool {
        match step.settings.compaction.summariser {
            ModelOrOffline::Offline => false,
            ModelOrOffline::Model => true,
            ModelOrOffline::Auto => self.unasked_runs < UNASKED_RUNS_MAX && self.outdone.may_do_better(),
        }
    }

    pub(super) fn note_skip(&mut self, reason: CompactionSkip, step: &mut StepContext<'_>) {
        match &mut self.skipped {
            Some(skipped) if skipped.reason == reason => skipped.repeated += 1,
            _ => {
                self.close_skips(step);
                self.skipped = Some(Skipped { reason, repeated: 0 });
                self.write_skip(reason, 0, step);
            }
        }
    }

    /// Says how often the last skip came again before something else happened.
    pub(super) fn close_skips(&mut self, step: &mut StepContext<'_>) {
        if let Some(Skipped { reason, repeated }) = self.skipped.take()
            && repeated > 0
        {
            self.write_skip(reason, repeated, step);
        }
    }

    fn write_skip(&self, reason: CompactionSkip, repeated: u64, step: &mut StepContext<'_>) {
        let event = JournalEvent::CompactionSkipped {
            reason,
            cursor: self.log.cursor(),
            repeated,
        };
        self.write(event, step);
    }

    pub(super) fn start(&mut self, plan: Plan, step: &mut StepContext<'_>) {
        let Plan::Fold { turns, recent_start } = plan else {
            return;
        };
        let next = self.log.verbatim().nth(turns).map(|said| said.seq);
        let stretch = Stretch {
            turns: self.log.verbatim().take(turns).cloned().collect(),
            notes: self.notes.batch(NOTES_CHARS_MAX),
            until: match turns {
                0 => self.log.cursor(),
                _ => next.unwrap_or(self.log.next_seq()),
            },
        };
        let question = match self.asks_model(step) {
            true => self.question(&stretch, &Phase::Folding, false, step).map(Some),
            false => Ok(None),
        };
        let question = match question {
            Ok(question) => question,
            Err(why) if step.settings.compaction.summariser == ModelOrOffline::Model => {
                self.rests_until = Some(why.until());
                return self.note_skip(CompactionSkip::BudgetSpent, step);
            }
            Err(_) => None,
        };
        self.close_skips(step);
        let event = JournalEvent::CompactionStarted {
            cursor: self.log.cursor(),
            batch_size: stretch.turns.len(),
            recent_start,
            pending_note_count: self.notes.len(),
        };
        self.write(event, step);
        match question {
            Some(question) => {
                self.unasked_runs += 1;
                let (phase, started) = (Phase::Folding, step.moment());
                self.run = Some(FoldRun {
                    ask: launch(question, step).ask,
                    started,
                    stretch,
                    phase,
                    sent_back: false,
                });
            }
            None => {
                self.outdone.unasked();
                let written = self.without_model(stretch, step.moment());
                self.complete(written, step);
            }
        }
    }

    /// What a model is asked, if that may be paid for; the answer comes as an input.
    pub(super) fn question(
        &self,
        stretch: &Stretch,
        phase: &Phase,
        sent_back: bool,
        step: &mut StepContext<'_>,
    ) -> Result<flight::Question, Unaffordable> {
        let (previous, turns, notes) = match phase {
            Phase::Folding => (self.summary.as_str(), &stretch.turns[..], &stretch.notes[..]),
            Phase::Condensing { long, .. } => (long.as_str(), &[][..], &[][..]),
        };
        let request = compaction_request(&CompactionBrief {
            previous,
            turns,
            notes,
            sent_back,
            prompt_tokens: prompt_tokens(step),
            settings: step.settings,
        });
        let scope = Scope::room(&self.room);
        Ok(flight::Question {
            owner: Owner::Folding(self.room.clone()),
            fare: step.afford(&request, scope.clone())?,
            scope,
            room: self.room.clone(),
            turn: None,
            attempt: self.failures + 1,
            request,
        })
    }

    /// Writes the summary without a model, which always succeeds.
    pub(super) fn without_model(&self, stretch: Stretch, started: Moment) -> Written {
        let said = stretch.turns.iter();
        let texts: Vec<String> = said.map(|said| redact(said.text()).text).collect();
        let turns: Vec<FoldedTurn<'_>> = stretch
            .turns
            .iter()
            .zip(&texts)
            .map(|(said, text)| FoldedTurn {
                speaker: said.speaker(),
                text,
                at: Some(said.message.at),
            })
            .collect();
        let lines: Vec<String> = stretch.notes.iter().map(PendingNote::line).collect();
        let notes: Vec<&str> = lines.iter().map(String::as_str).collect();
        Written {
            summary: summarise(&self.summary, &turns, &notes, SUMMARY_CHARS_MAX),
            summariser: WITHOUT_MODEL.to_owned(),
            ask: None,
            started,
            stretch,
        }
    }

    /// The model has answered, or will not.
    pub(crate) fn ask_ended(&mut self, flight: Flight, outcome: AskOutcome, step: &mut StepContext<'_>) {
        flight.closed(&outcome, step);
        let Some(run) = self.run.take_if(|run| run.ask == flight.ask) else {
            return;
        };
        match outcome {
            AskOutcome::Failed(failure) => self.fail(run, failure, step),
            AskOutcome::Answered(answer) => self.land(run, &answer, step),
        }
    }
}
