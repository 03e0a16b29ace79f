//! Commands in a room, and what is forgotten of what a room itself still holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::{Forgetting, Quieting, Settings};
use vocabulary::{AuthorKind, CommunityId, Forget, Message, Moment, PersonId, QuietWish, Span, TurnKey};

use crate::input::Forgotten;
use crate::log::Log;
use crate::memory::command::{Command, read_wish};
use crate::memory::triggers::SessionEnding;
use crate::prompt::speaker;
use crate::reasons::CommandHold;
use crate::watch::Watch;

/// How long `/forget me` waits for its yes.
const CONFIRM_WITHIN: Span = Span::seconds(120);

/// Who wants to be forgotten and has not said yes yet, and since when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Unconfirmed(BTreeMap<PersonId, Moment>);

impl Unconfirmed {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lets somebody go.
    pub fn forget(&mut self, person: &PersonId) {
        self.0.remove(person);
    }

    /// Why a command is not carried out (yet), if it is not.
    pub fn holds(
        &mut self,
        command: &Command,
        person: &PersonId,
        (who_may, quieting): (Forgetting, Quieting),
        now: Moment,
    ) -> Option<CommandHold> {
        self.0.retain(|_, since| now.since(*since) <= CONFIRM_WITHIN);
        if command.forgets() && who_may == Forgetting::Operator {
            return Some(CommandHold::NotPermitted);
        }
        match command {
            Command::Quiet(_) if quieting == Quieting::Operator => Some(CommandHold::QuietNotPermitted),
            Command::Quiet(None) => Some(CommandHold::Unclear),
            Command::ForgetMe => {
                self.0.insert(person.clone(), now);
                Some(CommandHold::Unconfirmed)
            }
            Command::ForgetMeYes if self.0.remove(person).is_none() => Some(CommandHold::NothingToConfirm),
            _ => None,
        }
    }
}

/// What whoever typed a command is told when it is not carried out.
pub(super) fn held_notice(why: CommandHold) -> &'static str {
    match why {
        CommandHold::Unconfirmed => {
            "This takes away everything you said here and all that I know about you, in every room of this community, for good. \
             To do it, write `/forget me yes` within two minutes."
        }
        CommandHold::NothingToConfirm => {
            "Nothing was forgotten: write `/forget me` first, and `/forget me yes` within two minutes after it."
        }
        CommandHold::QuietNotPermitted => {
            "Only whoever runs me can do that here, and on Discord people who may manage messages or the server, by \
             `/denizen quiet`. Ask one of them."
        }
        CommandHold::Unclear => {
            "Say for how long: `/quiet 15m`, `/quiet 1h`, `/quiet until tomorrow`, `/quiet for good`, or `/quiet off`."
        }
        // Without the name: this sentence stays.
        CommandHold::NotPermitted => {
            "Only whoever runs me can do that here. Ask them for it: the command is `denizen memory forget --person NAME`."
        }
    }
}

/// What can be typed here.
pub(super) fn help(who_may: Forgetting) -> String {
    let mut lines = vec!["`/new` (or `/reset`): a new conversation; what was said is remembered"];
    match who_may {
        Forgetting::Everyone => lines.extend([
            "`/forget that`: your last message and the answer to it, gone for good",
            "`/forget me`: everything you said and all that I know about you, gone for good; I ask back before",
        ]),
        Forgetting::Operator => lines.push("to have something forgotten, ask whoever runs me"),
    }
    lines.push("`/join`, `/leave`: I come into the voice of this room, where it has one, or leave it");
    lines.push("`/listen off`, `/listen on`: what you say aloud here is not written down, or is again");
    lines.push("`/quiet 15m` (or `1h`, `for good`): I say nothing here for so long; `/quiet off` ends it");
    lines.push("`/watch`: how to show me a screen");
    lines.push("`/help`: this");
    lines.join("\n")
}

/// How a screen is shown to Denizen, or that one is.
pub(super) fn how_to_share(watch: &Watch, settings: &Settings) -> String {
    match watch.shared_by() {
        _ if !settings.stream_watch.enabled => {
            "Watching screens is switched off here. Whoever runs me can switch it on: voice.streamWatch.enabled."
                .to_owned()
        }
        Some(name) => format!("I am watching {}'s screen.", speaker(name)),
        None if watch.has_shares() => {
            "Several screens are shared. Choose on the page of this room, under *Watch*, which one I look at.".to_owned()
        }
        None => "To show me a screen, press *Share my screen* on the page of this room, or stream to it from OBS. I look \
                 along, take notes, and comment now and then."
            .to_owned(),
    }
}

/// The wish to be listened to, or not, in words instead of a command.
pub(super) fn listening_wish(text: &str, is_alone: bool, settings: &Settings) -> Option<Command> {
    let identity = &settings.identity;
    let aliases = identity.aliases.iter().map(String::as_str);
    // What the ears write for the name is the name here, too: who is not to be listened to must not be misheard.
    let heard = settings.voice.name_spellings.iter().map(String::as_str);
    let names = [identity.name.as_str()].into_iter().chain(aliases).chain(heard);
    read_wish(text, names, is_alone)
}

/// What a command asks of the rest of the mind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Obeyed {
    SessionEnded(SessionEnding),
    Forget(Forget),
    /// Nothing is to be said for a while, or that is over, as the line says that took the command.
    Quiet(PersonId, QuietWish),
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
