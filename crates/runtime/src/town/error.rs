//! Why a community was not added or removed, for people.

use settings::SettingError;
use thiserror::Error;
use vocabulary::CommunityId;

use super::{COMMUNITIES_MAX, DISCORD_PREFIX};
use crate::community::StartError;
use crate::ports::{MemoryFault, StoreError};

/// Why a community was not added or removed.
#[derive(Debug, Error)]
pub enum TownError {
    #[error("there is a community {0} already. Choose another name")]
    Taken(CommunityId),
    #[error(
        "{0} begins with {DISCORD_PREFIX}, as the communities of Discord's servers do, which come by themselves. Choose another name"
    )]
    Reserved(CommunityId),
    #[error("{wanted} is no community here. There are: {}", list(.known))]
    Unknown {
        wanted: CommunityId,
        known: Vec<CommunityId>,
    },
    #[error(
        "{0} is the default community of this process and stays. Remove others, or use another --data folder"
    )]
    Home(CommunityId),
    #[error("this process runs one community by itself, and no other can be added")]
    Closed,
    #[error(
        "{0} was not added: there are {COMMUNITIES_MAX} communities, the most that one process hosts. Remove one, or start another Denizen with another --data folder"
    )]
    Full(CommunityId),
    #[error(
        "{0} is no name of a community. Give 1 to 40 of the characters a-z 0-9 - and _, the first of them a letter or a digit"
    )]
    BadId(String),
    #[error("nothing was added:\n{}", .0.iter().map(|error| format!("  {error}")).collect::<Vec<_>>().join("\n"))]
    Settings(Vec<SettingError>),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("its memory could not be removed, and the rest is still there: {0}")]
    Memory(#[from] MemoryFault),
    #[error(transparent)]
    Start(#[from] StartError),
}

fn list(ids: &[CommunityId]) -> String {
    let names: Vec<&str> = ids.iter().map(CommunityId::as_str).collect();
    names.join(", ")
}
