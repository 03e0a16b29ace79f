//! What goes into the text of a room from its voice: notices, signs, and answers that could not be said.

use vocabulary::{AskId, JournalSeq, MessageId, RoomId};

use super::Voice;
use super::turn::VoiceTurn;
use crate::context::compaction::Compaction;
use crate::reasons::{VoiceTurnOutcome, VoiceTurnReason};
use crate::step_context::StepContext;
use crate::watch::Watch;

/// What an answer is made from: the other parts of the room.
#[derive(Debug)]
pub(crate) struct VoiceContext<'a> {
    pub room: &'a RoomId,
    /// What people call the room, and models too.
    pub name: &'a str,
    pub log: &'a mut Compaction,
    pub watch: &'a Watch,
    /// A reply is being written in the text of the room.
    pub answers_in_text: bool,
    /// What is to be told in the text of the room, and because of which line.
    pub notices: Vec<(String, JournalSeq)>,
    /// The same of itself, which is no part of the conversation.
    pub signs: Vec<(String, JournalSeq)>,
    /// Answers that could not be said.
    pub answers: Vec<Written>,
}

/// An answer that is written, for it could not be said.
#[derive(Debug)]
pub(crate) struct Written {
    pub text: String,
    pub ask: AskId,
    pub reply_to: Option<MessageId>,
    pub cause: JournalSeq,
}

/// What of an answer was not said, because its voice would not, is written into the room instead.
pub(super) fn write_rest(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    let Some(turn) = voice.turn.take() else { return };
    let mut lines: Vec<String> = Vec::new();
    for (place, said) in turn.held.iter().enumerate() {
        // The last of what is held is the last sentence.
        let is_of_it = |of: usize| of + turn.held.len() == turn.sentences + place;
        let beside = turn.beside.iter().filter(|(of, _)| is_of_it(*of));
        lines.push(said.clone());
        lines.extend(beside.map(|(_, text)| text.clone()));
    }
    write(voice, turn, lines.join("\n"), context, step);
}

/// An answer is written into the room, for nobody could hear it.
pub(super) fn write(
    voice: &mut Voice,
    turn: VoiceTurn,
    text: String,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let answered = turn.answered();
    if text.trim().is_empty() {
        let (outcome, reason) = (VoiceTurnOutcome::Failed, VoiceTurnReason::SpeechFailed);
        return turn.end(outcome, reason, "", context.room, step);
    }
    voice.mouth.told(&text, step.moment());
    voice.mouth.last_to = answered.map(|utterance| utterance.person.clone());
    voice.session.has_spoken();
    context.answers.push(Written {
        text,
        ask: turn.ask,
        reply_to: answered.map(|utterance| utterance.message.clone()),
        cause: turn.cause,
    });
    let (outcome, reason) = (VoiceTurnOutcome::Written, VoiceTurnReason::NoVoice);
    turn.end(outcome, reason, "", context.room, step);
}
