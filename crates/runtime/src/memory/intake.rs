//! How turns come into memory: they wait in the buffer, are archived, and leave it once gems are made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use gist::gems::offline::extract;
use gist::gems::redaction::redact;
use mind::StoredGems;
use tokio::sync::Notify;
use vocabulary::{CapturedTurn, CommunityId, Forget, Gem, Record, RecordId, SessionId, TurnKey};

use super::changing::Changing;
use super::records::MemoryRecords;
use crate::clock::wall;
use crate::ports::{MemoryFault, TurnBuffer, WhoseTurns};

/// Turns on their way into memory. Cheap to clone.
#[derive(Clone)]
pub struct MemoryIntake {
    pub(super) records: MemoryRecords,
    pub(super) buffer: Arc<dyn TurnBuffer>,
    pub(super) changing: Arc<Changing>,
    captured: Arc<Notify>,
}

impl std::fmt::Debug for MemoryIntake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("MemoryIntake")
            .field(&self.buffer.describe())
            .finish()
    }
}

impl MemoryIntake {
    pub(super) fn new(records: MemoryRecords, buffer: Arc<dyn TurnBuffer>, changing: Arc<Changing>) -> Self {
        Self {
            records,
            buffer,
            changing,
            captured: Arc::default(),
        }
    }

    /// Takes turns in, as another agent's. Durable when it returns; a turn that was taken before is not taken again.
    pub async fn capture(&self, turns: &[CapturedTurn]) -> Result<(), MemoryFault> {
        self.buffer.push(turns).await?;
        self.note_captured();
        Ok(())
    }

    /// Turns were put into the buffer.
    pub(crate) fn note_captured(&self) {
        self.captured.notify_one();
    }

    /// Waits until turns were put into the buffer.
    pub(super) async fn captured(&self) {
        self.captured.notified().await;
    }

    /// Somebody changed what they wrote: what is found of it is how it stands now, and what was remembered of the words
    /// before is not any more. What the new words tell is found by patterns, since a model has read the turn already;
    /// whoever is spoken to by one of the `names` is no part of it.
    pub async fn edit_turn(
        &self,
        community: &CommunityId,
        id: &TurnKey,
        text: &str,
        names: &[String],
    ) -> Result<(), MemoryFault> {
        let _quiet = self.changing.quiet(Some(community)).await;
        let Some(mut turn) = self.records.turns_of(std::slice::from_ref(id)).await?.pop() else {
            return Ok(());
        };
        let before = std::mem::replace(&mut turn.text, redact(text).text);
        let known = self.records.gems.gems_of(std::slice::from_ref(id)).await?;
        let came_from_it = |gem: &Gem| gem.source.turns == [id.clone()];
        let stale = known.iter().any(|gem| came_from_it(gem) && !gem.pinned);
        // Where no gems were made of it yet, they will be, of the words as they stand now.
        if before == turn.text || !stale {
            return self.records.put(vec![Record::Turn(turn)]).await;
        }
        self.records.gems.forget(&Forget::Turns(vec![id.clone()])).await?;
        let pinned = known.into_iter().filter(|gem| gem.pinned && came_from_it(gem));
        let kept = pinned.map(|gem| Record::Gem(Box::new(gem)));
        let kept = std::iter::once(Record::Turn(turn.clone())).chain(kept);
        self.records.put(kept.collect()).await?;
        let mut stored = StoredGems::default();
        for gathered in extract(&[turn], wall(), names).gems {
            self.settle_one(&gathered, &mut stored).await?;
        }
        Ok(())
    }

    /// Somebody took back what they wrote: it is not found any more, nor are gems that came from nothing else.
    pub async fn drop_turn(&self, community: &CommunityId, id: &TurnKey) -> Result<(), MemoryFault> {
        let _quiet = self.changing.quiet(Some(community)).await;
        self.records.gems.forget(&Forget::Turns(vec![id.clone()])).await?;
        Ok(())
    }

    /// The communities that turns wait of.
    pub(super) async fn waiting(&self) -> Result<Vec<CommunityId>, MemoryFault> {
        self.buffer.waiting().await
    }

    /// What this process holds, archived.
    pub async fn held(&self, whose: &WhoseTurns) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let _quiet = self.changing.quiet(only(whose)).await;
        let held = self.buffer.held(whose).await?;
        self.archive(held).await
    }

    /// Takes turns on that nobody holds, and archives them; none while enough are held.
    pub async fn take_on(
        &self,
        whose: &WhoseTurns,
        max: usize,
        held_max: usize,
    ) -> Result<Vec<CapturedTurn>, MemoryFault> {
        // Nothing is forgotten between the two, or it would come back.
        let _quiet = self.changing.quiet(only(whose)).await;
        let count = self.buffer.count(whose).await?;
        let claimed = if count.held + max > held_max {
            Vec::new()
        } else {
            self.buffer.claim(whose, max).await?
        };
        self.archive(claimed).await
    }

    /// Gives turns their numbers and stores them; one that is stored keeps the number it has.
    async fn archive(&self, mut turns: Vec<CapturedTurn>) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let ids: Vec<RecordId> = turns.iter().map(|turn| RecordId::Turn(turn.id.clone())).collect();
        let mut numbers = BTreeMap::new();
        for record in self.records.gems.get(&ids).await? {
            if let Record::Turn(turn) = record {
                numbers.insert(turn.id, turn.number);
            }
        }
        let mut last: BTreeMap<SessionId, u64> = BTreeMap::new();
        let mut new = Vec::new();
        for turn in &mut turns {
            // Other programs put turns into a shared buffer as they were said.
            turn.text = redact(&turn.text).text;
            if let Some(number) = numbers.get(&turn.id) {
                turn.number = *number;
                continue;
            }
            let known = match last.get(&turn.session) {
                Some(number) => *number,
                None => self.records.gems.last_number(&turn.session).await?,
            };
            turn.number = turn.number.max(known + 1);
            last.insert(turn.session.clone(), turn.number);
            new.push(Record::Turn(turn.clone()));
        }
        self.records.put(new).await?;
        Ok(turns)
    }
}

fn only(whose: &WhoseTurns) -> Option<&CommunityId> {
    match whose {
        WhoseTurns::Of(community) => Some(community),
        WhoseTurns::All | WhoseTurns::NotOf(_) => None,
    }
}
