//! Tells the mind, and the pages, what happens in the voice of rooms.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mind::{Input, RoomEvent};
use settings::Settings;
use tokio::sync::{mpsc, watch};
use vocabulary::{CommunityId, MessageId, PersonId, RoomId, WallTime};

use super::speaking::{Evidence, Speakers};
use crate::InForce;
use crate::clock::wall;
use crate::handle::Arrival;
use crate::lane::Lane;
use crate::live::{LiveEvent, LiveFeed};

/// The way to a community's mind and its pages. Cheap to clone; it keeps no community alive.
#[derive(Clone, Debug)]
pub(crate) struct Telling {
    community: CommunityId,
    /// What must survive a crash.
    outcomes: mpsc::Sender<Input>,
    reflexes: mpsc::Sender<Arrival>,
    live: LiveFeed,
    in_force: watch::Receiver<InForce>,
    /// When it began, and how many utterances there were since: no two have the same id.
    began: WallTime,
    utterances: Arc<AtomicU64>,
    speakers: Speakers,
}

impl Telling {
    pub fn new(
        community: CommunityId,
        outcomes: mpsc::Sender<Input>,
        reflexes: mpsc::Sender<Arrival>,
        live: LiveFeed,
        in_force: watch::Receiver<InForce>,
    ) -> Self {
        Self {
            community,
            outcomes,
            reflexes,
            live,
            in_force,
            began: wall(),
            utterances: Arc::default(),
            speakers: Speakers::default(),
        }
    }

    /// Tells the mind, in the lane that the event belongs to. One that is stopping hears nothing more.
    pub async fn happened(&self, room: &RoomId, event: RoomEvent) {
        let input = Input::Room(room.clone(), event);
        match Lane::of(&input) {
            Lane::Durable => drop(self.outcomes.send(input).await),
            Lane::Reflex => drop(self.reflexes.send(Arrival::of(input)).await),
        }
    }

    /// Somebody else's ears or voice were used; what is free is not told.
    pub async fn paid(&self, room: &RoomId, engine: &str, cost_micro_dollars: Option<u64>) {
        if cost_micro_dollars != Some(0) {
            let paid = RoomEvent::SpeechPaid {
                engine: engine.to_owned(),
                cost_micro_dollars,
            };
            self.happened(room, paid).await;
        }
    }

    /// Tells the pages that look now.
    pub fn show(&self, event: LiveEvent) {
        self.live.publish_passing(event);
    }

    /// Tells the pages that somebody speaks or has stopped, where that is news to them.
    pub(super) fn speaks(&self, room: &RoomId, person: &PersonId, evidence: Evidence, speaking: bool) {
        self.speakers.take(room, person, evidence, speaking, || {
            self.show(LiveEvent::VoiceSpeaking {
                room: room.clone(),
                person: person.clone(),
                speaking,
            });
        });
    }

    pub fn settings(&self) -> Arc<Settings> {
        self.in_force.borrow().settings.clone()
    }

    /// Tells when settings change.
    pub fn changes(&self) -> watch::Receiver<InForce> {
        self.in_force.clone()
    }

    pub fn community(&self) -> &CommunityId {
        &self.community
    }

    /// An id that no message has.
    pub fn new_utterance(&self) -> MessageId {
        let number = self.utterances.fetch_add(1, Ordering::Relaxed) + 1;
        MessageId::new(format!("vc-{:x}-{number}", self.began.0))
    }
}
