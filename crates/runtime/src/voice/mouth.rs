//! What Denizen says in a room: sentences become sound while the next are written, and how far it was heard is told.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mind::RoomEvent;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use vocabulary::{DeliveryId, RoomId};

use super::Means;
use super::extent::{Extent, samples};
use crate::live::LiveEvent;
use crate::ports::{PlaybackExtent, SoundFrame, Speech, Spoken, SpokenSound, VoiceFault, VoiceRoom};

/// Sentences of a delivery that wait for the voice.
const SENTENCES_WAITING_MAX: usize = 256;
/// Frames that are made before their time: a second.
const SOUND_WAITING_MAX: usize = 50;
/// Frames that wait where they are played.
const FRAMES_WAITING_MAX: usize = 16;
/// Deliveries that are known to be over.
const OVER_MAX: usize = 32;
/// How far it got is told once in this time.
const PROGRESS_EVERY: Duration = Duration::from_millis(400);

/// A room that Denizen is in.
pub(super) struct Door(pub Box<dyn VoiceRoom>);

/// What is being said in a room.
pub(super) struct RoomMouth {
    means: Arc<Means>,
    room: RoomId,
    door: Arc<Door>,
    voice: Arc<dyn Speech>,
    open: Mutex<Vec<Open>>,
    /// Those that were over last: nothing more of them is said.
    over: Mutex<VecDeque<DeliveryId>>,
    /// One is heard at a time.
    turn: tokio::sync::Mutex<()>,
    is_heard: Arc<AtomicBool>,
    tasks: TaskTracker,
}

/// A delivery that is being said.
struct Open {
    delivery: DeliveryId,
    /// None: all of it is written.
    sentences: Option<mpsc::Sender<String>>,
    text: String,
    saying: Arc<Saying>,
}

/// What a delivery's own task knows of it.
struct Saying {
    delivery: DeliveryId,
    extent: Mutex<Extent>,
    /// Nothing more of it is to be heard.
    stopped: CancellationToken,
}

/// How far a delivery is on its way to whoever plays it.
#[derive(Default)]
struct Pumped {
    frames: usize,
    is_started: bool,
    told: usize,
    told_at: Option<Instant>,
}

impl RoomMouth {
    pub fn new(means: Arc<Means>, room: RoomId, door: Arc<Door>, voice: Arc<dyn Speech>) -> Self {
        Self {
            means,
            room,
            door,
            voice,
            open: Mutex::default(),
            over: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            is_heard: Arc::default(),
            tasks: TaskTracker::new(),
        }
    }

    /// Whether something of it is heard.
    pub fn is_heard(&self) -> Arc<AtomicBool> {
        self.is_heard.clone()
    }

    /// Says one more sentence of a delivery.
    pub fn say(self: &Arc<Self>, delivery: &DeliveryId, sentence: String, last: bool) {
        if self.over().contains(delivery) {
            return;
        }
        let mut all = self.open();
        let place = all.iter().position(|open| open.delivery == *delivery);
        let place = place.unwrap_or_else(|| {
            all.push(self.begin(delivery));
            all.len() - 1
        });
        let open = &mut all[place];
        if !sentence.is_empty() {
            open.saying.extent().sentence(&sentence);
            if !open.text.is_empty() {
                open.text.push(' ');
            }
            open.text.push_str(&sentence);
            self.show(open, None);
            let waiting = open.sentences.as_ref();
            if waiting.is_some_and(|sentences| sentences.try_send(sentence).is_err()) {
                tracing::warn!(%delivery, "too much waits to be said; what follows is not");
                open.sentences = None;
            }
        }
        if last {
            open.sentences = None;
        }
    }

    fn begin(self: &Arc<Self>, delivery: &DeliveryId) -> Open {
        let (sentences, waiting) = mpsc::channel(SENTENCES_WAITING_MAX);
        let saying = Arc::new(Saying {
            delivery: delivery.clone(),
            extent: Mutex::default(),
            stopped: CancellationToken::new(),
        });
        let (own, its) = (self.clone(), saying.clone());
        let over = self.means.over.clone();
        self.tasks.spawn(async move {
            over.run_until_cancelled(own.deliver(its, waiting)).await;
        });
        Open {
            delivery: delivery.clone(),
            sentences: Some(sentences),
            text: String::new(),
            saying,
        }
    }

    /// Falls silent within a frame.
    pub fn stop(&self) {
        self.door.0.stop();
        for open in self.open().iter_mut() {
            open.sentences = None;
            open.saying.stopped.cancel();
        }
    }

    /// Waits until what was stopped is told.
    pub async fn settled(&self, patience: Duration) {
        self.tasks.close();
        let _ = tokio::time::timeout(patience, self.tasks.wait()).await;
    }

    /// Plays sound that is not speech, when nothing else is heard.
    pub async fn play(
        &self,
        name: &DeliveryId,
        frames: mpsc::Receiver<SoundFrame>,
    ) -> Result<(), VoiceFault> {
        let _turn = self.turn.lock().await;
        self.door.0.play(name, frames).await.map(|_| ())
    }

    async fn deliver(&self, saying: Arc<Saying>, sentences: mpsc::Receiver<String>) {
        let turn = self.turn.lock().await;
        let (sound, sounds) = mpsc::channel(SOUND_WAITING_MAX);
        let (frames, playing) = mpsc::channel(FRAMES_WAITING_MAX);
        let speaking = self.voice.speak("", sentences, sound, saying.stopped.clone());
        let playing = async {
            let played = self.door.0.play(&saying.delivery, playing).await;
            let was_stopped = saying.stopped.is_cancelled();
            // Whoever plays it no more need not be given more of it.
            saying.stopped.cancel();
            (played, was_stopped)
        };
        let pumping = self.pump(&saying, sounds, frames);
        let (spoken, (played, was_stopped), pumped) = tokio::join!(speaking, playing, pumping);
        self.is_heard.store(false, Ordering::Relaxed);
        drop(turn);
        self.ended(&saying, &spoken, played, was_stopped, &pumped).await;
    }

