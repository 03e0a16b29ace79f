//! A town: many communities in one process, over one store, one set of models and one memory. Nothing else is shared.

mod error;
mod finishing;
mod forgetting;
mod stored;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};
use settings::Document;
use tokio::sync::{mpsc, watch};
use tokio_util::task::AbortOnDropHandle;
use vocabulary::{CommunityId, PersonId, RoomId};

use crate::chores;
use crate::community::{self, Parts, Running, StartError};
use crate::figures::TownFigures;
use crate::handle::Handle;
use crate::memory::MemoryService;
use crate::ports::{
    Language, NoVoice, OutboundServices, RemovedCommunity, Rooms, Sight, SpeechEngines, Store, StoreError,
    Voice, VoiceDoors, VoiceQuarters,
};
use crate::residents::Residents;

pub use error::TownError;
use stored::check_free;
pub use stored::{add, check_id, remove};

/// Communities of a process, the default one among them.
/// So many servers of Discord are told by one shard; each takes about half a megabyte.
pub const COMMUNITIES_MAX: usize = 2_600;
/// What agents keep that name no community is filed under this name, so that no community may have it.
pub const AGENTS: &str = "agents";
/// Communities that live on Discord are called so, and no others.
pub const DISCORD_PREFIX: &str = "discord-";

/// What all communities of a process have in common.
#[allow(missing_debug_implementations, reason = "holds the adapters")]
pub struct Services {
    pub store: Arc<dyn Store>,
    pub language: Arc<dyn Language>,
    pub sight: Arc<dyn Sight>,
    pub outbound: OutboundServices,
    /// None: nothing is remembered across sessions.
    pub memory: Option<MemoryService>,
    /// Ears and mouths.
    pub speech: Arc<dyn SpeechEngines>,
    pub platform: Arc<dyn Platform>,
}

/// Gives communities their rooms.
pub trait Platform: Send + Sync {
    /// The rooms of a community; `name` tells what Denizen is called there at the moment.
    fn quarters(&self, community: &CommunityId, name: DenizenName) -> Quarters;
}

/// Tells what Denizen is called in a community at the moment.
pub type DenizenName = Arc<dyn Fn() -> String + Send + Sync>;

/// Where a community's people sit, and who Denizen is there.
#[allow(missing_debug_implementations, reason = "holds an adapter")]
pub struct Quarters {
    pub denizen: PersonId,
    pub rooms: Vec<RoomId>,
    pub adapter: Arc<dyn Rooms>,
    /// None where rooms have no voice.
    pub voice: Option<VoiceQuarters>,
}

/// A community that runs in this process. Cheap to clone.
#[derive(Clone)]
pub struct Hosted {
    pub handle: Handle,
    /// What people call the community.
    pub name: String,
    /// The rooms people can sit in.
    pub rooms: Vec<RoomId>,
    /// How people come into the voice of these rooms; none where they have none.
    pub doors: Option<Arc<dyn VoiceDoors>>,
}

impl std::fmt::Debug for Hosted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Hosted")
            .field("handle", &self.handle)
            .field("name", &self.name)
            .field("rooms", &self.rooms)
            .finish_non_exhaustive()
    }
}

impl Hosted {
    pub fn id(&self) -> &CommunityId {
        self.handle.community()
    }

    /// Where its people are, if that is not in this process: its rooms are read here and written in there.
    pub fn platform(&self) -> Option<&'static str> {
        let is_on_discord = self.id().as_str().starts_with(DISCORD_PREFIX);
        is_on_discord.then_some("Discord")
    }
}

/// A community to be added.
#[derive(Clone, Debug)]
pub struct NewCommunity {
    pub id: CommunityId,
    /// What people call it.
    pub name: String,
    /// What it lays over the settings of all.
    pub settings: Document,
}

/// What went with a community.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    #[serde(flatten)]
    pub stored: RemovedCommunity,
    pub gems: usize,
    pub turns: usize,
}

