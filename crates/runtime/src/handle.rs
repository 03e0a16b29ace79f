//! A running community as adapters have it: they bring inputs in and read what is known.

mod looking;
mod opening;

use std::sync::Arc;
use std::time::Duration;

use mind::snapshot::Salvage;
use mind::{Forgotten, Input, ShellEvent};
use settings::{Layers, SettingError, Settings};
use thiserror::Error;
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use vocabulary::{CommunityId, Forget, PersonId};

use crate::ailments::Ailments;
use crate::forgetting::forget;
use crate::lane::Lane;
use crate::live::LiveFeed;
use crate::memory::MemoryService;
use crate::ports::{
    Language, LayeredSettings, MemoryFault, OutboundServices, Removed, SavedSettings, SpeechEngines, Store,
    StoreError,
};
use crate::reply_model::ReplyModelTold;
use crate::screens::Screens;

pub use looking::{Look, VoiceLook};
pub use opening::{HandleParts, HandleQueues};

/// How long an input waits at a full door before it is turned away.
const BUSY_AFTER: Duration = Duration::from_secs(2);

/// Settings in force: what was said and what it means.
#[derive(Clone, Debug)]
pub struct InForce {
    /// Both layers in one document.
    pub saved: SavedSettings,
    pub layers: Layers,
    pub settings: Arc<Settings>,
}

impl InForce {
    /// What saved settings of a community mean.
    pub(crate) fn read(newest: LayeredSettings, community: &CommunityId) -> Result<Self, Vec<SettingError>> {
        Ok(Self {
            settings: Arc::new(newest.layers.read(community.as_str())?),
            saved: newest.saved(),
            layers: newest.layers,
        })
    }
}

/// Which settings are to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsLayer {
    /// Those of all communities.
    Base,
    /// Those of the community itself.
    Own,
}

/// An input on its way in, and whom to tell when it is durable.
#[derive(Debug)]
pub struct Arrival {
    pub input: Input,
    /// What comes into force with this input, when it says that settings changed.
    pub settings: Option<InForce>,
    pub accepted: Option<oneshot::Sender<Result<(), NotAccepted>>>,
}

impl Arrival {
    /// An input of the shell's own, for which nobody waits.
    pub fn of(input: Input) -> Self {
        Self {
            input,
            settings: None,
            accepted: None,
        }
    }
}

/// Something is to be forgotten: by the mind at once, and once memory has, by messages and recordings too.
#[derive(Debug)]
pub struct ForgetOrder {
    pub forgotten: Forgotten,
    /// Told when the wish is on disk: from then on the next start repeats it where this one does not come to its end.
    pub promised: oneshot::Sender<Result<(), StoreError>>,
    /// Whether memory has forgotten it; where it has not, the wish stays on disk.
    pub remembered: MemoryForgot,
    pub done: Option<oneshot::Sender<Result<(), StoreError>>>,
}

/// Tells when memory has forgotten: whether it did. Dropped before, it did not.
pub type MemoryForgot = watch::Receiver<Option<bool>>;

/// Why something was not forgotten, or not everywhere.
#[derive(Debug, Error)]
pub enum ForgetRefused {
    #[error(
        "there is no memory here; set memory.enabled and restart, or look into the log for why it could not be opened"
    )]
    NoMemory,
    #[error(transparent)]
    Memory(#[from] MemoryFault),
    #[error("nothing was forgotten, because the wish could not be stored: {0}. Ask again")]
    NotPromised(StoreError),
    #[error(
        "memory has forgotten it, and messages and recordings could not be cleared: {0}. Ask again to repeat it"
    )]
    Store(StoreError),
    #[error(
        "the community is stopping: what is not forgotten yet is when it is back. Ask again then, to be sure"
    )]
    Stopping,
}

/// Why an input was not taken in.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NotAccepted {
    #[error("too much is waiting to be taken in; try again in a moment")]
    Busy,
    #[error("this community is shutting down; try again when it is back")]
    Stopping,
    #[error("it could not be stored: {0}")]
    NotStored(String),
}

