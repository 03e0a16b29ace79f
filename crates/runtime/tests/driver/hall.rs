//! A voice room of the test's own: who is there, what they say, and what is heard of Denizen, frame by frame.

use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use bytes::Bytes;
use runtime::ports::{
    ChosenSpeech, ClipListener, HeardSpeech, Hearing, Listened, PlaybackExtent, RealtimeService,
    RealtimeSound, SoundFrame, Speech, SpeechEngines, SpeechFault, SpeechStanding, Spoken, SpokenSound,
    Utterance, Voice, VoiceComing, VoiceEvent, VoiceFault, VoiceRoom,
};
use settings::Settings;
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;
use vocabulary::{Author, AuthorKind, DeliveryId, PersonId, RoomId, Span};

use crate::given::ROOM;

/// Frames of a sentence, without words in time.
pub const FRAMES_A_SENTENCE: usize = 10;

/// The room, its people's ears and Denizen's mouth.
#[derive(Clone)]
pub struct Hall(Arc<Inner>);

struct Inner {
    coming: mpsc::Sender<VoiceComing>,
    /// Where what happens is told, while Denizen is in.
    events: Mutex<Option<mpsc::Sender<VoiceEvent>>>,
    people: Mutex<Vec<Author>>,
    /// How many frames may be heard.
    patience: watch::Sender<usize>,
    heard: watch::Sender<usize>,
    stops: Notify,
    /// What the ears will hear of each frame of a track.
    words: Mutex<mpsc::Receiver<HeardSpeech>>,
    /// The realtime service that thinks for itself, where one does.
    native: Mutex<Option<Arc<dyn RealtimeService>>>,
    /// How many frames reached the ears.
    pub listened: watch::Sender<usize>,
    /// Whether what is left to be understood at the end of a track is.
    understands: watch::Sender<bool>,
}

/// The other end: what people say.
pub type Words = mpsc::Sender<HeardSpeech>;

impl Hall {
    pub fn open() -> (Self, mpsc::Receiver<VoiceComing>, Words) {
        let (coming, told) = mpsc::channel(16);
        let (words, heard) = mpsc::channel(64);
        let inner = Inner {
            coming,
            events: Mutex::default(),
            people: Mutex::default(),
            patience: watch::Sender::new(usize::MAX),
            heard: watch::Sender::new(0),
            stops: Notify::new(),
            words: Mutex::new(heard),
            native: Mutex::default(),
            listened: watch::Sender::new(0),
            understands: watch::Sender::new(true),
        };
        (Self(Arc::new(inner)), told, words)
    }

    /// Somebody comes; what they send is theirs to say.
    pub async fn comes(&self, name: &str) -> Author {
        let author = Author {
            id: PersonId::new(name),
            name: name.to_owned(),
            kind: AuthorKind::Person,
        };
        lock(&self.0.people).push(author.clone());
        let room = RoomId::new(ROOM);
        let joined = VoiceComing::Joined {
            room,
            author: author.clone(),
        };
        self.0.coming.send(joined).await.expect("somebody listens");
        author
    }

    /// A track of somebody, once Denizen is in.
    pub async fn track(&self, person: &PersonId) -> mpsc::Sender<SoundFrame> {
        let (frames, track) = mpsc::channel(16);
        let events = lock(&self.0.events).clone().expect("Denizen is in");
        let (person, frames_of) = (person.clone(), track);
        let told = VoiceEvent::Track {
            person,
            frames: frames_of,
        };
        events.send(told).await.expect("Denizen is in");
        frames
    }

    /// A realtime service thinks for itself.
    pub fn is_served_by(&self, service: Arc<dyn RealtimeService>) {
        *lock(&self.0.native) = Some(service);
    }

    /// Somebody goes; their track ends with its sender.
    pub async fn leaves(&self, person: &PersonId) {
        lock(&self.0.people).retain(|author| author.id != *person);
        let events = lock(&self.0.events).clone().expect("Denizen is in");
        let left = VoiceEvent::Left(person.clone());
        events.send(left).await.expect("Denizen is in");
        let room = RoomId::new(ROOM);
        let person = person.clone();
        let left = VoiceComing::Left { room, person };
        self.0.coming.send(left).await.expect("somebody listens");
    }

