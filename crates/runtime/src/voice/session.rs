//! Denizen in the voice of a room: from being let in to being out, with a task for each person's track.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mind::RoomEvent;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use vocabulary::{Author, AuthorKind, DeliveryId, PersonId, RoomId, VoiceLoss};

use super::mouth::{Door, RoomMouth};
use super::native::NativeSeat;
use super::native_mouth::NativeSession;
use super::track::Track;
use super::{Means, sounds};
use crate::InForce;
use crate::ports::{ChosenSpeech, Hearing, RealtimeNews, VoiceEvent, VoiceFault};

/// So often it is told that ears and a mouth are still being loaded.
const LOADS_TOLD_EVERY: Duration = Duration::from_secs(10);
/// How long what was said last may take to be understood where the room was lost.
const LAST_WORDS_WITHIN: Duration = Duration::from_secs(10);
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
    /// There where a realtime service thinks for itself.
    seat: Arc<Mutex<Option<Arc<NativeSeat>>>>,
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
            seat: Arc::default(),
        };
        let stay = Stay {
            means: means.clone(),
            room,
            leaving: session.leaving.clone(),
            mouth: session.mouth.clone(),
            seat: session.seat.clone(),
            unlistened,
            people: BTreeMap::new(),
            tracks: CancellationToken::new(),
            hearing: CancellationToken::new(),
            listened_to: BTreeMap::new(),
            had_service: false,
            begun_before: 0,
        };
        let abandoned = session.abandoned.clone();
        means.spawn(async move {
            let tracks = stay.tracks.clone();
            if abandoned.run_until_cancelled(stay.run()).await.is_none() {
                tracks.cancel();
            }
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

    /// The realtime service that answers by itself, where one does.
    pub fn native(&self) -> Option<NativeSession> {
        let seat = self.seat.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let mouth = self.mouth()?;
        Some(NativeSession { seat, mouth })
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
    seat: Arc<Mutex<Option<Arc<NativeSeat>>>>,
    unlistened: watch::Receiver<BTreeSet<PersonId>>,
    people: BTreeMap<PersonId, Author>,
    /// Every track ends with it, also that of somebody who is gone and whose last words are still being understood.
    tracks: CancellationToken,
    /// And with the ears that they are heard by.
    hearing: CancellationToken,
    /// Whoever is in and listened to; their tracks end with these.
    listened_to: BTreeMap<PersonId, CancellationToken>,
    /// A realtime service was told of.
    had_service: bool,
    /// How often conversations of this session were begun before the one it has now.
    begun_before: u64,
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

/// Who listens to people, and who is heard meanwhile.
struct Listens<'a> {
    ears: &'a Arc<dyn Hearing>,
    engine: &'a str,
    mouth: &'a RoomMouth,
    seat: Option<&'a Arc<NativeSeat>>,
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
        self.hearing = self.tracks.child_token();
        let mut service = speech.realtime.clone();
        let seat = self.take_seat(speech);
        let ears = seat.clone().and_then(|seat| speech.ears.through(seat));
        let ears = ears.unwrap_or_else(|| speech.ears.clone());
        self.service_stands(service.as_mut(), seat.as_deref()).await;
        let knowing = self.hearing.child_token();
        let _stops_knowing = knowing.clone().drop_guard();
        if let Some(seat) = seat.clone() {
            let (over, before) = (knowing, self.begun_before);
            self.means.spawn(async move {
                over.run_until_cancelled(seat.tell_what_it_knows(before)).await;
            });
        }
        let listens = Listens {
            ears: &ears,
            engine: &speech.ears_standing.engine,
            mouth: &mouth,
            seat: seat.as_ref(),
        };
        let over = loop {
            let event = tokio::select! {
                () = leaving.cancelled() => break Over::Left,
                event = events.recv() => event,
                () = changed(&mut service) => {
                    self.service_stands(service.as_mut(), seat.as_deref()).await;
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
                Some(event) => self.happened(event, &listens),
            }
        };
        // Who is gone is known before anybody's track ends: what they said last is still understood.
        while let Ok(event) = events.try_recv() {
            self.happened(event, &listens);
        }
        self.stop_listening(&over);
        mouth.stop();
        mouth.settled(SETTLES_WITHIN).await;
        *self.mouth.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *self.seat.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.begun_before += seat.map_or(0, |seat| seat.begun());
        drop(mouth);
        // Whoever still holds it leaves the room by letting go.
        if let Some(door) = Arc::into_inner(door) {
            door.0.leave().await;
        }
        over
    }

    /// Listens to nobody any more who is in the room. Where that was lost, what they said last is still understood; and where
    /// other ears were chosen, not even what those said last who are gone.
    fn stop_listening(&mut self, over: &Over) {
        let tracks = std::mem::take(&mut self.listened_to);
        match over {
            Over::Left => tracks.values().for_each(CancellationToken::cancel),
            Over::Changed => self.hearing.cancel(),
            Over::Lost(_) => self.means.spawn(async move {
                tokio::time::sleep(LAST_WORDS_WITHIN).await;
                tracks.values().for_each(CancellationToken::cancel);
            }),
        }
    }

    /// Tells how the realtime service stands that hears and speaks, or that there is none any more.
    async fn service_stands(&mut self, service: Option<&mut RealtimeNews>, seat: Option<&NativeSeat>) {
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
            native: seat.map(NativeSeat::events),
        };
        self.means.telling.happened(&self.room, stands).await;
    }

    /// The conversation with a service that thinks for itself, where settings want one.
    fn take_seat(&self, speech: &ChosenSpeech) -> Option<Arc<NativeSeat>> {
        let service = speech.native.clone()?;
        let seat = NativeSeat::take(self.means.clone(), self.room.clone(), service);
        if seat.is_none() {
            tracing::warn!(room = %self.room, "the realtime service cannot think for itself; Denizen's own model does");
        }
        self.seat
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(&seat);
        seat
    }

    fn happened(&mut self, event: VoiceEvent, listens: &Listens<'_>) {
        match event {
            VoiceEvent::Joined(author) => {
                if let Some(seat) = listens.seat {
                    seat.is_called(&author.id, &author.name);
                }
                self.people.insert(author.id.clone(), author);
            }
            VoiceEvent::Left(person) => {
                self.people.remove(&person);
                // What they said last is still understood.
                self.listened_to.remove(&person);
            }
            VoiceEvent::Track { person, frames } => {
                let over = self.hearing.child_token();
                self.listened_to.insert(person.clone(), over.clone());
                let track = self.track(person, listens, over);
                self.means.spawn(track.run(frames));
            }
            VoiceEvent::Ended(_) => {}
        }
    }

    fn track(&self, person: PersonId, listens: &Listens<'_>, over: CancellationToken) -> Track {
        let author = self.people.get(&person).cloned().unwrap_or_else(|| Author {
            name: person.to_string(),
            id: person,
            kind: AuthorKind::Person,
        });
        Track {
            room: self.room.clone(),
            author,
            ears: listens.ears.clone(),
            engine: listens.engine.to_owned(),
            telling: self.means.telling.clone(),
            is_heard: listens.mouth.is_heard(),
            seat: listens.seat.cloned(),
            unlistened: self.unlistened.clone(),
            over,
        }
    }
}
