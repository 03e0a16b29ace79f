//! A message is edited, or taken back: what waits and what is being answered follows it.

use vocabulary::{JournalSeq, MessageId};

use super::room::TextRoom;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::CancelReason;
use crate::reply::SkipReason;
use crate::step_context::StepContext;

impl TextRoom {
    pub fn message_edited(&mut self, id: &MessageId, text: String, step: &mut StepContext<'_>) {
        if !self.compaction.log.edit(id, text) {
            return;
        }
        let (while_waiting, while_answering) = self.holds(id);
        let scope = Scope::room(&self.id).about(id);
        let cause = step.ledger.write(
            scope,
            JournalEvent::MessageEdited {
                while_waiting,
                while_answering,
            },
        );
        if while_answering {
            self.supersede(CancelReason::MessageEdited, Some(cause), step);
        }
    }

    pub fn message_deleted(&mut self, id: &MessageId, step: &mut StepContext<'_>) {
        if !self.compaction.log.delete(id) {
            return;
        }
        let (while_waiting, while_answering) = self.holds(id);
        let scope = Scope::room(&self.id).about(id);
        let cause = step.ledger.write(
            scope,
            JournalEvent::MessageDeleted {
                while_waiting,
                while_answering,
            },
        );
        if while_answering && !self.supersede(CancelReason::MessageDeleted, Some(cause), step) {
            self.forget_in_turn(id, cause, step);
        }
        for burst in &mut self.bursts {
            burst.triggers.retain(|trigger| trigger.message != *id);
        }
        if self.bursts.iter().any(|burst| burst.triggers.is_empty()) {
            self.bursts.retain(|burst| !burst.triggers.is_empty());
            let scope = Scope::room(&self.id).about(id).because(Some(cause));
            let detail = "its author took it back before it was answered".to_owned();
            step.ledger.write(
                scope,
                JournalEvent::ReplySkipped {
                    reason: SkipReason::MessageDeleted,
                    detail,
                },
            );
        }
    }

    /// Takes a message out of the turn under way; the turn ends if it answers nothing else.
    fn forget_in_turn(&mut self, id: &MessageId, cause: JournalSeq, step: &mut StepContext<'_>) {
        let Some(mut turn) = self.turn.take_if(|turn| turn.can_be_superseded()) else {
            return;
        };
        if turn.messages().any(|message| message != id) {
            turn.burst.triggers.retain(|trigger| trigger.message != *id);
            self.turn = Some(turn);
            return;
        }
        turn.cause = cause;
        let why = CancelReason::AllTakenBack;
        self.cancel_ask(&mut turn, why, step);
        self.end_silent(turn, SkipReason::MessageDeleted, why.words(), step);
    }

    /// Whether a message waits, and whether it is being answered.
    fn holds(&self, id: &MessageId) -> (bool, bool) {
        let waiting = self.bursts.iter().any(|burst| burst.holds(id));
        let answering = self.turn.as_ref().is_some_and(|turn| turn.burst.holds(id));
        (waiting, answering)
    }
}