/// Why settings were not changed.
#[derive(Debug, Error)]
pub enum SettingsRefused {
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<SettingError>),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    NotAccepted(#[from] NotAccepted),
}

/// A running community. Cheap to clone.
#[derive(Clone)]
pub struct Handle {
    pub(crate) community: CommunityId,
    pub(crate) denizen: PersonId,
    pub(crate) inputs: mpsc::Sender<Arrival>,
    pub(crate) reflexes: mpsc::Sender<Arrival>,
    pub(crate) queries: mpsc::Sender<Look>,
    pub(crate) in_force: watch::Receiver<InForce>,
    pub(crate) live: LiveFeed,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) language: Arc<dyn Language>,
    pub(crate) memory: Option<MemoryService>,
    pub(crate) screens: Screens,
    pub(crate) outbound: OutboundServices,
    pub(crate) speech: Arc<dyn SpeechEngines>,
    pub(crate) forgetting: mpsc::Sender<ForgetOrder>,
    pub(crate) settings_sender: Arc<watch::Sender<InForce>>,
    /// Held while settings come into force, so that they do in order and each version once.
    pub(crate) applying: Arc<Mutex<()>>,
    pub(crate) salvaged: Option<Arc<Salvage>>,
    pub(crate) ailments: Ailments,
    pub(crate) reply_model: ReplyModelTold,
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle")
            .field("community", &self.community)
            .finish_non_exhaustive()
    }
}

impl Handle {
    /// Whether both are of the same running community, and not of one that has its name since.
    pub fn is_same(&self, other: &Handle) -> bool {
        self.inputs.same_channel(&other.inputs)
    }

    pub fn community(&self) -> &CommunityId {
        &self.community
    }

    /// Denizen's own id in this community.
    pub fn denizen(&self) -> &PersonId {
        &self.denizen
    }

    pub fn live(&self) -> &LiveFeed {
        &self.live
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub fn language(&self) -> &Arc<dyn Language> {
        &self.language
    }

    /// Memory, where there is one.
    pub fn memory(&self) -> Option<&MemoryService> {
        self.memory.as_ref()
    }

    /// Forgets for good, everywhere: memory, what waits, messages, summaries and recordings.
    pub async fn forget(&self, what: &Forget) -> Result<Removed, ForgetRefused> {
        forget(self.memory.as_ref(), what, |_| vec![self.clone()]).await
    }

    /// What became of a kept state that could not be read as a whole when this process started.
    pub fn salvaged(&self) -> Option<&Salvage> {
        self.salvaged.as_deref()
    }

    /// What is wrong at the moment.
    pub fn ailments(&self) -> &Ailments {
        &self.ailments
    }

    /// The settings in force right now.
    pub fn in_force(&self) -> InForce {
        self.in_force.borrow().clone()
    }

    /// Brings an input in. When this returns `Ok`, a durable one is on disk and will be acted on, come what may; a reflex
    /// has been acted on.
    pub async fn accept(&self, input: Input) -> Result<(), NotAccepted> {
        let door = match Lane::of(&input) {
            Lane::Durable => self.inputs.clone(),
            Lane::Reflex => self.reflexes.clone(),
        };
        bring(door, input, None).await
    }

    /// Brings an input in that may be let go when there is too much else: nobody waits for it.
    pub fn mention(&self, input: Input) {
        let _ = self.inputs.try_send(Arrival::of(input));
    }

    /// What happened and waits to be taken in.
    pub fn waiting(&self) -> usize {
        let waiting = |door: &mpsc::Sender<Arrival>| door.max_capacity() - door.capacity();
        waiting(&self.inputs) + waiting(&self.reflexes)
    }

    /// What reaches out: feeds, tools and media.
    pub fn outbound(&self) -> &OutboundServices {
        &self.outbound
    }

    /// Ears and mouths, and how they stand.
    pub fn speech(&self) -> &Arc<dyn SpeechEngines> {
        &self.speech
    }

    /// Shared screens.
    pub fn screens(&self) -> &Screens {
        &self.screens
    }

    /// Whether the community takes nothing in any more, and shows nothing.
    pub fn is_stopping(&self) -> bool {
        self.queries.is_closed()
    }

    /// Resolves once the community takes nothing in any more.
    pub fn until_stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        let queries = self.queries.clone();
        async move { queries.closed().await }
    }

