//! Lists of channels and people in settings, as people write them: a mention, a name or a number becomes the id that is
//! compared. What is none of them is refused, for it would have no effect.

use discord::wire::Snowflake;
use discord::world::GuildCache;
use serde_json::Value;

use crate::names;

/// What names nobody and nothing here.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unmeant {
    pub given: String,
    pub is_channel: bool,
}

/// The value with ids for what is named in it, where the key wants any.
pub(super) fn meant(world: &GuildCache, guild: Snowflake, key: &str, value: Value) -> Result<Value, Unmeant> {
    let is_channel = key.ends_with("ChannelIds");
    let is_list = (is_channel || key.ends_with("UserIds")) && value.is_array();
    let Value::Array(items) = value else {
        return Ok(value);
    };
    if !is_list {
        return Ok(Value::Array(items));
    }
    let ids = items.iter().filter_map(Value::as_str).map(|given| {
        let found = match is_channel {
            true => channel(world, guild, given).map(|id| id.to_string()),
            false => person(world, guild, given).map(|id| names::person(id).to_string()),
        };
        found.map(Value::String).ok_or_else(|| Unmeant {
            given: given.to_owned(),
            is_channel,
        })
    });
    ids.collect::<Result<Vec<_>, _>>().map(Value::Array)
}

fn channel(world: &GuildCache, guild: Snowflake, given: &str) -> Option<Snowflake> {
    let mark = given.strip_prefix("<#").and_then(|rest| rest.strip_suffix('>'));
    let given = mark.unwrap_or(given);
    if let Some(id) = Snowflake::parse(given) {
        return (world.guild_of(id) == Some(guild)).then_some(id);
    }
    let name = given.trim_start_matches('#').to_lowercase();
    let named = world
        .channels(guild)
        .filter(|channel| channel.name.to_lowercase() == name);
    only(named.map(|channel| channel.id))
}

fn person(world: &GuildCache, guild: Snowflake, given: &str) -> Option<Snowflake> {
    let mark = given
        .strip_prefix("<@")
        .and_then(|rest| rest.strip_suffix('>'))
        .map(|rest| rest.trim_start_matches('!'));
    let given = mark.unwrap_or(given);
    let number = given.strip_prefix("discord:").unwrap_or(given);
    // People come and go, so a number is taken as it is.
    Snowflake::parse(number).or_else(|| {
        only(
            world
                .people_named(guild, given.trim_start_matches('@'))
                .into_iter(),
        )
    })
}

/// Where several go by a name, none is meant.
fn only(mut found: impl Iterator<Item = Snowflake>) -> Option<Snowflake> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use discord::wire::GatewayEvent;
    use serde_json::json;

    use super::*;

    #[test]
    fn names_mentions_and_numbers_are_ids_and_anything_else_is_refused() {
        let mut world = GuildCache::default();
        let guild = json!({"id": "1", "name": "Guild", "channels": [
                {"id": "10", "type": 0, "name": "general"}, {"id": "11", "type": 0, "name": "Twice"}, {"id": "12", "type": 0, "name": "twice"},
            ], "members": [{"user": {"id": "3", "username": "alice"}, "roles": []}]});
        world.apply(&GatewayEvent::read("GUILD_CREATE", &guild).expect("a server"));
        let id = Snowflake::new(1).expect("an id");
        let blocked = |given: &str| {
            meant(
                &world,
                id,
                "permissions.replies.blockedChannelIds",
                json!([given]),
            )
        };
        for given in ["10", "<#10>", "general", "#general", "General"] {
            assert_eq!(blocked(given), Ok(json!(["10"])), "{given}");
        }
        for given in ["99", "lounge", "twice", "<#x>", "<@10>"] {
            let refused = blocked(given).expect_err("it is no channel here");
            assert_eq!((refused.given.as_str(), refused.is_channel), (given, true));
        }
        let people = |given: &str| meant(&world, id, "permissions.replies.blockedUserIds", json!([given]));
        for given in ["3", "<@3>", "<@!3>", "discord:3", "alice", "@alice"] {
            assert_eq!(people(given), Ok(json!(["discord:3"])), "{given}");
        }
        assert!(people("mallory").is_err());
        assert_eq!(meant(&world, id, "identity.name", json!("x")), Ok(json!("x")));
        assert_eq!(
            meant(&world, id, "addressing.aliases", json!(["x"])),
            Ok(json!(["x"]))
        );
    }
}
