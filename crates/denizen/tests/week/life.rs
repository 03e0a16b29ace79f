//! The process from its start to its end, as far as Discord is concerned.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use discord_rooms::{BotToken, Discord, DiscordOptions, Residence};
use mind::Delivery;
use runtime::ports::{Abroad, JournalQuery, NoSpeech, OutboundServices, Rooms, SendFailure};
use runtime::{DenizenName, Platform, Quarters, Services, Town};
use serde_json::{Value, json};
use settings::Document;
use stand_ins::TestSight;
use storage::Sqlite;
use vocabulary::{CommunityId, JournalSeq, Message, MessageId, PersonId};

use crate::ledger::Sent;
use crate::model::Answerer;

/// Nobody is at home: everything happens on Discord.
struct EmptyRoom;

#[async_trait]
impl Rooms for EmptyRoom {
    async fn deliver(&self, _: &Delivery) -> Result<Message, SendFailure> {
        Err(SendFailure {
            detail: "nobody is here".to_owned(),
            retryable: false,
        })
    }
}

struct OnDiscord(Discord);

impl Platform for OnDiscord {
    fn quarters(&self, community: &CommunityId, name: DenizenName) -> Quarters {
        self.0.quarters(community, name).unwrap_or_else(|| Quarters {
            denizen: PersonId::new("denizen"),
            rooms: Vec::new(),
            adapter: Arc::new(EmptyRoom),
            voice: None,
        })
    }
}

pub struct Life {
    discord: Discord,
    residence: Residence,
    town: Town,
}

impl Life {
    pub async fn begin(folder: &Path, api: &str, more: &[(&str, Value)]) -> Self {
        let store = Arc::new(Sqlite::open(folder).expect("a store"));
        if runtime::ports::Store::newest_settings(store.as_ref())
            .await
            .expect("settings")
            == 0
        {
            let mut document = Document::default();
            let usual = [
                ("permissions.allowInitiativeReplies", json!(false)),
                ("addressing.followupEnabled", json!(false)),
                ("memory.enabled", json!(false)),
            ];
            for (key, value) in usual.iter().chain(more) {
                document.set((*key).to_owned(), value.clone());
            }
            let saved = runtime::ports::Store::save_settings(store.as_ref(), None, 0, document).await;
            saved.expect("settings are saved");
        }
        let discord = Discord::open(DiscordOptions {
            data: folder.to_owned(),
            api: api.to_owned(),
            token: Some(BotToken {
                secret: "bot:denizen".into(),
                origin: "the test".to_owned(),
            }),
            store: store.clone(),
            take_seat: |_, _, _| unreachable!("nobody talks"),
        });
        let services = Services {
            store,
            language: Arc::new(Answerer),
            sight: Arc::new(TestSight),
            outbound: OutboundServices::none(),
            memory: None,
            speech: Arc::new(NoSpeech),
            platform: Arc::new(OnDiscord(discord.clone())),
        };
        let town = Town::open(services, CommunityId::home())
            .await
            .expect("it comes up");
        let residence = discord.begin(town.clone()).expect("there is a token");
        Self {
            discord,
            residence,
            town,
        }
    }

    /// What the connection has been through.
    pub fn standing(&self) -> String {
        let standing = self.discord.standing();
        format!("{:?} {:?}", standing.shards, standing.requests)
    }

    /// The newest lines of the journal of a server, those of one name or all.
    pub async fn journal(&self, guild: &str, name: Option<&str>) -> Vec<Value> {
        let query = JournalQuery {
            name: name.map(str::to_owned),
            limit: 100,
            newest: true,
            ..JournalQuery::default()
        };
        self.lines(guild, query).await
    }

    /// What was sent in a server after a line of the journal, which is moved to the last one.
    pub async fn sent_since(&self, guild: &str, after: &mut JournalSeq) -> Vec<Sent> {
        let mut sent = Vec::new();
        loop {
            let query = JournalQuery {
                after: *after,
                limit: 1_000,
                ..JournalQuery::default()
            };
            let lines = self.lines(guild, query).await;
            let Some(last) = lines.last() else {
                return sent;
            };
            *after = serde_json::from_value(last["seq"].clone()).expect("a number");
            let went_out = |line: &&Value| line["name"] == "sent_reply" || line["name"] == "sent_message";
            sent.extend(lines.iter().filter(went_out).map(|line| Sent {
                message: serde_json::from_value(line["data"]["message"].clone()).expect("an id"),
                answers: serde_json::from_value(line["data"]["triggerMessageIds"].clone()).expect("ids"),
            }));
        }
    }

    async fn lines(&self, guild: &str, query: JournalQuery) -> Vec<Value> {
        // A server that was not there yet has written nothing.
        let Some(hosted) = self.town.community(&CommunityId::new(format!("discord-{guild}"))) else {
            return Vec::new();
        };
        let lines = hosted
            .handle
            .store()
            .journal(hosted.handle.community(), query)
            .await;
        let lines = lines.expect("the journal can be read");
        let plain = |line| serde_json::to_value(line).expect("plain data");
        lines.iter().map(plain).collect()
    }

    /// What became of a message: its lines in short.
    pub async fn why(&self, guild: &str, message: &str) -> Vec<String> {
        let hosted = self.town.community(&CommunityId::new(format!("discord-{guild}")));
        let handle = hosted.expect("the community is there").handle;
        let id = MessageId::new(message);
        let chain = handle.store().why(handle.community(), &id).await;
        let chain = chain.expect("the journal can be read");
        let line = |entry| serde_json::to_value(entry).expect("plain data");
        let lines = chain.iter().map(line);
        lines
            .map(|line| format!("{} {} {}", line["wall"], line["name"], line["data"]))
            .collect()
    }

    pub async fn end(self) {
        self.residence.leave().await;
        self.town.stop().await;
    }
}
