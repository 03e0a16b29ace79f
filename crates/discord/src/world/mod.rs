//! What is remembered of servers, channels and people: bounded, from what the gateway tells, and gone when the bot leaves.

mod guild_memory;
mod permissions;

use std::collections::BTreeMap;

use vocabulary::WallTime;

use crate::text::NamesHere;
use crate::wire::{Channel, Emoji, GatewayEvent, Member, PostedMessage, Snowflake, User, VoiceState};
use guild_memory::GuildMemory;

pub use permissions::Permissions;

/// Direct conversations that are remembered.
const DIRECT_MAX: usize = 2_000;

/// The memory. It is told everything that a fleet hears, and asked in between.
#[derive(Debug, Default)]
pub struct GuildCache {
    own: Option<User>,
    guilds: BTreeMap<Snowflake, GuildMemory>,
    /// Where channels and threads are.
    homes: BTreeMap<Snowflake, Snowflake>,
    direct: BTreeMap<Snowflake, Channel>,
}

impl GuildCache {
    /// Takes in what happened.
    pub fn apply(&mut self, event: &GatewayEvent) {
        match event {
            GatewayEvent::Ready(ready) => self.own = Some(ready.user.clone()),
            GatewayEvent::GuildCreated(guild) => {
                let memory = self
                    .guilds
                    .entry(guild.id)
                    .or_insert_with(|| GuildMemory::new(guild.id));
                memory.tell(guild);
                self.find_homes(guild.id);
            }
            GatewayEvent::GuildUpdated(guild) => self.in_guild(Some(guild.id), |memory| memory.update(guild)),
            GatewayEvent::GuildGone { guild, is_outage } if *is_outage => {
                self.in_guild(Some(*guild), |memory| memory.is_away = true);
            }
            GatewayEvent::GuildGone { guild, .. } => {
                self.guilds.remove(guild);
                self.find_homes(*guild);
            }
            GatewayEvent::ChannelCreated(channel)
            | GatewayEvent::ChannelUpdated(channel)
            | GatewayEvent::ThreadCreated(channel)
            | GatewayEvent::ThreadUpdated(channel) => self.set_channel(channel),
            GatewayEvent::ChannelDeleted(channel) => self.remove_channel(channel.id),
            GatewayEvent::ThreadDeleted { thread, .. } => self.remove_channel(*thread),
            GatewayEvent::ThreadsListed(list) => {
                self.in_guild(Some(list.guild), |memory| {
                    memory.set_threads(list.parents.as_deref(), &list.threads)
                });
                self.find_homes(list.guild);
            }
            GatewayEvent::ThreadPeopleChanged {
                thread,
                added,
                removed,
                ..
            } => {
                let guild = self.homes.get(thread).copied();
                self.in_guild(guild, |memory| {
                    memory.change_thread_people(*thread, added, removed)
                });
            }
            GatewayEvent::EmojiSet { guild, emoji } => {
                self.in_guild(Some(*guild), |memory| memory.set_emoji(emoji));
            }
            GatewayEvent::RoleSet { guild, role } => {
                self.in_guild(Some(*guild), |memory| memory.set_role(role))
            }
            GatewayEvent::RoleDeleted { guild, role } => {
                self.in_guild(Some(*guild), |memory| memory.remove_role(*role));
            }
            _ => self.apply_people(event),
        }
    }

    fn apply_people(&mut self, event: &GatewayEvent) {
        match event {
            GatewayEvent::MemberJoined { guild, member } | GatewayEvent::MemberUpdated { guild, member } => {
                self.in_guild(Some(*guild), |memory| memory.see(member));
            }
            GatewayEvent::MemberLeft { guild, user } => {
                self.in_guild(Some(*guild), |memory| drop(memory.people.remove(&user.id)));
            }
            GatewayEvent::MembersListed { guild, members, .. } => {
                self.in_guild(Some(*guild), |memory| {
                    members.iter().for_each(|member| memory.see(member))
                });
            }
            GatewayEvent::MessageCreated(message) => self.see_speakers(message),
            GatewayEvent::ReactionAdded(reaction) => {
                self.in_guild(reaction.guild, |memory| {
                    reaction.member.iter().for_each(|member| memory.see(member))
                });
            }
            GatewayEvent::TypingStarted { guild, member, .. } => {
                self.in_guild(*guild, |memory| {
                    member.iter().for_each(|member| memory.see(member))
                });
            }
            GatewayEvent::VoiceStateChanged(state) => self.in_guild(state.guild, |memory| {
                state.member.iter().for_each(|member| memory.see(member));
                memory.hear_of_voice(state);
            }),
            _ => {}
        }
    }

