//! Brings a community up: restores its mind, goes on with what was under way, and starts its driver.

use std::sync::Arc;

use mind::{Effect, Genesis, Input, JournalEntry, Mind, ShellEvent};
use settings::{Document, SettingError, Settings};
use thiserror::Error;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use vocabulary::{CommunityId, FrameId, Now, PersonId};

use crate::chores;
use crate::clock::{Clock, wall};
use crate::driver::{Driver, INPUTS_WAITING_MAX};
use crate::handle::{Handle, HandleParts, InForce};
use crate::live::LiveFeed;
use crate::memory::MemoryService;
use crate::outbound;
use crate::performer::Performer;
use crate::ports::{
    Batch, Language, OutboundServices, Resume, Rooms, SavedSettings, Sight, Store, StoreError,
};
use crate::residents::Residents;

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
    let memory = parts.memory.clone();
    let mut running = bring_up(parts).await?;
    let residents = Residents::new(running.handle.community().clone());
    residents.add(running.handle.clone());
    running.beside.extend(chores::start(&residents, memory));
    Ok(running)
}

/// Brings a community up; the chores of its process are somebody else's.
pub(crate) async fn bring_up(parts: Parts) -> Result<Running, StartError> {
    let saved = parts.store.settings().await?;
    let settings = Arc::new(Settings::read(&saved.document).map_err(StartError::Settings)?);
    parts.language.configure(&settings).await;
    let resume = parts.store.resume(&parts.community).await?;
    let last = Now {
        moment: resume.last_moment,
        wall: resume.last_wall,
    };
    let last_input = resume.last_input;
    let (clock, away) = Clock::resume(last);
    let restored = restore(&parts, resume);
    if !restored.missing_journal.is_empty() {
        let batch = Batch {
            journal: restored.missing_journal,
            ..Batch::default()
        };
        parts.store.commit(&parts.community, batch).await?;
    }
    let in_force = InForce { saved, settings };
    let (outcomes, outcomes_receiver) = mpsc::channel(INPUTS_WAITING_MAX);
    let live = LiveFeed::new(u64::try_from(wall().0).unwrap_or(0) * 1_000);
    let (handle, queues) = Handle::open(HandleParts {
        community: parts.community.clone(),
        denizen: parts.denizen.clone(),
        store: parts.store.clone(),
        language: parts.language.clone(),
        memory: parts.memory.clone(),
        outbound: parts.outbound.clone(),
        sight: parts.sight.clone(),
        rooms: parts.rooms.clone(),
        in_force: in_force.clone(),
        live: live.clone(),
        first_frame: FrameId(restored.mind.last_frame().0 + 1),
        inputs_waiting_max: INPUTS_WAITING_MAX,
    });
    let performer = Performer::new(
        &parts,
        handle.screens.clone(),
        live,
        handle.in_force.clone(),
        outcomes,
        handle.forgetting.clone(),
    );
    let mut driver = Driver::new(
        parts.community,
        parts.store,
        parts.memory.clone(),
        restored.mind,
        clock,
        in_force,
        performer,
        last_input,
    );
    driver.begin_segment().await?;
    if last_input > 0 {
        driver
            .take_in(Input::Shell(ShellEvent::Restarted { down_for: away }))
            .await?;
    }
    let over = CancellationToken::new();
    let ending = over.clone().drop_guard();
    let driver = tokio::spawn(async move {
        driver.run(queues, outcomes_receiver).await;
        drop(ending);
    });
    let telling = outbound::keep_telling(parts.outbound, handle.clone(), handle.in_force.clone());
    let beside = vec![AbortOnDropHandle::new(tokio::spawn(telling))];
    Ok(Running {
        handle,
        driver,
        over,
        beside,
    })
}

struct Restored {
    mind: Mind,
    /// Lines that were decided but not yet written when the last process ended.
    missing_journal: Vec<JournalEntry>,
}

/// The newest state, and the inputs after it stepped once more: their effects were wanted then, not now.
fn restore(parts: &Parts, resume: Resume) -> Restored {
    let genesis = Genesis {
        community: parts.community.clone(),
        denizen: parts.denizen.clone(),
        seed: u64::try_from(wall().0).unwrap_or(0),
        last_journal: resume.last_journal,
        last_turn: resume.last_turn,
        last_ask: resume.last_ask,
    };
    let Some((_, version, state)) = resume.state else {
        return Restored {
            mind: Mind::new(genesis),
            missing_journal: Vec::new(),
        };
    };
    let mut mind: Mind = match mind::snapshot::read_state(&state) {
        Ok(mind) => mind,
        Err(error) => {
            tracing::warn!(%error, %version, "the kept state is of another shape; the mind starts anew, messages and journal stay");
            return Restored {
                mind: Mind::new(genesis),
                missing_journal: Vec::new(),
            };
        }
    };
    let mut book = SettingsBook::new(resume.settings);
    let mut missing_journal = Vec::new();
    for recorded in resume.inputs {
        book.turn_to(&recorded.input);
        let step = mind.step(recorded.now, recorded.input, &book.settings);
        missing_journal.extend(step.effects.into_iter().filter_map(|effect| match effect {
            Effect::Journal(entry) if entry.seq > resume.last_journal => Some(*entry),
            _ => None,
        }));
    }
    Restored {
        mind,
        missing_journal,
    }
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
        let mut book = Self {
            versions,
            overrides,
            settings: Arc::new(Settings::default()),
        };
        let first = book
            .versions
            .first()
            .map(|saved| saved.version)
            .unwrap_or_default();
        book.open(first);
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
