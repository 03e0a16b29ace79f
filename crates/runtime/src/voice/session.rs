//! Denizen in the voice of a room: from being let in to being out, with a task for each person's track.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mind::RoomEvent;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use vocabulary::{Author, AuthorKind, DeliveryId, PersonId, RoomId, VoiceLoss};

use super::mouth::{Door, RoomMouth};
use super::track::Track;
use super::{Means, sounds};
use crate::InForce;
use crate::ports::{ChosenSpeech, RealtimeNews, VoiceEvent, VoiceFault};

/// So often it is told that ears and a mouth are still being loaded.
const LOADS_TOLD_EVERY: Duration = Duration::from_secs(10);
/// How long what was stopped may take to be told before Denizen leaves.
const SETTLES_WITHIN: Duration = Duration::from_secs(1);

/// A session, as whoever holds it has it.
pub(super) struct Session {
    means: Arc<Means>,
    room: RoomId,
    /// It is to leave.
    leaving: CancellationToken,
    /// Nobody asks after it any more.
    abandoned: CancellationToken,
    /// There once it is let in.
    mouth: Arc<Mutex<Option<Arc<RoomMouth>>>>,
}

impl Session {
    /// Goes in.
    pub fn begin(means: Arc<Means>, room: RoomId, unlistened: watch::Receiver<BTreeSet<PersonId>>) -> Self {
        let session = Self {
            means: means.clone(),
            room: room.clone(),
            leaving: CancellationToken::new(),
            abandoned: CancellationToken::new(),
            mouth: Arc::default(),
        };
        let stay = Stay {
            means: means.clone(),
            room,
            leaving: session.leaving.clone(),
            mouth: session.mouth.clone(),
            unlistened,
            people: BTreeMap::new(),
            tracks: CancellationToken::new(),
            had_service: false,
        };
        let abandoned = session.abandoned.clone();
        means.spawn(async move {
            let tracks = stay.tracks.clone().drop_guard();
            abandoned.run_until_cancelled(stay.run()).await;
            drop(tracks);
        });
        session
    }

    /// Leaves; that it is out is told.
    pub fn leave(self) {
        self.leaving.cancel();
    }

    /// Leaves without a word: another takes its place.
    pub fn abandon(self) {
        self.stop_speaking();
        self.abandoned.cancel();
    }

    /// Whether it could be said.
    pub fn speak(&self, delivery: &DeliveryId, sentence: String, last: bool) -> bool {
        let mouth = self.mouth();
        if let Some(mouth) = &mouth {
            mouth.say(delivery, sentence, last);
        }
        mouth.is_some()
    }

    pub fn stop_speaking(&self) {
        if let Some(mouth) = self.mouth() {
            mouth.stop();
        }
    }

    pub fn play_sound(&self, name: String) {
        let (means, room, mouth) = (self.means.clone(), self.room.clone(), self.mouth());
        self.means.spawn(sounds::play(means, room, mouth, name));
    }

