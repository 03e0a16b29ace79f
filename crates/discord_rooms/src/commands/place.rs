//! Where a command was used: what the bot sees and may do there. What it does not see does not exist for it.

use discord::wire::Snowflake;
use mind::{Input, RoomEvent};
use runtime::wall;
use vocabulary::RoomFacts;

use super::Used;
use crate::reading::direct_facts;
use crate::wording::Phrase;

/// What a channel is; none where the bot does not see it, though commands can be used there.
fn place(used: &Used, channel: Snowflake) -> Option<RoomFacts> {
    if used.interaction.guild.is_none() {
        return Some(direct_facts(channel, &used.author().name));
    }
    used.inside.read(used.interaction.guild, |reading| {
        let now = wall();
        let known = reading.world.channel(channel)?;
        reading.sees(known, now).then(|| reading.facts(known, now))
    })
}

/// Has the mind know what a channel is, before anything happens in it: an undescribed room would be anybody's. Why
/// nothing can happen there, in words.
pub(super) async fn enter(used: &Used, channel: Snowflake) -> Result<(), String> {
    let facts = place(used, channel);
    let facts = facts.ok_or_else(|| used.say(Phrase::NotSeenHere))?;
    let described = Input::Room(facts.id.clone(), RoomEvent::Described(facts));
    let accepted = used.handle.accept(described).await;
    accepted.map_err(|error| used.tell(Phrase::NotNow, &[("error", &error.to_string())]))
}

/// Why nothing could be said in a channel, in words.
pub(super) fn cannot_speak(used: &Used, channel: Snowflake) -> Option<String> {
    match place(used, channel) {
        None => Some(used.say(Phrase::NotSeenHere)),
        Some(facts) if facts.read_only => Some(used.say(Phrase::ReadsOnly)),
        Some(_) => None,
    }
}