    /// Hands the sound on as it is made and played, and tells how far that is.
    async fn pump(
        &self,
        saying: &Saying,
        mut sounds: mpsc::Receiver<SpokenSound>,
        frames: mpsc::Sender<SoundFrame>,
    ) -> Pumped {
        let mut pumped = Pumped::default();
        loop {
            let is_heard = self.is_heard.load(Ordering::Relaxed);
            let sound = tokio::select! {
                biased;
                sound = sounds.recv() => sound,
                // All of it was heard by now, and what follows is still being looked up or written.
                _ = frames.reserve_many(FRAMES_WAITING_MAX), if is_heard => {
                    self.is_heard.store(false, Ordering::Relaxed);
                    continue;
                }
            };
            let Some(sound) = sound else { break };
            self.is_heard.store(pumped.is_started, Ordering::Relaxed);
            saying.extent().frame(&sound);
            if frames.send(sound.frame).await.is_err() {
                return pumped;
            }
            pumped.frames += 1;
            if !pumped.is_started {
                // Nothing waits there any more once the first was taken, and what is taken is heard.
                if frames.reserve_many(FRAMES_WAITING_MAX).await.is_err() {
                    return pumped;
                }
                pumped.is_started = true;
                self.is_heard.store(true, Ordering::Relaxed);
                let started = RoomEvent::PlaybackStarted {
                    delivery: saying.delivery.clone(),
                };
                self.means.telling.happened(&self.room, started).await;
            }
            let waiting = FRAMES_WAITING_MAX - frames.capacity();
            self.progressed(saying, pumped.frames.saturating_sub(waiting), &mut pumped)
                .await;
        }
        saying.extent().whole();
        pumped
    }

    /// Tells how much was heard when so many frames were, where that is news.
    async fn progressed(&self, saying: &Saying, frames: usize, pumped: &mut Pumped) {
        let characters = {
            let extent = saying.extent();
            extent.characters_at(extent.of_frames(frames))
        };
        let lately = |at: Instant| at.elapsed() < PROGRESS_EVERY;
        if characters > pumped.told && !pumped.told_at.is_some_and(lately) {
            (pumped.told, pumped.told_at) = (characters, Some(Instant::now()));
            self.tell_progress(&saying.delivery, characters).await;
        }
    }

    async fn tell_progress(&self, delivery: &DeliveryId, characters: usize) {
        let progressed = RoomEvent::PlaybackProgressed {
            delivery: delivery.clone(),
            characters,
        };
        self.means.telling.happened(&self.room, progressed).await;
    }

    async fn ended(
        &self,
        saying: &Saying,
        spoken: &Spoken,
        played: Result<PlaybackExtent, VoiceFault>,
        was_stopped: bool,
        pumped: &Pumped,
    ) {
        let delivery = saying.delivery.clone();
        let (handed, whole) = {
            let extent = saying.extent();
            let handed = extent.characters_at(extent.of_frames(pumped.frames));
            let until = |span| extent.characters_at(samples(span));
            let heard = match &played {
                Ok(PlaybackExtent::Until(span)) => until(*span),
                _ => handed,
            };
            (heard, matches!(played, Ok(PlaybackExtent::Whole)))
        };
        let failure = match (&played, &spoken.fault) {
            (Err(fault), _) => Some(fault.to_string()),
            (Ok(_), Some(fault)) if !was_stopped => Some(fault.detail.clone()),
            (Ok(_), _) if !was_stopped && !pumped.is_started => {
                Some("there is nothing in it that can be said aloud".to_owned())
            }
            _ => None,
        };
        let is_all = whole && !was_stopped && failure.is_none();
        self.close(&delivery, (!is_all).then_some(handed));
        let event = match failure {
            Some(detail) => {
                if handed > pumped.told {
                    self.tell_progress(&delivery, handed).await;
                }
                RoomEvent::PlaybackFailed { delivery, detail }
            }
            None => RoomEvent::PlaybackEnded {
                delivery,
                cut_after: (!is_all).then_some(handed),
            },
        };
        let telling = &self.means.telling;
        telling.happened(&self.room, event).await;
        if spoken.characters > 0 {
            telling
                .paid(&self.room, &spoken.engine, spoken.cost_micro_dollars)
                .await;
        }
    }

    /// It is said; the pages are told how much of it was heard.
    fn close(&self, delivery: &DeliveryId, cut_after: Option<usize>) {
        let mut all = self.open();
        let Some(place) = all.iter().position(|open| open.delivery == *delivery) else {
            return;
        };
        let open = all.remove(place);
        let mut over = self.over();
        over.push_back(delivery.clone());
        if over.len() > OVER_MAX {
            over.pop_front();
        }
        drop(over);
        let heard = match cut_after {
            Some(characters) => open.text.chars().take(characters).collect(),
            None => open.text.clone(),
        };
        self.show(&open, Some(heard));
    }

    fn show(&self, open: &Open, heard: Option<String>) {
        self.means.telling.show(LiveEvent::VoiceSaying {
            room: self.room.clone(),
            delivery: open.delivery.clone(),
            text: open.text.clone(),
            heard,
        });
    }

    fn over(&self) -> MutexGuard<'_, VecDeque<DeliveryId>> {
        self.over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Saying {
    fn extent(&self) -> MutexGuard<'_, Extent> {
        self.extent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
