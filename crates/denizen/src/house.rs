//! A community brought up on the data folder: the lock, the store, the models, memory and the local room.

use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use ocr::Readers;
use providers::Models;
use runtime::memory::OnOtherEmbedder;
use runtime::ports::{Language, OutboundServices, Streams};
use runtime::{Handle, Parts, Running};
use screen_intake::{Eyes, Reach, Whip};
use storage::{DataLock, Sqlite};
use vocabulary::{PersonId, RoomId};

use crate::command::local_community;
use crate::command::run::{LOCAL_DENIZEN, LOUNGE, export};
use crate::memory::Materials;
use crate::outbound::Outbound;

/// A community that runs in this process.
pub struct House {
    pub running: Running,
    pub rooms: Vec<RoomId>,
    started: Instant,
    /// What reaches out, where it may.
    world: Option<Outbound>,
    _lock: DataLock,
}

impl House {
    /// Brings it up with everything that reaches out; refused while another process runs on the folder.
    pub async fn open(data: &Path) -> anyhow::Result<Self> {
        Self::bring_up(data, true).await
    }

    /// Brings it up for a command that needs its memory: nothing reaches out.
    pub async fn open_indoors(data: &Path) -> anyhow::Result<Self> {
        Self::bring_up(data, false).await
    }

    async fn bring_up(data: &Path, reaches_out: bool) -> anyhow::Result<Self> {
        let started = Instant::now();
        // The lock first: a second process must not even bring the schema up to date.
        let lock = Sqlite::lock(data)?;
        let materials = Materials::of(data).await?;
        let memory = match materials.open(OnOtherEmbedder::Reembed).await {
            Ok(service) => {
                materials.open_embedder_later(&service);
                Some(service)
            }
            Err(fault) => {
                tracing::error!(%fault, "nothing is remembered until this is put right and Denizen starts again");
                None
            }
        };
        let readers = Readers::of_this_machine();
        let models =
            Models::new(materials.keys).reading_with(Box::new(move |settings| readers.choose(settings)));
        let language: Arc<dyn Language> = Arc::new(models);
        let rooms = vec![RoomId::new(LOUNGE)];
        let handle: Arc<OnceLock<Handle>> = Arc::default();
        let name = {
            let handle = handle.clone();
            move || {
                handle.get().map_or_else(String::new, |handle| {
                    handle.in_force().settings.identity.name.clone()
                })
            }
        };
        let denizen = PersonId::new(LOCAL_DENIZEN);
        let world = reaches_out.then(|| Outbound::open(data));
        let outbound = world.as_ref().map(|world| world.outbound.clone());
        let running = runtime::start(Parts {
            community: local_community(),
            denizen: denizen.clone(),
            store: materials.sqlite,
            language,
            memory,
            rooms: Arc::new(web::LocalRoom::new(denizen, rooms.clone(), name)),
            sight: Arc::new(Eyes),
            outbound: outbound.unwrap_or_else(OutboundServices::none),
        })
        .await?;
        handle.get_or_init(|| running.handle.clone());
        Ok(Self {
            running,
            rooms,
            started,
            world,
            _lock: lock,
        })
    }

    /// Its API, without a socket.
    pub fn in_process(&self) -> anyhow::Result<web::InProcess> {
        Ok(web::InProcess::new(self.site(None, None))?)
    }

    /// What the web side serves; with streams, where it listens on an address.
    pub fn site(&self, token: Option<web::Token>, streams: Option<Arc<dyn Streams>>) -> web::Site {
        web::Site {
            handle: self.running.handle.clone(),
            rooms: self.rooms.clone(),
            token,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: self.started,
            export: Arc::new(export),
            streams,
        }
    }

    /// Takes video streams in where the web server listens.
    pub fn streams(&self, listening: IpAddr) -> anyhow::Result<Arc<dyn Streams>> {
        let announced = std::env::var(screen_intake::ADDRESS_VARIABLE).ok();
        let reach = Reach::of(listening, announced.as_deref())?;
        let handle = self.running.handle.clone();
        Ok(Arc::new(Whip::new(reach, move || handle.in_force().settings)))
    }

    /// Takes it down: its state is kept for the next start.
    pub async fn leave(self) {
        self.running.stop().await;
        if let Some(world) = self.world {
            world.leave().await;
        }
    }
}