    fn mouth(&self) -> Option<Arc<RoomMouth>> {
        self.mouth.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The session's own task.
struct Stay {
    means: Arc<Means>,
    room: RoomId,
    leaving: CancellationToken,
    mouth: Arc<Mutex<Option<Arc<RoomMouth>>>>,
    unlistened: watch::Receiver<BTreeSet<PersonId>>,
    people: BTreeMap<PersonId, Author>,
    /// Every track ends with it.
    tracks: CancellationToken,
    /// A realtime service was told of.
    had_service: bool,
}

/// Waits until the service stands otherwise; where there is none, or it says nothing any more, for good.
async fn changed(service: &mut Option<RealtimeNews>) {
    if let Some(news) = service
        && news.changed().await.is_ok()
    {
        return;
    }
    std::future::pending().await
}

/// Why a stay with some ears and a mouth is over.
enum Over {
    Left,
    Lost(VoiceFault),
    /// Settings choose others.
    Changed,
}

impl Stay {
    async fn run(mut self) {
        let (reason, detail) = match self.stay().await {
            None => (VoiceLoss::Asked, String::new()),
            Some(fault @ (VoiceFault::NoVoice | VoiceFault::Refused { .. })) => {
                (VoiceLoss::Refused, fault.to_string())
            }
            Some(fault @ VoiceFault::Lost { .. }) => (VoiceLoss::Lost, fault.to_string()),
        };
        let left = RoomEvent::VoiceLeft { reason, detail };
        self.means.telling.happened(&self.room, left).await;
    }

    /// Stays until it is to leave; why it could not, where it could not. With other ears or another mouth in the settings
    /// it comes in anew: nobody is heard by what was switched off.
    async fn stay(&mut self) -> Option<VoiceFault> {
        let mut changes = self.means.telling.changes();
        loop {
            // What was chosen by is seen: only what comes after it is a change.
            let settings = changes.borrow_and_update().settings.clone();
            let leaving = self.leaving.clone();
            let choosing = self.while_loading(self.means.speech.chosen(&settings));
            // It is seen in the room once it can hear: ears may have to be loaded.
            let speech = leaving.run_until_cancelled(choosing).await?;
            match self.stay_with(&speech, &mut changes).await {
                Over::Changed => {}
                Over::Left => return None,
                Over::Lost(fault) => return Some(fault),
            }
        }
    }

    /// Waits for ears and a mouth, however long they take, and tells that they are on their way.
    async fn while_loading<T>(&self, choosing: impl Future<Output = T>) -> T {
        let mut choosing = std::pin::pin!(choosing);
        loop {
            tokio::select! {
                chosen = &mut choosing => return chosen,
                () = tokio::time::sleep(LOADS_TOLD_EVERY) => {
                    self.means.telling.happened(&self.room, RoomEvent::VoiceLoads).await;
                }
            }
        }
    }

    async fn stay_with(&mut self, speech: &ChosenSpeech, changes: &mut watch::Receiver<InForce>) -> Over {
        let leaving = self.leaving.clone();
        let joining = self.means.voice.join(&self.room);
        let (door, mut events) = match leaving.run_until_cancelled(joining).await {
            None => return Over::Left,
            Some(Ok(joined)) => joined,
            Some(Err(fault)) => return Over::Lost(fault),
        };
        let door = Arc::new(Door(door));
        let mouth = RoomMouth::new(
            self.means.clone(),
            self.room.clone(),
            door.clone(),
            speech.mouth.clone(),
        );
        let mouth = Arc::new(mouth);
        *self.mouth.lock().unwrap_or_else(PoisonError::into_inner) = Some(mouth.clone());
        let hears = speech.ears_standing.works;
        let speaks = speech.mouth_standing.works;
        let sounds = self.means.speech.sounds(&self.means.telling.settings()).await;
        self.means
            .telling
            .happened(
                &self.room,
                RoomEvent::VoiceJoined {
                    hears,
                    speaks,
                    sounds,
                },
            )
            .await;
        let mut service = speech.realtime.clone();
        self.service_stands(service.as_mut()).await;
        let tracks = self.tracks.child_token();
        let over = loop {
            let event = tokio::select! {
                () = leaving.cancelled() => break Over::Left,
                event = events.recv() => event,
                () = changed(&mut service) => {
                    self.service_stands(service.as_mut()).await;
                    continue;
                }
                Ok(()) = changes.changed() => {
                    let changed = changes.borrow_and_update().settings.clone();
                    let choosing = self.means.speech.chosen(&changed);
                    match leaving.run_until_cancelled(choosing).await {
                        Some(chosen) if speech.differs(&chosen) => break Over::Changed,
                        _ => continue,
                    }
                }
            };
            match event {
                None => {
                    break Over::Lost(VoiceFault::Lost {
                        room: self.room.clone(),
                        detail: "it ended without a word".to_owned(),
                    });
                }
                Some(VoiceEvent::Ended(fault)) => break Over::Lost(fault),
                Some(event) => self.happened(event, speech, &mouth, &tracks),
            }
        };
        tracks.cancel();
        mouth.stop();
        mouth.settled(SETTLES_WITHIN).await;
        *self.mouth.lock().unwrap_or_else(PoisonError::into_inner) = None;
        drop(mouth);
        // Whoever still holds it leaves the room by letting go.
        if let Some(door) = Arc::into_inner(door) {
            door.0.leave().await;
        }
        over
    }

    /// Tells how the realtime service stands that hears and speaks, or that there is none any more.
    async fn service_stands(&mut self, service: Option<&mut RealtimeNews>) {
        let standing = service.map(|service| service.borrow_and_update().clone());
        if standing.is_none() && !self.had_service {
            return;
        }
        self.had_service = standing.is_some();
        let standing = standing.unwrap_or_default();
        let stands = RoomEvent::VoiceServiceStands {
            service: standing.service,
            event: standing.event,
            works: standing.works,
            detail: standing.detail,
        };
        self.means.telling.happened(&self.room, stands).await;
    }

    fn happened(
        &mut self,
        event: VoiceEvent,
        speech: &ChosenSpeech,
        mouth: &RoomMouth,
        tracks: &CancellationToken,
    ) {
        match event {
            VoiceEvent::Joined(author) => {
                self.people.insert(author.id.clone(), author);
            }
            VoiceEvent::Left(person) => {
                self.people.remove(&person);
            }
            VoiceEvent::Track { person, frames } => {
                let track = self.track(person, speech, mouth, tracks.clone());
                self.means.spawn(track.run(frames));
            }
            VoiceEvent::Ended(_) => {}
        }
    }

    fn track(
        &self,
        person: PersonId,
        speech: &ChosenSpeech,
        mouth: &RoomMouth,
        over: CancellationToken,
    ) -> Track {
        let author = self.people.get(&person).cloned().unwrap_or_else(|| Author {
            name: person.to_string(),
            id: person,
            kind: AuthorKind::Person,
        });
        Track {
            room: self.room.clone(),
            author,
            ears: speech.ears.clone(),
            engine: speech.ears_standing.engine.clone(),
            telling: self.means.telling.clone(),
            is_heard: mouth.is_heard(),
            unlistened: self.unlistened.clone(),
            over,
        }
    }
}
