//! How a run ends, well or not, and how a session does.

use gist::gems::redaction::redact;
use gist::summary::Scale;
use settings::{ModelOrOffline, ProviderOrInherit};
use vocabulary::{AskFailure, AskFailureKind, AskPurpose, ModelAnswer, Span, TurnSeq};

use super::SUMMARY_CHARS_MAX;
use super::landing::{Verdict, read};
use super::outdone::Outdone;
use super::run::{FAILED_REST, Written};
use super::state::{Compaction, End, FinishedRun, FoldRun, Phase};
use crate::context::notes::PendingNote;
use crate::context::prompt::summariser_model;
use crate::effect::Effect;
use crate::journal::{JournalEvent, Scope};
use crate::log::Said;
use crate::prompt::Profile;
use crate::prompt::budget::cut_at_sentence;
use crate::reasons::{CancelReason, CompactionSkip};
use crate::step_context::StepContext;
use crate::step_context::flight::{cancel, launch};

/// After so many failures in a row the summary is written without a model, where that is allowed.
const FAILURES_BEFORE_FALLBACK: u64 = 3;
/// How long a model that cannot be asked is left alone: somebody may set one up meanwhile.
const UNAVAILABLE_REST: Span = Span::minutes(5);
/// Finished runs that are remembered for the session page.
const FINISHED_RUNS_MAX: usize = 12;
/// A second pass is given no more than this of a text that is far too long.
const LONG_CHARS_MAX: usize = 2 * SUMMARY_CHARS_MAX;

impl Compaction {
    /// A model has answered.
    pub(super) fn land(&mut self, run: FoldRun, answer: &ModelAnswer, step: &mut StepContext<'_>) {
        let reading = read(&run, answer, &self.summary, step.settings);
        if reading.inventions > 0 {
            let event = JournalEvent::SummarySuspected {
                ask: run.ask,
                inventions: reading.inventions,
                sent_back: !run.sent_back,
            };
            self.write(event, step);
        }
        match reading.verdict {
            Verdict::Take { text, summariser } => self.take_over(run, &text, summariser, step),
            Verdict::SendBack => match self.question(&run.stretch, &Phase::Folding, true, step) {
                Ok(question) => {
                    self.run = Some(run.asked_again(launch(question, step).ask, Phase::Folding, true))
                }
                Err(why) => {
                    let failure = AskFailure::new(why.kind(), why.words(step.moment()));
                    self.fail(run, failure, step);
                }
            },
            Verdict::Condense { text, summariser } => {
                let event = JournalEvent::SummaryRecompacted {
                    ask: run.ask,
                    summary_chars: text.chars().count(),
                };
                self.write(event, step);
                let long = cut_at_sentence(&text, LONG_CHARS_MAX).to_owned();
                let phase = Phase::Condensing {
                    long: long.clone(),
                    summariser: summariser.clone(),
                };
                match self.question(&run.stretch, &phase, run.sent_back, step) {
                    Ok(question) => {
                        let sent_back = run.sent_back;
                        self.run = Some(run.asked_again(launch(question, step).ask, phase, sent_back));
                    }
                    // The longer text is a good summary already.
                    Err(_) => self.take_over(run, &long, summariser, step),
                }
            }
            Verdict::Refuse(why) => self.fail(run, AskFailure::new(AskFailureKind::Malformed, why), step),
        }
    }

    fn take_over(&mut self, run: FoldRun, text: &str, summariser: String, step: &mut StepContext<'_>) {
        let trimmed = cut_at_sentence(text, SUMMARY_CHARS_MAX);
        let (ask, old_chars, summary_chars) = (run.ask, text.chars().count(), trimmed.chars().count());
        let written = Written {
            stretch: run.stretch,
            started: run.started,
            ask: Some(ask),
            summary: trimmed.to_owned(),
            summariser,
        };
        // The model did answer, whoever wrote what is kept; what was written without asking says nothing of that.
        self.failures = 0;
        self.unavailable_until = None;
        if let Some(without) = self.that_tells_more(&written, step) {
            self.outdone.once_more();
            return self.complete(without, step);
        }
        self.outdone = Outdone::default();
        if trimmed.len() < text.len() {
            let event = JournalEvent::SummaryTrimmed {
                ask,
                old_chars,
                summary_chars,
            };
            self.write(event, step);
        }
        self.complete(written, step);
    }

    /// What is written without a model, where a small one that nobody chose for it tells less of what was said.
    fn that_tells_more(&self, written: &Written, step: &mut StepContext<'_>) -> Option<Written> {
        let own = &step.settings.compaction;
        let is_chosen = own.provider != ProviderOrInherit::Inherit || !own.model.is_empty();
        let profile = Profile::of_purpose(AskPurpose::ContextCompaction, &own.provider, &own.model, step);
        if own.summariser != ModelOrOffline::Auto || is_chosen || !profile.is_of_small_model() {
            return None;
        }
        let without = self.without_model(written.stretch.clone(), written.started);
        let stretch = &without.stretch;
        let said = stretch.turns.iter().map(|said| redact(said.text()).text);
        let notes = stretch.notes.iter().map(PendingNote::line);
        let given: Vec<String> = said.chain(notes).collect();
        let made = [self.summary.as_str(), without.summary.as_str()];
        let scale = Scale::of(given.iter().map(String::as_str).chain(made));
        if !scale.weighs(&written.summary) {
            return None;
        }
        let (told, offline_told) = (scale.worth(&written.summary), scale.worth(&without.summary));
        if told >= offline_told {
            return None;
        }
        let event = JournalEvent::SummaryOutdone {
            ask: written.ask.unwrap_or_default(),
            model: written.summariser.clone(),
            told,
            offline_told,
        };
        self.write(event, step);
        Some(Written {
            ask: written.ask,
            ..without
        })
    }

