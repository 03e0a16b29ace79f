//! Signs in the text of a room: that Denizen listens there, whether it can speak, and that its ears fail.

use vocabulary::{JournalSeq, Span};

use super::{Voice, VoiceContext};
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

/// The sign that it listens.
const LISTENS: &str = "I am in the voice of this room and listen. What I understand I keep in writing, as I keep what is typed; whoever does not want that can switch listening off for themselves with `/listen off`, or send me away with `/leave`.";
const DEAF: &str = "I am in the voice of this room. I do not understand speech, so nothing that is said is written down; what you type I answer aloud.";
const MUTE: &str = "I have no voice here, so I answer in text. Whoever runs me can give me one: voice.sttPipeline.ttsProvider.";
const DEAF_AND_MUTE: &str = "I am in the voice of this room, but I neither understand speech nor have a voice: nothing that is said is written down, and what you type I answer in text.";
/// The same sign is not put up again within this.
const SIGNS_APART: Span = Span::minutes(10);

/// Says in the text of the room whether it listens and speaks, unless that stands there since a moment ago.
pub(super) fn put_up(
    voice: &mut Voice,
    cause: JournalSeq,
    context: &mut VoiceContext<'_>,
    step: &StepContext<'_>,
) {
    let sign = match (!voice.session.deaf, voice.has_voice(step.settings)) {
        (true, true) => LISTENS.to_owned(),
        (true, false) => format!("{LISTENS} {MUTE}"),
        (false, true) => DEAF.to_owned(),
        (false, false) => DEAF_AND_MUTE.to_owned(),
    };
    let now = step.moment();
    let stands = voice
        .sign
        .as_ref()
        .is_some_and(|(at, told)| *told == sign && now.since(*at) < SIGNS_APART);
    if !stands {
        voice.sign = Some((now, sign.clone()));
        context.signs.push((sign, cause));
    }
}

/// Its ears failed, with what they said of it, or did not: people are told once that they do, and that they hear again.
pub(super) fn ears_did(
    voice: &mut Voice,
    fault: Option<&str>,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    if !voice.session.is_in() || !voice.session.ears(fault.is_some()) {
        return;
    }
    let event = JournalEvent::VoiceEarsChanged {
        failing: fault.is_some(),
        detail: fault.unwrap_or_default().to_owned(),
    };
    let cause = step.ledger.write(Scope::room(context.room), event);
    let text = match fault {
        Some(_) => {
            "My ears fail: I do not understand what is said in the voice of this room at the moment. What you type I read."
        }
        None => "I understand again what is said in the voice of this room.",
    };
    context.signs.push((text.to_owned(), cause));
}
