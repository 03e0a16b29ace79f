//! Who is mentioned in a message, as far as its author allows and may.

use serde_json::{Value, json};

use super::World;
use super::access::{self, MENTION_EVERYONE};
use super::message::Message;
use crate::ids::{Id, ids_of};

/// Finds the mentions in the text and in what it replies to.
pub fn read(world: &World, message: &mut Message, allowed: &Value) {
    let channel = &world.channels[&message.channel];
    let may_all = access::in_channel(world, channel, message.author) & MENTION_EVERYONE != 0;
    let guild = channel.guild.and_then(|id| world.guilds.get(&id));
    let permits = |kind: &str, id: Id| {
        allowed.is_null() || parsed(allowed, kind) || ids_of(&allowed[kind]).contains(&id)
    };
    let people = numbered(&message.content, &["<@", "<@!"]);
    let known = |id: &Id| world.accounts.contains_key(id) && permits("users", *id);
    message.mentions = people.into_iter().filter(known).collect();
    let answered = message
        .replies_to
        .and_then(|id| channel.messages.get(&id))
        .map(|it| it.author);
    let pings = allowed.is_null() || allowed["replied_user"] == json!(true);
    if let Some(answered) = answered.filter(|id| pings && !message.mentions.contains(id)) {
        message.mentions.push(answered);
    }
    let roles = numbered(&message.content, &["<@&"]);
    let pingable = |id: &Id| {
        let role = guild.and_then(|guild| guild.roles.get(id));
        role.is_some_and(|role| role.mentionable || may_all) && permits("roles", *id)
    };
    message.mention_roles = roles.into_iter().filter(pingable).collect();
    let all = message.content.contains("@everyone") || message.content.contains("@here");
    message.everyone =
        all && may_all && guild.is_some() && (allowed.is_null() || parsed(allowed, "everyone"));
}

fn parsed(allowed: &Value, kind: &str) -> bool {
    allowed["parse"]
        .as_array()
        .is_some_and(|kinds| kinds.contains(&json!(kind)))
}

/// The ids in a text that stand between one of these and `>`, each once.
fn numbered(text: &str, openings: &[&str]) -> Vec<Id> {
    let mut found = Vec::new();
    for opening in openings {
        for piece in text.split(opening).skip(1) {
            let id = piece.split_once('>').and_then(|(id, _)| id.parse().ok());
            if let Some(id) = id.filter(|id| !found.contains(id)) {
                found.push(id);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::guild::Member;

    #[test]
    fn only_what_is_allowed_is_mentioned() {
        let mut world = World::default();
        let (owner, other) = (world.account("owner", false), world.account("other", false));
        let guild = world.found("Guild", owner);
        world
            .guilds
            .get_mut(&guild)
            .expect("made")
            .members
            .insert(other, Member::now());
        let channel = world.guilds[&guild].channels[0];
        let mut message = Message {
            channel,
            author: owner,
            content: format!("<@{other}> <@!{owner}> @everyone <@99>"),
            ..Message::default()
        };
        read(&world, &mut message, &Value::Null);
        assert_eq!(
            (message.mentions.clone(), message.everyone),
            (vec![other, owner], true)
        );
        read(
            &world,
            &mut message,
            &json!({"parse": [], "users": [other.to_string()]}),
        );
        assert_eq!((message.mentions.clone(), message.everyone), (vec![other], false));
        message.author = other;
        read(&world, &mut message, &json!({"parse": ["everyone"]}));
        assert_eq!((message.mentions, message.everyone), (vec![], false));
    }
}
