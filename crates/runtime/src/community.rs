//! Brings a community up: restores its mind, goes on with what was under way, and starts its driver.

use std::sync::Arc;

use mind::snapshot::Salvage;
use mind::{Genesis, Input, RoomEvent, ShellEvent};
use settings::{Document, SettingError, Settings};
use thiserror::Error;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use vocabulary::{CommunityId, FrameId, Message, Now, PersonId, RoomId};

use crate::chores;
use crate::clock::{Clock, MachineTime, TimeSource, wall};
use crate::driver::changes::changed_words;
use crate::driver::{Driver, INPUTS_WAITING_MAX, begin_segment, clear_away};
use crate::figures::TownFigures;
use crate::handle::{Handle, HandleParts, InForce};
use crate::live::LiveFeed;
use crate::memory::MemoryService;
use crate::model_moves;
use crate::outbound;
use crate::performer::Performer;
use crate::ports::{
    Batch, Language, MessageQuery, OutboundServices, Resume, Rooms, SavedSettings, Sight, SpeechEngines,
    Store, StoreError, Voice, VoiceComing,
};
use crate::residents::Residents;
use crate::restore::restore;
use crate::voice::{Telling, VoiceFloor};

/// Messages of a room that a mind which has lost them is told.
const RECOVERED_MESSAGES_MAX: usize = 200;
/// Rooms that are told at most.
const RECOVERED_ROOMS_MAX: usize = 200;

/// What a community is made of.
#[allow(missing_debug_implementations, reason = "holds the adapters")]
pub struct Parts {
    pub community: CommunityId,
    pub denizen: PersonId,
    pub store: Arc<dyn Store>,
    pub language: Arc<dyn Language>,
    pub rooms: Arc<dyn Rooms>,
    /// Looks at the pictures of shared screens.
    pub sight: Arc<dyn Sight>,
    /// Feeds, tools and media out there.
    pub outbound: OutboundServices,
    /// None: nothing is remembered across sessions.
    pub memory: Option<MemoryService>,
    /// The voice of its rooms.
    pub voice: Arc<dyn Voice>,
    /// Who comes and goes there.
    pub coming: mpsc::Receiver<VoiceComing>,
    /// Ears and mouths.
    pub speech: Arc<dyn SpeechEngines>,
}

/// Why a community could not be brought up.
#[derive(Debug, Error)]
pub enum StartError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "the saved settings are not valid any more:\n{}\nCorrect them with `denizen settings set` or `denizen settings reset`, or run `denizen settings migrate`",
        .0.iter().map(|error| format!("  {error}")).collect::<Vec<_>>().join("\n")
    )]
    Settings(Vec<SettingError>),
}

/// A community that runs until it is told to stop.
#[derive(Debug)]
pub struct Running {
    pub handle: Handle,
    driver: JoinHandle<()>,
    /// The driver has ended, however it did.
    over: CancellationToken,
    /// Work beside the driver that holds handles, so it ends with this.
    beside: Vec<AbortOnDropHandle<()>>,
}

impl Running {
    /// Stops it: what was taken in is on disk, and its state is kept for the next start.
    pub async fn stop(self) {
        drop(self.beside);
        self.handle.screens.close();
        let _ = self
            .handle
            .accept(Input::Shell(ShellEvent::ShutdownRequested))
            .await;
        let _ = self.driver.await;
    }

    /// Says which community it was when its driver has ended by itself, which it does only when storage fails for good.
    pub(crate) fn tell_when_ended(&mut self, ended: watch::Sender<Option<CommunityId>>) {
        let (over, community) = (self.over.clone(), self.handle.community.clone());
        let telling = tokio::spawn(async move {
            over.cancelled().await;
            ended.send_replace(Some(community));
        });
        self.beside.push(AbortOnDropHandle::new(telling));
    }
}

/// Brings a community up that is alone in its process, with the chores it would share with others in a town.
pub async fn start(parts: Parts) -> Result<Running, StartError> {
    start_by(parts, Arc::new(MachineTime::default())).await
}

