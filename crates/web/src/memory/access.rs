//! The way to memory: whether there is one, whether it is switched on, and what to say when it fails.

use axum::http::{HeaderValue, StatusCode, header};
use runtime::memory::MemoryService;
use runtime::ports::{MemoryFault, WhoseTurns};
use runtime::{ForgetRefused, Handle, NotAccepted};
use vocabulary::CommunityId;

use crate::refusal::Refusal;
use crate::site::Shared;

impl Shared {
    /// The only community whose memories are shown here; none: all, since there is no other.
    pub fn only_community(&self) -> Option<CommunityId> {
        let alone = self.site.town.list().len() == 1;
        (!alone).then(|| self.community.id().clone())
    }

    /// Whether memories of a community are shown here: its own, and for the default community also those of agents and
    /// of whoever is not here.
    pub fn shows(&self, community: &CommunityId) -> bool {
        let own = self.community.id();
        community == own || (self.is_home() && self.site.town.community(community).is_none())
    }

    /// Whose memories are counted here: those that are shown.
    pub fn whose_memories(&self) -> WhoseTurns {
        let own = self.community.id();
        if !self.is_home() {
            return WhoseTurns::Of(own.clone());
        }
        let others = self.site.town.list().into_iter().map(|other| other.id().clone());
        WhoseTurns::NotOf(others.filter(|other| other != own).collect())
    }

    /// The community to list memories of: the one that was asked for, where it is shown here.
    pub fn listed_community(&self, given: Option<String>) -> Option<CommunityId> {
        let given = given.map(CommunityId::new).filter(|given| self.shows(given));
        given.or_else(|| self.only_community())
    }

    /// Memory, switched on or not: what is stored can be looked at and forgotten all the same.
    pub fn memory(&self) -> Result<&MemoryService, Refusal> {
        self.handle().memory().ok_or_else(no_memory)
    }

    /// Memory that takes in and brings up.
    pub fn memory_in_use(&self) -> Result<&MemoryService, Refusal> {
        memory_in_use(self.handle())
    }
}

/// The memory of a community, where it takes in and brings up.
pub(crate) fn memory_in_use(handle: &Handle) -> Result<&MemoryService, Refusal> {
    if !handle.in_force().settings.memory.enabled {
        return Err(Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "memory_off",
            "Memory is switched off, so nothing is captured and nothing is recalled. Set memory.enabled to true.",
        ));
    }
    handle.memory().ok_or_else(no_memory)
}

impl From<MemoryFault> for Refusal {
    fn from(fault: MemoryFault) -> Self {
        let said = crate::refusal::sentence(&fault.to_string());
        match fault {
            MemoryFault::Unreachable { .. } => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "memory_unreachable", said)
                    .with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
            }
            MemoryFault::OtherEmbedder { .. } => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "memory_other_embedder", said)
            }
            MemoryFault::Refused(_) => Self::unprocessable("memory_refused", said),
            MemoryFault::Failed { .. } => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "memory_failed",
                format!("{said} Look at the disk of the data folder, then try again."),
            ),
        }
    }
}

impl From<ForgetRefused> for Refusal {
    fn from(problem: ForgetRefused) -> Self {
        match problem {
            ForgetRefused::NoMemory => no_memory(),
            ForgetRefused::Memory(fault) => fault.into(),
            ForgetRefused::Store(problem) | ForgetRefused::NotPromised(problem) => problem.into(),
            ForgetRefused::Stopping => NotAccepted::Stopping.into(),
        }
    }
}

/// What is said where memory could not be opened.
pub(crate) const NO_MEMORY: &str =
    "Memory could not be opened when Denizen started. Its log says why; `denizen doctor` checks the set-up.";

fn no_memory() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "memory_off", NO_MEMORY)
}

pub(crate) fn unknown_gem(id: &str) -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "unknown_gem",
        format!("There is no gem {id}; it may have been forgotten. Search for it again."),
    )
}
