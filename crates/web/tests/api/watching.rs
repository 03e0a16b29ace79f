//! A site with a real mind behind it, eyes that go by the first byte of a picture, and a model that says what it is told to.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use mind::JournalEntry;
use reach::Reach;
use reqwest::Method;
use runtime::live::{LiveEvent, Numbered};
use runtime::ports::{Delta, Language, LanguageStatus, Prepared, RawResponse, Streams};
use runtime::{Handle, Parts, Running};
use serde_json::{Value, json};
use settings::Settings;
use stand_ins::{EverybodyThere, TestSight, models};
use tokio::net::TcpListener;
use tokio::sync::broadcast::Receiver;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, AskPurpose, AttachmentId, CommunityId, ModelRequest, PersonId,
    RoomId,
};
use voice_intake::{Halls, Lobby};
use web::Site;

use crate::caller::{Answer, Caller, answer};
use crate::driver::{TOKEN, access};
use crate::stand_ins::MemoryStore;

const PATIENCE: Duration = Duration::from_secs(30);

/// A site that runs until it is dropped.
pub struct Watching {
    pub address: SocketAddr,
    pub caller: Caller,
    pub handle: Handle,
    pub store: Arc<MemoryStore>,
    pub seer: Arc<Seer>,
    /// The voice of its rooms.
    pub halls: Halls,
    events: Receiver<Arc<Numbered>>,
    running: Option<Running>,
    shutdown: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<std::io::Result<()>>>,
}