/// The communities of a process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Town(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// None where nothing can be added.
    services: Option<Services>,
    residents: Residents,
    figures: TownFigures,
    communities: Mutex<BTreeMap<CommunityId, Resident>>,
    /// Held while a community is added or removed.
    changing: tokio::sync::Mutex<()>,
    /// Which community's driver ended by itself.
    ended: watch::Sender<Option<CommunityId>>,
    chores: Mutex<Vec<AbortOnDropHandle<()>>>,
}

#[derive(Debug)]
struct Resident {
    /// None where somebody else runs it.
    running: Option<Running>,
    hosted: Hosted,
}

impl Town {
    /// Brings up the home community, and every other one that the store has.
    pub async fn open(services: Services, home: CommunityId) -> Result<Self, StartError> {
        let memory = services.memory.clone();
        let known = services.store.communities().await?;
        let town = Self::empty(Some(services), home.clone());
        let home_name = known.iter().find(|record| record.id == home);
        let name = home_name.map_or_else(String::new, |record| record.name.clone());
        town.bring_up(home.clone(), name).await?;
        for record in known.into_iter().filter(|record| record.id != home) {
            town.bring_up(record.id, record.name).await?;
        }
        *town.0.chores.lock().unwrap_or_else(PoisonError::into_inner) =
            chores::start(&town.0.residents, memory);
        Ok(town)
    }

    /// A town of one community that somebody else runs; none can be added.
    pub fn alone(hosted: Hosted) -> Self {
        let town = Self::empty(None, hosted.id().clone());
        let id = hosted.id().clone();
        let running = None;
        town.communities().insert(id, Resident { running, hosted });
        town
    }

    /// … with another community that somebody else runs.
    pub fn beside(self, hosted: Hosted) -> Self {
        let (id, running) = (hosted.id().clone(), None);
        self.communities().insert(id, Resident { running, hosted });
        self
    }

    fn empty(services: Option<Services>, home: CommunityId) -> Self {
        Self(Arc::new(Inner {
            services,
            residents: Residents::new(home),
            figures: TownFigures::default(),
            communities: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
            ended: watch::Sender::new(None),
            chores: Mutex::default(),
        }))
    }

    /// The community of that id, where it runs here.
    pub fn community(&self, id: &CommunityId) -> Option<Hosted> {
        self.communities().get(id).map(|resident| resident.hosted.clone())
    }

    /// Whether there is place for no other community.
    pub fn is_full(&self) -> bool {
        self.communities().len() >= COMMUNITIES_MAX
    }

    /// The default community, which is always there.
    pub fn home(&self) -> Hosted {
        self.community(self.0.residents.home())
            .expect("the home community is brought up first and never removed")
    }

    /// Every community, by id.
    pub fn list(&self) -> Vec<Hosted> {
        let communities = self.communities();
        communities
            .values()
            .map(|resident| resident.hosted.clone())
            .collect()
    }

    /// What happens in all of them, in figures.
    pub fn figures(&self) -> &TownFigures {
        &self.0.figures
    }

    /// Adds a community, which runs when this returns.
    pub async fn add(&self, new: NewCommunity) -> Result<Hosted, TownError> {
        check_free(&new.id)?;
        self.settle(new).await
    }

    /// Adds a community of a platform's, whose names are its own.
    pub async fn settle(&self, new: NewCommunity) -> Result<Hosted, TownError> {
        let _changing = self.0.changing.lock().await;
        if self.community(&new.id).is_some() {
            return Err(TownError::Taken(new.id));
        }
        let services = self.0.services.as_ref().ok_or(TownError::Closed)?;
        stored::settle(services.store.as_ref(), new.clone()).await?;
        Ok(self.bring_up(new.id, new.name).await?)
    }

    /// Has a community go by another name from now on, where it runs here and does not yet.
    pub async fn rename(&self, id: &CommunityId, name: &str) -> Result<(), TownError> {
        let _changing = self.0.changing.lock().await;
        let is_other = self.community(id).is_some_and(|hosted| hosted.name != name);
        let Some(services) = self.0.services.as_ref().filter(|_| is_other) else {
            return Ok(());
        };
        services.store.add_community(id, name).await?;
        if let Some(resident) = self.communities().get_mut(id) {
            name.clone_into(&mut resident.hosted.name);
        }
        Ok(())
    }

