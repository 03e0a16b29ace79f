//! What Denizen says in a room: sentences become sound while the next are written, and how far it was heard is told.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mind::reply::read_heard;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use vocabulary::{DeliveryId, RoomId};

use super::Means;
use super::delivering::Source;
use super::extent::Extent;
use super::native::NativeSeat;
use crate::live::LiveEvent;
use crate::ports::{RealtimeSound, SoundFrame, Speech, VoiceFault, VoiceRoom};

/// Sentences of a delivery that wait for the voice.
const SENTENCES_WAITING_MAX: usize = 256;
/// Deliveries that are known to be over.
const OVER_MAX: usize = 32;

/// A room that Denizen is in.
pub(super) struct Door(pub Box<dyn VoiceRoom>);

/// What is being said in a room.
pub(super) struct RoomMouth {
    pub(super) means: Arc<Means>,
    pub(super) room: RoomId,
    pub(super) door: Arc<Door>,
    pub(super) voice: Arc<dyn Speech>,
    open: Mutex<Vec<Open>>,
    /// Those that were over last: nothing more of them is said.
    over: Mutex<VecDeque<DeliveryId>>,
    /// One is heard at a time.
    pub(super) turn: tokio::sync::Mutex<()>,
    pub(super) is_heard: Arc<AtomicBool>,
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
pub(super) struct Saying {
    pub(super) delivery: DeliveryId,
    pub(super) extent: Mutex<Extent>,
    /// The service that says it by itself, where one does.
    pub(super) native: Option<Arc<NativeSeat>>,
    /// Nothing more of it is to be heard.
    pub(super) stopped: CancellationToken,
    /// It fell silent, and whoever says it by themselves was told how much was heard.
    pub(super) is_told: CancellationToken,
}

/// What a service is saying by itself.
pub(super) struct NativeSaying {
    mouth: Arc<RoomMouth>,
    saying: Arc<Saying>,
}

impl NativeSaying {
    /// It says more.
    pub fn words(&self, words: &str) {
        self.saying.extent().grows(words);
        let mut all = self.mouth.open();
        if let Some(open) = all.iter_mut().find(|open| open.delivery == self.saying.delivery) {
            open.text.push_str(words);
            self.mouth.show(open, None);
        }
    }

    /// Waits until it has fallen silent, and the service was told how much of it was heard.
    pub async fn stopped(&self) {
        self.saying.is_told.cancelled().await;
    }

    /// Whether something of it was heard.
    pub fn is_heard(&self) -> bool {
        self.saying.extent().is_begun()
    }
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
            let (sentences, waiting) = mpsc::channel(SENTENCES_WAITING_MAX);
            let open = self.begin(delivery, None, Source::Sentences(waiting));
            all.push(Open {
                sentences: Some(sentences),
                ..open
            });
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

    /// Has a service heard that says something by itself.
    pub fn say_natively(
        self: &Arc<Self>,
        delivery: &DeliveryId,
        seat: Arc<NativeSeat>,
        sound: mpsc::Receiver<RealtimeSound>,
    ) -> NativeSaying {
        let open = self.begin(delivery, Some(seat), Source::Sound(sound));
        open.saying.extent().sentence("");
        let saying = open.saying.clone();
        self.open().push(open);
        NativeSaying {
            mouth: self.clone(),
            saying,
        }
    }

    fn begin(
        self: &Arc<Self>,
        delivery: &DeliveryId,
        native: Option<Arc<NativeSeat>>,
        source: Source,
    ) -> Open {
        let saying = Arc::new(Saying {
            delivery: delivery.clone(),
            extent: Mutex::default(),
            native,
            stopped: CancellationToken::new(),
            is_told: CancellationToken::new(),
        });
        let (own, its) = (self.clone(), saying.clone());
        let over = self.means.over.clone();
        self.tasks.spawn(async move {
            over.run_until_cancelled(own.deliver(its, source)).await;
        });
        Open {
            delivery: delivery.clone(),
            sentences: None,
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

    /// Falls silent where this is being said, or is to be.
    pub fn stop_one(&self, delivery: &DeliveryId) {
        let mut all = self.open();
        let Some(open) = all.iter_mut().find(|open| open.delivery == *delivery) else {
            return;
        };
        if open.saying.extent().is_begun() {
            self.door.0.stop();
        }
        open.sentences = None;
        open.saying.stopped.cancel();
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

    /// It is said; the pages are told how much of it was heard.
    pub(super) fn close(&self, delivery: &DeliveryId, cut_after: Option<usize>) {
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
        // What a service says by itself may have marks in it that are no words.
        let words = |text: String| match &open.saying.native {
            Some(_) => read_heard(&text, &self.means.telling.settings().identity.name),
            None => text,
        };
        self.means.telling.show(LiveEvent::VoiceSaying {
            room: self.room.clone(),
            delivery: open.delivery.clone(),
            text: words(open.text.clone()),
            heard: heard.map(words),
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
    pub(super) fn extent(&self) -> MutexGuard<'_, Extent> {
        self.extent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
