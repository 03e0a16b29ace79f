//! What was taken back or is forgotten leaves the voice of a room too.

use gist::gems::scrub::{ScrubBrief, scrub_summary};
use vocabulary::{MessageId, PersonId};

use super::utterance::Utterance;
use super::{Voice, VoiceContext, answering};
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::step_context::StepContext;

impl Voice {
    /// A message was taken back: what waits and what is being answered goes on without it.
    pub fn message_deleted(
        &mut self,
        id: &MessageId,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.drop_utterances(&|utterance| utterance.message == *id, context, step);
    }

    /// Goes on without some of what was said.
    pub(super) fn drop_utterances(
        &mut self,
        gone: &dyn Fn(&Utterance) -> bool,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        if self.waiting.as_mut().is_some_and(|waiting| waiting.drop_if(gone)) {
            self.stop_waiting(context, step);
        }
        let affected = self
            .turn
            .as_ref()
            .is_some_and(|turn| turn.utterances.iter().any(gone));
        if affected && !self.mouth.is_open() {
            let (outcome, reason) = (VoiceTurnOutcome::Superseded, VoiceTurnReason::Forgotten);
            answering::drop_turn(self, outcome, reason, CancelReason::Forgotten, context, step);
        } else if let Some(turn) = &mut self.turn {
            turn.utterances.retain(|utterance| !gone(utterance));
        }
    }

    /// Lets go of what is forgotten. An answer in the making may hold it, so it is given up.
    pub fn forget(
        &mut self,
        person: Option<&PersonId>,
        brief: &ScrubBrief<'_>,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.prepared.clear();
        if self.mouth.is_open() {
            self.mouth.stop(context.room, step);
        } else {
            let (outcome, reason) = (VoiceTurnOutcome::Superseded, VoiceTurnReason::Forgotten);
            answering::drop_turn(self, outcome, reason, CancelReason::Forgotten, context, step);
        }
        self.mouth
            .forget(&|text: &str| scrub_summary(text, brief).is_some());
        let Some(person) = person else { return };
        self.drop_utterances(&|utterance| utterance.person == *person, context, step);
        self.people.forget(person, brief.names);
        self.session.forget(person);
        self.mouth.last_to.take_if(|to| to == person);
    }
}