    /// What is said last is understood from now on, or not before this is called again.
    pub fn understands(&self, understands: bool) {
        self.0.understands.send_replace(understands);
    }

    /// The connection breaks.
    pub async fn breaks(&self) {
        let events = lock(&self.0.events).take().expect("Denizen is in");
        let lost = VoiceFault::Lost {
            room: RoomId::new(ROOM),
            detail: "the cable was pulled".to_owned(),
        };
        events.send(VoiceEvent::Ended(lost)).await.expect("Denizen is in");
    }

    /// So many frames of each delivery are heard, and no more for now.
    pub fn hear(&self, frames: usize) {
        self.0.patience.send_replace(frames);
    }

    /// Until so many frames were heard of what is said now.
    pub async fn is_heard_for(&self, frames: usize) {
        let mut heard = self.0.heard.subscribe();
        heard
            .wait_for(|heard| *heard >= frames)
            .await
            .expect("the hall is there");
    }

    pub fn listened(&self) -> usize {
        *self.0.listened.borrow()
    }
}

pub fn sound() -> SoundFrame {
    SoundFrame {
        samples: Bytes::from(vec![0; 1_920]),
        at: Span::ZERO,
    }
}

/// How loud somebody's clips are, so that they can be told apart.
pub fn loudness(person: &PersonId) -> i16 {
    person.as_str().bytes().next().map_or(0, i16::from)
}

