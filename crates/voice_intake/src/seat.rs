//! Denizen's seat in a voice room: it hears everybody there, and is heard.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use runtime::ports::{PlaybackExtent, SoundFrame, VoiceFault, VoiceRoom};
use tokio::sync::{Mutex, mpsc};
use vocabulary::{DeliveryId, Span};

use crate::halls::{Halls, TimedHall};

/// Dropping it leaves the room.
#[derive(Debug)]
pub(crate) struct Seat {
    halls: Halls,
    timed: Arc<TimedHall>,
    stay: u64,
    /// Held while a delivery plays.
    turn: Mutex<()>,
    /// How often it was stopped.
    stops: AtomicU64,
}

/// A delivery that plays; when nobody waits for its end any more, it ends.
struct Delivery<'seat> {
    seat: &'seat Seat,
    number: u64,
}

impl Seat {
    pub(crate) fn new(halls: Halls, timed: Arc<TimedHall>, stay: u64) -> Self {
        Self {
            halls,
            timed,
            stay,
            turn: Mutex::default(),
            stops: AtomicU64::default(),
        }
    }
}

#[async_trait]
impl VoiceRoom for Seat {
    async fn play(
        &self,
        delivery: &DeliveryId,
        frames: mpsc::Receiver<SoundFrame>,
    ) -> Result<PlaybackExtent, VoiceFault> {
        let before = self.stops.load(Ordering::Acquire);
        let _turn = self.turn.lock().await;
        let playing = self.halls.within(&self.timed, |hall, _| {
            // Looked at under the hall's lock, so that a stop comes before this or finds something to stop.
            let is_stopped = self.stops.load(Ordering::Acquire) != before;
            (!is_stopped).then(|| hall.play(self.stay, frames))
        });
        let lost = || VoiceFault::Lost {
            room: self.timed.room().clone(),
            detail: "Denizen is not in it any more".to_owned(),
        };
        let Some(playing) = playing else {
            return Ok(PlaybackExtent::Until(Span(0)));
        };
        let (number, extent) = playing.ok_or_else(lost)?;
        let _delivery = Delivery { seat: self, number };
        let extent = extent.await.map_err(|_| lost())?;
        tracing::debug!(%delivery, ?extent, "something was said aloud");
        Ok(extent)
    }

    fn stop(&self) {
        self.halls.within(&self.timed, |hall, _| {
            self.stops.fetch_add(1, Ordering::AcqRel);
            hall.stop(None);
        });
    }

    async fn leave(self: Box<Self>) {
        self.stop();
    }
}

impl Drop for Delivery<'_> {
    fn drop(&mut self) {
        let number = Some(self.number);
        self.seat
            .halls
            .within(&self.seat.timed, |hall, _| hall.stop(number));
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.halls.unseat(&self.timed, self.stay);
    }
}
