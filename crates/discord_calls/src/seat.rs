//! Denizen's seat in a call: what it says goes out 20 ms at a time, and it can be silenced at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use audio::codec::{Encoded, VoiceEncoder};
use audio::{FRAME, Frame, PER_MILLISECOND, pcm};
use discord_voice::{CallPlace, VoiceConnection};
use runtime::ports::{PlaybackExtent, SoundFrame, VoiceEvent, VoiceFault, VoiceRoom};
use tokio::sync::{Mutex, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval};
use vocabulary::{DeliveryId, RoomId, Span};

use crate::CODING;
use crate::table::{CallNames, Table};

const TICK: Duration = Duration::from_millis(20);
const EVENTS: usize = 100;

/// A seat that was taken, and what comes with it.
#[allow(missing_debug_implementations, reason = "holds tracks")]
pub struct Seating {
    pub seat: CallSeat,
    /// Who comes and goes, and their tracks.
    pub events: mpsc::Receiver<VoiceEvent>,
    /// For whoever has the main gateway: moves the call where that says.
    pub connection: VoiceConnection,
    /// The call waits to be moved. True: the main gateway says nothing unless it is asked, by joining anew.
    pub wanted: mpsc::Receiver<bool>,
}

/// Dropping it leaves the call.
#[derive(Debug)]
pub struct CallSeat {
    room: RoomId,
    connection: VoiceConnection,
    /// Held while a delivery plays.
    turn: Mutex<()>,
    /// How often it was stopped.
    stops: AtomicU64,
}

impl Seating {
    /// Joins the call that the main gateway has named.
    pub fn begin(room: RoomId, place: CallPlace, names: Arc<dyn CallNames>) -> Self {
        let (connection, call) = VoiceConnection::connect(place);
        let (events_in, events) = mpsc::channel(EVENTS);
        let (wanted_in, wanted) = mpsc::channel(1);
        let table = Table {
            room: room.clone(),
            names,
            events: events_in,
            wanted: wanted_in,
            began: Instant::now(),
            speakers: BTreeMap::new(),
        };
        tokio::spawn(table.run(call));
        let seat = CallSeat {
            room,
            connection: connection.clone(),
            turn: Mutex::default(),
            stops: AtomicU64::default(),
        };
        Self {
            seat,
            events,
            connection,
            wanted,
        }
    }
}

impl CallSeat {
    fn lost(&self, detail: impl Into<String>) -> VoiceFault {
        VoiceFault::Lost {
            room: self.room.clone(),
            detail: detail.into(),
        }
    }
}

/// The next 20 ms of a delivery.
enum Next {
    Sound(Box<Frame>, usize),
    /// It is not made yet.
    Nothing,
    Over,
}

fn next(frames: &mut mpsc::Receiver<SoundFrame>, rest: &mut Vec<i16>) -> Next {
    let mut is_closed = false;
    while rest.len() < FRAME && !is_closed {
        match frames.try_recv() {
            Ok(frame) => pcm::read(&frame.samples, rest),
            Err(mpsc::error::TryRecvError::Empty) => return Next::Nothing,
            Err(mpsc::error::TryRecvError::Disconnected) => is_closed = true,
        }
    }
    if rest.is_empty() {
        return Next::Over;
    }
    let samples = rest.len().min(FRAME);
    let mut frame = Box::new([0; FRAME]);
    frame[..samples].copy_from_slice(&rest[..samples]);
    rest.drain(..samples);
    Next::Sound(frame, samples)
}

#[async_trait]
impl VoiceRoom for CallSeat {
    async fn play(
        &self,
        delivery: &DeliveryId,
        mut frames: mpsc::Receiver<SoundFrame>,
    ) -> Result<PlaybackExtent, VoiceFault> {
        let before = self.stops.load(Ordering::Acquire);
        let _turn = self.turn.lock().await;
        let mut encoder = VoiceEncoder::new(CODING).map_err(|error| self.lost(error.to_string()))?;
        let (mut rest, mut packet, mut played) = (Vec::new(), Vec::new(), 0_u64);
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let heard = PlaybackExtent::Until(Span(played / PER_MILLISECOND));
            if self.stops.load(Ordering::Acquire) != before {
                return Ok(heard);
            }
            if let Some(end) = self.connection.health().end {
                return Err(self.lost(end.to_string()));
            }
            match next(&mut frames, &mut rest) {
                Next::Nothing => {}
                Next::Over => {
                    tracing::debug!(%delivery, played, "something was said in a call");
                    return Ok(PlaybackExtent::Whole);
                }
                Next::Sound(frame, samples) => {
                    let encoded = encoder.encode(&frame, &mut packet);
                    let encoded = encoded.map_err(|error| self.lost(error.to_string()))?;
                    // A frame that finds no room is late already.
                    if encoded != Encoded::Silence {
                        self.connection.play(std::mem::take(&mut packet));
                    }
                    played += samples as u64;
                }
            }
        }
    }

    fn stop(&self) {
        self.stops.fetch_add(1, Ordering::AcqRel);
        self.connection.hush();
    }

    async fn leave(self: Box<Self>) {
        self.stop();
        self.connection.leave().await;
    }
}

impl Drop for CallSeat {
    fn drop(&mut self) {
        // Whoever moves the call may still hold the connection.
        self.connection.part();
    }
}
