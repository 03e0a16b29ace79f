//! What somebody may do, as Discord reckons it: the owner and administrators everything, then roles, then overwrites.

use super::World;
use super::guild::{Channel, Guild, Overwrite};
use crate::ids::{Id, now};
use crate::rest::answer::Failure;

pub const KICK_MEMBERS: u64 = 1 << 1;
pub const BAN_MEMBERS: u64 = 1 << 2;
pub const ADMINISTRATOR: u64 = 1 << 3;
pub const MANAGE_CHANNELS: u64 = 1 << 4;
pub const MANAGE_GUILD: u64 = 1 << 5;
pub const ADD_REACTIONS: u64 = 1 << 6;
pub const VIEW_CHANNEL: u64 = 1 << 10;
pub const SEND_MESSAGES: u64 = 1 << 11;
pub const MANAGE_MESSAGES: u64 = 1 << 13;
pub const ATTACH_FILES: u64 = 1 << 15;
pub const READ_HISTORY: u64 = 1 << 16;
pub const MENTION_EVERYONE: u64 = 1 << 17;
pub const CONNECT: u64 = 1 << 20;
pub const MOVE_MEMBERS: u64 = 1 << 24;
pub const CHANGE_NICKNAME: u64 = 1 << 26;
pub const MANAGE_NICKNAMES: u64 = 1 << 27;
pub const MANAGE_ROLES: u64 = 1 << 28;
pub const MANAGE_WEBHOOKS: u64 = 1 << 29;
pub const MANAGE_EXPRESSIONS: u64 = 1 << 30;
pub const MANAGE_THREADS: u64 = 1 << 34;
pub const CREATE_PUBLIC_THREADS: u64 = 1 << 35;
pub const CREATE_PRIVATE_THREADS: u64 = 1 << 36;
pub const SEND_IN_THREADS: u64 = 1 << 38;
pub const MODERATE_MEMBERS: u64 = 1 << 40;

const ALL: u64 = (1 << 53) - 1;
/// What somebody who is silenced keeps.
const OF_THE_SILENCED: u64 = VIEW_CHANNEL | READ_HISTORY;

/// What somebody may do in the guild at large; nothing where they are not in it.
pub fn in_guild(guild: &Guild, who: Id) -> u64 {
    let Some(member) = guild.members.get(&who) else {
        return 0;
    };
    if guild.owner == who {
        return ALL;
    }
    let roles = member.roles.iter().chain([&guild.id]);
    let base = roles
        .filter_map(|role| guild.roles.get(role))
        .fold(0, |sum, role| sum | role.permissions);
    if base & ADMINISTRATOR != 0 { ALL } else { base }
}

/// What somebody may do in a channel of the guild. A thread has what its parent has.
pub fn in_channel(world: &World, channel: &Channel, who: Id) -> u64 {
    let Some(guild) = channel.guild.and_then(|id| world.guilds.get(&id)) else {
        return if channel.recipients.contains(&who) {
            ALL & !ADMINISTRATOR
        } else {
            0
        };
    };
    let base = in_guild(guild, who);
    if base == ALL || base == 0 {
        return base;
    }
    let ruled = if channel.thread.is_some() {
        channel
            .parent
            .and_then(|id| world.channels.get(&id))
            .unwrap_or(channel)
    } else {
        channel
    };
    let mut granted = overwritten(base, guild, &ruled.overwrites, who);
    if granted & VIEW_CHANNEL == 0 {
        return 0;
    }
    if let Some(thread) = &channel.thread {
        let private = channel.kind == super::guild::PRIVATE_THREAD;
        if private && !thread.members.contains_key(&who) && granted & MANAGE_THREADS == 0 {
            return 0;
        }
        granted &= !SEND_MESSAGES;
        if granted & SEND_IN_THREADS != 0 {
            granted |= SEND_MESSAGES;
        }
    }
    let silenced = guild.members[&who].silenced.is_some_and(|until| until > now());
    if silenced {
        granted & OF_THE_SILENCED
    } else {
        granted
    }
}

