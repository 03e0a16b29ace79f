//! What is remembered of one server.

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::WallTime;

use super::permissions::{self, Permissions};
use crate::wire::{Channel, ChannelKind, Emoji, Guild, GuildRole, Member, Snowflake, VoiceState};

/// Discord's own limits are 500 channels and 250 roles; threads and people have none.
const CHANNELS_MAX: usize = 1_000;
const ROLES_MAX: usize = 500;
const THREADS_MAX: usize = 1_000;
pub(super) const PEOPLE_MAX: usize = 2_000;
const IN_THREAD_MAX: usize = 1_000;
const IN_VOICE_MAX: usize = 2_000;

/// Somebody who was seen in a server.
#[derive(Clone, Debug)]
pub(super) struct SeenMember {
    pub member: Member,
    /// When, as a count of everything that was seen.
    seen: u64,
}

#[derive(Debug)]
pub(super) struct GuildMemory {
    pub id: Snowflake,
    pub name: String,
    pub owner: Option<Snowflake>,
    pub locale: Option<String>,
    /// An outage: what is known may be old.
    pub is_away: bool,
    roles: BTreeMap<Snowflake, GuildRole>,
    /// The server's own, by what they are called.
    pub emoji: BTreeMap<String, Emoji>,
    channels: BTreeMap<Snowflake, Channel>,
    threads: BTreeMap<Snowflake, Channel>,
    /// Who is known to be in a thread.
    in_thread: BTreeMap<Snowflake, BTreeSet<Snowflake>>,
    pub people: BTreeMap<Snowflake, SeenMember>,
    pub in_voice: BTreeMap<Snowflake, VoiceState>,
    seen: u64,
}

impl GuildMemory {
    pub fn new(id: Snowflake) -> Self {
        Self {
            id,
            name: String::new(),
            owner: None,
            locale: None,
            is_away: false,
            roles: BTreeMap::new(),
            emoji: BTreeMap::new(),
            channels: BTreeMap::new(),
            threads: BTreeMap::new(),
            in_thread: BTreeMap::new(),
            people: BTreeMap::new(),
            in_voice: BTreeMap::new(),
            seen: 0,
        }
    }

    /// All of it, as it is told at the beginning and after an outage. People seen before are kept.
    pub fn tell(&mut self, guild: &Guild) {
        self.update(guild);
        self.is_away = false;
        self.channels.clear();
        self.threads.clear();
        self.in_voice.clear();
        for channel in guild.channels.iter().chain(&guild.threads) {
            self.set_channel(channel);
        }
        self.in_thread
            .retain(|thread, _| self.threads.contains_key(thread));
        for member in &guild.members {
            self.see(member);
        }
        for state in &guild.voice_states {
            self.hear_of_voice(state);
        }
    }

    pub fn update(&mut self, guild: &Guild) {
        self.name.clone_from(&guild.name);
        self.owner = guild.owner.or(self.owner);
        self.locale = guild.locale.clone().or(self.locale.take());
        if let Some(emoji) = &guild.emoji {
            self.set_emoji(emoji);
        }
        if let Some(roles) = &guild.roles {
            self.roles = roles
                .iter()
                .take(ROLES_MAX)
                .map(|role| (role.id, role.clone()))
                .collect();
        }
    }

    pub fn set_emoji(&mut self, emoji: &[Emoji]) {
        let named = emoji.iter().filter_map(|emoji| match emoji {
            Emoji::Custom { name, .. } => Some((name.clone()?, emoji.clone())),
            Emoji::Character(_) => None,
        });
        self.emoji = named.collect();
    }

    /// Which one was forgotten for it, where there were too many.
    pub fn set_channel(&mut self, channel: &Channel) -> Option<Snowflake> {
        let (home, most) = match channel.kind.is_thread() {
            true => (&mut self.threads, THREADS_MAX),
            false => (&mut self.channels, CHANNELS_MAX),
        };
        home.insert(channel.id, channel.clone());
        if home.len() <= most {
            return None;
        }
        // A closed thread first, then the oldest: ids grow with time.
        let closed = |channel: &&Channel| channel.thread.as_ref().is_some_and(|thread| thread.is_archived);
        let oldest = home.values().find(closed).or_else(|| home.values().next());
        let oldest = oldest.map(|channel| channel.id)?;
        home.remove(&oldest);
        self.in_thread.remove(&oldest);
        Some(oldest)
    }

    pub fn remove_channel(&mut self, channel: Snowflake) {
        self.channels.remove(&channel);
        self.threads.remove(&channel);
        self.in_thread.remove(&channel);
        self.threads.retain(|_, thread| thread.parent != Some(channel));
    }

    /// All open threads of some channels, or of all of them.
    pub fn set_threads(&mut self, parents: Option<&[Snowflake]>, threads: &[Channel]) {
        let told = |thread: &Channel| {
            parents.is_none_or(|parents| thread.parent.is_some_and(|parent| parents.contains(&parent)))
        };
        self.threads.retain(|_, thread| !told(thread));
        for thread in threads.iter().filter(|thread| thread.kind.is_thread()) {
            self.set_channel(thread);
        }
    }