    /// Changes settings of a layer: each key gets a value, or `None` for what it has below that layer. Refused whole if
    /// anything is wrong or if `based_on` is not the newest version any more.
    pub async fn change_settings(
        &self,
        layer: SettingsLayer,
        based_on: u64,
        changes: Vec<(String, Option<serde_json::Value>)>,
    ) -> Result<InForce, SettingsRefused> {
        let mut newest = self.store.settings(&self.community).await?;
        if newest.version() != based_on {
            return Err(StoreError::StaleSettings {
                yours: based_on,
                newest: newest.version(),
            }
            .into());
        }
        let document = match layer {
            SettingsLayer::Base => &mut newest.layers.base,
            SettingsLayer::Own => &mut newest.layers.own,
        };
        for (key, value) in changes {
            match value {
                Some(value) => document.set(key, value),
                None => {
                    document.reset(&key);
                }
            }
        }
        let document = document.clone();
        if layer == SettingsLayer::Base {
            // What this community lays over it must not hide from the others that it cannot be read.
            Settings::read(&document).map_err(SettingsRefused::Invalid)?;
        }
        let checked = newest.layers.read(self.community.as_str());
        checked.map_err(SettingsRefused::Invalid)?;
        let store = &self.store;
        match layer {
            SettingsLayer::Base => {
                newest.base_version = store.save_settings(None, newest.base_version, document).await?;
            }
            SettingsLayer::Own => {
                let own = Some(&self.community);
                newest.own_version = store.save_settings(own, newest.own_version, document).await?;
            }
        }
        self.put_in_force(newest).await
    }

    /// Applies settings that are saved already, whoever saved them, unless these or newer ones are in force.
    pub async fn put_in_force(&self, saved: LayeredSettings) -> Result<InForce, SettingsRefused> {
        let next = InForce::read(saved, &self.community).map_err(SettingsRefused::Invalid)?;
        let _applying = self.applying.lock().await;
        let before = self.in_force();
        if before.saved.version >= next.saved.version {
            return Ok(before);
        }
        let changed = before.saved.document.changed_keys(&next.saved.document);
        let version = next.saved.version;
        let change = Input::Shell(ShellEvent::SettingsChanged { version, changed });
        // First, so that whoever sees that the mind has them is answered by the model they name.
        self.language.configure(&next.settings).await;
        // Where the mind does not get them they are not in force, and whoever looks next brings them again.
        bring(self.inputs.clone(), change, Some(next.clone())).await?;
        self.settings_sender.send_replace(next.clone());
        self.tell_reply_model().await;
        self.live.publish(crate::live::LiveEvent::Settings { version });
        self.live.publish(crate::live::LiveEvent::Model {
            status: self.language.status(&next.settings),
        });
        Ok(next)
    }
}

impl Handle {
    /// Tells the mind which model writes its replies, where that is another one than it was told last.
    pub async fn tell_reply_model(&self) {
        let settings = self.in_force().settings;
        for news in self.reply_model.news(self.language.as_ref(), &settings) {
            if let Err(error) = self.accept(news).await {
                tracing::warn!(%error, "the mind does not know yet which model writes its replies");
            }
        }
    }
}

/// Brings an input in by a door of one's own, which is let go as soon as the input is through.
pub(crate) async fn bring(
    door: mpsc::Sender<Arrival>,
    input: Input,
    settings: Option<InForce>,
) -> Result<(), NotAccepted> {
    let (accepted, answer) = oneshot::channel();
    let arrival = Arrival {
        input,
        settings,
        accepted: Some(accepted),
    };
    let sent = door.send_timeout(arrival, BUSY_AFTER).await;
    drop(door);
    sent.map_err(|error| match error {
        mpsc::error::SendTimeoutError::Timeout(_) => NotAccepted::Busy,
        mpsc::error::SendTimeoutError::Closed(_) => NotAccepted::Stopping,
    })?;
    answer.await.unwrap_or(Err(NotAccepted::Stopping))
}
