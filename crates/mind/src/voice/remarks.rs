//! What Denizen says aloud without being asked, in words that are there already: a comment on a shared screen, or that it
//! is about to leave.
//!
//! It goes the way of an answer: sentence by sentence, until somebody speaks over it, and what was heard is written down.

use gist::aloud;
use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskId, JournalSeq, TurnId};

use super::deciding::words_of;
use super::turn::{VoiceTurn, VoiceTurnKind};
use super::{Voice, VoiceContext, answering, greeting, opening};
use crate::admission::VoiceAdmissionReason;
use crate::prompt::BUILT_IN;
use crate::step_context::StepContext;

/// Something that it tells people as soon as nobody speaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Telling {
    text: String,
    cause: JournalSeq,
}

/// Something of its own to be said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remark {
    pub kind: VoiceTurnKind,
    /// The turn that it is of, where there is one before it is said.
    pub turn: Option<TurnId>,
    pub ask: AskId,
    pub text: String,
    pub cause: JournalSeq,
}

/// Whether what it says of its own accord is said aloud: it is there, so is somebody else, and it has a voice.
pub(crate) fn has_listeners(voice: &Voice, settings: &Settings) -> bool {
    voice.session.is_in() && voice.people.count() > 0 && voice.has_voice(settings)
}

/// Whether somebody is speaking there.
pub(crate) fn hears_somebody(voice: &Voice) -> bool {
    voice.session.is_in() && voice.people.somebody_speaks()
}

/// Whether somebody there understands speech.
pub(crate) fn understands_speech(voice: &Voice) -> bool {
    !voice.session.deaf
}

/// Says it, unless somebody speaks, or something else is being said or made.
pub(crate) fn remark(
    voice: &mut Voice,
    remark: Remark,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) -> bool {
    let words = aloud::all(&remark.text);
    if words.is_empty() || !voice.session.is_in() || !greeting::is_idle(voice) {
        return false;
    }
    let (now, reason) = (step.moment(), VoiceAdmissionReason::DirectAddressFastPath);
    let mut turn = opening::begun(remark.kind, Vec::new(), reason, false, now, remark.cause, step);
    turn.id = remark.turn.unwrap_or(turn.id);
    turn.ask = remark.ask;
    turn.hold(words);
    turn.written = true;
    let opened = opening::unprompted(false);
    turn.cause = step.ledger.write(turn.scope(context.room), opened);
    voice.turn = Some(turn);
    answering::flush(voice, context, step);
    true
}

/// Tells people something aloud, now or as soon as nobody speaks; whether somebody can hear it.
pub(crate) fn tell(voice: &mut Voice, text: String, cause: JournalSeq, step: &StepContext<'_>) -> bool {
    let hears = has_listeners(voice, step.settings);
    voice.telling = hears.then_some(Telling { text, cause });
    hears
}

/// Says once a session, to whoever asked, that it cannot answer and what is missing.
pub(super) fn own_up(
    voice: &mut Voice,
    turn: &VoiceTurn,
    failed: bool,
    context: &mut VoiceContext<'_>,
    step: &StepContext<'_>,
) {
    let is_asked = turn.required || words_of(&turn.utterances, context).contains('?');
    if turn.kind != VoiceTurnKind::Answer || !is_asked || voice.session.owned_up {
        return;
    }
    let model = step.outside.reply_model.as_ref();
    let words = match (model.is_some_and(|model| model.provider == BUILT_IN), failed) {
        (true, _) => {
            "I cannot answer that: I have no language model here, and whoever runs me can choose one in the settings."
        }
        (false, true) => "I cannot answer now: my language model does not reply.",
        (false, false) if turn.required => "I have no answer to that.",
        (false, false) => return,
    };
    if !tell(voice, words.to_owned(), turn.cause, step) {
        context.signs.push((words.to_owned(), turn.cause));
    }
    voice.session.owned_up = true;
}

/// Tells what waits to be told, if nobody speaks.
pub(super) fn tell_what_waits(voice: &mut Voice, context: &mut VoiceContext<'_>, step: &mut StepContext<'_>) {
    if !greeting::is_idle(voice) {
        return;
    }
    if let Some(Telling { text, cause }) = voice.telling.take() {
        let ask = step.counters.ask;
        let kind = VoiceTurnKind::Notice;
        let words = Remark {
            kind,
            turn: None,
            ask,
            text,
            cause,
        };
        remark(voice, words, context, step);
    }
}

/// Whether something of its own is still to be said, being said, or on its way into the room.
pub(crate) fn is_under_way(voice: &Voice, turn: TurnId) -> bool {
    let saying = voice.mouth.saying().map(|saying| saying.turn);
    let unwritten = voice.mouth.unwritten.iter();
    voice.turn.as_ref().map(|turn| turn.id) == Some(turn)
        || saying == Some(turn)
        || unwritten
            .map(|unwritten| unwritten.delivery.turn)
            .any(|heard| heard == turn)
}