    /// Takes a summary over: the cursor moves, and exactly what was sent is forgotten.
    pub(super) fn complete(&mut self, written: Written, step: &mut StepContext<'_>) {
        let Written {
            stretch,
            started,
            ask,
            summary,
            summariser,
        } = written;
        // What memory leaves out is not kept here either, whoever wrote the summary.
        let summary = redact(&summary).text;
        let (old_cursor, took) = (self.log.cursor(), step.took(started));
        self.run = None;
        self.rests_until = None;
        self.log.fold_until(stretch.until);
        self.notes.forget(&stretch.notes);
        self.summary.clone_from(&summary);
        self.summarised_at = Some(step.now().wall);
        let cursor = self.log.cursor();
        let event = JournalEvent::CompactionCompleted {
            old_cursor,
            cursor,
            covered_through_turn: cursor.0.checked_sub(1).map(TurnSeq),
            summary_chars: summary.chars().count(),
            folded_note_count: stretch.notes.len(),
            latency_ms: took.0,
            summariser: summariser.clone(),
        };
        self.write(event, step);
        if self.finished.len() == FINISHED_RUNS_MAX {
            self.finished.pop_front();
        }
        let told = |said: &Said| format!("{}: {}", said.speaker(), redact(said.text()).text);
        self.finished.push_back(FinishedRun {
            at: step.now().wall,
            took,
            old_cursor,
            new_cursor: cursor,
            ask,
            summariser,
            turns: stretch.turns.iter().map(told).collect(),
            notes: stretch.notes.iter().map(PendingNote::line).collect(),
            summary,
        });
        if self.is_ending() {
            return self.close_session(step);
        }
        // A backlog is folded batch after batch, without waiting for the next reply.
        let backlog = self.plan(step);
        self.start(backlog, step);
    }

    /// A run came to nothing: nothing changes, and the next look tries again.
    pub(super) fn fail(&mut self, run: FoldRun, failure: AskFailure, step: &mut StepContext<'_>) {
        // The second pass came to nothing; the longer text is a good summary already and is not lost for it.
        if let Phase::Condensing { long, summariser } = run.phase.clone() {
            return self.take_over(run, &long, summariser, step);
        }
        self.failures += 1;
        let unavailable = matches!(
            failure.kind,
            AskFailureKind::Unavailable | AskFailureKind::BudgetSpent
        );
        // The same words are as long the next time.
        let in_vain = unavailable || failure.kind == AskFailureKind::ContextTooLong;
        let may_fall_back = step.settings.compaction.summariser == ModelOrOffline::Auto;
        let fall_back = may_fall_back && (in_vain || self.failures >= FAILURES_BEFORE_FALLBACK);
        self.unavailable_until = unavailable.then(|| step.moment() + UNAVAILABLE_REST);
        self.rests_until = Some(step.moment() + FAILED_REST);
        let event = JournalEvent::CompactionFailed {
            ask: run.ask,
            model: summariser_model(step.settings),
            error: failure.kind,
            detail: failure.detail,
            retryable: !unavailable,
            falls_back: fall_back,
        };
        self.write(event, step);
        if fall_back {
            let mut written = self.without_model(run.stretch, run.started);
            written.ask = Some(run.ask);
            return self.complete(written, step);
        }
        if self.is_ending() {
            self.close_session(step);
        }
    }

    /// Ends the session: a run under way may still land within its time, then the summary is handed to memory.
    pub(crate) fn end_session(&mut self, step: &mut StepContext<'_>) {
        self.ending = Some(End {
            turn: self.log.next_seq(),
            note: self.notes.next_seq(),
        });
        self.note_skip(CompactionSkip::SessionEnding, step);
        if self.run.is_none() {
            self.close_session(step);
        }
    }

    /// The room is gone: nobody waits for a summary any more, and the one that is there is handed to memory.
    pub(crate) fn room_ended(&mut self, step: &mut StepContext<'_>) {
        if let Some(run) = self.run.take() {
            cancel(run.ask, CancelReason::RoomEnded, Scope::room(&self.room), step);
        }
        self.end_session(step);
    }

    /// Where the session was ended, lets go of what belongs to it; what came since is the beginning of the next.
    pub(super) fn close_session(&mut self, step: &mut StepContext<'_>) {
        let Some(end) = self.ending else { return };
        self.close_skips(step);
        let left = self.notes.forget_before(end.note);
        if left > 0 {
            let event = JournalEvent::ContextNotesDropped {
                dropped_note_count: left,
            };
            self.write(event, step);
        }
        let event = JournalEvent::ContextSessionEnded {
            turns: end.turn.0,
            cursor: self.log.cursor(),
            offered_chars: self.summary.chars().count(),
        };
        self.write(event, step);
        let next = Self {
            log: std::mem::take(&mut self.log),
            notes: std::mem::take(&mut self.notes),
            finished: std::mem::take(&mut self.finished),
            ..Self::new(self.room.clone())
        };
        let Self { room, summary, .. } = std::mem::replace(self, next);
        self.log.fold_until(end.turn);
        if !summary.is_empty() {
            step.ledger.want(Effect::OfferToMemory {
                room,
                text: summary,
                seen_with: None,
            });
        }
    }
}
