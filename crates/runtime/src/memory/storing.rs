//! Storing the gems of a run: each is settled against what is known, then its turns leave the buffer.

use std::collections::BTreeSet;

use gist::Gathered;
use gist::gems::life::{Life, settle};
use mind::{Gathering, StoredGems};
use vocabulary::{CommunityId, Gem, Kinds, Reach, Record, Viewpoint};

use super::intake::MemoryIntake;
use super::records::Question;
use crate::ports::{Listing, MemoryFault};

/// Known gems that a new one is compared with: the nearest by words and meaning, and the person's newest.
const SIMILAR_MAX: usize = 12;
const OF_PERSON_MAX: usize = 200;

impl MemoryIntake {
    /// Stores what was gathered. Safe to repeat after a crash at any point: ids come from the source.
    pub async fn store(&self, gathering: &Gathering) -> Result<StoredGems, MemoryFault> {
        let places: BTreeSet<&CommunityId> = gathering
            .gems
            .iter()
            .map(|gathered| &gathered.gem.place.community)
            .collect();
        let _quiet = match places.len() {
            1 => self.changing.quiet(places.first().copied()).await,
            _ => self.changing.quiet(None).await,
        };
        let mut stored = StoredGems::default();
        if self.made_by_somebody_else(gathering).await? {
            stored.already_there = gathering.gems.len();
        } else {
            for gathered in &gathering.gems {
                // Nobody may learn what was forgotten, taken back or edited while the model was thinking about it.
                match self.still_says(gathering, gathered).await? {
                    true => self.settle_one(gathered, &mut stored).await?,
                    false => stored.changed += 1,
                }
            }
        }
        self.buffer.settle(&gathering.turns).await?;
        Ok(stored)
    }

    /// Whether all that a gem was made of is there and reads as it did then.
    async fn still_says(&self, gathering: &Gathering, gathered: &Gathered) -> Result<bool, MemoryFault> {
        let cited = &gathered.gem.source.turns;
        let turns = self.records.turns_of(cited).await?;
        Ok(turns.len() == cited.len() && !turns.iter().any(|turn| gathering.reads_otherwise(turn)))
    }

    /// A process that died between storing its gems and saying so leaves its turns to us: they have their gems already.
    async fn made_by_somebody_else(&self, gathering: &Gathering) -> Result<bool, MemoryFault> {
        let known = self.records.gems.gems_of(&gathering.turns).await?;
        let of_batch = |gem: &&Gem| gem.source.turns.iter().all(|turn| gathering.turns.contains(turn));
        let mut known = known.iter().filter(of_batch).peekable();
        if known.peek().is_none() {
            return Ok(false);
        }
        let ours = |gem: &Gem| {
            gathering
                .gems
                .iter()
                .any(|gathered| gathered.gem.gem_id == gem.gem_id)
        };
        Ok(!known.any(ours))
    }

    pub(super) async fn settle_one(
        &self,
        gathered: &Gathered,
        stored: &mut StoredGems,
    ) -> Result<(), MemoryFault> {
        let similar = self.similar(&gathered.gem).await?;
        let id = gathered.gem.gem_id.clone();
        match settle(gathered, &similar) {
            Life::AlreadyThere => stored.already_there += 1,
            Life::Add => {
                self.records.put(vec![gem(gathered.gem.clone())]).await?;
                stored.added.push(id);
            }
            Life::Strengthen { gem: known } => {
                stored.strengthened.push(known.gem_id.clone());
                self.records.put(vec![Record::Gem(known)]).await?;
            }
            Life::Supersede { old } => {
                stored.superseded.extend(old.iter().map(|gem| gem.gem_id.clone()));
                // The new one first: a crash between the two leaves both, and the repeat puts it right.
                let records = std::iter::once(gathered.gem.clone()).chain(old);
                self.records.put(records.map(gem).collect()).await?;
                stored.added.push(id);
            }
            Life::Late { gem: late } => {
                self.records.put(vec![Record::Gem(late)]).await?;
                stored.added.push(id);
            }
        }
        Ok(())
    }

    /// What the new gem may repeat or contradict.
    async fn similar(&self, gem: &Gem) -> Result<Vec<Gem>, MemoryFault> {
        let question = Question {
            words: gem.content.clone(),
            view: Viewpoint::Room {
                community: gem.place.community.clone(),
                room: gem.place.room.clone(),
                reach: Reach::Community,
                people: gem.person.iter().cloned().collect(),
            },
            person: None,
            kinds: Kinds::Gems,
            exclude: Vec::new(),
            superseded: false,
            limit: SIMILAR_MAX,
        };
        let found = self.records.find(&question).await?.found;
        let mut similar: Vec<Gem> = self.records.gem(&gem.gem_id).await?.into_iter().collect();
        similar.extend(found.into_iter().filter_map(|found| match found.record {
            Record::Gem(gem) => Some(*gem),
            Record::Turn(_) => None,
        }));
        if let Some(person) = &gem.person {
            let listing = Listing {
                community: Some(gem.place.community.clone()),
                person: Some(person.clone()),
                current_only: true,
                limit: OF_PERSON_MAX,
                ..Listing::default()
            };
            similar.extend(self.records.gems.gems(&listing).await?.items);
        }
        let mut seen = BTreeSet::new();
        similar.retain(|gem| seen.insert(gem.gem_id.clone()));
        Ok(similar)
    }
}

fn gem(gem: Gem) -> Record {
    Record::Gem(Box::new(gem))
}
