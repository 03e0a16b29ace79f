//! What becomes of a comment that a model gave: said, or left unsaid because the moment has passed.

use vocabulary::{AskFailureKind, DeliveryId, Message, ModelAnswer, RoomId, Span};

use super::commentary::{CommentaryGate, FloorState};
use super::note::NoteTrigger;
use super::reading::read_commentary;
use super::state::{CommentaryRun, Speaking, Watch};
use super::view::MarkKind;
use crate::effect::{Delivery, Effect};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::CommentarySkip;
use crate::step_context::StepContext;
use crate::text::dispatch::{inert_mentions, split};

/// A room that has not confirmed a comment by then has lost it: it is too late to say it again.
const CONFIRMATION_DEADLINE: Span = Span::seconds(60);

impl Watch {
    pub(super) fn commented(
        &mut self,
        room: &RoomId,
        run: CommentaryRun,
        answer: &ModelAnswer,
        surroundings: &FloorState,
        step: &mut StepContext<'_>,
    ) {
        let cost = answer.usage.cost_micro_dollars;
        self.calls.count(step.moment(), true, false, cost);
        self.commentary.failures = 0;
        let reading = read_commentary(&answer.text, &step.settings.identity.name);
        if let Some(what) = reading.repaired {
            let event = JournalEvent::AnswerRepaired {
                ask: run.ask,
                what: what.to_owned(),
            };
            step.ledger.write(run.scope(room), event);
        }
        let notes = reading.notes.len();
        let anything_new = self.commentary.anything_new;
        for (text, why) in reading.notes {
            self.keep(text, why, NoteTrigger::Commentary, step);
        }
        self.evict(room, step);
        // What it noted itself is no reason to consider another comment; what the note-taker saw meanwhile is.
        self.commentary.anything_new = anything_new;
        let spoken_since = surroundings.last_heard.is_some_and(|at| at >= run.started);
        let shut = surroundings.shut(step.moment());
        let off = shut.iter().any(|shut| shut.gate == CommentaryGate::CommentaryOff);
        let (reason, detail) = match reading.say {
            None => (CommentarySkip::LlmSkip, reading.why),
            Some(_) if off => (CommentarySkip::SwitchedOff, String::new()),
            Some(_) if spoken_since => {
                let detail = "somebody spoke while it thought".to_owned();
                (CommentarySkip::RoomMovedOn, detail)
            }
            Some(text) => match shut.first() {
                Some(shut) => (CommentarySkip::RoomMovedOn, shut.gate.name().to_owned()),
                None => return self.speak(room, run, &text, notes, answer, step),
            },
        };
        let event = JournalEvent::CommentarySkipped {
            ask: run.ask,
            reason,
            detail: detail.clone(),
            notes,
            took: step.moment().since(run.started),
            provider: answer.provider.clone(),
            model: answer.model.clone(),
            input_tokens: answer.usage.input_tokens,
            output_tokens: answer.usage.output_tokens,
            cost_micro_dollars: cost,
        };
        step.ledger.write(run.scope(room), event);
        self.mark(step, MarkKind::CommentarySilent, Some(run.frame), &detail);
    }

    fn speak(
        &mut self,
        room: &RoomId,
        run: CommentaryRun,
        text: &str,
        notes: usize,
        answer: &ModelAnswer,
        step: &mut StepContext<'_>,
    ) {
        let text = inert_mentions(text, None);
        // A comment is one message; what does not fit into it was too long to be one.
        let pieces = split(&text, step.settings.activity.max_message_characters as usize);
        let Some(text) = pieces.into_iter().next() else {
            return;
        };
        let community = step.ledger.community().clone();
        let delivery = Delivery {
            id: DeliveryId::new(format!("{community}-t{}-1", run.turn)),
            room: room.clone(),
            turn: run.turn,
            ask: run.ask,
            text,
            reply_to: None,
            may_notify: Vec::new(),
            attachments: Vec::new(),
        };
        let event = JournalEvent::CommentaryWritten {
            ask: run.ask,
            characters: delivery.text.chars().count(),
            notes,
            took: step.moment().since(run.started),
            provider: answer.provider.clone(),
            model: answer.model.clone(),
            input_tokens: answer.usage.input_tokens,
            output_tokens: answer.usage.output_tokens,
            cost_micro_dollars: answer.usage.cost_micro_dollars,
        };
        let cause = step.ledger.write(run.scope(room), event);
        step.ledger.want(Effect::send(delivery.clone()));
        self.commentary.speaking = Some(Speaking {
            delivery,
            frame: run.frame,
            cause,
            deadline: step.moment() + CONFIRMATION_DEADLINE,
        });
    }

    /// A message of its own is in the room; if it is the comment, that is done.
    pub fn message_sent(&mut self, delivery: &DeliveryId, message: &Message, step: &mut StepContext<'_>) {
        let Some(speaking) = self
            .commentary
            .speaking
            .take_if(|speaking| speaking.delivery.id == *delivery)
        else {
            return;
        };
        let scope = Scope::room(&message.room)
            .turn(speaking.delivery.turn)
            .because(Some(speaking.cause))
            .about(&message.id);
        let event = JournalEvent::CommentarySpoken {
            ask: speaking.delivery.ask,
            message: message.id.clone(),
            characters: message.text.chars().count(),
        };
        step.ledger.write(scope, event);
        self.mark(
            step,
            MarkKind::CommentarySpoken,
            Some(speaking.frame),
            &message.text,
        );
    }

    pub fn send_failed(&mut self, delivery: &DeliveryId, detail: &str, step: &mut StepContext<'_>) {
        let Some(speaking) = self
            .commentary
            .speaking
            .take_if(|speaking| speaking.delivery.id == *delivery)
        else {
            return;
        };
        self.comment_lost(&speaking, detail, step);
    }

    /// A comment that is late is not worth saying again.
    pub(super) fn comment_lost(&mut self, speaking: &Speaking, detail: &str, step: &mut StepContext<'_>) {
        let scope = Scope::room(&speaking.delivery.room)
            .turn(speaking.delivery.turn)
            .because(Some(speaking.cause));
        let event = JournalEvent::CommentaryFailed {
            ask: speaking.delivery.ask,
            error: AskFailureKind::Unreachable,
            detail: format!("the room did not take it: {detail}"),
        };
        step.ledger.write(scope, event);
        self.mark(step, MarkKind::CommentaryFailed, Some(speaking.frame), detail);
    }
}
