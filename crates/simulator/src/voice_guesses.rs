//! What ears guess of somebody's words while they are being said.

use mind::RoomEvent;
use vocabulary::{PersonId, Span};

use crate::voices::{EARS_TAKE, VoiceTick};

/// How much the ears have heard when they first guess at what is being said, when they guess again, how often after that, and
/// how long after its end a last time: no sooner than real ones do. A guess takes as long as understanding the whole.
const FIRST_GUESS: Span = Span(300);
const SECOND_GUESS: Span = Span(700);
const GUESSES_EVERY: Span = Span(1_000);
const LAST_GUESS: Span = Span(200);

/// What is understood of a text while it is being said.
pub(crate) fn partials(person: &PersonId, text: &str, lasts: Span) -> Vec<(Span, VoiceTick)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut heard = FIRST_GUESS;
    let mut guesses = Vec::new();
    while heard < lasts {
        let said = (words.len() as u64 * heard.0).div_ceil(lasts.0) as usize;
        guesses.push((Span(heard.0 + EARS_TAKE.0), said));
        heard = match heard < SECOND_GUESS {
            true => SECOND_GUESS,
            false => Span(heard.0 + GUESSES_EVERY.0),
        };
    }
    guesses.push((Span(lasts.0 + LAST_GUESS.0 + EARS_TAKE.0), words.len()));
    let guess = |(at, said): (Span, usize)| {
        let partial = RoomEvent::SpeechPartial {
            person: person.clone(),
            text: words[..said.min(words.len())].join(" "),
        };
        (at, VoiceTick::Event(partial))
    };
    guesses.into_iter().map(guess).collect()
}
