//! A community whose driver is the test: it keeps what it is told, and watches as a mind would.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use bytes::Bytes;
use mind::watch::intake::RefusedFrame;
use mind::{Delivery, Input, RoomEvent, ShellEvent};
use runtime::Handle;
use runtime::ports::{LayeredSettings, Rooms, SendFailure, Sight};
use runtime::screens::{NewShare, Screens, ShareLink, ShareTicket};
use serde_json::Value;
use settings::Layers;
use stand_ins::{Arrivals, Parts, TestSight, handle_with};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use vocabulary::{CommunityId, FrameRefusal, Message, PersonId, RoomId, ShareId, ShareSource};

use crate::stand_ins::{Echo, MemoryStore};

pub const JPEG: &str = "image/jpeg";

pub struct Stage {
    pub handle: Handle,
    /// The driver takes nothing in while this is true.
    pub held: watch::Sender<bool>,
    in_hand: watch::Receiver<bool>,
    told: Arc<Mutex<Vec<Input>>>,
    away: Arc<Mutex<BTreeSet<PersonId>>>,
    pub driver: JoinHandle<()>,
    pub sweep: JoinHandle<()>,
}

/// Rooms that people leave when the test says so.
struct DoorKeeper(Arc<Mutex<BTreeSet<PersonId>>>);

#[async_trait]
impl Rooms for DoorKeeper {
    async fn deliver(&self, _: &Delivery) -> Result<Message, SendFailure> {
        Err(SendFailure {
            detail: "nothing is sent in this test".to_owned(),
            retryable: false,
        })
    }

    fn is_present(&self, _: &RoomId, person: &PersonId) -> bool {
        !self.0.lock().unwrap().contains(person)
    }
}

impl Stage {
    pub fn open() -> Self {
        Self::open_with_queue(64)
    }

    pub fn open_with_queue(queue: usize) -> Self {
        Self::open_with(queue, Arc::new(TestSight))
    }

    pub fn open_with(queue: usize, sight: Arc<dyn Sight>) -> Self {
        let parts = Parts {
            community: CommunityId::new("local"),
            denizen: PersonId::new("denizen"),
            store: Arc::new(MemoryStore::default()),
            language: Arc::new(Echo::default()),
            memory: None,
            outbound: runtime::ports::OutboundServices::none(),
            queue,
        };
        let away: Arc<Mutex<BTreeSet<PersonId>>> = Arc::default();
        let rooms = Arc::new(DoorKeeper(away.clone()));
        let (handle, arrivals) = handle_with(parts, sight, rooms);
        let told: Arc<Mutex<Vec<Input>>> = Arc::default();
        let (held, is_held) = watch::channel(false);
        let (takes, in_hand) = watch::channel(false);
        let screens = handle.screens().clone();
        let driver = tokio::spawn(drive(arrivals, screens, told.clone(), is_held, takes));
        let sweep = tokio::spawn(handle.screens().keep_sweeping());
        Self {
            handle,
            held,
            in_hand,
            told,
            away,
            driver,
            sweep,
        }
    }

    pub fn screens(&self) -> &Screens {
        self.handle.screens()
    }

