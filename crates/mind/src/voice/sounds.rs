//! Short sounds of the operator's, one of which a model may pick by its name while it answers.

use vocabulary::{Moment, RoomId, Span};

use super::session::VoiceSession;
use super::{Voice, want};
use crate::effect::RoomWish;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

/// How a sound is picked: `[[SOUND: drum]]`.
const MARK: &str = "[[sound:";
/// So long after one no other is played.
const APART: Span = Span::seconds(20);
/// Longest name that is told of.
const NAME_CHARS_MAX: usize = 64;

/// The sound that somebody picked in a sentence, and the sentence without it.
pub(super) fn picked(said: &str) -> Option<(String, String)> {
    let at = said.to_ascii_lowercase().find(MARK)?;
    let (name, after) = said[at + MARK.len()..].split_once("]]")?;
    let words = format!("{} {}", &said[..at], after);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    // A full stop behind the mark is no sentence.
    let words = match words.chars().any(char::is_alphanumeric) {
        true => words,
        false => String::new(),
    };
    Some((name.trim().chars().take(NAME_CHARS_MAX).collect(), words))
}

/// Plays what was picked: one sound that there is, and not one after the other.
pub(super) fn play(
    session: &mut VoiceSession,
    picked: Vec<String>,
    room: &RoomId,
    scope: Scope,
    step: &mut StepContext<'_>,
) {
    for name in picked {
        let known = session
            .sounds
            .iter()
            .find(|sound| sound.eq_ignore_ascii_case(&name));
        let refused = match known {
            None => Some("there is no such sound"),
            Some(_) if !may_play(session.sound_at, step.moment()) => Some("another was played a moment ago"),
            Some(_) => None,
        };
        match (refused, known.cloned()) {
            (None, Some(name)) => {
                session.sound_at = Some(step.moment());
                want(room, RoomWish::PlaySound { name }, step);
            }
            (refused, _) => {
                let detail = refused.unwrap_or_default().to_owned();
                let event = JournalEvent::VoiceSoundFailed { sound: name, detail };
                step.ledger.write(scope.clone(), event);
            }
        }
    }
}

/// Nobody heard what was picked: another may be.
pub(crate) fn failed(voice: &mut Voice) {
    voice.session.sound_at = None;
}

fn may_play(last: Option<Moment>, now: Moment) -> bool {
    last.is_none_or(|last| now.since(last) >= APART)
}