    /// A member beside a message has no user of its own.
    fn see_speakers(&mut self, message: &PostedMessage) {
        if message.webhook.is_some() {
            return;
        }
        let author = (&message.author, &message.member);
        let mentioned = message.mentions.iter().map(|(user, member)| (user, member));
        let people: Vec<Member> = std::iter::once(author)
            .chain(mentioned)
            .filter_map(|(user, member)| Some((user, member.clone()?)))
            .map(|(user, member)| Member {
                user: Some(user.clone()),
                ..member
            })
            .collect();
        self.in_guild(message.guild, |memory| {
            people.iter().for_each(|member| memory.see(member))
        });
    }

    fn in_guild(&mut self, guild: Option<Snowflake>, change: impl FnOnce(&mut GuildMemory)) {
        if let Some(memory) = guild.and_then(|guild| self.guilds.get_mut(&guild)) {
            change(memory);
        }
    }

    fn set_channel(&mut self, channel: &Channel) {
        if channel.kind.is_direct() {
            self.direct.insert(channel.id, channel.clone());
            if self.direct.len() > DIRECT_MAX {
                self.direct.pop_first();
            }
            return;
        }
        let guild = channel.guild.or_else(|| self.homes.get(&channel.id).copied());
        let Some(memory) = guild.and_then(|guild| self.guilds.get_mut(&guild)) else {
            return;
        };
        let forgotten = memory.set_channel(channel);
        self.homes.insert(channel.id, memory.id);
        forgotten.map(|forgotten| self.homes.remove(&forgotten));
    }

    fn remove_channel(&mut self, channel: Snowflake) {
        self.direct.remove(&channel);
        if let Some(guild) = self.homes.get(&channel).copied() {
            self.in_guild(Some(guild), |memory| memory.remove_channel(channel));
            self.find_homes(guild);
        }
    }

    fn find_homes(&mut self, guild: Snowflake) {
        self.homes.retain(|_, home| *home != guild);
        let channels = self
            .guilds
            .get(&guild)
            .into_iter()
            .flat_map(GuildMemory::channels);
        self.homes.extend(channels.map(|channel| (channel.id, guild)));
    }

    fn home(&self, channel: Snowflake) -> Option<&GuildMemory> {
        self.guilds.get(self.homes.get(&channel)?)
    }

    /// The bot itself.
    pub fn own(&self) -> Option<&User> {
        self.own.as_ref()
    }

    /// Servers, each with its name.
    pub fn guilds(&self) -> impl Iterator<Item = (Snowflake, &str)> {
        self.guilds.values().map(|guild| (guild.id, guild.name.as_str()))
    }

    pub fn guild_of(&self, channel: Snowflake) -> Option<Snowflake> {
        self.homes.get(&channel).copied()
    }

    pub fn guild_locale(&self, guild: Snowflake) -> Option<&str> {
        self.guilds.get(&guild)?.locale.as_deref()
    }

    /// Whether a server is not in an outage.
    pub fn is_available(&self, guild: Snowflake) -> bool {
        self.guilds.get(&guild).is_some_and(|guild| !guild.is_away)
    }

    pub fn channel(&self, id: Snowflake) -> Option<&Channel> {
        self.direct.get(&id).or_else(|| self.home(id)?.channel(id))
    }

    pub fn channels(&self, guild: Snowflake) -> impl Iterator<Item = &Channel> {
        self.guilds
            .get(&guild)
            .into_iter()
            .flat_map(GuildMemory::channels)
    }

    pub fn member(&self, guild: Snowflake, person: Snowflake) -> Option<&Member> {
        Some(&self.guilds.get(&guild)?.people.get(&person)?.member)
    }

    /// Everybody of a server who was seen there lately.
    pub fn people(&self, guild: Snowflake) -> impl Iterator<Item = &Member> {
        let people = self
            .guilds
            .get(&guild)
            .into_iter()
            .flat_map(|guild| guild.people.values());
        people.map(|seen| &seen.member)
    }

    /// Somebody is not to be known by name any more, until they are told of again.
    pub fn forget(&mut self, person: Snowflake) {
        for guild in self.guilds.values_mut() {
            guild.people.remove(&person);
        }
        self.direct
            .retain(|_, channel| channel.recipients.iter().all(|user| user.id != person));
    }

    /// Whether a role is a bot's own.
    pub fn is_managed_role(&self, guild: Snowflake, role: Snowflake) -> bool {
        let guild = self.guilds.get(&guild);
        let role = guild.and_then(|guild| guild.role(role));
        role.is_some_and(|role| role.is_managed)
    }

