//! Whom memory knows, and how much of each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vocabulary::{AuthorKind, CommunityId, PersonId, WallTime};

use super::records::MemoryRecords;
use crate::ports::{Listing, MemoryFault};

const READ_AT_ONCE: usize = 1_000;
/// Gems, and turns, that are counted at most, newest first: a look must not read a memory of years whole.
const COUNTED_MAX: usize = 20_000;

/// Everybody who is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
pub struct People {
    /// Whoever was heard last comes first.
    pub people: Vec<KnownPerson>,
    /// Whether older records were left out of the counts.
    pub partial: bool,
}

/// Somebody who spoke, or whom something is known about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KnownPerson {
    pub id: PersonId,
    /// The newest name they go by.
    pub name: String,
    pub gems: usize,
    pub turns: usize,
    pub first_at: WallTime,
    pub last_at: WallTime,
}

/// Everybody who spoke or whom a gem is about, in one community or in all; programs are nobody.
pub async fn people(records: &MemoryRecords, community: Option<CommunityId>) -> Result<People, MemoryFault> {
    let mut known = Known::default();
    let everything = Listing {
        community,
        limit: READ_AT_ONCE,
        ..Listing::default()
    };
    let turns_left_out = count_turns(records, &mut known, everything.clone()).await?;
    let gems_left_out = count_gems(records, &mut known, everything).await?;
    let mut people: Vec<KnownPerson> = known.0.into_values().collect();
    people.sort_by(|a, b| b.last_at.cmp(&a.last_at).then_with(|| a.id.cmp(&b.id)));
    Ok(People {
        people,
        partial: turns_left_out || gems_left_out,
    })
}

/// The name a person goes by in what is stored; empty where nothing is.
pub async fn name_of(records: &MemoryRecords, person: &PersonId) -> Result<String, MemoryFault> {
    let newest = Listing {
        person: Some(person.clone()),
        limit: 1,
        ..Listing::default()
    };
    let turn = records.turns(&newest).await?.items.pop();
    if let Some(turn) = turn.filter(|turn| turn.speaker.id == *person) {
        return Ok(turn.speaker.name);
    }
    let gem = records.gems(&newest).await?.items.pop();
    Ok(gem.map(|gem| gem.person_name).unwrap_or_default())
}

/// Counts turns; whether some were left out.
async fn count_turns(
    records: &MemoryRecords,
    known: &mut Known,
    mut listing: Listing,
) -> Result<bool, MemoryFault> {
    let mut counted = 0;
    while counted < COUNTED_MAX {
        let page = records.turns(&listing).await?;
        counted += page.items.len();
        let people = page.items.into_iter();
        for turn in people.filter(|turn| turn.speaker.kind == AuthorKind::Person) {
            known.person(&turn.speaker.id, &turn.speaker.name, turn.at).turns += 1;
        }
        listing.after = page.next;
        if listing.after.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn count_gems(
    records: &MemoryRecords,
    known: &mut Known,
    mut listing: Listing,
) -> Result<bool, MemoryFault> {
    let mut counted = 0;
    while counted < COUNTED_MAX {
        let page = records.gems(&listing).await?;
        counted += page.items.len();
        for gem in page.items {
            if let Some(person) = &gem.person {
                known.person(person, &gem.person_name, gem.created_at).gems += 1;
            }
        }
        listing.after = page.next;
        if listing.after.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

#[derive(Default)]
struct Known(BTreeMap<PersonId, KnownPerson>);

impl Known {
    /// The person with that id. Records come newest first, so the first name is the newest.
    fn person(&mut self, id: &PersonId, name: &str, at: WallTime) -> &mut KnownPerson {
        let person = self.0.entry(id.clone()).or_insert_with(|| KnownPerson {
            id: id.clone(),
            name: name.to_owned(),
            gems: 0,
            turns: 0,
            first_at: at,
            last_at: at,
        });
        if person.name.is_empty() {
            person.name = name.to_owned();
        }
        person.first_at = person.first_at.min(at);
        person.last_at = person.last_at.max(at);
        person
    }
}
