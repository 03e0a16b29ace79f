//! Commands in a room, and what is forgotten of what a room itself still holds.

use vocabulary::{AuthorKind, CommunityId, Forget, Message, TurnKey};

use crate::input::Forgotten;
use crate::log::Log;
use crate::memory::triggers::SessionEnding;

/// What a command asks of the rest of the mind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Obeyed {
    SessionEnded(SessionEnding),
    Forget(Forget),
}

/// The newest message of the same author, and what Denizen answered to it.
pub(super) fn last_said_by(message: &Message, log: &Log, community: &CommunityId) -> Option<Vec<TurnKey>> {
    let everything: Vec<&Message> = log.newest(usize::MAX).collect();
    let last = everything
        .iter()
        .rfind(|other| other.author.id == message.author.id && other.id != message.id)?;
    let answers = everything.iter().filter(|other| {
        other.author.kind == AuthorKind::Denizen && other.reply_to.as_ref() == Some(&last.id)
    });
    let ids = std::iter::once(last).chain(answers);
    Some(
        ids.map(|message| TurnKey::of_message(community, &message.id))
            .collect(),
    )
}

/// Whether a message is among what is forgotten.
pub(super) fn is_forgotten(message: &Message, forgotten: &Forgotten, community: &CommunityId) -> bool {
    let key = TurnKey::of_message(community, &message.id);
    let is_message = |turn: &TurnKey| *turn == key || turn.as_str() == message.id.as_str();
    // What memory let go of must not come back from here, whatever was asked for.
    let is_meant = match &forgotten.what {
        Forget::Person {
            person,
            community: of,
            ..
        } => message.author.id == *person && of.as_ref().is_none_or(|of| of == community),
        Forget::Turns(turns) => turns.iter().any(is_message),
        Forget::Room { community: of, room } => message.room == *room && of == community,
        Forget::Community(of) => of == community,
        Forget::Gems(_) | Forget::Session(_) => false,
    };
    is_meant || forgotten.turn_ids.iter().any(is_message)
}
