//! What the web side is given, and what all its requests share.

use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

use runtime::ports::{Abroad, Recording, Streams};
use runtime::{Handle, Hosted, NotAccepted, Town};
use tokio::sync::{Mutex, Semaphore};
use tokio_util::sync::CancellationToken;
use vocabulary::{RoomFacts, RoomId};

use crate::access::Access;
use crate::large_bodies::LargeBodies;
use crate::listeners::Listeners;
use crate::refusal::Refusal;
use crate::refused::RefusalCount;
use crate::rooms::rate::WritingPace;
use crate::voice::seats::VoiceSeats;
use crate::watch::Sockets;

/// Writes a recording as newline-delimited JSON.
pub type Export = Arc<dyn Fn(&Recording) -> String + Send + Sync>;

/// A process on the web: paths without the name of a community are those of its default one.
#[derive(Clone)]
pub struct Site {
    /// Every community of the process.
    pub town: Town,
    /// Who may come in, and as what.
    pub access: Access,
    /// The version of Denizen.
    pub version: String,
    pub started: Instant,
    pub export: Export,
    /// Takes video streams in; none where they cannot be.
    pub streams: Option<Arc<dyn Streams>>,
    /// Platforms beside this process's own rooms, for whoever runs it.
    pub abroad: Vec<Arc<dyn Abroad>>,
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site")
            .field("town", &self.town)
            .finish_non_exhaustive()
    }
}

/// Bodies that are one frame each, of 4 MB at most, that may be in memory at once.
const FRAME_BODIES_MAX: usize = 16;
/// A mind that has not shown its rooms by then is held up.
const LOOK_DEADLINE: Duration = Duration::from_secs(5);
/// Sources that may be tried at once.
const CHECKS_MAX: usize = 4;

/// The state every handler sees.
#[derive(Clone)]
pub(crate) struct Shared(Arc<AppState>);

pub(crate) struct AppState {
    pub site: Site,
    /// The community whose routes these are.
    pub community: Hosted,
    pub listeners: Listeners,
    pub large_bodies: LargeBodies,
    pub frame_bodies: Arc<Semaphore>,
    pub sockets: Arc<Sockets>,
    pub seats: Arc<VoiceSeats>,
    /// How fast each credential writes, in all communities together.
    pub writing: Arc<WritingPace>,
    /// Held from the look at a message to the change of its reactions.
    pub reacting: Mutex<()>,
    /// Held from the look whether it thinks to the wish that it does.
    pub thinking: Mutex<()>,
    /// Held while all sources are read for somebody.
    pub previewing: Mutex<()>,
    /// Sources that are tried.
    pub checking: Arc<Semaphore>,
    pub refusals: RefusalCount,
    /// Ends the streams that would otherwise never end.
    pub stopping: CancellationToken,
}

impl Shared {
    pub fn new(site: Site, stopping: CancellationToken) -> Self {
        Self(Arc::new(AppState {
            community: site.town.home(),
            site,
            listeners: Listeners::default(),
            large_bodies: LargeBodies::default(),
            frame_bodies: Arc::new(Semaphore::new(FRAME_BODIES_MAX)),
            sockets: Arc::new(Sockets::new()),
            seats: Arc::default(),
            writing: Arc::default(),
            reacting: Mutex::default(),
            thinking: Mutex::default(),
            previewing: Mutex::default(),
            checking: Arc::new(Semaphore::new(CHECKS_MAX)),
            refusals: RefusalCount::new(),
            stopping,
        }))
    }

    /// The same for another community: what the process has once is shared, all else is its own.
    pub fn of(&self, community: Hosted) -> Self {
        Self(Arc::new(AppState {
            community,
            site: self.site.clone(),
            listeners: self.listeners.clone(),
            large_bodies: self.large_bodies.clone(),
            frame_bodies: self.frame_bodies.clone(),
            sockets: self.sockets.clone(),
            seats: self.seats.clone(),
            writing: self.writing.clone(),
            reacting: Mutex::default(),
            thinking: Mutex::default(),
            previewing: Mutex::default(),
            checking: self.checking.clone(),
            refusals: RefusalCount::new(),
            stopping: self.stopping.clone(),
        }))
    }

    /// Whether this is the community that addresses without a name lead to.
    pub fn is_home(&self) -> bool {
        self.community.id() == self.site.town.home().id()
    }

    /// Where this community's routes begin.
    pub fn root(&self) -> String {
        if self.is_home() {
            "/api".to_owned()
        } else {
            format!("/api/communities/{}", self.community.id())
        }
    }

    pub fn handle(&self) -> &Handle {
        &self.community.handle
    }

    /// The room of that name, if people can sit in it by way of this process.
    pub fn room(&self, name: &str) -> Result<&RoomId, Refusal> {
        if let Some(platform) = self.community.platform() {
            return Err(Refusal::new(
                axum::http::StatusCode::CONFLICT,
                "lives_elsewhere",
                format!(
                    "This room is on {platform}: it is read here, and written in there. Go to {platform}."
                ),
            ));
        }
        self.community
            .rooms
            .iter()
            .find(|room| room.as_str() == name)
            .ok_or_else(|| {
                let known: Vec<&str> = self.community.rooms.iter().map(RoomId::as_str).collect();
                Refusal::new(
                    axum::http::StatusCode::NOT_FOUND,
                    "unknown_room",
                    format!(
                        "There is no room “{name}” here. The rooms are: {}.",
                        known.join(", ")
                    ),
                )
            })
    }

    /// Every room of the community, as its platform describes it.
    pub async fn rooms(&self) -> Result<Vec<RoomFacts>, Refusal> {
        if self.community.platform().is_none() {
            let rooms = self.community.rooms.iter().cloned();
            return Ok(rooms.map(RoomFacts::undescribed).collect());
        }
        let looked = tokio::time::timeout(LOOK_DEADLINE, self.handle().rooms()).await;
        let rooms = looked
            .map_err(|_| NotAccepted::Busy)?
            .ok_or(NotAccepted::Stopping)?;
        Ok(rooms)
    }

    /// The room of that id, if what was said there can be read here.
    pub async fn readable(&self, id: &str) -> Result<RoomId, Refusal> {
        if self.community.platform().is_none() {
            return self.room(id).cloned();
        }
        let known = self.rooms().await?.into_iter().map(|facts| facts.id);
        known
            .into_iter()
            .find(|known| known.as_str() == id)
            .ok_or_else(|| {
                Refusal::new(
                    axum::http::StatusCode::NOT_FOUND,
                    "unknown_room",
                    "There is no such room here, or not any more. GET …/rooms lists those there are.",
                )
            })
    }
}

impl Deref for Shared {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}
