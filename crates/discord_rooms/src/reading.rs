//! What Discord tells, as a mind takes it in: messages with names instead of ids, and what kind of room a channel is.

use discord::text::{NamesHere, files, readable};
use discord::wire::{Channel, Emoji, PostedFile, PostedMessage, Snowflake};
use discord::world::{GuildCache, Permissions};
use vocabulary::text::plain_line;
use vocabulary::{Author, AuthorKind, Message, PersonId, RoomFacts, RoomKind, WallTime};

use crate::names;
use crate::telling_apart::Account;

/// Names that people and servers gave themselves are cut to this.
const NAME_MAX: usize = 80;
const ROOM_NAME_MAX: usize = 100;
/// Files of a message that are told of.
const FILES_TOLD_MAX: usize = 10;
/// What a channel is called that has no name.
const UNNAMED: &str = "a channel";
/// Discord's own words come from nobody.
pub(crate) const NOTICES: &str = "discord:notices";

/// Reads what stands in one server, or in direct messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    pub world: &'a GuildCache,
    pub guild: Option<Snowflake>,
    /// The bot itself.
    pub own: Option<Snowflake>,
    /// What Denizen goes by here, where it is known.
    pub called: Option<&'a str>,
}

impl Reading<'_> {
    /// A message without its pictures, see [`pictures_of`]; none where it says nothing that could be read.
    pub fn message(&self, posted: &PostedMessage) -> Option<Message> {
        if posted.is_ephemeral {
            return None;
        }
        let text = self.text(posted);
        let has_pictures = files(posted).iter().any(|file| is_picture(file));
        if text.is_empty() && !has_pictures {
            return None;
        }
        let answers = posted.reference.as_ref().filter(|reference| {
            !reference.is_forward
                && posted.kind.is_said()
                && reference.channel.is_none_or(|at| at == posted.channel)
        });
        let answered = posted.answered.as_ref();
        Some(Message {
            id: names::message(posted.id),
            room: names::room(posted.channel),
            author: self.author(posted),
            text,
            at: posted.sent_at,
            reply_to: answers
                .and_then(|reference| reference.message)
                .map(names::message),
            reply_to_author: answers
                .and(answered)
                .map(|answered| self.person_id(answered.author.id)),
            mentions: self.mentioned(posted),
            attachments: Vec::new(),
            spoken: false,
            sign: false,
        })
    }

    /// Its words, with a line for each file that is no picture.
    pub fn text(&self, posted: &PostedMessage) -> String {
        let words = readable(posted, self);
        let words = match posted.kind.is_said() {
            true => words,
            // "[joined the server]" says nothing without its name.
            false => words.strip_prefix('[').map_or(words.clone(), |rest| {
                format!("[{} {rest}", self.author_name(posted))
            }),
        };
        let mut lines: Vec<String> = Vec::new();
        lines.extend((!words.is_empty()).then_some(words));
        let others = files(posted).into_iter().filter(|file| !is_picture(file));
        let others = others.filter(|_| !posted.is_voice_message);
        lines.extend(others.take(FILES_TOLD_MAX).map(told_file));
        lines.join("\n")
    }

    fn author(&self, posted: &PostedMessage) -> Author {
        if !posted.kind.is_said() {
            return Author {
                id: PersonId::new(NOTICES),
                name: "Discord".to_owned(),
                kind: AuthorKind::OtherBot,
            };
        }
        let user = &posted.author;
        let kind = match user {
            user if Some(user.id) == self.own => AuthorKind::Denizen,
            user if user.is_bot || user.is_system || posted.webhook.is_some() => AuthorKind::OtherBot,
            _ => AuthorKind::Person,
        };
        Author {
            id: self.person_id(user.id),
            name: self.author_name(posted),
            kind,
        }
    }

    /// Somebody who is there, by what is known of them.
    pub fn present(&self, user: Snowflake) -> Author {
        let known = self.guild.and_then(|guild| self.world.member(guild, user));
        let is_bot = known
            .and_then(|member| member.user.as_ref())
            .is_some_and(|user| user.is_bot);
        let kind = match is_bot {
            _ if Some(user) == self.own => AuthorKind::Denizen,
            true => AuthorKind::OtherBot,
            false => AuthorKind::Person,
        };
        let name = self.person(user);
        Author {
            id: self.person_id(user),
            name: shown(&name.unwrap_or_default()),
            kind,
        }
    }

    /// What the author is called here.
    pub fn author_name(&self, posted: &PostedMessage) -> String {
        let nick = posted.member.as_ref().and_then(|member| member.nick.clone());
        let known = || match posted.webhook {
            None => self.world.names(self.guild).person(posted.author.id),
            Some(_) => None,
        };
        let name = nick.or_else(known);
        let of_user = Account::of(&posted.author);
        let account = Account {
            is_program: of_user.is_program || posted.webhook.is_some(),
            ..of_user
        };
        self.told_apart(account, name.as_deref().unwrap_or_else(|| posted.author.shown()))
    }

    fn person_id(&self, user: Snowflake) -> PersonId {
        names::person(user)
    }

    /// Everybody who is mentioned; the bot's own role is the bot.
    fn mentioned(&self, posted: &PostedMessage) -> Vec<PersonId> {
        // A reply that rings lists whom it answers, although nobody wrote their name.
        let answered = posted.answered.as_ref().map(|answered| answered.author.id);
        let is_written = |user: Snowflake| Some(user) != answered || is_marked(posted, user);
        let mut mentioned: Vec<PersonId> = posted
            .mentions
            .iter()
            .filter(|(user, _)| is_written(user.id))
            .map(|(user, _)| self.person_id(user.id))
            .collect();
        // Some servers do not list whom a message mentions.
        if let Some(own) = self.own {
            let id = self.person_id(own);
            if is_marked(posted, own) && !mentioned.contains(&id) {
                mentioned.push(id);
            }
        }
        if let (Some(own), Some(guild)) = (self.own, self.guild) {
            let own_roles = self.world.member(guild, own).map(|member| &member.roles);
            let is_own = |role: &Snowflake| {
                self.world.is_managed_role(guild, *role)
                    && own_roles.is_some_and(|roles| roles.contains(role))
            };
            let id = self.person_id(own);
            if posted.mentioned_roles.iter().any(is_own) && !mentioned.contains(&id) {
                mentioned.push(id);
            }
        }
        mentioned
    }

    /// What the bot may do in a channel; none where that is not known.
    fn rights(&self, channel: &Channel, now: WallTime) -> Option<Permissions> {
        let own = self.own?;
        let is_joined = channel.thread.as_ref().is_some_and(|thread| thread.is_joined);
        let ruled_by = channel.parent.filter(|_| is_joined).unwrap_or(channel.id);
        self.world.permissions(ruled_by, own, now)
    }

    /// Whether the bot may read what stands in a channel.
    pub fn sees(&self, channel: &Channel, now: WallTime) -> bool {
        let rights = self.rights(channel, now);
        channel.kind.has_messages() && rights.is_none_or(|rights| rights.has(Permissions::VIEW_CHANNEL))
    }

    /// … and what stood there before.
    pub fn sees_history(&self, channel: &Channel, now: WallTime) -> bool {
        let rights = self.rights(channel, now);
        self.sees(channel, now) && rights.is_none_or(|rights| rights.has(Permissions::READ_HISTORY))
    }

    /// What a room is. One that the bot does not see is nobody's to be told of: private, and not to be written in.
    pub fn facts(&self, channel: &Channel, now: WallTime) -> RoomFacts {
        let needed = match channel.kind.is_thread() {
            true => Permissions::SEND_IN_THREADS,
            false => Permissions::SEND_MESSAGES,
        };
        let sees = self.sees(channel, now);
        let may_write = self.rights(channel, now).is_none_or(|rights| rights.has(needed));
        let may_react = self
            .rights(channel, now)
            .is_none_or(|rights| rights.has(Permissions::ADD_REACTIONS));
        let is_closed = channel.thread.as_ref().is_some_and(|thread| thread.is_locked);
        let name = unquoting(&plain_line(&channel.name, ROOM_NAME_MAX));
        RoomFacts {
            id: names::room(channel.id),
            name: if name.is_empty() { UNNAMED.to_owned() } else { name },
            kind: RoomKind::Text,
            private: !sees || !self.world.is_open(channel.id),
            read_only: !sees || !may_write || is_closed,
            no_reactions: !may_react,
            parent: channel.parent.map(names::room),
            linked: None,
        }
    }
}

