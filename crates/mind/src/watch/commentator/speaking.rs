//! What becomes of a comment that a model gave: said, or left unsaid because the moment has passed.

use gist::likeness::say_the_same;
use serde::{Deserialize, Serialize};
use vocabulary::text::shortened;
use vocabulary::{AskFailureKind, AskId, FrameId, JournalSeq, Message, ModelAnswer, RoomId, TurnId};

use super::{CommentaryRun, Commentator};
use crate::journal::{JournalEvent, Scope};
use crate::mentions::inert_mentions;
use crate::outbox::split;
use crate::reasons::{CommentaryGate, CommentarySkip};
use crate::step_context::StepContext;
use crate::watch::commentary::FloorState;
use crate::watch::reading::CommentaryReading;
use crate::watch::tally::Tally;
use crate::watch::view::MarkKind;

/// So much of what was said before is told in the journal.
const DETAIL_CHARS_MAX: usize = 120;

/// A comment for the room to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub ask: AskId,
    pub turn: TurnId,
    pub text: String,
    /// The line that says that it was written.
    pub cause: JournalSeq,
}

/// The room as a comment finds it that a model gave.
#[derive(Debug)]
pub(crate) struct Hearing<'a> {
    pub floor: FloorState,
    /// What Denizen itself said there in the last minutes.
    pub own_words: Vec<&'a str>,
    /// What is to be said is said in the voice of the room.
    pub aloud: bool,
}

/// A comment on its way into the room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Speaking {
    ask: AskId,
    turn: TurnId,
    frame: FrameId,
    /// The line that says that it was written.
    cause: JournalSeq,
    /// It is said in the voice of the room.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    aloud: bool,
}

impl Speaking {
    fn scope(&self, room: &RoomId) -> Scope {
        Scope::room(room).turn(self.turn).because(Some(self.cause))
    }
}

/// An answer that was read, and how many notes were in it.
#[derive(Debug)]
pub(in crate::watch) struct Considered<'a> {
    pub run: CommentaryRun,
    pub answer: &'a ModelAnswer,
    pub reading: CommentaryReading,
    pub notes: usize,
}

impl Commentator {
    /// A model has answered: what is to be said, if anything still is.
    pub fn answered(
        &mut self,
        room: &RoomId,
        considered: Considered<'_>,
        hearing: &Hearing<'_>,
        tally: &mut Tally,
        step: &mut StepContext<'_>,
    ) -> Option<Comment> {
        let Considered {
            run,
            answer,
            reading,
            notes,
        } = considered;
        let (took, cost) = (step.took(run.started), answer.usage.cost_micro_dollars);
        tally.call_ended(step.moment(), true, cost);
        self.failures = 0;
        let (reason, detail) = match said(reading, &run, hearing, step) {
            Err(skip) => skip,
            Ok(text) => {
                // A comment is one message; what does not fit into it was too long to be one.
                let max = step.settings.activity.max_message_characters as usize;
                let aloud = hearing.aloud;
                let text = match aloud {
                    true => text,
                    false => inert_mentions(&text, None),
                };
                let text = split(&text, max).into_iter().next()?;
                let event = JournalEvent::CommentaryWritten {
                    ask: run.ask,
                    characters: text.chars().count(),
                    notes,
                    took,
                    provider: answer.provider.clone(),
                    model: answer.model.clone(),
                    input_tokens: answer.usage.input_tokens,
                    output_tokens: answer.usage.output_tokens,
                    cost_micro_dollars: cost,
                };
                let cause = step.ledger.write(run.scope(room), event);
                let (ask, turn, frame) = (run.ask, run.turn, run.frame);
                self.speaking = Some(Speaking {
                    ask,
                    turn,
                    frame,
                    cause,
                    aloud,
                });
                return Some(Comment {
                    ask,
                    turn,
                    text,
                    cause,
                });
            }
        };
        let event = JournalEvent::CommentarySkipped {
            ask: run.ask,
            reason,
            detail: detail.clone(),
            notes,
            took,
            provider: answer.provider.clone(),
            model: answer.model.clone(),
            input_tokens: answer.usage.input_tokens,
            output_tokens: answer.usage.output_tokens,
            cost_micro_dollars: cost,
        };
        step.ledger.write(run.scope(room), event);
        tally.mark_event(step.now(), MarkKind::CommentarySilent, Some(run.frame), &detail);
        None
    }

