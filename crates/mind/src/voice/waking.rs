//! When the voice of a room next has something to do.

use settings::Settings;
use vocabulary::Moment;

use super::{Voice, greeting, patience, thoughts};
use crate::effect::{Wake, WakeReason};

/// When it next wants waking.
pub(super) fn next_wake(voice: &Voice, settings: &Settings) -> Option<Wake> {
    let wake = |reason: WakeReason| move |at: Moment| Wake { at, reason };
    let session = voice.session.next_due(&settings.voice);
    let greeting = voice.session.greets_at(&settings.voice);
    let greeting = greeting.filter(|_| voice.session.is_in() && greeting::is_idle(voice));
    let waiting = voice.waiting.as_ref().filter(|_| voice.session.is_in());
    let waiting = waiting.and_then(|waiting| waiting.due(&voice.people));
    let turn = voice.turn.as_ref();
    let stale = turn
        .filter(|turn| !turn.given && !turn.in_text)
        .map(|turn| turn.stale_at() + vocabulary::Span(1));
    let patience = patience::ends(voice);
    let tools = turn.and_then(|turn| turn.tools.next_wake());
    let turns = [
        greeting,
        waiting,
        stale,
        patience,
        voice.mouth.next_due(),
        voice.people.next_expiry(),
    ];
    turns
        .into_iter()
        .flatten()
        .map(wake(WakeReason::VoiceTurnDue))
        .chain(session.map(wake(WakeReason::VoiceSessionDue)))
        .chain(tools)
        .chain(thoughts::next_look(voice, settings))
        .chain(voice.thoughts.next_expiry())
        .min()
}
