//! A data folder and the town on it: communities with the same rooms, people and ids of messages, each with a word that
//! is said nowhere else.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, ensure};
use mind::Input;
use providers::{Keys, embedding};
use runtime::memory::{MemoryService, OnOtherEmbedder};
use runtime::ports::OutboundServices;
use runtime::{Hosted, NewCommunity, Services, SettingsLayer, Town};
use serde_json::json;
use settings::{Document, Settings};
use stand_ins::TestSight;
use storage::{Sqlite, SqliteBuffer, SqliteGems};
use vocabulary::{Author, AuthorKind, CommunityId, Message, MessageId, PersonId, RoomId};

use super::scripted::{DENIZEN, ROOM, SameEverywhere, Scripted};

/// The word of a community that nobody else says.
pub mod marker {
    pub const PREFIX: &str = "marker";

    pub fn of(number: usize) -> String {
        format!("{PREFIX}{number:04}")
    }
}

/// Who writes in every community.
pub const ALICE: &str = "alice";

pub fn message_of_alice(id: &str, text: String) -> Message {
    Message {
        id: MessageId::new(id),
        room: RoomId::new(ROOM),
        author: Author {
            id: PersonId::new(ALICE),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text,
        at: runtime::wall(),
        reply_to: None,
        mentions: vec![PersonId::new(DENIZEN)],
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

/// What every test of many communities stands on.
pub struct Ground {
    folder: PathBuf,
    pub model: Arc<Scripted>,
}

impl Drop for Ground {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

impl Ground {
    pub fn new() -> anyhow::Result<Self> {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("denizen-communities-{}-{count}", std::process::id());
        Ok(Self {
            folder: std::env::temp_dir().join(name),
            model: Arc::default(),
        })
    }

    /// Everything that the folder has, running.
    pub async fn open(&self) -> anyhow::Result<Town> {
        let store = Arc::new(Sqlite::open(&self.folder)?);
        let embedder = embedding::open(&Settings::default().embedding, &Keys::default()).await?;
        let memory = MemoryService::open(
            Arc::new(SqliteGems::open(store.clone()).await?),
            Arc::new(SqliteBuffer::new(store.clone())),
            Some(embedder),
            OnOtherEmbedder::Reembed,
        )
        .await?;
        let services = Services {
            store,
            language: self.model.clone(),
            sight: Arc::new(TestSight),
            outbound: OutboundServices::none(),
            memory: Some(memory),
            speech: Arc::new(runtime::ports::NoSpeech),
            platform: Arc::new(SameEverywhere),
        };
        Ok(Town::open(services, CommunityId::home()).await?)
    }

    /// Sets everybody up: quick rooms for all, and a name and a model of their own for each.
    pub async fn settle_in(&self, town: &Town, communities: usize) -> anyhow::Result<()> {
        let home = town.home().handle;
        let for_all = [
            ("activity.replyCoalesceWindowSeconds", json!(0)),
            ("activity.minSecondsBetweenMessages", json!(0)),
            ("activity.maxMessagesPerHour", json!(1000)),
        ];
        let for_all = for_all.map(|(key, value)| (key.to_owned(), Some(value)));
        home.change_settings(SettingsLayer::Base, 0, for_all.to_vec())
            .await?;
        let version = home.in_force().saved.version;
        let own = own_settings(0)
            .iter()
            .map(|(key, value)| (key.clone(), Some(value.clone())))
            .collect();
        home.change_settings(SettingsLayer::Own, version, own).await?;
        for number in 1..communities {
            let new = NewCommunity {
                id: id(number),
                name: format!("Community {number}"),
                settings: own_settings(number),
            };
            town.add(new).await?;
        }
        Ok(())
    }

    /// Somebody writes in every community, all at once and in no order.
    pub async fn talk(&self, town: &Town, messages: usize) -> anyhow::Result<()> {
        let everybody = town.list();
        let mut turns: Vec<(usize, &Hosted)> = Vec::new();
        for count in 0..messages {
            turns.extend(everybody.iter().map(|hosted| (count, hosted)));
        }
        // As shuffled every time: whoever looks for a fault wants it again.
        let mut dice: u64 = 42;
        for place in (1..turns.len()).rev() {
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            turns.swap(place, (dice >> 33) as usize % (place + 1));
        }
        for (count, hosted) in turns {
            let number = number(hosted)?;
            let text = format!(
                "@{} I like {} best of all, please remember that ({count})",
                name(number),
                marker::of(number)
            );
            // The same ids everywhere: platforms promise nothing across communities.
            let message = message_of_alice(&format!("message-{count:04}"), text);
            hosted.handle.accept(Input::message_arrived(message)).await?;
        }
        Ok(())
    }

    /// Changes what holds for all, and one thing of one community.
    pub async fn change_everything(&self, town: &Town) -> anyhow::Result<()> {
        let home = town.home().handle;
        let base = home.store().base_settings().await?;
        let mut document = base.document;
        document.set("activity.maxMessagesPerHour", json!(777));
        home.store().save_settings(None, base.version, document).await?;
        let first = town.community(&id(1)).context("the first community is gone")?;
        let own = first.handle.store().settings(first.id()).await?;
        let mut document = own.layers.own;
        document.set("activity.maxMessagesPerHour", json!(333));
        let store = first.handle.store();
        store
            .save_settings(Some(first.id()), own.own_version, document)
            .await?;
        for _ in 0..600 {
            let arrived = town.list().iter().all(|hosted| {
                let most = hosted.handle.in_force().settings.activity.max_messages_per_hour;
                most == if *hosted.id() == id(1) { 333 } else { 777 }
            });
            if arrived {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        ensure!(false, "a change for all did not reach everybody within a minute");
        Ok(())
    }
}

fn own_settings(number: usize) -> Document {
    let mut document = Document::default();
    document.set("identity.name", json!(name(number)));
    document.set("llm.provider", json!("offline"));
    document.set("llm.model", json!(model(number)));
    document
}

pub fn id(number: usize) -> CommunityId {
    match number {
        0 => CommunityId::home(),
        _ => CommunityId::new(format!("community-{number:04}")),
    }
}

/// The number of a community.
pub fn number(hosted: &Hosted) -> anyhow::Result<usize> {
    match hosted.id().as_str().strip_prefix("community-") {
        Some(digits) => Ok(digits.parse()?),
        None => Ok(0),
    }
}

pub fn name(number: usize) -> String {
    format!("Robin{number}")
}

pub fn model(number: usize) -> String {
    format!("model-of-{}", marker::of(number))
}