    /// One of a server's own emoji.
    pub fn emoji(&self, guild: Snowflake, name: &str) -> Option<Emoji> {
        self.guilds.get(&guild)?.emoji.get(name).cloned()
    }

    /// All of a server's own emoji, by what they are called.
    pub fn emoji_of(&self, guild: Snowflake) -> impl Iterator<Item = (&str, &Emoji)> {
        let guild = self.guilds.get(&guild).into_iter();
        guild.flat_map(|guild| guild.emoji.iter().map(|(name, emoji)| (name.as_str(), emoji)))
    }

    pub fn guild_name(&self, guild: Snowflake) -> Option<&str> {
        let name = self.guilds.get(&guild)?.name.as_str();
        (!name.is_empty()).then_some(name)
    }

    /// Who is in a voice channel.
    pub fn in_voice(&self, channel: Snowflake) -> impl Iterator<Item = &VoiceState> {
        let states = self
            .home(channel)
            .into_iter()
            .flat_map(|guild| guild.in_voice.values());
        states.filter(move |state| state.channel == Some(channel))
    }

    /// Everybody who is in a voice channel of a server.
    pub fn voices_of(&self, guild: Snowflake) -> impl Iterator<Item = &VoiceState> {
        let guild = self.guilds.get(&guild).into_iter();
        guild.flat_map(|guild| guild.in_voice.values())
    }

    /// What somebody may do in a channel of a server. None: it or they are not known.
    pub fn permissions(&self, channel: Snowflake, person: Snowflake, now: WallTime) -> Option<Permissions> {
        self.home(channel)?.permissions(channel, person, now)
    }

    /// Whether everybody in the server may read a channel. Direct messages, private threads and what is not known are not open.
    pub fn is_open(&self, channel: Snowflake) -> bool {
        self.home(channel).is_some_and(|guild| guild.is_open(channel))
    }

    /// People of a server who go by a name there, whatever its case; several may.
    pub fn people_named(&self, guild: Snowflake, name: &str) -> Vec<Snowflake> {
        let name = name.to_lowercase();
        let people = self
            .guilds
            .get(&guild)
            .into_iter()
            .flat_map(|guild| &guild.people);
        let has_name = |member: &Member| {
            let user = member.user.as_ref();
            let names = [
                member.nick.as_deref(),
                user.map(User::shown),
                user.map(|user| user.name.as_str()),
            ];
            names.into_iter().flatten().any(|own| own.to_lowercase() == name)
        };
        people
            .filter(|(_, seen)| has_name(&seen.member))
            .map(|(id, _)| *id)
            .collect()
    }

    /// Channels and threads of a server that have a name.
    pub fn channels_named(&self, guild: Snowflake, name: &str) -> Vec<Snowflake> {
        let named = self
            .channels(guild)
            .filter(|channel| channel.name.eq_ignore_ascii_case(name));
        named.map(|channel| channel.id).collect()
    }

    /// What ids stand for in a server; none where it is about direct messages.
    pub fn names(&self, guild: Option<Snowflake>) -> GuildNames<'_> {
        GuildNames { cache: self, guild }
    }
}

/// Names as they are in one server.
#[derive(Clone, Copy, Debug)]
pub struct GuildNames<'a> {
    cache: &'a GuildCache,
    guild: Option<Snowflake>,
}

impl NamesHere for GuildNames<'_> {
    fn person(&self, id: Snowflake) -> Option<String> {
        let member = self.guild.and_then(|guild| self.cache.member(guild, id));
        let here = member.and_then(|member| {
            let shown = member.user.as_ref().map(User::shown);
            member.nick.as_deref().or(shown).map(str::to_owned)
        });
        let own = || {
            self.cache
                .own
                .as_ref()
                .filter(|own| own.id == id)
                .map(|own| own.shown().to_owned())
        };
        here.or_else(own)
    }

    fn channel(&self, id: Snowflake, here: Snowflake) -> Option<String> {
        // Names of other servers' channels are not for this one, and those of private ones not for whoever cannot see them.
        self.cache.guild_of(id).filter(|home| Some(*home) == self.guild)?;
        let home = self.cache.home(id)?;
        home.is_known_in(id, here).then_some(())?;
        Some(self.cache.channel(id)?.name.clone())
    }

    fn role(&self, id: Snowflake) -> Option<String> {
        Some(self.cache.guilds.get(&self.guild?)?.role(id)?.name.clone())
    }
}

#[cfg(test)]
#[path = "world_tests.rs"]
mod tests;
