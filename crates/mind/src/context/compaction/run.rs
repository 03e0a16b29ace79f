//! A run: when it begins, what it asks, and how it is heard of again.

use settings::ModelOrOffline;
use vocabulary::{AskFailure, AskFailureKind, AskId, AskOutcome, Moment, Span, TurnSeq};

use super::plan::{Plan, Question, plan};
use super::state::{Compaction, Phase, Place, Run, Skipped, Stretch};
use super::{NOTES_CHARS_MAX, SUMMARY_CHARS_MAX};
use crate::context::notes::PendingNote;
use crate::context::summary::{FoldedTurn, summarise};
use crate::context::timeline::{Timeline, TimelineTurn};
use crate::effect::{Asking, Effect};
use crate::journal::{JournalEvent, Scope};
use crate::prompt::{CompactionBrief, compaction_request};
use crate::reasons::CompactionSkip;
use crate::step_context::StepContext;

impl Compaction {
    /// The one place where folding is considered; every builder of a prompt comes here first.
    pub(crate) fn consider(&mut self, timeline: &mut Timeline, place: Place<'_>, step: &mut StepContext<'_>) {
        match self.plan(timeline, step) {
            Plan::Skip(reason) => self.note_skip(reason, place, step),
            Plan::Fold { turns, recent_start } => self.start(timeline, turns, recent_start, place, step),
        }
    }

    pub(super) fn plan(&self, timeline: &Timeline, step: &StepContext<'_>) -> Plan {
        let verbatim: Vec<TurnSeq> = timeline.turns().iter().map(|turn| turn.seq).collect();
        plan(&Question {
            verbatim: &verbatim,
            cursor: self.cursor,
            next: timeline.next_seq(),
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

    pub(super) fn note_skip(&mut self, reason: CompactionSkip, place: Place<'_>, step: &mut StepContext<'_>) {
        match &mut self.skipped {
            Some(skipped) if skipped.reason == reason => skipped.repeated += 1,
            _ => {
                self.close_skips(place, step);
                self.skipped = Some(Skipped { reason, repeated: 0 });
                let event = JournalEvent::CompactionSkipped {
                    reason,
                    cursor: self.cursor,
                    repeated: 0,
                };
                step.ledger.write(Scope::room(place.room), event);
            }
        }
    }

    /// Says how often the last skip came again before something else happened.
    pub(super) fn close_skips(&mut self, place: Place<'_>, step: &mut StepContext<'_>) {
        if let Some(Skipped { reason, repeated }) = self.skipped.take()
            && repeated > 0
        {
            let event = JournalEvent::CompactionSkipped {
                reason,
                cursor: self.cursor,
                repeated,
            };
            step.ledger.write(Scope::room(place.room), event);
        }
    }

    pub(super) fn start(
        &mut self,
        timeline: &mut Timeline,
        turns: usize,
        recent_start: TurnSeq,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.close_skips(place, step);
        let folded: Vec<TimelineTurn> = timeline.turns().iter().take(turns).cloned().collect();
        let until = timeline
            .turns()
            .get(turns)
            .map_or(timeline.next_seq(), |turn| turn.seq);
        let until = if turns == 0 { self.cursor } else { until };
        let stretch = Stretch {
            turns: folded,
            notes: self.notes.batch(NOTES_CHARS_MAX),
            until,
        };
        let event = JournalEvent::CompactionStarted {
            cursor: self.cursor,
            batch_size: stretch.turns.len(),
            recent_start,
            pending_note_count: self.notes.len(),
        };
        step.ledger.write(Scope::room(place.room), event);
        if step.settings.compaction.summariser == ModelOrOffline::Offline {
            return self.write_offline(stretch, None, step.moment(), timeline, place, step);
        }
        self.ask(stretch, Phase::Folding, false, place, step);
    }

    /// Asks a model; the answer comes as an input.
    pub(super) fn ask(
        &mut self,
        stretch: Stretch,
        phase: Phase,
        sent_back: bool,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let ask = step.counters.ask.take_next();
        let (previous, turns, notes) = match &phase {
            Phase::Folding => (self.summary.as_str(), &stretch.turns[..], &stretch.notes[..]),
            Phase::Condensing { long, .. } => (long.as_str(), &[][..], &[][..]),
        };
        let request = compaction_request(&CompactionBrief {
            previous,
            turns,
            notes,
            sent_back,
            settings: step.settings,
        });
        let started = self.run.as_ref().map_or(step.moment(), |run| run.started);
        step.ledger.want(Effect::Ask(Box::new(Asking {
            ask,
            room: place.room.clone(),
            turn: place.turn,
            request,
        })));
        self.run = Some(Run {
            ask,
            started,
            deadline: step.moment() + Span::seconds(step.settings.compaction.timeout_seconds),
            stretch,
            phase,
            sent_back,
        });
    }

    /// Writes the summary without a model, which always succeeds.
    pub(super) fn write_offline(
        &mut self,
        stretch: Stretch,
        ask: Option<AskId>,
        started: Moment,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let turns: Vec<FoldedTurn<'_>> = stretch
            .turns
            .iter()
            .map(|turn| FoldedTurn {
                speaker: &turn.speaker,
                text: &turn.text,
            })
            .collect();
        let lines: Vec<String> = stretch.notes.iter().map(PendingNote::line).collect();
        let notes: Vec<&str> = lines.iter().map(String::as_str).collect();
        let summary = summarise(&self.summary, &turns, &notes, SUMMARY_CHARS_MAX);
        self.complete(
            stretch,
            summary,
            "offline".to_owned(),
            ask,
            started,
            timeline,
            place,
            step,
        );
    }

    /// A run has had its time.
    pub(crate) fn advance(&mut self, timeline: &mut Timeline, place: Place<'_>, step: &mut StepContext<'_>) {
        let now = step.moment();
        if let Some(run) = self.run.take_if(|run| run.deadline <= now) {
            step.ledger.want(Effect::CancelAsk { ask: run.ask });
            self.fail(
                run,
                AskFailure::new(AskFailureKind::TimedOut, "no summary within its time"),
                timeline,
                place,
                step,
            );
        }
    }

    pub(crate) fn ask_ended(
        &mut self,
        outcome: AskOutcome,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(run) = self.run.take() else { return };
        match outcome {
            AskOutcome::Failed(failure) => self.fail(run, failure, timeline, place, step),
            AskOutcome::Answered(answer) => self.land(run, &answer, timeline, place, step),
        }
    }

    /// The process is back; what was asked is lost, and nothing else is.
    pub(crate) fn restarted(
        &mut self,
        timeline: &mut Timeline,
        place: Place<'_>,
        step: &mut StepContext<'_>,
    ) {
        if let Some(run) = self.run.take() {
            self.fail(
                run,
                AskFailure::new(AskFailureKind::Interrupted, "the process ended meanwhile"),
                timeline,
                place,
                step,
            );
        }
    }
}
