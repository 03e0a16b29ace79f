//! A model's answer becomes the summary, or does not: is it one, does it invent, is it short enough?

use vocabulary::{AskFailure, AskFailureKind, AskPurpose, Finish, ModelAnswer};

use super::SUMMARY_CHARS_MAX;
use super::guard::{as_summary, forgets, inventions, without_inventions, without_torn_end};
use super::state::{Compaction, Phase, Place, Run};
use crate::context::notes::PendingNote;
use crate::context::timeline::Timeline;
use crate::journal::{JournalEvent, Scope};
use crate::prompt::budget::cut_at_sentence;
use crate::prompt::folded_line;
use crate::step_context::StepContext;

/// A condensed summary shorter than this share of the limit has lost more than it should; the longer one is trimmed instead.
const CONDENSED_CHARS_MIN: usize = SUMMARY_CHARS_MAX / 4;

/// A second pass is given no more than this of a text that is far too long.
const LONG_CHARS_MAX: usize = 2 * SUMMARY_CHARS_MAX;

impl Compaction {
    pub(super) fn land(
        &mut self,
        run: Run,
        answer: &ModelAnswer,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let mut summary = as_summary(&answer.text).filter(|_| answer.finish != Finish::Refused);
        if answer.finish == Finish::Length {
            summary = summary.map(|text| without_torn_end(&text).to_owned());
        }
        let summariser = format!("{} {}", answer.provider, answer.model);
        match (&run.phase, summary) {
            (Phase::Condensing { long, .. }, Some(text)) if Self::is_good_condensed(long, &text) => {
                self.take_over(run, &text, summariser, timeline, place, step);
            }
            (Phase::Condensing { .. }, _) => self.keep_the_long_one(run, timeline, place, step),
            (Phase::Folding, None) => {
                let failure =
                    AskFailure::new(AskFailureKind::Malformed, "the answer is empty, or no summary");
                self.fail(run, failure, timeline, place, step);
            }
            (Phase::Folding, Some(text)) => self.check(run, text, summariser, timeline, place, step),
        }
    }

    /// The second pass may neither crush what was good already nor add anything of its own.
    fn is_good_condensed(long: &str, text: &str) -> bool {
        text.chars().count() >= CONDENSED_CHARS_MIN && inventions(text, [long]).is_empty()
    }

    /// The second pass came to nothing; the longer text is a good summary already and is not lost for it.
    pub(super) fn condensing_failed(
        &mut self,
        run: Run,
        failure: AskFailure,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let event = JournalEvent::AskFailed {
            ask: run.ask,
            purpose: AskPurpose::ContextCompaction,
            kind: failure.kind,
            detail: failure.detail,
            retry_in: None,
        };
        step.ledger.write(Scope::room(place.room), event);
        self.keep_the_long_one(run, timeline, place, step);
    }

    fn keep_the_long_one(
        &mut self,
        run: Run,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        if let Phase::Condensing { long, summariser } = run.phase.clone() {
            self.take_over(run, &long, summariser, timeline, place, step);
        }
    }

    /// Looks for names and numbers that nobody mentioned; the model gets one chance to do better.
    fn check(
        &mut self,
        run: Run,
        text: String,
        summariser: String,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        if text == self.summary && !run.stretch.turns.is_empty() {
            let failure = AskFailure::new(
                AskFailureKind::Malformed,
                "the summary is the old one; nothing new was taken in",
            );
            return self.fail(run, failure, timeline, place, step);
        }
        if forgets(&text, &self.summary) {
            let failure = AskFailure::new(
                AskFailureKind::Malformed,
                "the summary forgot what the one before it told",
            );
            return self.fail(run, failure, timeline, place, step);
        }
        let invented = self.invented(&run, &text, step);
        if invented.is_empty() {
            return self.shorten(run, text, summariser, timeline, place, step);
        }
        let event = JournalEvent::SummarySuspected {
            ask: run.ask,
            inventions: invented.len(),
            sent_back: !run.sent_back,
        };
        step.ledger.write(Scope::room(place.room), event);
        if !run.sent_back {
            self.run = Some(run.clone());
            return self.ask(run.stretch, Phase::Folding, true, place, step);
        }
        let kept = without_inventions(&text, &invented);
        if kept.is_empty() {
            let failure = AskFailure::new(
                AskFailureKind::Malformed,
                "every sentence names something nobody mentioned",
            );
            return self.fail(run, failure, timeline, place, step);
        }
        self.shorten(run, kept, summariser, timeline, place, step);
    }

    /// Compared is what the model was given: lines with their times, and the name of whom it writes for.
    fn invented(&self, run: &Run, text: &str, step: &StepContext<'_>) -> Vec<String> {
        let identity = &step.settings.identity;
        let mut given: Vec<String> = run
            .stretch
            .turns
            .iter()
            .map(|turn| folded_line(turn, usize::MAX))
            .collect();
        given.extend(run.stretch.notes.iter().map(PendingNote::line));
        let names = [&identity.name].into_iter().chain(&identity.aliases);
        let given = given.iter().chain(names).map(String::as_str);
        inventions(text, given.chain([self.summary.as_str()]))
    }

    /// Too long: one more pass over the long text.
    fn shorten(
        &mut self,
        run: Run,
        text: String,
        summariser: String,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let characters = text.chars().count();
        if characters <= SUMMARY_CHARS_MAX {
            return self.take_over(run, &text, summariser, timeline, place, step);
        }
        let event = JournalEvent::SummaryRecompacted {
            ask: run.ask,
            summary_chars: characters,
        };
        step.ledger.write(Scope::room(place.room), event);
        let (stretch, sent_back) = (run.stretch.clone(), run.sent_back);
        let long = cut_at_sentence(&text, LONG_CHARS_MAX).to_owned();
        self.run = Some(run);
        self.ask(
            stretch,
            Phase::Condensing { long, summariser },
            sent_back,
            place,
            step,
        );
    }

    fn take_over(
        &mut self,
        run: Run,
        text: &str,
        summariser: String,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let trimmed = cut_at_sentence(text, SUMMARY_CHARS_MAX);
        if trimmed.len() < text.len() {
            let event = JournalEvent::SummaryTrimmed {
                ask: run.ask,
                old_chars: text.chars().count(),
                summary_chars: trimmed.chars().count(),
            };
            step.ledger.write(Scope::room(place.room), event);
        }
        self.complete(
            run.stretch,
            trimmed.to_owned(),
            summariser,
            Some(run.ask),
            run.started,
            timeline,
            place,
            step,
        );
    }
}
