//! A running site for one test: a server on a free port, and a driver that keeps what comes in.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use mind::{Input, RoomEvent, ShellEvent};
use runtime::live::LiveEvent;
use runtime::memory::{MemoryService, OnOtherEmbedder};
use runtime::ports::{Abroad, MessageChange, OutboundServices, Store};
use runtime::{Handle, Hosted, Town};
use stand_ins::{Acceptance, AmbientShown, Arrivals, MemoryInRam, Parts, WasForgotten, handle};
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use vocabulary::{CommunityId, PersonId, RoomId, WallTime};
use web::{Access, Site, Token};

use crate::caller::Caller;
use crate::stand_ins::{MemoryStore, SilentModel};

pub const TOKEN: &str = "correct-horse-battery";
pub const DENIZEN: &str = "denizen";

/// Whoever knows the token is an administrator.
pub fn access() -> Access {
    Access::in_memory(&[("test", &Token::new(TOKEN).unwrap())])
}

/// A site that runs until it is dropped.
pub struct House {
    pub address: SocketAddr,
    pub caller: Caller,
    pub handle: Handle,
    pub store: Arc<MemoryStore>,
    pub memory: MemoryInRam,
    /// What is shown of its own thoughts.
    pub ambient: AmbientShown,
    /// What the community was told to forget.
    pub forgotten: WasForgotten,
    /// The driver takes nothing in while this is true.
    pub held: watch::Sender<bool>,
    driver: JoinHandle<()>,
    shutdown: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<std::io::Result<()>>>,
}

pub async fn open() -> House {
    open_with(|_| {}, 1_000, false).await
}

/// With `token`, whoever calls has to show it each time.
pub async fn open_with(prepare: impl FnOnce(&MemoryStore), queue: usize, token: bool) -> House {
    open_reaching(prepare, queue, token, OutboundServices::none()).await
}

/// The same, with something that reaches out.
pub async fn open_reaching(
    prepare: impl FnOnce(&MemoryStore),
    queue: usize,
    token: bool,
    outbound: OutboundServices,
) -> House {
    let memory = MemoryInRam::default();
    open_beside(prepare, queue, token, outbound, memory, None).await
}

