//! The way to memory: the data folder itself while nobody runs on it, otherwise the Denizen that does.

use std::path::Path;

use anyhow::{Context, bail};
use runtime::memory::{GemStory, MemoryService, OnOtherEmbedder, Question, story};
use runtime::ports::StoreError;
use serde::Deserialize;
use settings::Settings;
use storage::{DataLock, Sqlite};
use vocabulary::{Found, GemId, Kinds, PersonId, RoomId, Viewpoint};

use super::Address;
use crate::client::{Client, segment};
use crate::command::local_community;
use crate::memory::Materials;

/// Memory, wherever it can be had.
pub enum StoreAccess {
    Local(Box<Here>),
    Remote(Client),
}

/// The data folder, ours for as long as this is held.
pub struct Here {
    pub service: MemoryService,
    pub settings: Settings,
    _lock: DataLock,
}

/// A search as an operator makes it.
#[derive(Debug)]
pub struct Wanted {
    pub words: String,
    pub person: Option<String>,
    pub room: Option<String>,
    pub kinds: Kinds,
    pub superseded: bool,
    pub limit: usize,
}

/// What a search found.
#[derive(Debug, Deserialize)]
pub struct Searched {
    pub found: Vec<Found>,
    pub threshold: f64,
    #[serde(default)]
    pub remark: Option<String>,
}

impl StoreAccess {
    pub async fn open(data: &Path, address: &Address) -> anyhow::Result<Self> {
        match Here::open(data, OnOtherEmbedder::Refuse).await? {
            Some(here) => Ok(StoreAccess::Local(Box::new(here))),
            None => Ok(StoreAccess::Remote(running(data, address).await?)),
        }
    }

    pub async fn search(&self, wanted: Wanted) -> anyhow::Result<Searched> {
        match self {
            StoreAccess::Local(here) => here.search(wanted).await,
            StoreAccess::Remote(client) => {
                let mut path = format!(
                    "/api/memory/search?q={}&kinds={}&superseded={}&limit={}",
                    segment(&wanted.words),
                    kinds_name(wanted.kinds),
                    wanted.superseded,
                    wanted.limit
                );
                for (name, value) in [("person", &wanted.person), ("room", &wanted.room)] {
                    if let Some(value) = value {
                        path.push_str(&format!("&{name}={}", segment(value)));
                    }
                }
                client.get(&path).await
            }
        }
    }

    pub async fn story(&self, id: &str) -> anyhow::Result<GemStory> {
        match self {
            StoreAccess::Local(here) => story(here.service.records(), &GemId::from(id))
                .await?
                .with_context(|| {
                    format!(
                        "there is no gem {id}; `denizen memory search WORDS` shows the ids of what there is"
                    )
                }),
            StoreAccess::Remote(client) => client.get(&format!("/api/memory/gems/{}", segment(id))).await,
        }
    }
}

impl Here {
    /// The folder's memory; none while somebody runs on it.
    pub async fn open(data: &Path, on_other: OnOtherEmbedder) -> anyhow::Result<Option<Self>> {
        if !data.exists() {
            bail!(
                "there is nothing at {} yet. Name the data folder with --data, or start Denizen with `denizen run`",
                data.display()
            );
        }
        let lock = match Sqlite::lock(data) {
            Ok(lock) => lock,
            Err(StoreError::Busy { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let materials = Materials::of(data).await?;
        Ok(Some(Self {
            service: materials.open(on_other).await?,
            settings: materials.settings,
            _lock: lock,
        }))
    }

    async fn search(&self, wanted: Wanted) -> anyhow::Result<Searched> {
        let view = match wanted.room {
            None => Viewpoint::Operator,
            Some(room) => Viewpoint::Room {
                community: local_community(),
                room: RoomId::new(room),
                reach: self.settings.memory.reach,
                people: Vec::new(),
            },
        };
        let recalled = self
            .service
            .records()
            .recall(&Question {
                words: wanted.words,
                view,
                person: wanted.person.map(PersonId::new),
                kinds: wanted.kinds,
                exclude: Vec::new(),
                superseded: wanted.superseded,
                limit: wanted.limit,
            })
            .await?;
        Ok(Searched {
            found: recalled.found,
            threshold: self.settings.memory.min_confidence,
            remark: recalled
                .by_words_only
                .map(|why| format!("Searched by words alone: {why}")),
        })
    }
}

/// The Denizen that runs on the folder, if it answers.
pub async fn running(data: &Path, address: &Address) -> anyhow::Result<Client> {
    let client = Client::new(&address.url)?;
    client.greet().await.with_context(|| {
        format!(
            "a Denizen runs on {}, and cannot be asked. Name its address with --url (it says it when it starts), or stop it and try again",
            data.display()
        )
    })?;
    Ok(client)
}

pub fn kinds_name(kinds: Kinds) -> &'static str {
    match kinds {
        Kinds::Gems => "gems",
        Kinds::Turns => "turns",
        Kinds::Both => "both",
    }
}