/// The same by a clock of one's own.
pub async fn start_by(parts: Parts, time: Arc<dyn TimeSource>) -> Result<Running, StartError> {
    let memory = parts.memory.clone();
    let mut running = bring_up_by(parts, time, TownFigures::default()).await?;
    let residents = Residents::new(running.handle.community().clone());
    residents.add(running.handle.clone());
    running.beside.extend(chores::start(&residents, memory));
    Ok(running)
}

/// Brings a community up; the chores of its process are somebody else's.
pub(crate) async fn bring_up(parts: Parts, figures: TownFigures) -> Result<Running, StartError> {
    bring_up_by(parts, Arc::new(MachineTime::default()), figures).await
}

async fn bring_up_by(
    mut parts: Parts,
    time: Arc<dyn TimeSource>,
    figures: TownFigures,
) -> Result<Running, StartError> {
    let saved = parts.store.settings(&parts.community).await?;
    let in_force = InForce::read(saved, &parts.community).map_err(StartError::Settings)?;
    parts.language.get_ready(&in_force.settings).await;
    let resume = parts.store.resume(&parts.community).await?;
    if let Err(error) = parts.store.interrupt_asks(&parts.community).await {
        tracing::warn!(%error, "model calls that the last process left open are still shown as under way");
    }
    let last = Now {
        moment: resume.last_moment,
        wall: resume.last_wall,
    };
    let last_input = resume.last_input;
    let (clock, away) = Clock::resume(time, last);
    let restored = restore(&parts.community, genesis(&parts, &resume), &resume);
    if !restored.missing_journal.is_empty() {
        let batch = Batch {
            journal: restored.missing_journal,
            ..Batch::default()
        };
        parts.store.commit(&parts.community, batch).await?;
    }
    let (outcomes, outcomes_receiver) = mpsc::channel(INPUTS_WAITING_MAX);
    let live = LiveFeed::new(
        parts.community.clone(),
        u64::try_from(wall().0).unwrap_or(0) * 1_000,
    )
    .counted_by(figures);
    let (mut handle, queues) = Handle::open(HandleParts {
        community: parts.community.clone(),
        denizen: parts.denizen.clone(),
        store: parts.store.clone(),
        language: parts.language.clone(),
        memory: parts.memory.clone(),
        outbound: parts.outbound.clone(),
        sight: parts.sight.clone(),
        rooms: parts.rooms.clone(),
        speech: parts.speech.clone(),
        in_force: in_force.clone(),
        live: live.clone(),
        first_frame: FrameId(restored.mind.last_frame().0 + 1),
        inputs_waiting_max: INPUTS_WAITING_MAX,
    });
    handle.salvaged = restored.salvaged.clone().map(Arc::new);
    parts.rooms.attach(live.clone());
    let rooms = parts.rooms.clone();
    let coming = std::mem::replace(&mut parts.coming, mpsc::channel(1).1);
    let telling = Telling::new(
        parts.community.clone(),
        outcomes.clone(),
        handle.reflexes.clone(),
        live.clone(),
        handle.in_force.clone(),
    );
    let voice = VoiceFloor::begin(parts.voice.clone(), coming, parts.speech.clone(), telling);
    let performer = Performer::new(
        &parts,
        handle.screens.clone(),
        voice,
        live,
        handle.in_force.clone(),
        outcomes,
        handle.forgetting.clone(),
        handle.ailments.clone(),
        handle.reply_model.clone(),
    );
    // The last process may have ended before memory had followed; the last change of each message is how it stands.
    performer.follow_changes(resume.inputs.iter().filter_map(changed_words).collect());
    handle.reply_model.knows(&restored.mind);
    let mut driver = Driver::new(
        parts.community,
        parts.store,
        parts.memory.clone(),
        restored.mind,
        clock,
        in_force,
        performer,
        last_input,
        handle.ailments.clone(),
    );
    begin_segment(&mut driver).await?;
    if let Some(Salvage { carried, lost }) = restored.salvaged {
        let messages = recent_messages(handle.store.as_ref(), &handle.community, resume.rooms).await?;
        driver
            .take_in(Input::Shell(ShellEvent::StateSalvaged {
                carried,
                lost,
                messages,
            }))
            .await?;
    }
    if last_input > 0 {
        driver
            .take_in(Input::Shell(ShellEvent::Restarted { down_for: away }))
            .await?;
    }
    for facts in rooms.describe().await {
        driver
            .take_in(Input::Room(facts.id.clone(), RoomEvent::Described(facts)))
            .await?;
    }
    let language = handle.language.as_ref();
    for news in handle.reply_model.news(language, &handle.in_force().settings) {
        driver.take_in(news).await?;
    }
    for forgotten in resume.forgetting {
        let memory = parts.memory.clone();
        clear_away(&mut driver, forgotten, memory, None);
    }
    let over = CancellationToken::new();
    let ending = over.clone().drop_guard();
    let driver = tokio::spawn(async move {
        driver.run(queues, outcomes_receiver).await;
        drop(ending);
    });
    let telling = outbound::keep_telling(parts.outbound, handle.clone(), handle.in_force.clone());
    let moves = model_moves::keep_telling(parts.language, handle.clone(), handle.in_force.clone());
    let beside = [tokio::spawn(telling), tokio::spawn(moves)];
    let beside = beside.into_iter().map(AbortOnDropHandle::new).collect();
    Ok(Running {
        handle,
        driver,
        over,
        beside,
    })
}