/// Another community, which keeps what comes in until it is dropped.
pub struct Neighbour {
    pub hosted: Hosted,
    /// What it was told to forget.
    pub forgotten: WasForgotten,
    pub store: Arc<MemoryStore>,
    driver: JoinHandle<()>,
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// A community with one room, over a memory that it shares with others.
pub async fn neighbour(id: &str, memory: &MemoryInRam) -> Neighbour {
    let store = Arc::new(MemoryStore::default());
    let (handle, arrivals) = handle(Parts {
        community: CommunityId::from(id),
        denizen: PersonId::from(DENIZEN),
        store: store.clone(),
        language: Arc::new(SilentModel::default()),
        memory: Some(service(memory).await),
        outbound: OutboundServices::none(),
        queue: 100,
    });
    let (_, is_held) = watch::channel(false);
    let forgotten = arrivals.forgotten();
    let driver = tokio::spawn(drive(arrivals, handle.clone(), store.clone(), is_held));
    Neighbour {
        hosted: hosted(&handle, &["attic"]),
        forgotten,
        store,
        driver,
    }
}

fn hosted(handle: &Handle, rooms: &[&str]) -> Hosted {
    Hosted {
        handle: handle.clone(),
        name: handle.community().to_string(),
        rooms: rooms.iter().map(|room| RoomId::from(*room)).collect(),
        doors: None,
    }
}

/// The same, with a neighbour.
pub async fn open_beside(
    prepare: impl FnOnce(&MemoryStore),
    queue: usize,
    token: bool,
    outbound: OutboundServices,
    memory: MemoryInRam,
    beside: Option<Hosted>,
) -> House {
    open_connected(prepare, queue, token, outbound, memory, beside, Vec::new()).await
}

/// A site with a neighbour, and a platform that it is connected to.
pub async fn open_abroad(memory: MemoryInRam, beside: Hosted, abroad: Arc<dyn Abroad>) -> House {
    let outbound = OutboundServices::none();
    open_connected(|_| {}, 100, false, outbound, memory, Some(beside), vec![abroad]).await
}

async fn open_connected(
    prepare: impl FnOnce(&MemoryStore),
    queue: usize,
    token: bool,
    outbound: OutboundServices,
    memory: MemoryInRam,
    beside: Option<Hosted>,
    abroad: Vec<Arc<dyn Abroad>>,
) -> House {
    let store = Arc::new(MemoryStore::default());
    prepare(&store);
    let service = service(&memory).await;
    let (handle, arrivals) = handle(Parts {
        community: CommunityId::from("local"),
        denizen: PersonId::from(DENIZEN),
        store: store.clone(),
        language: Arc::new(SilentModel::default()),
        memory: Some(service),
        outbound,
        queue,
    });
    let (held, is_held) = watch::channel(false);
    let (ambient, forgotten) = (arrivals.ambient(), arrivals.forgotten());
    let driver = tokio::spawn(drive(arrivals, handle.clone(), store.clone(), is_held));
    let hosted = hosted(&handle, &["lounge", "kitchen"]);
    let town = match beside {
        Some(other) => Town::alone(hosted).beside(other),
        None => Town::alone(hosted),
    };
    let site = Site {
        town,
        access: access(),
        version: "9.9.9".into(),
        started: Instant::now(),
        export: Arc::new(|recording| format!("{}\n", serde_json::to_string(&recording.segment).unwrap())),
        streams: None,
        abroad,
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (shutdown, asked) = oneshot::channel();
    let serving = tokio::spawn(web::serve(listener, site, async {
        let _ = asked.await;
    }));
    House {
        address,
        caller: match token {
            true => Caller::new(address),
            false => Caller::knowing(address, TOKEN),
        },
        handle,
        store,
        memory,
        ambient,
        forgotten,
        held,
        driver,
        shutdown: Some(shutdown),
        serving: Some(serving),
    }
}

/// Memory without an embedder: everything is found by its words.
async fn service(memory: &MemoryInRam) -> MemoryService {
    let (gems, buffer) = (Arc::new(memory.clone()), Arc::new(memory.clone()));
    let opened = MemoryService::open(gems, buffer, None, OnOtherEmbedder::Refuse).await;
    opened.expect("memory in a test's hand opens")
}

impl House {
    /// Ends the driver alone: the server still answers, and nothing is taken in any more.
    pub async fn stop_driver(&mut self) {
        self.driver.abort();
        let _ = (&mut self.driver).await;
    }

    /// Asks the server to end, and waits until it has.
    pub async fn close(&mut self) -> std::io::Result<()> {
        drop(self.shutdown.take());
        self.serving.take().expect("closed once").await.unwrap()
    }
}

async fn drive(
    mut arrivals: Arrivals,
    handle: Handle,
    store: Arc<MemoryStore>,
    mut held: watch::Receiver<bool>,
) {
    let shown = store.clone();
    let view = |room: &RoomId| shown.kept().sessions.get(room).cloned();
    while let Some((input, acceptance)) = arrivals.next_showing(view).await {
        let _ = held.wait_for(|held| !held).await;
        take_in(&handle, &store, input, acceptance).await;
    }
}

async fn take_in(handle: &Handle, store: &Arc<MemoryStore>, input: Input, acceptance: Acceptance) {
    match input {
        Input::Room(_, RoomEvent::MessageArrived(message)) => {
            let id = message.id.clone();
            store.kept().apply(MessageChange::Added {
                message,
                turn: None,
                ask: None,
            });
            let stored = store.message(&CommunityId::home(), &id).await.unwrap();
            acceptance.answer(Ok(()));
            if let Some(message) = stored {
                handle.live().publish(LiveEvent::Message { message });
            }
        }
        Input::Room(room, RoomEvent::MessageEdited { id, text }) => {
            store.kept().apply(MessageChange::Edited {
                id: id.clone(),
                text: text.clone(),
                at: WallTime(1),
            });
            acceptance.answer(Ok(()));
            handle.live().publish(LiveEvent::MessageEdited { room, id, text });
        }
        Input::Room(room, RoomEvent::MessageDeleted { id }) => {
            store.kept().apply(MessageChange::Deleted {
                id: id.clone(),
                at: WallTime(1),
            });
            acceptance.answer(Ok(()));
            handle.live().publish(LiveEvent::MessageDeleted { room, id });
        }
        Input::Room(
            ref room,
            RoomEvent::ReactionChanged {
                ref message,
                ref person,
                ref emoji,
                added,
            },
        ) => {
            store.kept().apply(MessageChange::Reacted {
                message: message.clone(),
                person: person.clone(),
                emoji: emoji.clone(),
                added,
                at: WallTime(1),
            });
            let (room, id) = (room.clone(), message.clone());
            let stored = store.message(&CommunityId::home(), &id).await.unwrap();
            store.kept().heard.push(input);
            acceptance.answer(Ok(()));
            let reactions = stored.map(|stored| stored.reactions).unwrap_or_default();
            handle
                .live()
                .publish(LiveEvent::Reactions { room, id, reactions });
        }
        // Journaled, and nobody's message.
        Input::Shell(ShellEvent::RequestRefused { method, .. }) => {
            store.kept().refused.push(method);
            acceptance.answer(Ok(()));
        }
        other => {
            store.kept().heard.push(other);
            acceptance.answer(Ok(()));
        }
    }
}
