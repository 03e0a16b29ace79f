//! What shared screens need of their community, without keeping it alive: a driver ends once every handle is gone,
//! and these are no handles.

use std::sync::{Arc, Weak};

use mind::Input;
use settings::Settings;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use vocabulary::{Moment, PersonId, RoomId};

use crate::handle::{Arrival, Look, bring};
use crate::live::{LiveEvent, LiveFeed};
use crate::ports::{Eye, Rooms, Sight};
use crate::{InForce, NotAccepted};

pub(crate) struct CommunityLink {
    inputs: mpsc::WeakSender<Arrival>,
    queries: mpsc::WeakSender<Look>,
    in_force: watch::Receiver<InForce>,
    live: LiveFeed,
    /// The performer owns them. A platform may itself hold a handle, so that owning them here could be a circle.
    rooms: Weak<dyn Rooms>,
    sight: Arc<dyn Sight>,
    began: Instant,
}

impl CommunityLink {
    pub fn new(
        inputs: &mpsc::Sender<Arrival>,
        queries: &mpsc::Sender<Look>,
        in_force: watch::Receiver<InForce>,
        live: LiveFeed,
        rooms: &Arc<dyn Rooms>,
        sight: Arc<dyn Sight>,
    ) -> Self {
        Self {
            inputs: inputs.downgrade(),
            queries: queries.downgrade(),
            in_force,
            live,
            rooms: Arc::downgrade(rooms),
            sight,
            began: Instant::now(),
        }
    }

    /// Brings an input in; durable when this returns.
    pub async fn accept(&self, input: Input) -> Result<(), NotAccepted> {
        let door = self.inputs.upgrade().ok_or(NotAccepted::Stopping)?;
        bring(door, input, None).await
    }

    /// Brings an input in that may be let go; whether there was room for it.
    pub fn mention(&self, input: Input) -> bool {
        self.inputs
            .upgrade()
            .is_some_and(|door| door.try_send(Arrival::of(input)).is_ok())
    }

    /// Returns once the mind has stepped whatever was accepted before, and its wishes about screens are carried out.
    pub async fn settle(&self, room: RoomId) {
        let (answer, seen) = oneshot::channel();
        let Some(queries) = self.queries.upgrade() else {
            return;
        };
        let sent = queries.send(Look::Watch { room, answer }).await;
        drop(queries);
        if sent.is_ok() {
            let _ = seen.await;
        }
    }

    pub fn is_over(&self) -> bool {
        self.inputs.upgrade().is_none_or(|door| door.is_closed())
    }

    pub fn settings(&self) -> Arc<Settings> {
        self.in_force.borrow().settings.clone()
    }

    pub fn publish(&self, event: LiveEvent) {
        self.live.publish_passing(event);
    }

    /// Whether somebody is in a room, and one of those whom Denizen listens to.
    pub fn is_present(&self, room: &RoomId, person: &PersonId) -> bool {
        let settings = self.settings();
        let blocked = &settings.replies.blocked_user_ids;
        let rooms = self.rooms.upgrade();
        !blocked.iter().any(|id| id == person.as_str())
            && rooms.is_some_and(|rooms| rooms.is_present(room, person))
    }

    pub fn open_eye(&self) -> Box<dyn Eye> {
        self.sight.open()
    }

    /// The moment on a clock of our own: rates are all that is measured with it.
    pub fn moment(&self) -> Moment {
        let passed = self.began.elapsed().as_millis();
        Moment(u64::try_from(passed).unwrap_or(u64::MAX))
    }
}