/// What a mind is born from where nothing of an earlier one can be read.
fn genesis(parts: &Parts, resume: &Resume) -> Genesis {
    Genesis {
        community: parts.community.clone(),
        denizen: parts.denizen.clone(),
        seed: u64::try_from(wall().0).unwrap_or(0),
        last_journal: resume.last_journal,
        last_turn: resume.last_turn,
        last_ask: resume.last_ask,
    }
}

/// The newest messages of every room, oldest first, for a mind that has lost what was said.
async fn recent_messages(
    store: &dyn Store,
    community: &CommunityId,
    rooms: Vec<RoomId>,
) -> Result<Vec<Message>, StoreError> {
    let mut messages = Vec::new();
    for room in rooms.into_iter().take(RECOVERED_ROOMS_MAX) {
        let query = MessageQuery {
            room,
            before: None,
            after: None,
            limit: RECOVERED_MESSAGES_MAX,
        };
        let page = store.messages(community, query).await?;
        messages.extend(page.messages.into_iter().map(|stored| stored.message));
    }
    Ok(messages)
}

/// Settings by version, as recorded inputs refer to them.
#[derive(Debug)]
pub(crate) struct SettingsBook {
    versions: Vec<SavedSettings>,
    overrides: Vec<(String, serde_json::Value)>,
    pub settings: Arc<Settings>,
}

impl SettingsBook {
    /// Opens it at the first version.
    pub fn new(versions: Vec<SavedSettings>) -> Self {
        Self::with_overrides(versions, Vec::new())
    }

    /// … with some values replaced in every version.
    pub fn with_overrides(versions: Vec<SavedSettings>, overrides: Vec<(String, serde_json::Value)>) -> Self {
        let first = versions.first().map(|saved| saved.version).unwrap_or_default();
        let mut book = Self {
            versions,
            overrides,
            settings: Arc::new(Settings::default()),
        };
        book.open(first);
        book
    }

    /// … at a version.
    pub fn at(versions: Vec<SavedSettings>, version: u64) -> Self {
        let mut book = Self::new(versions);
        book.open(version);
        book
    }

    /// Follows a recorded change of settings.
    pub fn turn_to(&mut self, input: &Input) {
        if let Input::Shell(ShellEvent::SettingsChanged { version, .. }) = input {
            self.open(*version);
        }
    }

    fn open(&mut self, version: u64) {
        let mut document = self
            .versions
            .iter()
            .find(|saved| saved.version == version)
            .map_or_else(Document::default, |saved| saved.document.clone());
        for (key, value) in &self.overrides {
            document.set(key.clone(), value.clone());
        }
        // A document that was valid then may not be now; what is left is the nearest there is to it.
        self.settings = Arc::new(Settings::read(&document).unwrap_or_default());
    }
}
