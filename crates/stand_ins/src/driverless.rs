//! A handle without a driver behind it, so that adapters can be tested alone: the test plays the driver.

use std::sync::{Arc, Mutex, PoisonError};

use mind::context::compaction::SessionView;
use mind::spending::view::SpendingView;
use mind::{Forgotten, Genesis, Input, Mind, Rehearsal};
use runtime::live::LiveFeed;
use runtime::memory::MemoryService;
use runtime::ports::{Language, OutboundServices, Rooms, SavedSettings, Sight, Store};
use runtime::{ForgetOrder, Handle, HandleParts, HandleQueues, InForce, Look, NotAccepted};
use settings::Settings;
use tokio::sync::oneshot;
use vocabulary::{CommunityId, FrameId, Message, Now, PersonId, RoomFacts, RoomId};

use crate::ambient::AmbientShown;
use crate::screens::{EverybodyThere, TestSight};

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
    queues: HandleQueues,
    ambient: AmbientShown,
    forgotten: WasForgotten,
    /// Kept here as a driver keeps them: nobody else does.
    _rooms: Arc<dyn Rooms>,
}

/// What a community was told to forget, in order.
pub type WasForgotten = Arc<Mutex<Vec<Forgotten>>>;

/// Whom to tell what became of an input.
#[derive(Debug)]
pub struct Acceptance(Option<oneshot::Sender<Result<(), NotAccepted>>>);

/// Makes a handle with default settings, and what comes in by it. Shared pictures are looked at by [`TestSight`],
/// and everybody is in every room.
pub fn handle(parts: Parts) -> (Handle, Arrivals) {
    handle_with(parts, Arc::new(TestSight), Arc::new(EverybodyThere))
}

/// The same with eyes and rooms of the test's own.
pub fn handle_with(parts: Parts, sight: Arc<dyn Sight>, rooms: Arc<dyn Rooms>) -> (Handle, Arrivals) {
    let ambient = AmbientShown::of_a_new_mind(&parts.community, &parts.denizen);
    let community = parts.community.clone();
    let (handle, queues) = Handle::open(HandleParts {
        community: parts.community,
        denizen: parts.denizen,
        store: parts.store,
        language: parts.language,
        memory: parts.memory,
        outbound: parts.outbound,
        sight,
        rooms: rooms.clone(),
        speech: Arc::new(runtime::ports::NoSpeech),
        in_force: InForce {
            saved: SavedSettings::default(),
            layers: Default::default(),
            settings: Arc::new(Settings::default()),
        },
        live: LiveFeed::new(community, 1),
        first_frame: FrameId(1),
        inputs_waiting_max: parts.queue,
    });
    let arrivals = Arrivals {
        queues,
        ambient,
        forgotten: WasForgotten::default(),
        _rooms: rooms,
    };
    (handle, arrivals)
}

impl Arrivals {
    /// Answers the next look at a room's session, once there is one; whose session was asked for.
    pub async fn answer_session(&mut self, view: Option<SessionView>) -> Option<RoomId> {
        loop {
            match self.queues.looks.recv().await? {
                Look::Session { room, answer } => {
                    let _ = answer.send(view);
                    return Some(room);
                }
                other => show_nothing(other, &self.ambient),
            }
        }
    }

    /// What is shown of its own thoughts, to be changed by the test at any time.
    pub fn ambient(&self) -> AmbientShown {
        self.ambient.clone()
    }

    /// What it was told to forget while inputs were waited for.
    pub fn forgotten(&self) -> WasForgotten {
        self.forgotten.clone()
    }

    /// The next thing that memory has forgotten and the community must forget too; it is said to be done.
    pub async fn next_forgotten(&mut self) -> Option<Forgotten> {
        let order = self.queues.orders.recv().await?;
        let forgotten = order.forgotten.clone();
        promise(order);
        Some(forgotten)
    }

    /// The next input, once there is one; none when every handle is gone.
    pub async fn next(&mut self) -> Option<(Input, Acceptance)> {
        let arrival = tokio::select! {
            Some(reflex) = self.queues.reflexes.recv() => reflex,
            arrival = self.queues.inputs.recv() => arrival?,
        };
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
                Some(reflex) = self.queues.reflexes.recv() => {
                    return Some((reflex.input, Acceptance(reflex.accepted)));
                }
                arrival = self.queues.inputs.recv() => {
                    let arrival = arrival?;
                    return Some((arrival.input, Acceptance(arrival.accepted)));
                }
                Some(look) = self.queues.looks.recv() => match look {
                    // Nobody waiting any more is no error.
                    Look::Session { room, answer } => drop(answer.send(view(&room))),
                    other => show_nothing(other, &self.ambient),
                },
                Some(order) = self.queues.orders.recv() => {
                    self.forgotten.lock().unwrap_or_else(PoisonError::into_inner).push(order.forgotten.clone());
                    promise(order);
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

/// Says that a wish to forget is on disk and done. Nobody waiting any more is no error.
fn promise(order: ForgetOrder) {
    let _ = order.promised.send(Ok(()));
    if let Some(done) = order.done {
        let _ = done.send(Ok(()));
    }
}

/// Answers a look as a community would in which nothing happened yet, but for its thoughts. Nobody waiting any more is no error.
fn show_nothing(look: Look, ambient: &AmbientShown) {
    match look {
        Look::Rooms { answer } => drop(answer.send(described_rooms())),
        Look::Saying { answer } => drop(answer.send(false)),
        Look::Session { answer, .. } => drop(answer.send(None)),
        Look::Watch { answer, .. } => drop(answer.send(None)),
        Look::Voice { answer, .. } => drop(answer.send(None)),
        Look::Ambient { answer } => ambient.show(answer),
        Look::Quiet { answer, .. } => drop(answer.send(None)),
        Look::Spending { answer } => drop(answer.send(SpendingView::default())),
        Look::Rehearse { message, answer } => rehearse(*message, answer),
        Look::Again { answer, .. } => drop(answer.send(None)),
        Look::AskUnderWay { answer, .. } => drop(answer.send(None)),
    }
}

/// Rooms as a platform describes them: one that everybody may read, a thread in it, and one that is private.
fn described_rooms() -> Vec<RoomFacts> {
    let room = |id: &str, name: &str| RoomFacts {
        name: name.to_owned(),
        ..RoomFacts::undescribed(RoomId::from(id))
    };
    let thread = RoomFacts {
        parent: Some(RoomId::from("1001")),
        ..room("1002", "plans")
    };
    let closed = RoomFacts {
        private: true,
        ..room("1003", "staff")
    };
    vec![closed, thread, room("1001", "general")]
}

/// Plays a message to a mind that knows nothing yet.
fn rehearse(message: Message, answer: oneshot::Sender<Rehearsal>) {
    let mind = Mind::new(Genesis::first(CommunityId::home(), PersonId::from("denizen"), 1));
    let rehearsal = Rehearsal::of(&mind, Now::default(), message, &Settings::default());
    let _ = answer.send(rehearsal);
}
