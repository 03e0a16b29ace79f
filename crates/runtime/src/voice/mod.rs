//! The voice of rooms in the shell: joins whoever lets Denizen in, its ears and its mouth with the mind.
//!
//! A room that Denizen is in has a session, which ends with everything in it: a track for each person, and what is being
//! said. What is heard and played goes to the mind as it happens; when to speak, and when to fall silent, it decides.

mod coming;
mod delivering;
mod extent;
mod mouth;
mod native;
mod native_mouth;
mod overlap;
mod session;
mod sounds;
mod speaking;
mod telling;
mod track;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::{RoomEvent, RoomWish};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::{CancellationToken, DropGuard};
use vocabulary::{DeliveryId, PersonId, RoomId, VoiceLoss};

pub(crate) use self::native_mouth::{NativeSession, NativeWords, failed};
use self::session::Session;
pub(crate) use self::telling::Telling;
use crate::ports::{SpeechEngines, Voice, VoiceComing};

/// What every session needs.
pub(crate) struct Means {
    pub voice: Arc<dyn Voice>,
    pub speech: Arc<dyn SpeechEngines>,
    pub telling: Telling,
    /// The community is stopping: everything ends.
    pub over: CancellationToken,
}

/// The voice of a community's rooms.
pub(crate) struct VoiceFloor {
    means: Arc<Means>,
    rooms: BTreeMap<RoomId, RoomVoice>,
    _over: DropGuard,
}

/// The voice of one room.
struct RoomVoice {
    /// Who is not listened to; known before anybody's track is.
    unlistened: watch::Sender<BTreeSet<PersonId>>,
    session: Option<Session>,
}

impl VoiceFloor {
    /// Tells the mind who comes and goes from now on.
    pub fn begin(
        voice: Arc<dyn Voice>,
        coming: mpsc::Receiver<VoiceComing>,
        speech: Arc<dyn SpeechEngines>,
        telling: Telling,
    ) -> Self {
        let over = CancellationToken::new();
        let means = Arc::new(Means {
            voice,
            speech,
            telling,
            over: over.clone(),
        });
        means.spawn(coming::follow(coming, means.telling.clone()));
        let looking = means.clone();
        // What cannot be played stands in the log from the start, and not only when a model picks it.
        means.spawn(async move {
            looking.speech.sounds(&looking.telling.settings()).await;
        });
        Self {
            means,
            rooms: BTreeMap::new(),
            _over: over.drop_guard(),
        }
    }

    /// Starts carrying out a wish that concerns the voice of a room; others are nothing to it. Never waits.
    pub fn perform(&mut self, room: &RoomId, wish: RoomWish) {
        match wish {
            RoomWish::JoinVoice => self.join(room),
            RoomWish::LeaveVoice => self.leave(room),
            RoomWish::Speak {
                delivery,
                sentence,
                last,
                ..
            } => self.speak(room, &delivery, sentence, last),
            RoomWish::StopSpeaking => {
                if let Some(session) = self.session(room) {
                    session.stop_speaking();
                }
            }
            RoomWish::InstructService {
                instructions,
                tools,
                anew,
            } => {
                if let Some(native) = self.native(room) {
                    native.seat.instruct(instructions, tools, anew);
                }
            }
            RoomWish::TellService { text } => {
                if let Some(native) = self.native(room) {
                    native.seat.tell(text);
                }
            }
            RoomWish::Listen { person, listen } => {
                let voice = self.rooms.entry(room.clone()).or_insert_with(RoomVoice::new);
                voice.unlistened.send_modify(|unlistened| {
                    match listen {
                        true => unlistened.remove(&person),
                        false => unlistened.insert(person),
                    };
                });
            }
            RoomWish::PlaySound { name } => match self.session(room) {
                Some(session) => session.play_sound(name),
                None => self.tell(
                    room,
                    RoomEvent::SoundFailed {
                        name,
                        detail: "Denizen is not in the voice of this room".to_owned(),
                    },
                ),
            },
            _ => {}
        }
    }

    /// Falls silent everywhere, and lets go of everything.
    pub fn stop(&self) {
        for session in self.rooms.values().filter_map(|room| room.session.as_ref()) {
            session.stop_speaking();
        }
        self.means.over.cancel();
    }

    fn join(&mut self, room: &RoomId) {
        let voice = self.rooms.entry(room.clone()).or_insert_with(RoomVoice::new);
        // One that is still there is of no use to anybody.
        if let Some(before) = voice.session.take() {
            before.abandon();
        }
        let unlistened = voice.unlistened.subscribe();
        voice.session = Some(Session::begin(self.means.clone(), room.clone(), unlistened));
    }

    fn leave(&mut self, room: &RoomId) {
        let session = self.rooms.get_mut(room).and_then(|room| room.session.take());
        match session {
            Some(session) => session.leave(),
            None => self.tell(
                room,
                RoomEvent::VoiceLeft {
                    reason: VoiceLoss::Asked,
                    detail: String::new(),
                },
            ),
        }
    }

    fn speak(&mut self, room: &RoomId, delivery: &DeliveryId, sentence: String, last: bool) {
        if let Some(session) = self.session(room)
            && session.speak(delivery, sentence, last)
        {
            return;
        }
        let failed = RoomEvent::PlaybackFailed {
            delivery: delivery.clone(),
            detail: "Denizen is not in the voice of this room".to_owned(),
        };
        self.tell(room, failed);
    }

    /// The realtime service that answers by itself in a room, where one does.
    pub fn native(&self, room: &RoomId) -> Option<NativeSession> {
        self.session(room)?.native()
    }

    fn session(&self, room: &RoomId) -> Option<&Session> {
        self.rooms.get(room)?.session.as_ref()
    }

    fn tell(&self, room: &RoomId, event: RoomEvent) {
        let (telling, room) = (self.means.telling.clone(), room.clone());
        self.means
            .spawn(async move { telling.happened(&room, event).await });
    }
}

impl RoomVoice {
    fn new() -> Self {
        Self {
            unlistened: watch::Sender::new(BTreeSet::new()),
            session: None,
        }
    }
}

impl Means {
    /// Runs something until it is done, or the community stops.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let over = self.over.clone();
        tokio::spawn(async move {
            over.run_until_cancelled(work).await;
        });
    }
}
