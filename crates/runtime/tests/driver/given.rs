//! What the tests stand on: a store on a real disk, a clock that is set by hand, and a model that says what it is told to.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use mind::{Delivery, Input, JournalEntry};
use runtime::memory::MemoryService;
use runtime::ports::{
    Delta, JournalQuery, Language, LanguageStatus, ModelWarning, NoSpeech, NoVoice, OutboundServices,
    Prepared, RawResponse, Rooms, SendFailure, SpeechEngines, Store, Voice, VoiceComing,
};
use runtime::{Parts, Running, TimeSource, start_by};
use serde_json::Value;
use settings::{Document, Settings};
use stand_ins::{TestSight, models};
use storage::Sqlite;
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use vocabulary::{
    AskFailure, AskOutcome, AskPurpose, AttachmentId, Author, AuthorKind, CommunityId, Message, MessageId,
    ModelRequest, PersonId, RoomFacts, RoomId, Span, WallTime,
};

use crate::gate::Gate;

pub const ROOM: &str = "lounge";
const MODEL: &str = "scripted";

/// A clock that begins now, since what is old is swept away, and stands still unless it is moved on.
#[derive(Debug)]
pub struct ByHand {
    began: WallTime,
    passed: AtomicU64,
}

impl Default for ByHand {
    fn default() -> Self {
        Self {
            began: runtime::wall(),
            passed: AtomicU64::new(0),
        }
    }
}

impl ByHand {
    pub fn pass(&self, span: Span) {
        self.passed.fetch_add(span.0, Ordering::SeqCst);
    }

    pub fn elapsed_span(&self) -> Span {
        Span(self.passed.load(Ordering::SeqCst))
    }
}

impl TimeSource for ByHand {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.elapsed_span().0)
    }

    fn wall(&self) -> WallTime {
        WallTime(self.began.0 + i64::try_from(self.elapsed_span().0).expect("a few days"))
    }

    fn looked_at_every(&self) -> Duration {
        Duration::from_millis(20)
    }
}

/// Says "Understood." to people, and what it is told to when it thinks; without that it has no thought.
#[derive(Debug, Default)]
pub struct Model {
    thoughts: Mutex<VecDeque<Value>>,
    replies: Mutex<VecDeque<String>>,
    door: Door,
    /// What an operator should know of it, and what the next look around finds besides.
    warnings: Mutex<Vec<ModelWarning>>,
    to_be_found: Mutex<Vec<ModelWarning>>,
    looks: watch::Sender<u64>,
    /// What the next answer shows that nobody knew.
    to_be_learnt: Mutex<Vec<ModelWarning>>,
    lessons: AtomicU64,
    moved: watch::Sender<u64>,
}

impl Model {
    pub fn thinks_next(&self, thought: Value) {
        self.thoughts.lock().expect("not poisoned").push_back(thought);
    }

    /// Says this to people next.
    pub fn says_next(&self, reply: &str) {
        self.replies
            .lock()
            .expect("not poisoned")
            .push_back(reply.to_owned());
    }

    /// The next look around finds this to be wrong with it, or soon to be.
    pub fn will_be_found(&self, text: &str) {
        let warning = ModelWarning {
            text: text.to_owned(),
            broken: false,
        };
        self.to_be_found.lock().expect("not poisoned").push(warning);
    }

    /// The next answer shows this of it.
    pub fn will_be_learnt(&self, text: &str) {
        let warning = ModelWarning {
            text: text.to_owned(),
            broken: false,
        };
        self.to_be_learnt.lock().expect("not poisoned").push(warning);
    }

    /// How often somebody looked around.
    pub fn looks(&self) -> watch::Receiver<u64> {
        self.looks.subscribe()
    }

    /// Answers wait from now on.
    pub fn hold(&self) {
        self.door.hold();
    }

    pub fn release(&self) {
        self.door.release();
    }
}

/// Lets whoever comes wait, while it is held.
#[derive(Clone, Debug, Default)]
pub struct Door {
    held: watch::Sender<bool>,
    waiting: watch::Sender<usize>,
}

impl Door {
    pub fn hold(&self) {
        self.held.send_replace(true);
    }

    pub fn release(&self) {
        self.held.send_replace(false);
    }

    /// Until somebody waits at it.
    pub async fn is_waited_for(&self) {
        let mut waiting = self.waiting.subscribe();
        let somebody = waiting.wait_for(|waiting| *waiting > 0).await;
        somebody.expect("the door is there");
    }

    async fn go_through(&self) {
        let mut held = self.held.subscribe();
        self.waiting.send_modify(|waiting| *waiting += 1);
        let open = held.wait_for(|held| !held).await;
        open.expect("the door is there");
    }
}

#[async_trait]
impl Language for Model {
    fn prepare(
        &self,
        request: &ModelRequest,
        _: &BTreeMap<AttachmentId, Bytes>,
        _: &Settings,
    ) -> Result<Prepared, AskFailure> {
        let body = serde_json::to_vec(request).expect("plain data");
        Ok(models::prepared(MODEL, body))
    }