/// The name of a room without what would end its quotation where a model reads it: anybody may name a thread.
fn unquoting(name: &str) -> String {
    let inert = |letter: char| match letter {
        '"' | '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '〝' | '〞' | '＂' | '「' | '」' | '『'
        | '』' => '\'',
        '`' | '\\' => '\'',
        '<' => '(',
        '>' => ')',
        other => other,
    };
    name.chars().map(inert).collect()
}

/// A direct conversation, by who else is in it.
pub(crate) fn direct_facts(channel: Snowflake, with: &str) -> RoomFacts {
    RoomFacts {
        name: format!("direct messages with {}", unquoting(&shown(with))),
        kind: RoomKind::Direct,
        private: true,
        ..RoomFacts::undescribed(names::room(channel))
    }
}

/// A channel of a server that was not told of: nobody knows who reads it, and its number is no name.
pub(crate) fn unknown_facts(channel: Snowflake) -> RoomFacts {
    RoomFacts {
        name: UNNAMED.to_owned(),
        private: true,
        ..RoomFacts::undescribed(names::room(channel))
    }
}

/// Whether somebody's mention stands in the words.
fn is_marked(posted: &PostedMessage, user: Snowflake) -> bool {
    let marks = [format!("<@{user}>"), format!("<@!{user}>")];
    marks.iter().any(|mark| posted.content.contains(mark))
}

/// A name on one line, never empty.
pub(crate) fn shown(name: &str) -> String {
    let name = plain_line(name, NAME_MAX);
    if name.is_empty() {
        "somebody".to_owned()
    } else {
        name
    }
}

/// A reaction as people read it.
pub(crate) fn emoji_text(emoji: &Emoji) -> String {
    match emoji {
        Emoji::Character(text) => plain_line(text, NAME_MAX),
        Emoji::Custom { name, .. } => format!(":{}:", name.as_deref().unwrap_or("emoji")),
    }
}

/// What says that it is a picture that a model could look at.
pub(crate) fn is_picture(file: &PostedFile) -> bool {
    let kind = file.content_type.as_deref().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    matches!(kind, "image/png" | "image/jpeg" | "image/webp" | "image/gif")
}

/// The pictures of a message, those of what it forwards included.
pub(crate) fn pictures_of(posted: &PostedMessage) -> Vec<PostedFile> {
    let pictures = files(posted).into_iter().filter(|file| is_picture(file));
    pictures.cloned().collect()
}

pub(crate) fn told_file(file: &PostedFile) -> String {
    let name = plain_line(&file.name, NAME_MAX);
    format!("[file: {name}, {} kB]", file.size.div_ceil(1_000))
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