/// What is different from the usual.
#[derive(Default)]
pub struct With {
    pub settings: Vec<(&'static str, Value)>,
    pub token: bool,
    pub streams: Option<Arc<dyn Streams>>,
}

/// A link that was given out.
#[derive(Clone)]
pub struct Link {
    pub share: String,
    pub token: String,
    pub frames: String,
    pub whip: String,
}

pub async fn watching() -> Watching {
    watching_with(With::default()).await
}

pub async fn watching_with(with: With) -> Watching {
    let store = Arc::new(MemoryStore::default());
    let seer = Arc::new(Seer::default());
    let (told, coming) = mpsc::channel(16);
    let lobby = Lobby::new();
    lobby.is_reached_at(Reach::of(Ipv4Addr::LOCALHOST.into(), None).unwrap());
    let halls = Halls::new(lobby, told);
    let running = runtime::start(Parts {
        community: CommunityId::from("local"),
        denizen: PersonId::from("denizen"),
        store: store.clone(),
        language: seer.clone(),
        rooms: Arc::new(EverybodyThere),
        sight: Arc::new(TestSight),
        outbound: runtime::ports::OutboundServices::none(),
        memory: None,
        voice: Arc::new(halls.clone()),
        coming,
        speech: Arc::new(runtime::ports::NoSpeech),
    })
    .await
    .unwrap();
    let handle = running.handle.clone();
    let site = Site {
        town: runtime::Town::alone(runtime::Hosted {
            handle: handle.clone(),
            name: "local".into(),
            rooms: vec![RoomId::from("lounge"), RoomId::from("kitchen")],
            doors: Some(Arc::new(halls.clone())),
        }),
        access: access(),
        version: "9.9.9".into(),
        started: Instant::now(),
        export: Arc::new(|_| String::new()),
        streams: with.streams,
        abroad: Vec::new(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (shutdown, asked) = oneshot::channel();
    let serving = tokio::spawn(web::serve(listener, site, async {
        let _ = asked.await;
    }));
    let watching = Watching {
        address,
        caller: match with.token {
            true => Caller::new(address),
            false => Caller::knowing(address, TOKEN),
        },
        events: handle.live().subscribe(None).1,
        handle,
        store,
        seer,
        halls,
        running: Some(running),
        shutdown: Some(shutdown),
        serving: Some(serving),
    };
    // Commentary is another matter; what it would ask is in nobody's way here.
    let mut settings = vec![("voice.streamWatch.autonomousCommentaryEnabled", json!(false))];
    settings.extend(with.settings);
    watching.set(&settings).await;
    watching
}

impl Watching {
    pub async fn set(&self, changes: &[(&str, Value)]) {
        let version = self.handle.in_force().saved.version;
        let changes = changes
            .iter()
            .map(|(key, value)| ((*key).to_owned(), Some(value.clone())))
            .collect();
        let base = runtime::SettingsLayer::Base;
        self.handle.change_settings(base, version, changes).await.unwrap();
    }

    pub async fn link(&self, name: &str) -> Link {
        self.link_in("lounge", name).await
    }

    pub async fn link_in(&self, room: &str, name: &str) -> Link {
        let path = format!("/api/rooms/{room}/shares");
        let request = self
            .caller
            .with_json(Method::POST, &path, &json!({"name": name}))
            .bearer_auth(TOKEN);
        let given = answer(request).await.ok(201);
        let text = |field: &str| given[field].as_str().unwrap().to_owned();
        Link {
            share: text("share"),
            token: text("token"),
            frames: text("framesUrl"),
            whip: text("whipUrl"),
        }
    }

    /// Posts a picture.
    pub async fn post(&self, link: &Link, mime: &str, picture: impl Into<reqwest::Body>) -> Answer {
        let request = self.caller.request(Method::POST, &link.frames);
        let request = request
            .bearer_auth(&link.token)
            .header("content-type", mime)
            .body(picture);
        answer(request).await
    }

    /// Posts a good frame; the first byte is all the eye sees.
    pub async fn frame(&self, link: &Link, first: u8) -> Value {
        self.post(link, "image/jpeg", vec![first; 100]).await.ok(200)
    }

    pub async fn view(&self) -> Value {
        self.caller.get("/api/rooms/lounge/watch").await.ok(200)
    }

    /// Waits for a journal line of that name that has come since the site was opened, or the one before was waited for.
    pub async fn journaled(&mut self, name: &str) -> JournalEntry {
        loop {
            let event = tokio::time::timeout(PATIENCE, self.events.recv()).await;
            let event = event.unwrap_or_else(|_| panic!("no {name}")).unwrap();
            if let LiveEvent::Journal { entry } = &event.event
                && entry.event.name() == name
            {
                return entry.clone();
            }
        }
    }

    /// The journal lines of that name that are stored.
    pub fn journal_of(&self, name: &str) -> Vec<JournalEntry> {
        let kept = self.store.kept();
        let named = kept.journal.iter().filter(|entry| entry.event.name() == name);
        named.cloned().collect()
    }

    /// Everything that is in the journal, as text.
    pub fn journal_text(&self) -> String {
        serde_json::to_string(&self.store.kept().journal).unwrap()
    }

    /// Asks the server to end, and waits until it has.
    pub async fn close(&mut self) -> std::io::Result<()> {
        drop(self.shutdown.take());
        self.serving.take().expect("closed once").await.unwrap()
    }

    /// Ends the community alone; the server still answers.
    pub async fn stop_community(&mut self) {
        self.running.take().expect("stopped once").stop().await;
    }
}

/// A model that notes what it is told to, and is asked nothing else.
#[derive(Default)]
pub struct Seer {
    says: Mutex<Option<String>>,
}

impl Seer {
    /// What it will have seen from now on.
    pub fn sees(&self, text: &str) {
        *self.says.lock().unwrap() = Some(text.to_owned());
    }
}

#[async_trait]
impl Language for Seer {
    fn prepare(
        &self,
        _: &ModelRequest,
        images: &BTreeMap<AttachmentId, Bytes>,
        _: &Settings,
    ) -> Result<Prepared, AskFailure> {
        Ok(models::prepared(
            "seer",
            format!("{{\"pictures\": {}}}", images.len()),
        ))
    }

    async fn send(
        &self,
        request: &ModelRequest,
        _: &Prepared,
        _: mpsc::Sender<Delta>,
        _: RawResponse,
    ) -> AskOutcome {
        let said = self.says.lock().unwrap().clone();
        match said.filter(|_| request.purpose == AskPurpose::ScreenNote) {
            Some(text) => models::answered("seer", text),
            None => AskOutcome::Failed(AskFailure {
                kind: AskFailureKind::Rejected,
                detail: "nothing is seen in this test".into(),
                retry_after: None,
                usage: None,
                tries: 1,
            }),
        }
    }

    async fn configure(&self, _: &Settings) {}

    fn status(&self, _: &Settings) -> LanguageStatus {
        models::shown_as("seer")
    }
}
