//! Where a gem comes from and what became of it: its turns, what it replaced, and what replaced it.

use serde::{Deserialize, Serialize};
use vocabulary::{CapturedTurn, Gem, GemId};

use super::records::MemoryRecords;
use crate::ports::{Listing, MemoryFault};

const READ_AT_ONCE: usize = 200;
/// Gems that are looked through for those that a gem replaced.
const LOOKED_THROUGH_MAX: usize = 2_000;

/// A gem with all that led to it and from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GemStory {
    pub gem: Gem,
    /// The very turns it came from, those that are still there.
    pub turns: Vec<CapturedTurn>,
    /// What it replaced.
    pub supersedes: Vec<Gem>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Gem>,
}

/// A gem with its story; none where there is no such gem.
pub async fn story(records: &MemoryRecords, id: &GemId) -> Result<Option<GemStory>, MemoryFault> {
    let Some(gem) = records.gem(id).await? else {
        return Ok(None);
    };
    let superseded_by = match &gem.superseded_by {
        Some(by) => records.gem(by).await?,
        None => None,
    };
    Ok(Some(GemStory {
        turns: records.turns_of(&gem.source.turns).await?,
        supersedes: replaced_by(records, &gem).await?,
        superseded_by,
        gem,
    }))
}

/// What a gem replaced. Only the older one knows of it, and both are about the same person, or of the same room.
async fn replaced_by(records: &MemoryRecords, gem: &Gem) -> Result<Vec<Gem>, MemoryFault> {
    let mut listing = Listing {
        person: gem.person.clone(),
        limit: READ_AT_ONCE,
        ..Listing::default()
    };
    if gem.person.is_none() {
        listing.community = Some(gem.place.community.clone());
        listing.room = Some(gem.place.room.clone());
    }
    let mut looked_through = 0;
    let mut replaced = Vec::new();
    while looked_through < LOOKED_THROUGH_MAX {
        let page = records.gems(&listing).await?;
        looked_through += page.items.len();
        let older = page.items.into_iter();
        replaced.extend(older.filter(|older| older.superseded_by.as_ref() == Some(&gem.gem_id)));
        listing.after = page.next;
        if listing.after.is_none() {
            break;
        }
    }
    Ok(replaced)
}