    pub fn change_thread_people(&mut self, thread: Snowflake, added: &[Snowflake], removed: &[Snowflake]) {
        if !self.threads.contains_key(&thread) {
            return;
        }
        let people = self.in_thread.entry(thread).or_default();
        people.extend(added.iter().take(IN_THREAD_MAX.saturating_sub(people.len())));
        people.retain(|person| !removed.contains(person));
    }

    pub fn set_role(&mut self, role: &GuildRole) {
        if self.roles.len() < ROLES_MAX || self.roles.contains_key(&role.id) {
            self.roles.insert(role.id, role.clone());
        }
    }

    pub fn remove_role(&mut self, role: Snowflake) {
        self.roles.remove(&role);
    }

    /// Somebody was seen. Whoever was not seen for longest is forgotten where there are too many.
    pub fn see(&mut self, member: &Member) {
        let Some(user) = &member.user else { return };
        self.seen += 1;
        let seen = SeenMember {
            member: member.clone(),
            seen: self.seen,
        };
        self.people.insert(user.id, seen);
        if self.people.len() > PEOPLE_MAX {
            let longest = self
                .people
                .iter()
                .min_by_key(|(_, person)| person.seen)
                .map(|(id, _)| *id);
            longest.map(|id| self.people.remove(&id));
        }
    }

    pub fn hear_of_voice(&mut self, state: &VoiceState) {
        if state.channel.is_none() {
            self.in_voice.remove(&state.user);
        } else if self.in_voice.len() < IN_VOICE_MAX || self.in_voice.contains_key(&state.user) {
            self.in_voice.insert(state.user, state.clone());
        }
    }

    pub fn channel(&self, id: Snowflake) -> Option<&Channel> {
        self.channels.get(&id).or_else(|| self.threads.get(&id))
    }

    pub fn channels(&self) -> impl Iterator<Item = &Channel> {
        self.channels.values().chain(self.threads.values())
    }

    pub fn role(&self, id: Snowflake) -> Option<&GuildRole> {
        self.roles.get(&id)
    }

    /// Somebody's rights. None: they, or the channel, are not known here.
    pub fn permissions(&self, channel: Snowflake, person: Snowflake, now: WallTime) -> Option<Permissions> {
        if self.owner == Some(person) {
            return self.channel(channel).map(|_| Permissions::ALL);
        }
        let member = &self.people.get(&person)?.member;
        let rights = self.rights(self.channel(channel)?, &member.roles, Some(person))?;
        let is_silenced = member.timed_out_until.is_some_and(|until| until > now);
        Some(match is_silenced && rights != Permissions::ALL {
            true => rights.within(Permissions::VIEW_CHANNEL | Permissions::READ_HISTORY),
            false => rights,
        })
    }

    /// Whether everybody in the server may read a channel. What is not known is not open.
    pub fn is_open(&self, channel: Snowflake) -> bool {
        let rights = self
            .channel(channel)
            .and_then(|channel| self.rights(channel, &[], None));
        rights.is_some_and(|rights| rights.has(Permissions::VIEW_CHANNEL | Permissions::READ_HISTORY))
    }

    /// Whether everybody who reads `here` may know of a channel: all see it, or whoever sees the one sees the other.
    pub fn is_known_in(&self, channel: Snowflake, here: Snowflake) -> bool {
        let (Some(channel), Some(here)) = (self.channel(channel), self.channel(here)) else {
            return false;
        };
        let all = self.rights(channel, &[], None);
        if channel.id == here.id || all.is_some_and(|all| all.has(Permissions::VIEW_CHANNEL)) {
            return true;
        }
        let (Some(one), Some(other)) = (self.ruler_of(channel), self.ruler_of(here)) else {
            return false;
        };
        let (one, other) = (&one.overwrites, &other.overwrites);
        let is_same = one.len() == other.len() && one.iter().all(|rule| other.contains(rule));
        channel.kind != ChannelKind::PrivateThread && is_same
    }

    /// The channel whose rules hold: threads take their channel's.
    fn ruler_of<'a>(&'a self, channel: &'a Channel) -> Option<&'a Channel> {
        match channel.kind.is_thread() {
            true => self.channels.get(&channel.parent?),
            false => Some(channel),
        }
    }

    fn rights(
        &self,
        channel: &Channel,
        roles: &[Snowflake],
        person: Option<Snowflake>,
    ) -> Option<Permissions> {
        // The role that all have is the server's namesake; without it nothing can be said.
        let all = self.roles.get(&self.id)?;
        let own = roles.iter().filter_map(|role| self.roles.get(role));
        let base = own.fold(all.permissions, |bits, role| bits | role.permissions);
        let ruled_by = self.ruler_of(channel)?;
        let base = Permissions::of(base);
        let rights = permissions::in_channel(base, &ruled_by.overwrites, self.id, roles, person);
        if channel.kind != ChannelKind::PrivateThread || rights.has(Permissions::MANAGE_THREADS) {
            return Some(rights);
        }
        let people = self.in_thread.get(&channel.id);
        let is_in = person.is_some_and(|person| people.is_some_and(|people| people.contains(&person)));
        Some(if is_in { rights } else { Permissions::NONE })
    }
}
