//! How long an answer that is ready waits for people who speak.

use vocabulary::{Moment, Span};

use super::Voice;
use super::people::VoicePeople;
use super::turn::{VoiceStage, VoiceTurn};

/// An answer that is owed waits so long for sounds of which no words are known.
const WAITS_FOR_ANYBODY: Span = Span::seconds(3);

/// Whether somebody speaks for whom what a turn has to say waits.
pub(super) fn must_wait(people: &VoicePeople, turn: &VoiceTurn, now: Moment) -> bool {
    let caller = turn.answered().map(|utterance| &utterance.person);
    let for_anybody = !turn.required || now < turn.opened + WAITS_FOR_ANYBODY;
    match turn.given {
        true => people.took_the_floor(caller, for_anybody),
        false => people.keeps_waiting(caller, for_anybody, now),
    }
}

/// When an answer that is ready need not wait for every sound any more.
pub(super) fn ends(voice: &Voice) -> Option<Moment> {
    let is_silent = !voice.mouth.is_open();
    let waits = |turn: &&VoiceTurn| match turn.stage {
        VoiceStage::Ready {} => is_silent && !turn.in_text,
        _ => !turn.in_text && !turn.held.is_empty() && (turn.given || is_silent),
    };
    let turn = voice.turn.as_ref().filter(waits)?;
    let caller = turn.answered().map(|utterance| &utterance.person);
    if let Some(awaited) = voice.people.words_awaited_of(caller) {
        return Some(awaited);
    }
    let ends = voice.people.somebody_speaks() && !voice.people.keeps_waiting(caller, false, Moment(0));
    (turn.required && ends).then(|| turn.opened + WAITS_FOR_ANYBODY)
}
