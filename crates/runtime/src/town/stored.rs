//! Communities as they are stored: added for the next time a town is opened, and removed with everything kept of them.

use settings::Layers;
use vocabulary::{CommunityId, Forget};

use super::{AGENTS, COMMUNITIES_MAX, DISCORD_PREFIX, Gone, NewCommunity, TownError};
use crate::memory::MemoryService;
use crate::ports::{Removed, Store};

/// Longest name of a community.
const ID_CHARS_MAX: usize = 40;

/// Stores a community with its settings, for the next time that a town is opened; refused whole.
pub async fn add(store: &dyn Store, new: NewCommunity) -> Result<(), TownError> {
    check_free(&new.id)?;
    settle(store, new).await
}

/// Whether people may call a community so.
pub(super) fn check_free(id: &CommunityId) -> Result<(), TownError> {
    match id.as_str().starts_with(DISCORD_PREFIX) {
        true => Err(TownError::Reserved(id.clone())),
        false => Ok(()),
    }
}

/// The same, whatever it is called.
pub(super) async fn settle(store: &dyn Store, new: NewCommunity) -> Result<(), TownError> {
    check_id(new.id.as_str())?;
    if new.id.as_str() == AGENTS {
        return Err(TownError::Taken(new.id));
    }
    let known = store.communities().await?;
    if known.iter().any(|record| record.id == new.id) {
        return Err(TownError::Taken(new.id));
    }
    if known.len() >= COMMUNITIES_MAX {
        return Err(TownError::Full(new.id));
    }
    let layers = Layers {
        base: store.base_settings().await?.document,
        own: new.settings,
    };
    layers.read(new.id.as_str()).map_err(TownError::Settings)?;
    store.add_community(&new.id, &new.name).await?;
    if !layers.own.is_empty() {
        store.save_settings(Some(&new.id), 0, layers.own).await?;
    }
    Ok(())
}

/// Removes everything that is kept of a community: its memory first, since nothing else says what belongs to it.
pub async fn remove(
    store: &dyn Store,
    memory: Option<&MemoryService>,
    id: &CommunityId,
) -> Result<Gone, TownError> {
    let forgotten = match memory {
        Some(service) => {
            service
                .forgetting()
                .forget(&Forget::Community(id.clone()))
                .await?
                .removed
        }
        None => Removed::default(),
    };
    Ok(Gone {
        stored: store.remove_community(id).await?,
        gems: forgotten.gems.len(),
        turns: forgotten.turns.len(),
    })
}

/// Whether a community can be called so in addresses and on a command line.
pub fn check_id(id: &str) -> Result<(), TownError> {
    let plain =
        |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || b"-_".contains(&letter);
    let begins = id
        .bytes()
        .next()
        .is_some_and(|first| first.is_ascii_alphanumeric());
    if (1..=ID_CHARS_MAX).contains(&id.len()) && begins && id.bytes().all(plain) {
        Ok(())
    } else {
        Err(TownError::BadId(id.to_owned()))
    }
}