    async fn send(
        &self,
        request: &ModelRequest,
        _: &Prepared,
        _: mpsc::Sender<Delta>,
        _: RawResponse,
    ) -> AskOutcome {
        self.door.go_through().await;
        let learnt = std::mem::take(&mut *self.to_be_learnt.lock().expect("not poisoned"));
        if !learnt.is_empty() {
            self.warnings.lock().expect("not poisoned").extend(learnt);
            self.lessons.fetch_add(1, Ordering::SeqCst);
        }
        let text = match request.purpose {
            AskPurpose::AmbientThought => {
                let next = self.thoughts.lock().expect("not poisoned").pop_front();
                let none = serde_json::json!({"action": "drop", "reason": "nothing new"});
                next.unwrap_or(none).to_string()
            }
            _ => {
                let next = self.replies.lock().expect("not poisoned").pop_front();
                next.unwrap_or_else(|| "Understood.".to_owned())
            }
        };
        models::answered(MODEL, text)
    }

    async fn configure(&self, _: &Settings) {}

    async fn keep_up(&self) {
        let mut found = self.to_be_found.lock().expect("not poisoned");
        self.warnings.lock().expect("not poisoned").append(&mut found);
        self.looks.send_modify(|looks| *looks += 1);
    }

    fn lessons(&self) -> u64 {
        self.lessons.load(Ordering::SeqCst)
    }

    fn moved(&self) -> Option<watch::Receiver<u64>> {
        Some(self.moved.subscribe())
    }

    fn status(&self, _: &Settings) -> LanguageStatus {
        LanguageStatus {
            warnings: self.warnings.lock().expect("not poisoned").clone(),
            ..models::shown_as(MODEL)
        }
    }
}

/// A room that takes everything, at the time of the test's clock.
struct OpenRoom(Arc<ByHand>, Door);

#[async_trait]
impl Rooms for OpenRoom {
    async fn deliver(&self, delivery: &Delivery) -> Result<Message, SendFailure> {
        self.1.go_through().await;
        Ok(delivery.as_message(PersonId::new("denizen"), "Denizen", self.0.wall()))
    }

    async fn describe(&self) -> Vec<RoomFacts> {
        vec![RoomFacts::undescribed(RoomId::new(ROOM))]
    }
}

/// A data folder, and whatever a community on it is made of.
pub struct Home {
    _folder: TempDir,
    pub store: Arc<Sqlite>,
    pub clock: Arc<ByHand>,
    pub model: Arc<Model>,
    /// What is said waits at it.
    pub room: Door,
    pub memory: Option<MemoryService>,
}

pub fn community() -> CommunityId {
    CommunityId::home()
}

impl Home {
    /// A folder with these settings.
    pub async fn with(settings: Value) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Arc::new(Sqlite::open(folder.path()).expect("a store"));
        let document = Document::from_value(settings).expect("settings");
        let saved = store.save_settings(None, 0, document).await;
        saved.expect("settings can be saved");
        Self {
            _folder: folder,
            store,
            clock: Arc::default(),
            model: Arc::default(),
            room: Door::default(),
            memory: None,
        }
    }

    /// Rooms that take everything.
    pub fn open_room(&self) -> Arc<dyn Rooms> {
        Arc::new(OpenRoom(self.clock.clone(), self.room.clone()))
    }

    /// Brings the community up; its writes go through a gate.
    pub async fn start(&self) -> (Running, Gate) {
        let nobody = mpsc::channel(1).1;
        self.start_with(Arc::new(NoVoice), nobody, Arc::new(NoSpeech))
            .await
    }

    /// … with a voice room, ears and a mouth.
    pub async fn start_with(
        &self,
        voice: Arc<dyn Voice>,
        coming: mpsc::Receiver<VoiceComing>,
        speech: Arc<dyn SpeechEngines>,
    ) -> (Running, Gate) {
        let gate = Gate::before(self.store.clone());
        let parts = Parts {
            community: community(),
            denizen: PersonId::new("denizen"),
            store: Arc::new(gate.clone()),
            language: self.model.clone(),
            rooms: self.open_room(),
            sight: Arc::new(TestSight),
            outbound: OutboundServices::none(),
            memory: self.memory.clone(),
            voice,
            coming,
            speech,
        };
        let running = start_by(parts, self.clock.clone()).await;
        let running = running.unwrap_or_else(|error| panic!("{error}"));
        self.line("it knows what can be had", |line| {
            line.event.name() == "capabilities_changed"
        })
        .await;
        (running, gate)
    }

    /// Every line that is on disk.
    pub async fn journal(&self) -> Vec<JournalEntry> {
        let query = JournalQuery {
            limit: 10_000,
            ..JournalQuery::default()
        };
        let lines = self.store.journal(&community(), query).await;
        lines.expect("the journal can be read")
    }

    /// Waits until the journal has a line like that, and gives it.
    pub async fn line(&self, what: &str, wanted: impl Fn(&JournalEntry) -> bool) -> JournalEntry {
        for _ in 0..1_000 {
            if let Some(line) = self.journal().await.into_iter().rfind(|line| wanted(line)) {
                return line;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the journal never told that {what}: {:#?}", self.journal().await);
    }
}

/// Somebody says something.
pub fn said(number: usize, who: &str, text: &str) -> Input {
    Input::message_arrived(Message {
        id: MessageId::new(format!("m{number}")),
        room: RoomId::new(ROOM),
        author: Author {
            id: PersonId::new(who),
            name: who.to_owned(),
            kind: AuthorKind::Person,
        },
        text: text.to_owned(),
        at: runtime::wall(),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    })
}
