//! What there is on this Discord: people, guilds, channels, messages, and who is connected.

pub mod access;
pub mod guild;
pub mod mentions;
pub mod message;
pub mod render;

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Value, json};

use crate::faults::Faults;
use crate::gateway::hub::Hub;
use crate::ids::{Id, Ids, Millis};
use crate::limits::Limits;
use crate::log::Log;
use crate::variants::Variants;
use crate::voice::calls::Calls;
use guild::{Channel, Guild, Member};

/// Someone with an account, human or not.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: Id,
    pub name: String,
    pub shown: Option<String>,
    pub bot: bool,
    /// Nobody can write to them directly.
    pub closed: bool,
    /// Which privileged intents the application was granted.
    pub privileges: u64,
    pub status: String,
    pub activities: Value,
}

/// A file that came with a message and is served back.
#[derive(Clone, Debug)]
pub struct StoredFile {
    pub name: String,
    pub kind: String,
    pub bytes: Bytes,
}

/// A use of a command, a button or a form that a client is to answer.
#[derive(Clone, Debug)]
pub struct Interaction {
    pub id: Id,
    pub application: Id,
    pub user: Id,
    pub channel: Id,
    /// What was used, for the answer's `interaction_metadata`.
    pub metadata: Value,
    /// The kind of callback, once one came.
    pub answered: Option<u64>,
    pub original: Option<Id>,
    pub ephemeral: bool,
    /// Suggestions or a form that came as the answer.
    pub shown: Value,
}

/// All of it. Functions of the modules change it and say who hears of that.
#[derive(Debug, Default)]
pub struct World {
    /// Where this Discord is reached, as `127.0.0.1:4000`.
    pub address: String,
    pub ids: Ids,
    pub accounts: BTreeMap<Id, Account>,
    pub by_name: BTreeMap<String, Id>,
    pub guilds: BTreeMap<Id, Guild>,
    pub channels: BTreeMap<Id, Channel>,
    pub files: BTreeMap<Id, StoredFile>,
    /// Commands by application and guild; `None` are those of everywhere.
    pub commands: BTreeMap<(Id, Option<Id>), BTreeMap<Id, Value>>,
    pub interactions: BTreeMap<String, Interaction>,
    /// What an author has sent under a nonce, and when.
    pub nonces: BTreeMap<(Id, Id, String), (Id, Millis)>,
    pub webhooks: BTreeMap<Id, Webhook>,
    /// Tokens that are no longer good.
    pub revoked: Vec<String>,
    pub hub: Hub,
    pub calls: Calls,
    pub faults: Faults,
    pub limits: Limits,
    pub variants: Variants,
    pub log: Log,
}

/// A way for others to post into a channel.
#[derive(Clone, Debug)]
pub struct Webhook {
    pub id: Id,
    pub channel: Id,
    pub name: String,
    pub token: String,
    pub maker: Id,
}

/// `GUILD_PRESENCES`, `GUILD_MEMBERS` and `MESSAGE_CONTENT`: those a client must be granted.
pub const PRIVILEGED: u64 = 1 << 8 | 1 << 1 | 1 << 15;

impl World {
    /// The account of that name; it is made where there is none, and is in every open guild from then on.
    pub fn account(&mut self, name: &str, bot: bool) -> Id {
        if let Some(id) = self.by_name.get(name) {
            return *id;
        }
        let id = self.ids.aged();
        let account = Account {
            id,
            name: name.to_owned(),
            shown: None,
            bot,
            closed: false,
            privileges: PRIVILEGED,
            status: "offline".to_owned(),
            activities: json!([]),
        };
        self.accounts.insert(id, account);
        self.by_name.insert(name.to_owned(), id);
        let open: Vec<Id> = self
            .guilds
            .values()
            .filter(|guild| guild.open)
            .map(|guild| guild.id)
            .collect();
        for guild in open {
            crate::rest::members::add(self, guild, id);
        }
        id
    }

    /// Whose token this is: `bot:NAME` and `user:NAME` are good as they stand.
    pub fn whose(&mut self, token: &str) -> Option<Id> {
        if self.revoked.iter().any(|revoked| revoked == token) {
            return None;
        }
        let (kind, name) = token.split_once(':')?;
        if name.is_empty() || !matches!(kind, "bot" | "user") {
            return None;
        }
        let id = self.account(name, kind == "bot");
        (self.accounts[&id].bot == (kind == "bot")).then_some(id)
    }

    /// The direct channel of two, which is made where there is none.
    pub fn direct(&mut self, one: Id, other: Id) -> Id {
        let pair = [one.min(other), one.max(other)];
        let found = self.channels.values().find(|channel| channel.recipients == pair);
        if let Some(channel) = found {
            return channel.id;
        }
        let id = self.ids.fresh();
        let mut channel = Channel::new(id, guild::DIRECT, None, "");
        channel.recipients = pair.to_vec();
        self.channels.insert(id, channel);
        id
    }

    /// Makes a guild with its `@everyone` and one text channel.
    pub fn found(&mut self, name: &str, owner: Id) -> Id {
        let id = self.ids.aged();
        let mut guild = Guild::new(id, name, owner);
        guild.members.insert(owner, Member::now());
        self.guilds.insert(id, guild);
        self.open_channel(id, guild::TEXT, "general");
        id
    }

    /// Makes a channel in a guild; nobody is told.
    pub fn open_channel(&mut self, guild: Id, kind: u64, name: &str) -> Id {
        let id = self.ids.fresh();
        let mut channel = Channel::new(id, kind, Some(guild), name);
        let siblings = self.guilds.get_mut(&guild).map(|guild| &mut guild.channels);
        if let Some(siblings) = siblings {
            channel.position = siblings.len() as u64;
            siblings.push(id);
        }
        self.channels.insert(id, channel);
        id
    }
}
