//! What was taken back, is forgotten or was not to be heard leaves the voice of a room too.

use gist::gems::scrub::{ScrubBrief, scrub_summary};
use vocabulary::{MessageId, PersonId};

use super::looking_up::recall;
use super::mouth::Mouth;
use super::turn::{VoiceStage, VoiceTurn};
use super::utterance::Utterance;
use super::{Voice, VoiceContext, native, thoughts, writing};
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::step_context::StepContext;

impl Voice {
    pub fn is_listened_to(&self, person: &PersonId) -> bool {
        self.people.is_listened_to(person)
    }

    /// The conversation is over, and people talk on: what was thought, looked up and gone on with belongs to it. An answer
    /// under way is owed to whoever asked, and is given.
    pub fn conversation_ended(&mut self, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
        self.prepared.clear();
        self.session.let_go_of_everybody();
        self.mouth.last_to = None;
        self.mouth.asked = false;
        thoughts::conversation_ended(self, context, step);
    }

    /// A message was taken back: what waits and what is being answered goes on without it.
    pub fn message_deleted(
        &mut self,
        id: &MessageId,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        thoughts::message_deleted(self, context, step);
        native::forget(self, step);
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
        let Some(turn) = &mut self.turn else { return };
        let before = turn.utterances.len();
        turn.utterances.retain(|utterance| !gone(utterance));
        if turn.utterances.len() == before || self.mouth.is_open() {
            return;
        }
        // Whoever called is who is owed an answer; what others added to it is none without them.
        let is_left = turn.utterances.iter().any(|left| left.direct || !turn.required);
        match is_left {
            true => self.start_over(context, step),
            false => self.drop_forgotten(context, step),
        }
    }

    /// Makes the answer anew of which nothing was heard, without what is gone now.
    fn start_over(&mut self, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
        // A remark is not made again for that.
        if self.turn.as_ref().is_some_and(|turn| turn.kind.is_remark()) {
            return self.drop_forgotten(context, step);
        }
        // What is only being looked up is no answer yet.
        let is_made = |turn: &mut VoiceTurn| !matches!(turn.stage, VoiceStage::Recalling { .. });
        if let Some(mut turn) = self.turn.take_if(is_made) {
            turn.start_over(context.room, step);
            recall(self, turn, context, step);
        }
    }

    fn drop_forgotten(&mut self, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
        let (outcome, reason) = (VoiceTurnOutcome::Superseded, VoiceTurnReason::Forgotten);
        writing::drop_turn(self, outcome, reason, CancelReason::Forgotten, context, step);
    }

    /// Lets go of what is forgotten. An answer in the making may hold it, so it is made anew; one that is being heard goes
    /// on, unless it retells it.
    pub fn forget(
        &mut self,
        person: Option<&PersonId>,
        was_said_here: bool,
        brief: &ScrubBrief<'_>,
        context: &mut VoiceContext<'_>,
        step: &mut StepContext<'_>,
    ) {
        self.prepared.clear();
        native::forget(self, step);
        let retells = |text: &str| scrub_summary(text, brief).is_some();
        if let Some(person) = person {
            self.drop_utterances(&|utterance| utterance.person == *person, context, step);
        }
        thoughts::forget(self, &retells, context, step);
        let turn = self.turn.as_ref();
        match (turn, self.mouth.is_open()) {
            (Some(_), false) => self.start_over(context, step),
            (_, true)
                if self.mouth.tells(&retells)
                    || turn.is_some_and(|turn| turn.was_told(&retells))
                    // What is still being written was told of it.
                    || turn.is_some_and(|turn| was_said_here && turn.open_ask().is_some()) =>
            {
                self.mouth.stop(context.room, step);
                if let Some(turn) = &mut self.turn {
                    turn.cut_for = Some(VoiceTurnReason::Forgotten);
                    turn.cancel_ask(context.room, CancelReason::Forgotten, step);
                    turn.held.clear();
                }
            }
            _ => {}
        }
        self.mouth.forget(&retells);
        let Some(person) = person else { return };
        self.people.forget(person, brief.names);
        self.session.forget(person);
        self.mouth.last_to.take_if(|to| to == person);
    }
}

impl Mouth {
    /// Whether what is being said retells something.
    pub fn tells(&self, retells: &dyn Fn(&str) -> bool) -> bool {
        let saying = self.saying.iter();
        saying
            .flat_map(|saying| &saying.sentences)
            .any(|said| retells(said))
    }

    /// Lets go of what retells something forgotten.
    pub fn forget(&mut self, retells: &dyn Fn(&str) -> bool) {
        self.unwritten
            .retain(|unwritten| !retells(&unwritten.delivery.text));
        if let Some(saying) = &mut self.saying {
            for sentence in &mut saying.sentences {
                if retells(sentence) {
                    sentence.clear();
                }
            }
        }
    }
}
