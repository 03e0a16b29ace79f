//! A model's answer becomes the summary, or does not: is it one, does it invent, is it short enough?

use vocabulary::{AskFailureKind, Finish, ModelAnswer};

use super::SUMMARY_CHARS_MAX;
use super::guard::{as_summary, inventions, without_inventions};
use super::run::{Compaction, Phase, Place, Run, failure};
use crate::context::budget::cut_at_sentence;
use crate::context::timeline::Timeline;
use crate::desk::Desk;
use crate::journal::{JournalEvent, Scope};

/// A condensed summary shorter than this share of the limit has lost more than it should; the longer one is trimmed instead.
const CONDENSED_CHARS_MIN: usize = SUMMARY_CHARS_MAX / 4;

impl Compaction {
    pub(super) fn land(
        &mut self,
        run: Run,
        answer: &ModelAnswer,
        timeline: &mut Timeline,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        let summary = as_summary(&answer.text).filter(|_| answer.finish != Finish::Refused);
        match (&run.phase, summary) {
            // The longer text is a good summary already; a failed second pass must not lose it.
            (Phase::Condensing { long }, summary) => {
                let condensed = summary.filter(|text| text.chars().count() >= CONDENSED_CHARS_MIN);
                let text = condensed.unwrap_or_else(|| long.clone());
                self.take_over(run, &text, answer, timeline, place, desk);
            }
            (Phase::Folding, None) => {
                let failure = failure(AskFailureKind::Malformed, "the answer is empty, or no summary");
                self.fail(run, failure, timeline, place, desk);
            }
            (Phase::Folding, Some(text)) => self.check(run, text, answer, timeline, place, desk),
        }
    }

    /// Looks for names and numbers that nobody mentioned; the model gets one chance to do better.
    fn check(
        &mut self,
        run: Run,
        text: String,
        answer: &ModelAnswer,
        timeline: &mut Timeline,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        let invented = self.invented(&run, &text);
        if invented.is_empty() {
            return self.shorten(run, text, answer, timeline, place, desk);
        }
        let event = JournalEvent::SummarySuspected {
            ask: run.ask,
            inventions: invented.len(),
            sent_back: !run.sent_back,
        };
        desk.ledger.note(Scope::room(place.room), event);
        if !run.sent_back {
            self.run = Some(run.clone());
            return self.ask(run.stretch, Phase::Folding, true, place, desk);
        }
        let kept = without_inventions(&text, &invented);
        if kept.is_empty() {
            let failure = failure(
                AskFailureKind::Malformed,
                "every sentence names something nobody mentioned",
            );
            return self.fail(run, failure, timeline, place, desk);
        }
        self.shorten(run, kept, answer, timeline, place, desk);
    }

    fn invented(&self, run: &Run, text: &str) -> Vec<String> {
        let turns = run
            .stretch
            .turns
            .iter()
            .flat_map(|turn| [turn.speaker.as_str(), turn.text.as_str()]);
        let notes = run
            .stretch
            .notes
            .iter()
            .flat_map(|note| [note.shared_by.as_str(), note.text.as_str()]);
        inventions(text, turns.chain(notes).chain([self.summary.as_str()]))
    }

    /// Too long: one more pass over the long text.
    fn shorten(
        &mut self,
        run: Run,
        text: String,
        answer: &ModelAnswer,
        timeline: &mut Timeline,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        let characters = text.chars().count();
        if characters <= SUMMARY_CHARS_MAX {
            return self.take_over(run, &text, answer, timeline, place, desk);
        }
        let event = JournalEvent::SummaryRecompacted {
            ask: run.ask,
            summary_chars: characters,
        };
        desk.ledger.note(Scope::room(place.room), event);
        let (stretch, sent_back) = (run.stretch.clone(), run.sent_back);
        self.run = Some(run);
        self.ask(stretch, Phase::Condensing { long: text }, sent_back, place, desk);
    }

    fn take_over(
        &mut self,
        run: Run,
        text: &str,
        answer: &ModelAnswer,
        timeline: &mut Timeline,
        place: Place<'_>,
        desk: &mut Desk<'_>,
    ) {
        let trimmed = cut_at_sentence(text, SUMMARY_CHARS_MAX);
        if trimmed.len() < text.len() {
            let event = JournalEvent::SummaryTrimmed {
                ask: run.ask,
                old_chars: text.chars().count(),
                summary_chars: trimmed.chars().count(),
            };
            desk.ledger.note(Scope::room(place.room), event);
        }
        let summariser = format!("{} {}", answer.provider, answer.model);
        self.complete(
            run.stretch,
            trimmed.to_owned(),
            summariser,
            Some(run.ask),
            run.started,
            timeline,
            place,
            desk,
        );
    }
}