    /// The comment is in the room.
    pub fn spoken(&mut self, message: &Message, tally: &mut Tally, step: &mut StepContext<'_>) {
        let Some(speaking) = self.speaking.take() else {
            return;
        };
        let event = JournalEvent::CommentarySpoken {
            ask: speaking.ask,
            message: message.id.clone(),
            characters: message.text.chars().count(),
        };
        let scope = speaking.scope(&message.room).about(&message.id);
        step.ledger.write(scope, event);
        let frame = Some(speaking.frame);
        tally.mark_event(step.now(), MarkKind::CommentarySpoken, frame, &message.text);
    }

    /// The room did not take the comment: one that is late is not worth saying again.
    pub fn lost(&mut self, room: &RoomId, detail: &str, tally: &mut Tally, step: &mut StepContext<'_>) {
        let Some(speaking) = self.speaking.take() else {
            return;
        };
        let event = JournalEvent::CommentaryFailed {
            ask: speaking.ask,
            error: AskFailureKind::Unreachable,
            detail: format!("the room did not take it: {detail}"),
        };
        step.ledger.write(speaking.scope(room), event);
        let frame = Some(speaking.frame);
        tally.mark_event(step.now(), MarkKind::CommentaryFailed, frame, detail);
    }

    /// The turn of a comment that is being said aloud.
    pub fn aloud(&self) -> Option<TurnId> {
        let speaking = self.speaking.as_ref().filter(|speaking| speaking.aloud);
        speaking.map(|speaking| speaking.turn)
    }

    /// Nobody heard a word of the comment: the moment for it has passed.
    pub fn unheard(&mut self, room: &RoomId, tally: &mut Tally, step: &mut StepContext<'_>) {
        let Some(speaking) = self.speaking.take() else {
            return;
        };
        let event = JournalEvent::CommentaryUnheard { ask: speaking.ask };
        step.ledger.write(speaking.scope(room), event);
        let frame = Some(speaking.frame);
        tally.mark_event(step.now(), MarkKind::CommentarySilent, frame, "nobody heard it");
    }

    /// The process is back: what was on its way into the room is lost with it.
    pub fn restarted(&mut self) {
        self.run = None;
        self.speaking = None;
    }
}

/// What is to be said, or why nothing is.
fn said(
    reading: CommentaryReading,
    run: &CommentaryRun,
    hearing: &Hearing<'_>,
    step: &StepContext<'_>,
) -> Result<String, (CommentarySkip, String)> {
    let Some(text) = reading.say else {
        return Err((CommentarySkip::LlmSkip, reading.why));
    };
    let floor = &hearing.floor;
    let shut = floor.shut(step.moment());
    if shut.iter().any(|shut| shut.gate == CommentaryGate::CommentaryOff) {
        return Err((CommentarySkip::SwitchedOff, String::new()));
    }
    if floor.last_heard.is_some_and(|at| at >= run.started) {
        let detail = "somebody spoke while it thought".to_owned();
        return Err((CommentarySkip::RoomMovedOn, detail));
    }
    if let Some(shut) = shut.first() {
        return Err((CommentarySkip::RoomMovedOn, shut.gate.name().to_owned()));
    }
    match hearing.own_words.iter().find(|said| say_the_same(said, &text)) {
        Some(said) => Err((CommentarySkip::RepeatsItself, shortened(said, DETAIL_CHARS_MAX))),
        None => Ok(text),
    }
}
