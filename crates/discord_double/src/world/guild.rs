//! Guilds, who is in them and what they are made of.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::message::Message;
use crate::ids::{Id, Millis, now};

pub const TEXT: u64 = 0;
pub const DIRECT: u64 = 1;
pub const VOICE: u64 = 2;
pub const PUBLIC_THREAD: u64 = 11;
pub const PRIVATE_THREAD: u64 = 12;
pub const STAGE: u64 = 13;
pub const FORUM: u64 = 15;
pub const MEDIA: u64 = 16;

/// What `@everyone` may do in a new guild: about what Discord gives.
const EVERYONE: u64 = 2_222_085_723_512_385;

#[derive(Clone, Debug)]
pub struct Guild {
    pub id: Id,
    pub name: String,
    pub owner: Id,
    pub roles: BTreeMap<Id, Role>,
    pub members: BTreeMap<Id, Member>,
    pub channels: Vec<Id>,
    pub threads: Vec<Id>,
    pub emojis: Vec<Value>,
    pub stickers: Vec<Value>,
    pub voice: BTreeMap<Id, VoiceState>,
    pub bans: BTreeMap<Id, Option<String>>,
    /// An outage: clients hear that it is gone and may come back.
    pub unavailable: bool,
    /// Whoever has an account is in it.
    pub open: bool,
}

#[derive(Clone, Debug)]
pub struct Role {
    pub id: Id,
    pub name: String,
    pub permissions: u64,
    pub position: u64,
    pub color: u64,
    pub hoist: bool,
    pub mentionable: bool,
    /// The one account this role came with, where it is an application's own.
    pub managed_by: Option<Id>,
}

#[derive(Clone, Debug)]
pub struct Member {
    pub nick: Option<String>,
    pub roles: Vec<Id>,
    pub joined: Millis,
    pub muted: bool,
    pub deafened: bool,
    /// Until when they may not write.
    pub silenced: Option<Millis>,
}

#[derive(Clone, Debug)]
pub struct VoiceState {
    pub channel: Id,
    pub session: String,
    pub self_mute: bool,
    pub self_deaf: bool,
    pub self_video: bool,
    pub streaming: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Overwrite {
    pub id: Id,
    pub for_member: bool,
    pub allow: u64,
    pub deny: u64,
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub id: Id,
    pub kind: u64,
    pub guild: Option<Id>,
    pub name: String,
    pub topic: Option<String>,
    pub parent: Option<Id>,
    pub position: u64,
    pub overwrites: Vec<Overwrite>,
    pub nsfw: bool,
    pub slowmode: u64,
    /// Both people of a direct channel, the lower id first.
    pub recipients: Vec<Id>,
    pub messages: BTreeMap<Id, Message>,
    pub last_message: Option<Id>,
    pub last_pin: Option<Millis>,
    pub tags: Vec<Value>,
    pub thread: Option<ThreadFacts>,
    /// When each person wrote last, for slow mode.
    pub spoken: BTreeMap<Id, Millis>,
}

#[derive(Clone, Debug)]
pub struct ThreadFacts {
    pub owner: Id,
    pub archived: bool,
    pub locked: bool,
    pub invitable: bool,
    pub auto_archive: u64,
    pub changed: Millis,
    pub members: BTreeMap<Id, Millis>,
    pub sent: u64,
    pub applied_tags: Vec<Id>,
}

impl Guild {
    pub fn new(id: Id, name: &str, owner: Id) -> Self {
        let mut everyone = Role::new(id, "@everyone", 0);
        everyone.permissions = EVERYONE;
        Self {
            id,
            name: name.to_owned(),
            owner,
            roles: BTreeMap::from([(id, everyone)]),
            members: BTreeMap::new(),
            channels: Vec::new(),
            threads: Vec::new(),
            emojis: Vec::new(),
            stickers: Vec::new(),
            voice: BTreeMap::new(),
            bans: BTreeMap::new(),
            unavailable: false,
            open: false,
        }
    }
}

impl Role {
    pub fn new(id: Id, name: &str, position: u64) -> Self {
        Self {
            id,
            name: name.to_owned(),
            permissions: 0,
            position,
            color: 0,
            hoist: false,
            mentionable: false,
            managed_by: None,
        }
    }
}

impl Member {
    pub fn now() -> Self {
        Self {
            nick: None,
            roles: Vec::new(),
            joined: now(),
            muted: false,
            deafened: false,
            silenced: None,
        }
    }
}

impl Channel {
    pub fn new(id: Id, kind: u64, guild: Option<Id>, name: &str) -> Self {
        Self {
            id,
            kind,
            guild,
            name: name.to_owned(),
            topic: None,
            parent: None,
            position: 0,
            overwrites: Vec::new(),
            nsfw: false,
            slowmode: 0,
            recipients: Vec::new(),
            messages: BTreeMap::new(),
            last_message: None,
            last_pin: None,
            tags: Vec::new(),
            thread: None,
            spoken: BTreeMap::new(),
        }
    }

    pub fn is_forum(&self) -> bool {
        matches!(self.kind, FORUM | MEDIA)
    }

    pub fn is_voice(&self) -> bool {
        matches!(self.kind, VOICE | STAGE)
    }
}

/// A custom emoji as a guild lists it.
pub fn emoji(id: Id, name: &str) -> Value {
    json!({"id": id.to_string(), "name": name, "roles": [], "require_colons": true, "managed": false,
        "animated": false, "available": true})
}
