//! Streams over WebRTC (WHIP): an offer is answered, and from then on the stream's frames go to its share.
//!
//! Each stream has a socket and a task that moves packets, and a thread that decodes. No clock, no network and no
//! share is known to the parts that decide: when to ask for a key frame, which frames to give, when to give up.

mod decoding;
mod giving;
mod key_frames;
mod knobs;
mod negotiation;
mod outlet;
mod session;
mod slots;
mod video;
mod viewer;

pub use outlet::{Exposure, Outlet, OutletRefused};

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use runtime::ports::{StreamRefusal, Streams};
use runtime::screens::ShareTicket;

use knobs::SettingsNow;
use reach::Reach;
use session::Terms;
use slots::Slots;

/// Streams at a time, in all rooms together; each may keep a core busy.
pub const MAX_STREAMS: usize = 16;
/// No honest offer is longer.
pub const MAX_OFFER_BYTES: usize = 64_000;

const SILENCE_MAX: Duration = Duration::from_secs(15);

/// Takes streams in. Cheap to clone.
#[derive(Clone)]
pub struct Whip {
    reach: Reach,
    terms: Terms,
    slots: Slots,
}

impl Whip {
    /// Streams arrive where `reach` says; `settings` tells what is in force at the moment it is asked.
    pub fn new(reach: Reach, settings: impl Fn() -> Arc<settings::Settings> + Send + Sync + 'static) -> Self {
        let terms = Terms {
            settings: SettingsNow::new(settings),
            silence_max: SILENCE_MAX,
        };
        Self {
            reach,
            terms,
            slots: Slots::default(),
        }
    }

    /// With another limit than 15 seconds on how long a peer may be silent before its share is lost.
    pub fn with_silence_max(mut self, silence_max: Duration) -> Self {
        self.terms.silence_max = silence_max;
        self
    }

    /// Answers an offer; the stream's frames go to `outlet` until either side ends it. Another offer for the same share
    /// takes the place of the stream before it, as when a sender has lost its network and comes back.
    pub async fn serve(&self, outlet: Arc<dyn Outlet>, sdp: &str) -> Result<String, StreamRefusal> {
        if sdp.len() > MAX_OFFER_BYTES {
            let why = format!("the offer is longer than {MAX_OFFER_BYTES} bytes");
            return Err(StreamRefusal::BadOffer(why));
        }
        let share = outlet.share();
        if !self.slots.has_room_for(&share) {
            return Err(too_many());
        }
        let doorstep = self.reach.open().await.map_err(|error| {
            StreamRefusal::Unavailable(format!("no socket could be opened for the stream: {error}"))
        })?;
        let (rtc, answer) = negotiation::answer(sdp.to_owned(), doorstep.addresses.clone()).await?;
        // Only now: an offer that cannot be answered does not take the place of a stream that runs.
        let slot = self.slots.take(share).ok_or_else(too_many)?;
        tokio::spawn(session::run(self.terms.clone(), rtc, doorstep, outlet, slot));
        Ok(answer)
    }
}

fn too_many() -> StreamRefusal {
    let why = format!("{MAX_STREAMS} streams come in already; try again when one has ended");
    StreamRefusal::Unavailable(why)
}

#[async_trait]
impl Streams for Whip {
    async fn offer(&self, ticket: ShareTicket, sdp: &str) -> Result<String, StreamRefusal> {
        self.serve(Arc::new(ticket), sdp).await
    }
}

impl std::fmt::Debug for Whip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Whip")
            .field("reach", &self.reach)
            .finish_non_exhaustive()
    }
}
