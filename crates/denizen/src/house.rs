//! The house: the lock of a data folder, and on it the store, the models, memory, and a town of communities.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use discord::rest::DISCORD_API;
use discord_rooms::{BotFolder, Discord, DiscordOptions, Residence};
use ocr::Readers;
use providers::{Catalogue, Models};
use reach::Reach;
use realtime::{Realtime, RealtimeKeys};
use runtime::memory::OnOtherEmbedder;
use runtime::ports::{Language, OutboundServices, Streams, VoiceQuarters};
use runtime::{DenizenName, Handle, Platform, Quarters, Services, Town};
use screen_intake::{Eyes, Whip};
use speech::{Engines, InstalledSpeech, SpeechKeys};
use storage::{DataLock, Door, Sqlite};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use vocabulary::{CommunityId, PersonId, RoomId};
use voice_intake::{Halls, Lobby};
use weights::{Purpose, Shelf};

use crate::calls;
use crate::catalogue;
use crate::command::run::{LOCAL_DENIZEN, LOUNGE, export};
use crate::memory::DataFolder;
use crate::outbound::Outbound;

/// The communities of a data folder, running in this process.
pub struct House {
    pub town: Town,
    started: Instant,
    names: web::Names,
    lobby: Lobby,
    discord: Discord,
    /// The bot's life there, once it has begun.
    residence: Option<Residence>,
    /// What reaches out, where it may.
    world: Option<Outbound>,
    /// Looks whether the catalogue of models has changed.
    renewal: JoinHandle<()>,
    lock: DataLock,
}

/// People who came and went in voice rooms that wait to be told to the mind of a community.
const COMING_MAX: usize = 64;

/// Rooms that live in this process: each community has a lounge, with text and voice.
struct LocalRooms {
    names: web::Names,
    lobby: Lobby,
}

/// Every room that there is: those of this process, and those on Discord.
struct AllRooms {
    local: LocalRooms,
    discord: Discord,
}

impl Platform for AllRooms {
    fn quarters(&self, community: &CommunityId, name: DenizenName) -> Quarters {
        let on_discord = self.discord.quarters(community, name.clone());
        on_discord.unwrap_or_else(|| self.local.quarters(name))
    }
}

impl LocalRooms {
    fn quarters(&self, name: DenizenName) -> Quarters {
        let (denizen, rooms) = (PersonId::new(LOCAL_DENIZEN), vec![RoomId::new(LOUNGE)]);
        let (told, coming) = mpsc::channel(COMING_MAX);
        let halls = Arc::new(Halls::new(self.lobby.clone(), told));
        Quarters {
            adapter: Arc::new(
                web::LocalRoom::new(denizen.clone(), rooms.clone(), name).with_names(self.names.clone()),
            ),
            denizen,
            rooms,
            voice: Some(VoiceQuarters {
                voice: halls.clone(),
                coming,
                doors: Some(halls),
            }),
        }
    }
}

/// Ears and voices: those that settings name, and those that were installed.
pub fn speech_of(data: &Path) -> Engines {
    let shelf = Shelf::of(data);
    let keys = SpeechKeys::from_env(|name| std::env::var(name).ok());
    let realtime = Realtime::new(RealtimeKeys::from_env(|name| std::env::var(name).ok()));
    let engines = Engines::new(keys, move || InstalledSpeech {
        ears: shelf.installed_for(Purpose::Ears),
        voices: shelf.all_installed_for(Purpose::Voice).collect(),
        turn: shelf.installed_for(Purpose::Turn),
        library: std::env::var_os("ORT_DYLIB_PATH")
            .filter(|path| !path.is_empty())
            .map(PathBuf::from),
    });
    engines.with_realtime(Arc::new(realtime))
}

impl House {
    /// Brings it up with everything that reaches out; refused while another process runs on the folder.
    pub async fn open(data: &Path, discord_api: &str) -> anyhow::Result<Self> {
        Self::bring_up(data, Some(discord_api)).await
    }

    /// Brings it up for a command that needs its memory: nothing reaches out.
    pub async fn open_indoors(data: &Path) -> anyhow::Result<Self> {
        Self::bring_up(data, None).await
    }

