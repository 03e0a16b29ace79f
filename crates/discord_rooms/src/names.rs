//! Whose id is what: Discord's numbers as the ids of communities, rooms, people and messages, and back.

use discord::wire::Snowflake;
use runtime::DISCORD_PREFIX;
use vocabulary::{CommunityId, MessageId, PersonId, RoomId};

/// The community of everybody's direct messages.
pub const DIRECT: &str = "discord-direct";
const PERSON: &str = "discord:";
/// Where nobody knows yet who the bot is.
const UNKNOWN_BOT: &str = "discord:bot";

/// Whether a community lives on Discord.
pub fn is_on_discord(community: &CommunityId) -> bool {
    community.as_str().starts_with(DISCORD_PREFIX)
}

/// The community of a server; of direct messages where there is none.
pub(crate) fn community_of(guild: Option<Snowflake>) -> CommunityId {
    match guild {
        Some(guild) => CommunityId::new(format!("{DISCORD_PREFIX}{guild}")),
        None => CommunityId::new(DIRECT),
    }
}

/// The server that a community is.
pub(crate) fn guild_of(community: &CommunityId) -> Option<Snowflake> {
    Snowflake::parse(community.as_str().strip_prefix(DISCORD_PREFIX)?)
}

pub(crate) fn person(user: Snowflake) -> PersonId {
    PersonId::new(format!("{PERSON}{user}"))
}

/// The bot itself.
pub(crate) fn bot(user: Option<Snowflake>) -> PersonId {
    user.map_or_else(|| PersonId::new(UNKNOWN_BOT), person)
}

pub(crate) fn user_of(person: &PersonId) -> Option<Snowflake> {
    Snowflake::parse(person.as_str().strip_prefix(PERSON)?)
}

pub(crate) fn room(channel: Snowflake) -> RoomId {
    RoomId::new(channel.to_string())
}

pub(crate) fn channel_of(room: &RoomId) -> Option<Snowflake> {
    Snowflake::parse(room.as_str())
}

pub(crate) fn message(id: Snowflake) -> MessageId {
    MessageId::new(id.to_string())
}

/// What was asked by a command: it stands in no channel as a message.
pub(crate) fn asked(interaction: Snowflake) -> MessageId {
    MessageId::new(format!("asked-{interaction}"))
}

pub(crate) fn message_of(id: &MessageId) -> Option<Snowflake> {
    Snowflake::parse(id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_go_there_and_back() {
        let id = Snowflake::new(175_928_847_299_117_063).expect("an id");
        let community = community_of(Some(id));
        assert_eq!(community.as_str(), "discord-175928847299117063");
        assert!(is_on_discord(&community) && runtime::check_id(community.as_str()).is_ok());
        assert_eq!(guild_of(&community), Some(id));
        let direct = community_of(None);
        assert!(is_on_discord(&direct) && guild_of(&direct).is_none());
        assert!(!is_on_discord(&CommunityId::home()));
        assert_eq!(user_of(&person(id)), Some(id));
        assert_eq!(channel_of(&room(id)), Some(id));
        assert_eq!(message_of(&message(id)), Some(id));
        assert_eq!(message_of(&asked(id)), None);
        assert_eq!(user_of(&PersonId::new("local:alice")), None);
        assert_eq!(user_of(&bot(None)), None);
    }
}