fn overwritten(base: u64, guild: &Guild, overwrites: &[Overwrite], who: Id) -> u64 {
    let apply = |to: u64, deny: u64, allow: u64| (to & !deny) | allow;
    let everyone = overwrites.iter().find(|it| !it.for_member && it.id == guild.id);
    let mut granted = everyone.map_or(base, |it| apply(base, it.deny, it.allow));
    let roles = &guild.members[&who].roles;
    let of_roles = overwrites
        .iter()
        .filter(|it| !it.for_member && roles.contains(&it.id));
    let (deny, allow) = of_roles.fold((0, 0), |(deny, allow), it| (deny | it.deny, allow | it.allow));
    granted = apply(granted, deny, allow);
    let own = overwrites.iter().find(|it| it.for_member && it.id == who);
    own.map_or(granted, |it| apply(granted, it.deny, it.allow))
}

pub fn can_view(world: &World, channel: Id, who: Id) -> bool {
    let channel = world.channels.get(&channel);
    channel.is_some_and(|channel| in_channel(world, channel, who) & VIEW_CHANNEL != 0)
}

/// The channel, where somebody may see it and do all of that in it.
pub fn channel(world: &World, id: Id, who: Id, needed: u64) -> Result<&Channel, Failure> {
    let channel = world.channels.get(&id).ok_or(Failure::UNKNOWN_CHANNEL)?;
    let granted = in_channel(world, channel, who);
    if granted & VIEW_CHANNEL == 0 {
        return Err(Failure::MISSING_ACCESS);
    }
    if granted & needed != needed {
        return Err(Failure::MISSING_PERMISSIONS);
    }
    Ok(channel)
}

/// The guild, where somebody is in it and may do all of that.
pub fn guild(world: &World, id: Id, who: Id, needed: u64) -> Result<&Guild, Failure> {
    let guild = world.guilds.get(&id).ok_or(Failure::UNKNOWN_GUILD)?;
    if guild.unavailable || !guild.members.contains_key(&who) {
        return Err(Failure::MISSING_ACCESS);
    }
    if in_guild(guild, who) & needed != needed {
        return Err(Failure::MISSING_PERMISSIONS);
    }
    Ok(guild)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::guild::{Member, PUBLIC_THREAD, Role, TEXT, ThreadFacts};
    use std::collections::BTreeMap;

    fn world() -> (World, Id, Id, Id) {
        let mut world = World::default();
        let (owner, member) = (world.account("owner", false), world.account("member", false));
        let guild = world.found("Guild", owner);
        world
            .guilds
            .get_mut(&guild)
            .expect("made")
            .members
            .insert(member, Member::now());
        let channel = world.open_channel(guild, TEXT, "talk");
        (world, guild, channel, member)
    }

    fn granted(world: &World, channel: Id, who: Id) -> u64 {
        in_channel(world, &world.channels[&channel], who)
    }

    #[test]
    fn a_role_opens_what_everyone_is_denied() {
        let (mut world, guild, channel, member) = world();
        let role = world.ids.aged();
        world
            .guilds
            .get_mut(&guild)
            .expect("made")
            .roles
            .insert(role, Role::new(role, "in", 1));
        let rule = |id, allow, deny| Overwrite {
            id,
            for_member: false,
            allow,
            deny,
        };
        let rules = vec![rule(guild, 0, VIEW_CHANNEL), rule(role, VIEW_CHANNEL, 0)];
        world.channels.get_mut(&channel).expect("made").overwrites = rules;
        assert_eq!(granted(&world, channel, member), 0);
        let guild = world.guilds.get_mut(&guild).expect("made");
        guild.members.get_mut(&member).expect("in").roles.push(role);
        assert_ne!(granted(&world, channel, member) & SEND_MESSAGES, 0);
    }

    #[test]
    fn a_thread_has_the_rules_of_its_parent() {
        let (mut world, guild, channel, member) = world();
        let thread = world.ids.fresh();
        let mut made = Channel::new(thread, PUBLIC_THREAD, Some(guild), "thread");
        made.parent = Some(channel);
        made.thread = Some(ThreadFacts {
            owner: member,
            archived: false,
            locked: false,
            invitable: true,
            auto_archive: 1440,
            changed: 0,
            members: BTreeMap::new(),
            sent: 0,
            applied_tags: Vec::new(),
        });
        world.channels.insert(thread, made);
        let rule = Overwrite {
            id: guild,
            for_member: false,
            allow: 0,
            deny: SEND_IN_THREADS,
        };
        assert_ne!(granted(&world, thread, member) & SEND_MESSAGES, 0);
        world
            .channels
            .get_mut(&channel)
            .expect("made")
            .overwrites
            .push(rule);
        assert_eq!(granted(&world, thread, member) & SEND_MESSAGES, 0);
        assert_ne!(granted(&world, channel, member) & SEND_MESSAGES, 0);
    }
}
