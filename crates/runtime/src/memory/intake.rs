//! How turns come into memory: they wait in the buffer, are archived, and leave it once gems are made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::join_all;
use gist::gems::offline::extract;
use gist::gems::redaction::redact;
use mind::StoredGems;
use tokio::sync::Notify;
use vocabulary::{CapturedTurn, CommunityId, Forget, Record, RecordId, SessionId, TurnKey};

use super::changing::Changing;
use super::forgetting::{Forgotten, MemoryForgetting};
use super::records::MemoryRecords;
use crate::clock::wall;
use crate::ports::{MemoryFault, TurnBuffer, WhoseTurns};

/// Turns on their way into memory. Cheap to clone.
#[derive(Clone)]
pub struct MemoryIntake {
    pub(super) records: MemoryRecords,
    pub(super) buffer: Arc<dyn TurnBuffer>,
    pub(super) changing: Arc<Changing>,
    pub(super) forgetting: MemoryForgetting,
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
    pub(super) fn new(
        records: MemoryRecords,
        buffer: Arc<dyn TurnBuffer>,
        changing: Arc<Changing>,
        forgetting: MemoryForgetting,
    ) -> Self {
        Self {
            records,
            buffer,
            changing,
            forgetting,
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

    /// Somebody changed what they wrote: what is found of it is how it stands now, wherever it waits, and gems that were
    /// made of the words before and of nothing else are gone, unless they are pinned. What the new words tell is found by
    /// patterns, since a model has read the turn already; whoever is spoken to by one of the `names` is no part of it.
    /// Safe to repeat after it broke off at any point.
    pub async fn edit_turn(
        &self,
        community: &CommunityId,
        id: &TurnKey,
        text: &str,
        names: &[String],
    ) -> Result<(), MemoryFault> {
        let _quiet = self.changing.quiet(Some(community)).await;
        let text = redact(text).text;
        self.buffer.edit(id, &text).await?;
        let copies = Forget::Turns(vec![id.clone()]);
        self.forgetting.remove_copies(&copies).await?;
        let Some(mut turn) = self.records.turns_of(std::slice::from_ref(id)).await?.pop() else {
            return Ok(());
        };
        let before = before(id);
        let known = self.records.gems.gems_of(&[id.clone(), before.clone()]).await?;
        let is_changed = turn.text != text;
        turn.text = text;
        let mut going = Vec::new();
        let mut records = Vec::new();
        for gem in known {
            let is_stale = is_changed && !gem.pinned && gem.source.turns == [id.clone()];
            if is_stale || gem.source.turns == [before.clone()] {
                going.push(gem.gem_id.clone());
            }
            if is_stale {
                let mut gem = gem;
                gem.source.turns = vec![before.clone()];
                records.push(Record::Gem(Box::new(gem)));
            }
        }
        if is_changed {
            // In one write with the new words, and gone in the next: whatever breaks off in between loses nothing.
            records.push(Record::Turn(turn.clone()));
            self.records.put(records).await?;
        }
        // Where no gems were made of it yet, they will be, of the words as they stand now.
        if going.is_empty() {
            return Ok(());
        }
        let mut stored = StoredGems::default();
        // Without the turn: they do not say any more that they came from it.
        self.records.gems.forget(&Forget::Gems(going)).await?;
        for gathered in extract(&[turn], wall(), names).gems {
            self.settle_one(&gathered, &mut stored).await?;
        }
        Ok(())
    }

    /// Somebody took back what they wrote: it is found nowhere any more, nor does it wait, nor are there gems that came
    /// from nothing else.
    pub async fn drop_turn(&self, community: &CommunityId, id: &TurnKey) -> Result<(), MemoryFault> {
        let _quiet = self.changing.quiet(Some(community)).await;
        let what = Forget::Turns(vec![id.clone()]);
        self.forgetting.remove(&what, &mut Forgotten::default()).await
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
        let taken = self.take_on_of_each(std::slice::from_ref(whose), max, held_max);
        Ok(taken.await?.pop().unwrap_or_default())
    }

    /// The same for several communities, in their order. Their turns are claimed at the same time and archived together, so that
    /// a hundred busy rooms cost the disk little more than one.
    pub async fn take_on_of_each(
        &self,
        whose: &[WhoseTurns],
        max: usize,
        held_max: usize,
    ) -> Result<Vec<Vec<CapturedTurn>>, MemoryFault> {
        // Nothing is forgotten between the two, or it would come back.
        let _quiet = match whose.iter().map(only).collect() {
            Some(communities) => self.changing.quiet_in(communities).await,
            None => self.changing.quiet(None).await,
        };
        let claiming = whose.iter().map(|whose| self.claim(whose, max, held_max));
        let claimed: Vec<Vec<CapturedTurn>> =
            join_all(claiming).await.into_iter().collect::<Result<_, _>>()?;
        let counts: Vec<usize> = claimed.iter().map(Vec::len).collect();
        let mut archived = self.archive(claimed.concat()).await?.into_iter();
        let taken = counts
            .into_iter()
            .map(|count| archived.by_ref().take(count).collect());
        Ok(taken.collect())
    }

    async fn claim(
        &self,
        whose: &WhoseTurns,
        max: usize,
        held_max: usize,
    ) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let count = self.buffer.count(whose).await?;
        match count.held + max > held_max {
            true => Ok(Vec::new()),
            false => self.buffer.claim(whose, max).await,
        }
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

/// What gems of a turn's words before its last edit are said to be from, while they are on their way out.
fn before(id: &TurnKey) -> TurnKey {
    TurnKey::new(format!("{id}#before"))
}

fn only(whose: &WhoseTurns) -> Option<&CommunityId> {
    match whose {
        WhoseTurns::Of(community) => Some(community),
        WhoseTurns::All | WhoseTurns::NotOf(_) => None,
    }
}
