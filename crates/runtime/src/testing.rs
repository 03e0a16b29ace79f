//! A handle without a driver behind it, so that adapters can be tested alone: the test plays the driver.

mod ambient;
mod memory_buffer;
mod memory_in_ram;
mod memory_scores;
mod screens;

use std::sync::Arc;

use mind::text::SessionView;
use mind::{Forgotten, Input};
use settings::Settings;
use tokio::sync::{mpsc, oneshot, watch};
use vocabulary::{CommunityId, FrameId, PersonId, RoomId};

use crate::handle::{Arrival, ForgetOrder, Look};
use crate::live::LiveFeed;
use crate::memory::MemoryService;
use crate::ports::{Language, OutboundServices, Rooms, SavedSettings, Sight, Store};
use crate::screens::{CommunityLink, Screens};
use crate::{Handle, InForce, NotAccepted};

pub use ambient::AmbientShown;
pub use memory_in_ram::MemoryInRam;
pub use screens::{EverybodyThere, TestSight, sweep_screens, unwatch_screen, watch_screen};

/// What a test's handle is made of.
#[allow(
    missing_debug_implementations,
    reason = "holds the test's own store and model"
)]
pub struct Parts {
    pub community: CommunityId,
    pub denizen: PersonId,
    pub store: Arc<dyn Store>,
    pub language: Arc<dyn Language>,
    pub memory: Option<MemoryService>,
    pub outbound: OutboundServices,
    /// How many inputs may wait before the handle says that it is busy.
    pub queue: usize,
}

/// The inputs that were brought in.
#[allow(missing_debug_implementations, reason = "holds the test's rooms")]
pub struct Arrivals {
    inputs: mpsc::Receiver<Arrival>,
    looks: mpsc::Receiver<Look>,
    orders: mpsc::Receiver<ForgetOrder>,
    ambient: AmbientShown,
    /// Kept here as a driver keeps them: nobody else does.
    _rooms: Arc<dyn Rooms>,
}

/// Whom to tell what became of an input.
#[derive(Debug)]
pub struct Acceptance(Option<oneshot::Sender<Result<(), NotAccepted>>>);

/// Makes a handle with default settings, and the other end of its door. Shared pictures are looked at by [`TestSight`],
/// and everybody is in every room.
pub fn handle(parts: Parts) -> (Handle, Arrivals) {
    handle_with(parts, Arc::new(TestSight), Arc::new(EverybodyThere))
}

/// The same with eyes and rooms of the test's own.
pub fn handle_with(parts: Parts, sight: Arc<dyn Sight>, rooms: Arc<dyn Rooms>) -> (Handle, Arrivals) {
    let (inputs, arrivals) = mpsc::channel(parts.queue);
    let (queries, asked) = mpsc::channel(1);
    let (forgetting, orders) = mpsc::channel(1);
    let (settings_sender, in_force) = watch::channel(InForce {
        saved: SavedSettings::default(),
        settings: Arc::new(Settings::default()),
    });
    let live = LiveFeed::new(1);
    let ambient = AmbientShown::of_a_new_mind(&parts.community, &parts.denizen);
    let link = CommunityLink::new(&inputs, &queries, in_force.clone(), live.clone(), &rooms, sight);
    let handle = Handle {
        community: parts.community,
        denizen: parts.denizen,
        inputs,
        queries,
        in_force,
        live,
        store: parts.store,
        language: parts.language,
        memory: parts.memory,
        screens: Screens::new(link, FrameId(1)),
        outbound: parts.outbound,
        forgetting,
        settings_sender: Arc::new(settings_sender),
        applying: Arc::default(),
    };
    let arrivals = Arrivals {
        inputs: arrivals,
        looks: asked,
        orders,
        ambient,
        _rooms: rooms,
    };
    (handle, arrivals)
}

impl Arrivals {
    /// Answers the next look at a room's session, once there is one; whose session was asked for.
    pub async fn answer_session(&mut self, view: Option<SessionView>) -> Option<RoomId> {
        loop {
            match self.looks.recv().await? {
                Look::Session { room, answer } => {
                    let _ = answer.send(view);
                    return Some(room);
                }
                Look::Watch { answer, .. } => {
                    let _ = answer.send(None);
                }
                Look::Ambient { answer } => self.ambient.show(answer),
            }
        }
    }

    /// What is shown of its own thoughts, to be changed by the test at any time.
    pub fn ambient(&self) -> AmbientShown {
        self.ambient.clone()
    }

    /// The next thing that memory has forgotten and the community must forget too; it is said to be done.
    pub async fn next_forgotten(&mut self) -> Option<Forgotten> {
        let order = self.orders.recv().await?;
        if let Some(done) = order.done {
            let _ = done.send(Ok(()));
        }
        Some(order.forgotten)
    }

    /// The next input, once there is one; none when every handle is gone.
    pub async fn next(&mut self) -> Option<(Input, Acceptance)> {
        let arrival = self.inputs.recv().await?;
        Some((arrival.input, Acceptance(arrival.accepted)))
    }

    /// The next input; looks at sessions are answered meanwhile, each as `view` says, and what is to be forgotten is said
    /// to be.
    pub async fn next_showing(
        &mut self,
        view: impl Fn(&RoomId) -> Option<SessionView>,
    ) -> Option<(Input, Acceptance)> {
        loop {
            tokio::select! {
                arrival = self.inputs.recv() => {
                    let arrival = arrival?;
                    return Some((arrival.input, Acceptance(arrival.accepted)));
                }
                // Nobody waiting any more is no error.
                Some(look) = self.looks.recv() => match look {
                    Look::Session { room, answer } => {
                        let _ = answer.send(view(&room));
                    }
                    Look::Watch { answer, .. } => {
                        let _ = answer.send(None);
                    }
                    Look::Ambient { answer } => self.ambient.show(answer),
                },
                Some(order) = self.orders.recv() => {
                    if let Some(done) = order.done {
                        let _ = done.send(Ok(()));
                    }
                }
            }
        }
    }
}

impl Acceptance {
    /// Answers whoever brought the input.
    pub fn answer(self, result: Result<(), NotAccepted>) {
        if let Some(sender) = self.0 {
            // Nobody waiting any more is no error.
            let _ = sender.send(result);
        }
    }
}
