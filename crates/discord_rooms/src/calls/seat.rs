//! Denizen's seat in a call of Discord's: what keeps the bot in the call while somebody holds it, and the call where the
//! main gateway says that it is.

use std::sync::Arc;

use async_trait::async_trait;
use discord::wire::Snowflake;
use discord_voice::VoiceConnection;
use runtime::ports::{PlaybackExtent, SoundFrame, VoiceEvent, VoiceFault, VoiceRoom};
use tokio::sync::{mpsc, watch};
use vocabulary::DeliveryId;

use super::Standing;
use crate::residence::Inside;

/// The wish to be in a channel. Dropping it has the bot leave.
pub(super) struct Claim {
    pub inside: Arc<Inside>,
    pub guild: Snowflake,
    pub channel: Snowflake,
    number: u64,
}

impl Claim {
    /// None while Denizen is in another channel of the server.
    pub fn make(inside: &Arc<Inside>, guild: Snowflake, channel: Snowflake) -> Option<Self> {
        let number = inside.calls.claim(guild, channel)?;
        Some(Self {
            inside: inside.clone(),
            guild,
            channel,
            number,
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.inside.calls.release(self.guild, self.channel, self.number);
    }
}

/// A seat with the wish to be there.
pub(super) struct ClaimedSeat {
    pub seat: Box<dyn VoiceRoom>,
    pub claim: Claim,
}

#[async_trait]
impl VoiceRoom for ClaimedSeat {
    async fn play(
        &self,
        delivery: &DeliveryId,
        frames: mpsc::Receiver<SoundFrame>,
    ) -> Result<PlaybackExtent, VoiceFault> {
        self.seat.play(delivery, frames).await
    }

    fn stop(&self) {
        self.seat.stop();
    }

    async fn leave(self: Box<Self>) {
        let Self { seat, claim } = *self;
        seat.leave().await;
        drop(claim);
    }
}

/// Hands on what happens in a call, and moves it where the main gateway says, until it is over.
pub(super) struct Keeper {
    pub inside: Arc<Inside>,
    pub guild: Snowflake,
    pub channel: Snowflake,
    pub own: Snowflake,
    pub standing: watch::Receiver<Standing>,
    /// The place where the call is.
    pub at: (u64, String),
    pub told: mpsc::Sender<VoiceEvent>,
}

impl Keeper {
    pub async fn run(
        mut self,
        mut events: mpsc::Receiver<VoiceEvent>,
        connection: VoiceConnection,
        mut wanted: mpsc::Receiver<bool>,
    ) {
        loop {
            tokio::select! {
                event = events.recv() => {
                    let Some(event) = event else { return };
                    if self.told.send(event).await.is_err() {
                        return;
                    }
                }
                Some(is_asked) = wanted.recv() => {
                    // Otherwise the gateway says it unasked.
                    if is_asked {
                        self.inside.calls.ask_anew(self.guild, self.channel);
                    }
                }
                Ok(()) = self.standing.changed() => {
                    let standing = self.standing.borrow_and_update().clone();
                    let place = standing.place(self.guild, self.channel, self.own);
                    let mark = standing.mark();
                    if let Some(place) = place.filter(|_| standing.is_fresh && mark != self.at) {
                        self.at = mark;
                        connection.move_to(place).await;
                    }
                }
            }
        }
    }
}
