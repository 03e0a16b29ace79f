//! Makes a handle and its queues: adapters hold the one, a driver (or a test in its place) takes from the other.

use std::sync::Arc;

use tokio::sync::{mpsc, watch};
use vocabulary::{CommunityId, FrameId, PersonId};

use super::{Arrival, ForgetOrder, Handle, InForce, Look};
use crate::ailments::Ailments;
use crate::live::LiveFeed;
use crate::memory::MemoryService;
use crate::ports::{Language, OutboundServices, Rooms, Sight, SpeechEngines, Store};
use crate::reply_model::ReplyModelTold;
use crate::screens::{CommunityLink, Screens};

/// Looks at the mind that may wait.
const LOOKS_WAITING_MAX: usize = 16;
/// Reflexes that may wait.
const REFLEXES_WAITING_MAX: usize = 256;
/// Things to forget that may wait.
const ORDERS_WAITING_MAX: usize = 16;

/// What a handle is made of.
#[allow(missing_debug_implementations, reason = "holds the adapters")]
pub struct HandleParts {
    pub community: CommunityId,
    pub denizen: PersonId,
    pub store: Arc<dyn Store>,
    pub language: Arc<dyn Language>,
    pub memory: Option<MemoryService>,
    pub outbound: OutboundServices,
    pub sight: Arc<dyn Sight>,
    /// Asked who is present; not kept alive by the handle.
    pub rooms: Arc<dyn Rooms>,
    /// Ears and mouths.
    pub speech: Arc<dyn SpeechEngines>,
    pub in_force: InForce,
    pub live: LiveFeed,
    /// Beyond any number that an earlier process gave to a frame.
    pub first_frame: FrameId,
    /// How many inputs may wait before the handle says that it is busy.
    pub inputs_waiting_max: usize,
}

/// What comes in by a handle, for whoever drives the community.
#[derive(Debug)]
pub struct HandleQueues {
    /// Durable inputs.
    pub inputs: mpsc::Receiver<Arrival>,
    /// Inputs that are stepped at once.
    pub reflexes: mpsc::Receiver<Arrival>,
    pub looks: mpsc::Receiver<Look>,
    pub orders: mpsc::Receiver<ForgetOrder>,
}

impl Handle {
    /// Makes a handle and the queues behind it.
    pub fn open(parts: HandleParts) -> (Self, HandleQueues) {
        let (inputs, arrivals) = mpsc::channel(parts.inputs_waiting_max);
        let (reflexes, arriving_reflexes) = mpsc::channel(REFLEXES_WAITING_MAX);
        let (queries, looks) = mpsc::channel(LOOKS_WAITING_MAX);
        let (forgetting, orders) = mpsc::channel(ORDERS_WAITING_MAX);
        let (settings_sender, in_force) = watch::channel(parts.in_force);
        let link = CommunityLink::new(
            &inputs,
            &queries,
            in_force.clone(),
            parts.live.clone(),
            &parts.rooms,
            parts.sight,
        );
        let ailments = Ailments::default();
        let handle = Self {
            community: parts.community,
            denizen: parts.denizen,
            inputs,
            reflexes,
            queries,
            in_force,
            live: parts.live,
            store: parts.store,
            language: parts.language,
            memory: parts.memory,
            screens: Screens::new(link, parts.first_frame),
            outbound: parts.outbound,
            speech: parts.speech,
            forgetting,
            settings_sender: Arc::new(settings_sender),
            applying: Arc::default(),
            salvaged: None,
            reply_model: ReplyModelTold::new(ailments.clone()),
            ailments,
        };
        let queues = HandleQueues {
            inputs: arrivals,
            reflexes: arriving_reflexes,
            looks,
            orders,
        };
        (handle, queues)
    }
}
