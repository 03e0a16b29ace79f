//! What each gate saved, counted from the lines that say what was decided.

use settings::Settings;

use super::SpendingBook;
use crate::admission::{AdmissionReason, Gate};
use crate::effect::Effect;
use crate::journal::JournalEvent;
use crate::reasons::SpendingGate;

impl SpendingBook {
    /// Counts what a step has saved.
    pub fn count_saved(&mut self, effects: &[Effect], settings: &Settings) {
        for effect in effects {
            if let Effect::Journal(entry) = effect {
                self.count(&entry.event, settings);
            }
        }
    }

    fn count(&mut self, event: &JournalEvent, settings: &Settings) {
        match event {
            JournalEvent::AdmissionDecided {
                gate: Gate::BeforeQueueing,
                allow,
                reason,
                ..
            } => {
                self.save(SpendingGate::NotAdmitted, u64::from(!allow));
                let by_rule =
                    settings.address_classifier.enabled && *reason != AdmissionReason::AskClassifier;
                self.save(SpendingGate::ClassifierNotAsked, u64::from(by_rule));
            }
            JournalEvent::TurnOpened {
                trigger_message_ids, ..
            } => {
                let together = trigger_message_ids.len().saturating_sub(1);
                self.save(SpendingGate::AnsweredTogether, together as u64);
            }
            JournalEvent::MemoryExtractionStarted { turns, .. } => {
                self.save(SpendingGate::TurnsBatched, turns.saturating_sub(1) as u64);
            }
            JournalEvent::MemoryExtractionCompleted { by, .. } => {
                self.save(SpendingGate::GemsByPatterns, u64::from(by == "offline"));
            }
            JournalEvent::CompactionCompleted { summariser, .. } => {
                let offline = summariser == "offline";
                self.save(SpendingGate::SummariesWithoutModel, u64::from(offline));
            }
            JournalEvent::NoteStarted { held, .. } => {
                self.save(SpendingGate::FramesNotNoted, held.values().sum());
            }
            JournalEvent::CommentaryDeferred { .. } => self.save(SpendingGate::CommentsHeld, 1),
            JournalEvent::AmbientTickDecided {
                ran: false, repeated, ..
            } => self.save(SpendingGate::ThoughtsNotLookedFor, repeated + 1),
            _ => {}
        }
    }
}
