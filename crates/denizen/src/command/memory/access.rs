//! The way to memory: the data folder itself while nobody runs on it, otherwise the Denizen that does.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use runtime::memory::{GemStory, MemoryService, OnOtherEmbedder, Question, story};
use runtime::ports::StoreError;
use serde::Deserialize;
use settings::Settings;
use storage::{DataLock, Sqlite};
use vocabulary::{CommunityId, Found, GemId, Kinds, PersonId, Place, Record, RoomId, Viewpoint};

use super::{Address, Whose};
use crate::client::{Client, segment};
use crate::command::known_community;
use crate::command::progress::Busy;
use crate::memory::DataFolder;

/// Memory, wherever it can be had.
pub enum StoreAccess {
    Local(Box<Here>),
    Remote(Client),
}

/// The data folder, ours for as long as this is held.
pub struct Here {
    pub service: MemoryService,
    pub settings: Settings,
    /// None: everything is meant.
    pub community: Option<CommunityId>,
    store: Arc<Sqlite>,
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
    pub async fn open(data: &Path, whose: &Whose) -> anyhow::Result<Self> {
        match Here::open(data, OnOtherEmbedder::Refuse).await? {
            Some(mut here) => {
                if let Some(given) = &whose.community {
                    here.community = Some(known_community(here.store.as_ref(), Some(given)).await?);
                }
                Ok(StoreAccess::Local(Box::new(here)))
            }
            None => Ok(StoreAccess::Remote(asked(data, whose).await?)),
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
        let _busy = Busy::with("opening what is remembered");
        let folder = DataFolder::of(data).await?;
        let service = folder.open(on_other).await?;
        Ok(Some(Self {
            service,
            settings: folder.settings,
            community: None,
            store: folder.sqlite,
            _lock: lock,
        }))
    }

    async fn search(&self, wanted: Wanted) -> anyhow::Result<Searched> {
        let view = match wanted.room {
            None => Viewpoint::Operator,
            Some(room) => Viewpoint::Room {
                community: self.community.clone().unwrap_or_else(CommunityId::home),
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
        let mut found = recalled.found;
        if let Some(community) = &self.community {
            found.retain(|found| place_of(&found.record).community == *community);
        }
        Ok(Searched {
            found,
            threshold: self.settings.memory.min_confidence,
            remark: recalled
                .by_words_only
                .map(|why| format!("Searched by words alone: {why}")),
        })
    }
}

fn place_of(record: &Record) -> &Place {
    match record {
        Record::Gem(gem) => &gem.place,
        Record::Turn(turn) => &turn.place,
    }
}

/// The same for the community that is meant.
pub async fn asked(data: &Path, whose: &Whose) -> anyhow::Result<Client> {
    let client = running(data, &whose.address).await?;
    Ok(client.in_community(whose.community.as_deref()))
}

/// The Denizen that runs on the folder, and no other.
pub async fn running(data: &Path, address: &Address) -> anyhow::Result<Client> {
    Client::of_folder(data, address.url.as_deref()).await
}

pub fn kinds_name(kinds: Kinds) -> &'static str {
    match kinds {
        Kinds::Gems => "gems",
        Kinds::Turns => "turns",
        Kinds::Both => "both",
    }
}