/// What somebody said in one go.
pub fn utterance(text: &str) -> HeardSpeech {
    HeardSpeech::Utterance(Utterance {
        text: text.to_owned(),
        spoken: Span(1_500),
        silence: Span(700),
        took: Span(100),
        engine: "test".to_owned(),
        cost_micro_dollars: Some(7),
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("not poisoned")
}

#[async_trait]
impl Voice for Hall {
    async fn join(&self, _: &RoomId) -> Result<(Box<dyn VoiceRoom>, mpsc::Receiver<VoiceEvent>), VoiceFault> {
        let (events, told) = mpsc::channel(16);
        for author in lock(&self.0.people).iter() {
            events
                .try_send(VoiceEvent::Joined(author.clone()))
                .expect("room for it");
        }
        *lock(&self.0.events) = Some(events);
        Ok((Box::new(Seat(self.clone())), told))
    }
}

struct Seat(Hall);

#[async_trait]
impl VoiceRoom for Seat {
    async fn play(
        &self,
        _: &DeliveryId,
        mut frames: mpsc::Receiver<SoundFrame>,
    ) -> Result<PlaybackExtent, VoiceFault> {
        let hall = &self.0.0;
        let mut patience = hall.patience.subscribe();
        hall.heard.send_replace(0);
        let mut heard = 0;
        loop {
            let next = async {
                patience
                    .wait_for(|frames| *frames > heard)
                    .await
                    .expect("the hall is there");
                frames.recv().await
            };
            tokio::select! {
                biased;
                () = hall.stops.notified() => return Ok(PlaybackExtent::Until(Span(20 * heard as u64))),
                frame = next => match frame {
                    Some(_) => {
                        heard += 1;
                        hall.heard.send_replace(heard);
                    }
                    None => return Ok(PlaybackExtent::Whole),
                },
            }
        }
    }

    fn stop(&self) {
        self.0.0.stops.notify_waiters();
    }

    async fn leave(self: Box<Self>) {}
}

#[async_trait]
impl Hearing for Hall {
    fn through(&self, listener: Arc<dyn ClipListener>) -> Option<Arc<dyn Hearing>> {
        Some(Arc::new(Through(self.clone(), listener)))
    }

    async fn listen(
        &self,
        _: &PersonId,
        mut frames: mpsc::Receiver<SoundFrame>,
        heard: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) -> Result<Listened, SpeechFault> {
        let listening = async {
            while frames.recv().await.is_some() {
                self.0.listened.send_modify(|count| *count += 1);
                let said = lock(&self.0.words).try_recv();
                if let Ok(said) = said {
                    let _ = heard.send(said).await;
                }
            }
            let mut understands = self.0.understands.subscribe();
            let _ = understands.wait_for(|understands| *understands).await;
            loop {
                let said = lock(&self.0.words).try_recv();
                let Ok(said) = said else { return };
                let _ = heard.send(said).await;
            }
        };
        let mut listened = Listened::default();
        tokio::select! {
            biased;
            () = cancel.cancelled() => listened.given_up.push(Span(900)),
            () = listening => {}
        }
        Ok(listened)
    }
}

/// Ears that give each clip to somebody else.
struct Through(Hall, Arc<dyn ClipListener>);

#[async_trait]
impl Hearing for Through {
    async fn listen(
        &self,
        person: &PersonId,
        frames: mpsc::Receiver<SoundFrame>,
        heard: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) -> Result<Listened, SpeechFault> {
        let (own, mut said) = mpsc::channel(64);
        let listening = self.0.listen(person, frames, own, cancel);
        let telling = async {
            while let Some(said) = said.recv().await {
                let said = match said {
                    HeardSpeech::Utterance(utterance) => {
                        let until = tokio::time::Instant::now() + std::time::Duration::from_secs(5);
                        let clip: Arc<[i16]> = vec![loudness(person); 16_000].into();
                        let words = self.1.understand(person, clip, until).await;
                        let text = words.expect("it understands").text;
                        HeardSpeech::Utterance(Utterance { text, ..utterance })
                    }
                    other => other,
                };
                let _ = heard.send(said).await;
            }
        };
        let (listened, ()) = tokio::join!(listening, telling);
        listened
    }
}

#[async_trait]
impl Speech for Hall {
    async fn pass_on(
        &self,
        mut pieces: mpsc::Receiver<RealtimeSound>,
        sound_of: mpsc::Sender<SpokenSound>,
        cancel: CancellationToken,
    ) -> Spoken {
        while let Some(Some(piece)) = cancel.run_until_cancelled(pieces.recv()).await {
            let characters = piece.marks.last().map(|(_, characters)| *characters);
            // A tenth of a second.
            for _ in 0..5 {
                let frame = SpokenSound {
                    frame: sound(),
                    sentence: 0,
                    characters,
                };
                if sound_of.send(frame).await.is_err() {
                    return Spoken::default();
                }
            }
        }
        Spoken::default()
    }

    async fn speak(
        &self,
        _: &str,
        mut sentences: mpsc::Receiver<String>,
        sound_of: mpsc::Sender<SpokenSound>,
        cancel: CancellationToken,
    ) -> Spoken {
        let mut spoken = Spoken {
            engine: "test".to_owned(),
            cost_micro_dollars: Some(11),
            ..Spoken::default()
        };
        let mut number = 0;
        while let Some(Some(sentence)) = cancel.run_until_cancelled(sentences.recv()).await {
            spoken.characters += sentence.chars().count() as u64;
            for _ in 0..FRAMES_A_SENTENCE {
                let frame = SpokenSound {
                    frame: sound(),
                    sentence: number,
                    characters: None,
                };
                if sound_of.send(frame).await.is_err() {
                    return spoken;
                }
            }
            number += 1;
        }
        spoken
    }
}

#[async_trait]
impl SpeechEngines for Hall {
    async fn chosen(&self, _: &Settings) -> ChosenSpeech {
        let standing = SpeechStanding {
            engine: "test".to_owned(),
            works: true,
            ..SpeechStanding::default()
        };
        let native = lock(&self.0.native).clone();
        ChosenSpeech {
            ears: Arc::new(self.clone()),
            mouth: Arc::new(self.clone()),
            ears_standing: standing.clone(),
            mouth_standing: standing,
            realtime: native.as_ref().map(|service| service.news()),
            native,
        }
    }

    async fn sound(&self, _: &Settings, _: &str) -> Result<Vec<SoundFrame>, String> {
        Ok(vec![sound()])
    }
}