    /// Stops a community and removes everything that is kept of it.
    pub async fn remove(&self, id: &CommunityId) -> Result<Gone, TownError> {
        let _changing = self.0.changing.lock().await;
        if id == self.0.residents.home() {
            return Err(TownError::Home(id.clone()));
        }
        self.0.residents.remove(id);
        let resident = self.communities().remove(id);
        // One that was stopped and not removed, because that failed, is in the store alone.
        if resident.is_none() && !self.is_stored(id).await? {
            return Err(TownError::Unknown {
                wanted: id.clone(),
                known: self.list().iter().map(|hosted| hosted.id().clone()).collect(),
            });
        }
        if let Some(running) = resident.and_then(|resident| resident.running) {
            running.stop().await;
        }
        match &self.0.services {
            Some(services) => remove(services.store.as_ref(), services.memory.as_ref(), id).await,
            None => Ok(Gone::default()),
        }
    }

    /// Waits until a driver has ended by itself, which it does only when storage fails for good.
    pub async fn ended(&self) -> CommunityId {
        let mut ended = self.0.ended.subscribe();
        match ended.wait_for(Option::is_some).await.map(|ended| ended.clone()) {
            Ok(Some(community)) => community,
            _ => std::future::pending().await,
        }
    }

    /// Stops every community: what was taken in is on disk, and its state is kept for the next start.
    pub async fn stop(&self) {
        let _changing = self.0.changing.lock().await;
        self.0
            .chores
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        let communities = std::mem::take(&mut *self.communities());
        let stopping = communities.into_values().filter_map(|resident| {
            self.0.residents.remove(resident.hosted.id());
            resident.running.map(Running::stop)
        });
        futures_util::future::join_all(stopping).await;
    }

    async fn bring_up(&self, id: CommunityId, called: String) -> Result<Hosted, StartError> {
        let services = self.0.services.as_ref();
        let services = services.expect("only a town with services brings communities up");
        let known: Arc<OnceLock<Handle>> = Arc::default();
        let name: DenizenName = {
            let known = known.clone();
            Arc::new(move || {
                known.get().map_or_else(String::new, |handle| {
                    handle.in_force().settings.identity.name.clone()
                })
            })
        };
        let quarters = services.platform.quarters(&id, name);
        let (voice, coming, doors): (Arc<dyn Voice>, _, _) = match quarters.voice {
            Some(quarters) => (quarters.voice, quarters.coming, quarters.doors),
            None => (Arc::new(NoVoice), mpsc::channel(1).1, None),
        };
        let parts = Parts {
            community: id.clone(),
            denizen: quarters.denizen,
            store: services.store.clone(),
            language: services.language.clone(),
            rooms: quarters.adapter,
            sight: services.sight.clone(),
            outbound: services.outbound.clone(),
            memory: services.memory.clone(),
            voice,
            coming,
            speech: services.speech.clone(),
        };
        let mut running = community::bring_up(parts, self.0.figures.clone()).await?;
        known.get_or_init(|| running.handle.clone());
        running.tell_when_ended(self.0.ended.clone());
        let hosted = Hosted {
            handle: running.handle.clone(),
            name: if called.is_empty() { id.to_string() } else { called },
            rooms: quarters.rooms,
            doors,
        };
        self.0.residents.add(hosted.handle.clone());
        let resident = Resident {
            running: Some(running),
            hosted: hosted.clone(),
        };
        self.communities().insert(id, resident);
        Ok(hosted)
    }

    async fn is_stored(&self, id: &CommunityId) -> Result<bool, StoreError> {
        let Some(services) = &self.0.services else {
            return Ok(false);
        };
        let known = services.store.communities().await?;
        Ok(known.iter().any(|record| record.id == *id))
    }

    fn communities(&self) -> MutexGuard<'_, BTreeMap<CommunityId, Resident>> {
        self.0.communities.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Services {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Services").finish_non_exhaustive()
    }
}
