//! Everybody in a call, as the house knows them: told who comes and goes, and one track for each who is heard.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use audio::PER_MILLISECOND;
use discord_voice::{CallEnd, CallEvent, HeardPacket};
use runtime::ports::{VoiceEvent, VoiceFault};
use tokio::sync::mpsc;
use tokio::time::{Instant, interval};
use vocabulary::{Author, RoomId};

use crate::speaker::Speaker;

const TICK: Duration = Duration::from_millis(20);

/// Who somebody on Discord is, for the house.
pub trait CallNames: Send + Sync {
    fn author(&self, user: u64) -> Author;
}

pub(crate) struct Table {
    pub room: RoomId,
    pub names: Arc<dyn CallNames>,
    pub events: mpsc::Sender<VoiceEvent>,
    /// Where the call goes on is to be found out; true: by asking.
    pub wanted: mpsc::Sender<bool>,
    pub began: Instant,
    pub speakers: BTreeMap<u64, Speaker>,
}

impl Table {
    /// Until the call is over, or nobody wants to hear of it any more.
    pub async fn run(mut self, call: mpsc::Receiver<CallEvent>) {
        self.follow(call).await;
        let now = self.now();
        for speaker in std::mem::take(&mut self.speakers).into_values() {
            speaker.finish(now);
        }
    }

    async fn follow(&mut self, mut call: mpsc::Receiver<CallEvent>) {
        let mut ticks = interval(TICK);
        loop {
            let is_busy = self.speakers.values().any(Speaker::is_busy);
            tokio::select! {
                event = call.recv() => {
                    let Some(event) = event else { return };
                    if !self.take(event).await {
                        return;
                    }
                }
                _ = ticks.tick(), if is_busy => {
                    let now = self.now();
                    self.speakers.values_mut().for_each(|speaker| speaker.advance(now));
                }
            }
        }
    }

    /// In samples.
    fn now(&self) -> u64 {
        let elapsed = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        elapsed.saturating_mul(PER_MILLISECOND) / 1_000
    }

    /// Whether it goes on.
    async fn take(&mut self, event: CallEvent) -> bool {
        let told = match event {
            CallEvent::Joined { user } => VoiceEvent::Joined(self.names.author(user)),
            CallEvent::Left { user } => {
                // The track ends with its speaker, once what they said last was heard.
                let now = self.now();
                let gone = self.speakers.remove(&user);
                gone.into_iter().for_each(|speaker| speaker.finish(now));
                VoiceEvent::Left(self.names.author(user).id)
            }
            CallEvent::Packet(packet) => match self.packet(packet) {
                Some(told) => told,
                None => return true,
            },
            CallEvent::PlaceWanted { is_asked } => {
                // Nobody may be there to find it out; then the call ends by itself.
                let _ = self.wanted.try_send(is_asked);
                return true;
            }
            CallEvent::Ended(end) => {
                if end != CallEnd::Left {
                    let fault = VoiceFault::Lost {
                        room: self.room.clone(),
                        detail: end.to_string(),
                    };
                    let _ = self.events.send(VoiceEvent::Ended(fault)).await;
                }
                return false;
            }
            CallEvent::Live
            | CallEvent::Interrupted
            | CallEvent::Speaking { .. }
            | CallEvent::PrivacyCode(_) => return true,
        };
        self.events.send(told).await.is_ok()
    }

    /// Somebody's first packet begins their track.
    fn packet(&mut self, packet: HeardPacket) -> Option<VoiceEvent> {
        let now = self.now();
        let user = packet.user;
        let mut told = None;
        if let Entry::Vacant(place) = self.speakers.entry(user) {
            match Speaker::new(now, packet.ssrc) {
                Ok((speaker, frames)) => {
                    place.insert(speaker);
                    let person = self.names.author(user).id;
                    told = Some(VoiceEvent::Track { person, frames });
                }
                Err(error) => tracing::debug!(%error, "somebody in a call is not heard"),
            }
        }
        if let Some(speaker) = self.speakers.get_mut(&user)
            && let Err(error) = speaker.packet(packet, now)
        {
            tracing::debug!(%error, "somebody in a call is not heard any more");
            self.speakers.remove(&user);
        }
        told
    }
}