    pub fn told(&self) -> MutexGuard<'_, Vec<Input>> {
        self.told.lock().unwrap()
    }

    /// What was told about shares, in a word each.
    pub fn story(&self) -> Vec<String> {
        let told = self.told();
        let about_shares = told
            .iter()
            .filter(|input| **input != Input::Shell(ShellEvent::WakeReached));
        about_shares.map(word_for).collect()
    }

    /// Returns once the driver, which is held, has something in its hand.
    pub async fn reached(&self) {
        self.in_hand.clone().wait_for(|in_hand| *in_hand).await.unwrap();
    }

    pub async fn choose(&self, ticket: &ShareTicket) {
        let room = lounge();
        let choosing = self.screens().choose(&room, Some(ticket.share()));
        choosing.await.unwrap();
    }

    pub fn invite(&self, name: &str) -> ShareLink {
        self.screens().invite(new_share(name)).unwrap()
    }

    pub fn ticket(&self, name: &str) -> ShareTicket {
        let link = self.invite(name);
        self.screens().ticket(Some(&link.share), &link.token).unwrap()
    }

    /// Somebody whose share has begun.
    pub async fn sharer(&self, name: &str) -> ShareTicket {
        let ticket = self.ticket(name);
        ticket.begin().await.unwrap();
        ticket
    }

    /// Fills the door, of one place, of a driver that is held: whatever comes next is turned away after a while.
    pub async fn crowd(&self) {
        self.handle.mention(Input::Shell(ShellEvent::WakeReached));
        self.reached().await;
        self.handle.mention(Input::Shell(ShellEvent::WakeReached));
    }

    /// Returns once the driver has taken in whatever came before.
    pub async fn settle(&self) {
        self.handle
            .accept(Input::Shell(ShellEvent::WakeReached))
            .await
            .unwrap();
    }

    pub fn leave(&self, name: &str) {
        self.away.lock().unwrap().insert(PersonId::new(name));
    }

    /// Settings come into force as if another program had saved them.
    pub async fn set(&self, key: &str, value: impl Into<Value>) {
        let before = self.handle.in_force().saved;
        let mut layers = Layers {
            base: before.document,
            ..Layers::default()
        };
        layers.base.set(key, value.into());
        let saved = LayeredSettings {
            base_version: before.version + 1,
            own_version: 0,
            layers,
        };
        self.handle.put_in_force(saved).await.unwrap();
    }
}

/// Takes inputs in as a mind with the plainest of policies: the first who shares is watched until somebody chooses.
async fn drive(
    mut arrivals: Arrivals,
    screens: Screens,
    told: Arc<Mutex<Vec<Input>>>,
    mut held: watch::Receiver<bool>,
    in_hand: watch::Sender<bool>,
) {
    let mut watched: Option<ShareId> = None;
    while let Some((input, acceptance)) = arrivals.next_showing(|_| None).await {
        in_hand.send_replace(true);
        held.wait_for(|held| !held).await.unwrap();
        in_hand.send_replace(false);
        let wanted = match &input {
            Input::Room(_, RoomEvent::ShareStarted(share)) => watched.clone().or(Some(share.share.clone())),
            Input::Room(_, RoomEvent::WatchChosen { share, .. }) => share.clone(),
            Input::Room(_, RoomEvent::ShareEnded { share, .. }) => {
                watched.clone().filter(|watched| watched != share)
            }
            _ => watched.clone(),
        };
        told.lock().unwrap().push(input);
        acceptance.answer(Ok(()));
        // As with a real driver, whoever waited may go on before the mind's wishes are carried out.
        tokio::task::yield_now().await;
        match &wanted {
            Some(share) => screens.watch(&lounge(), share),
            None => screens.unwatch(&lounge()),
        }
        watched = wanted;
    }
}

pub fn lounge() -> RoomId {
    RoomId::new("lounge")
}

pub fn new_share(name: &str) -> NewShare {
    NewShare {
        room: lounge(),
        person: PersonId::new(name),
        name: name.to_owned(),
        source: ShareSource::FrameApi,
    }
}

/// A picture that [`TestSight`] scores by its first byte.
pub fn picture(first: u8) -> Bytes {
    Bytes::from(vec![first; 100])
}

pub fn reason(refused: Result<impl std::fmt::Debug, RefusedFrame>) -> FrameRefusal {
    refused.unwrap_err().reason
}

fn word_for(input: &Input) -> String {
    match input {
        Input::Room(_, RoomEvent::ShareStarted(share)) => format!("{} started", share.name),
        Input::Room(_, RoomEvent::FrameArrived { .. }) => "frame".to_owned(),
        Input::Room(_, RoomEvent::ShareEnded { reason, .. }) => format!("ended: {}", reason.name()),
        Input::Room(_, RoomEvent::WatchChosen { share, .. }) => {
            format!("chosen: {}", if share.is_some() { "one" } else { "none" })
        }
        Input::Room(_, RoomEvent::FrameRefused { reason, folded, .. }) => {
            format!("refused: {} +{folded}", reason.name())
        }
        Input::Shell(ShellEvent::SettingsChanged { .. }) => "settings".to_owned(),
        other => format!("{other:?}"),
    }
}
