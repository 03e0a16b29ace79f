//! What becomes of a comment that a model gave: said, or left unsaid because the moment has passed.

use vocabulary::{AskFailureKind, Message, ModelAnswer, RoomId};

use super::commentary::{CommentaryGate, FloorState};
use super::note::NoteTrigger;
use super::reading::read_commentary;
use super::state::{CommentaryRun, Speaking, Watch};
use super::view::MarkKind;
use crate::journal::{JournalEvent, Scope};
use crate::mentions::inert_mentions;
use crate::outbox::split;
use crate::parcel::{Errand, Parcel, Report};
use crate::reasons::CommentarySkip;
use crate::step_context::StepContext;

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
        let event = JournalEvent::CommentaryWritten {
            ask: run.ask,
            characters: text.chars().count(),
            notes,
            took: step.moment().since(run.started),
            provider: answer.provider.clone(),
            model: answer.model.clone(),
            input_tokens: answer.usage.input_tokens,
            output_tokens: answer.usage.output_tokens,
            cost_micro_dollars: answer.usage.cost_micro_dollars,
        };
        let cause = step.ledger.write(run.scope(room), event);
        step.outgoing.push(Parcel {
            errand: Errand::Comment,
            room: room.clone(),
            turn: run.turn,
            ask: run.ask,
            text,
            reply_to: None,
            answered: None,
            attachments: Vec::new(),
            scope: Scope::room(room).turn(run.turn).because(Some(cause)),
        });
        self.commentary.speaking = Some(Speaking {
            turn: run.turn,
            frame: run.frame,
        });
    }

    /// A comment is in the room, as its last message; or the room did not take it, and it is too late to say it again.
    pub fn comment_said(
        &mut self,
        room: &RoomId,
        report: &Report,
        last: Option<&Message>,
        step: &mut StepContext<'_>,
    ) {
        let ours = |speaking: &mut Speaking| speaking.turn == report.turn;
        let Some(speaking) = self.commentary.speaking.take_if(ours) else {
            return;
        };
        let scope = Scope::room(room).turn(report.turn).because(report.cause);
        let (kind, words) = match (last, &report.lost) {
            (Some(message), None) => {
                let event = JournalEvent::CommentarySpoken {
                    ask: report.ask,
                    message: message.id.clone(),
                    characters: message.text.chars().count(),
                };
                step.ledger.write(scope.about(&message.id), event);
                (MarkKind::CommentarySpoken, message.text.as_str())
            }
            (_, lost) => {
                let detail = lost.as_deref().unwrap_or_default();
                let event = JournalEvent::CommentaryFailed {
                    ask: report.ask,
                    error: AskFailureKind::Unreachable,
                    detail: format!("the room did not take it: {detail}"),
                };
                step.ledger.write(scope, event);
                (MarkKind::CommentaryFailed, detail)
            }
        };
        self.mark(step, kind, Some(speaking.frame), words);
    }
}