    async fn bring_up(data: &Path, discord_api: Option<&str>) -> anyhow::Result<Self> {
        let started = Instant::now();
        let reaches_out = discord_api.is_some();
        // The lock first: a second process must not even bring the schema up to date.
        let lock = Sqlite::lock(data)?;
        let folder = DataFolder::of(data).await?;
        let memory = match folder.open(OnOtherEmbedder::Reembed).await {
            Ok(service) => {
                folder.open_embedder_later(&service);
                Some(service)
            }
            Err(fault) => {
                tracing::error!(%fault, "nothing is remembered until this is put right and Denizen starts again");
                None
            }
        };
        let installed = Shelf::of(data).installed_for(Purpose::Screen);
        let readers = Readers::of_this_machine().with_installed(installed);
        // One that cannot be read keeps nobody from starting: the built-in one counts, and the page says why.
        let (known, unusable) = match catalogue::of(data) {
            Ok(known) => (known, None),
            Err(error) => (Catalogue::built_in(), Some(format!("{error:#}"))),
        };
        let models = Models::new(folder.keys)
            .knowing(known)
            .keeping_in(data)
            .reading_with(Box::new(move |settings| readers.choose(settings)));
        let models = Arc::new(models);
        if let Some(problem) = unusable {
            models.goes_without(&catalogue::path(data), problem);
        }
        let renewal = tokio::spawn(catalogue::keep_up(data.to_owned(), models.clone()));
        let language: Arc<dyn Language> = models;
        let world = reaches_out.then(|| Outbound::open(data));
        let outbound = world.as_ref().map(|world| world.outbound.clone());
        let names = web::Names::default();
        let lobby = Lobby::new();
        if !reaches_out {
            // Nobody comes in; whoever is forgotten has no name here any more all the same.
            names.are_kept_by(web::Access::open(data, &[])?);
        }
        let token = match reaches_out {
            true => BotFolder::of(data).token(|name| std::env::var(name).ok())?,
            false => None,
        };
        let discord = Discord::open(DiscordOptions {
            data: data.to_owned(),
            api: discord_api.unwrap_or(DISCORD_API).to_owned(),
            token,
            store: folder.sqlite.clone(),
            take_seat: calls::take_seat,
        });
        let services = Services {
            store: folder.sqlite,
            language,
            memory,
            sight: Arc::new(Eyes),
            outbound: outbound.unwrap_or_else(OutboundServices::none),
            speech: Arc::new(speech_of(data)),
            platform: Arc::new(AllRooms {
                local: LocalRooms {
                    names: names.clone(),
                    lobby: lobby.clone(),
                },
                discord: discord.clone(),
            }),
        };
        let town = Town::open(services, CommunityId::home()).await?;
        Ok(Self {
            residence: discord.begin(town.clone()),
            town,
            started,
            names,
            lobby,
            discord,
            world,
            renewal,
            lock,
        })
    }

    /// Denizen's place on Discord.
    pub fn discord(&self) -> &Discord {
        &self.discord
    }

    /// The default community.
    pub fn home(&self) -> Handle {
        self.town.home().handle
    }

    /// Its API, without a socket.
    pub fn in_process(&self) -> web::InProcess {
        web::InProcess::new(self.site(web::Access::in_memory(&[]), None))
    }

    /// Notes in the data folder where this process can be asked.
    pub fn announce(&mut self, door: Door) -> anyhow::Result<()> {
        Ok(self.lock.announce(door)?)
    }

    /// What the web side serves; with streams, where it listens on an address.
    pub fn site(&self, access: web::Access, streams: Option<Arc<dyn Streams>>) -> web::Site {
        if streams.is_some() {
            self.names.are_kept_by(access.clone());
        }
        web::Site {
            town: self.town.clone(),
            access,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: self.started,
            export: Arc::new(export),
            streams,
            abroad: vec![Arc::new(self.discord.clone())],
        }
    }

    /// Takes video streams in where the web server listens; the voices of browsers come in there, too.
    pub fn streams(&self, listening: IpAddr) -> anyhow::Result<Arc<dyn Streams>> {
        let announced = std::env::var(reach::ADDRESS_VARIABLE).ok();
        let reach = Reach::of(listening, announced.as_deref())?;
        self.lobby.is_reached_at(reach.clone());
        let handle = self.home();
        Ok(Arc::new(Whip::new(reach, move || handle.in_force().settings)))
    }

    /// Takes it down: its state is kept for the next start.
    pub async fn leave(self) {
        self.renewal.abort();
        // Before its communities: what is heard meanwhile is asked for by the next start.
        if let Some(residence) = self.residence {
            residence.leave().await;
        }
        self.town.stop().await;
        if let Some(world) = self.world {
            world.leave().await;
        }
    }
}
