//! How turns come into memory: they wait in the buffer, are archived, and leave it once gems are made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::memory::gems::redaction::redact;
use tokio::sync::{Mutex, Notify};
use vocabulary::{CapturedTurn, Forget, Record, RecordId, SessionId, TurnKey};

use super::records::MemoryRecords;
use crate::ports::{MemoryFault, TurnBuffer};

/// Turns on their way into memory. Cheap to clone.
#[derive(Clone)]
pub struct MemoryIntake {
    pub(super) records: MemoryRecords,
    pub(super) buffer: Arc<dyn TurnBuffer>,
    /// Held while turns are taken on, gems are stored or something is forgotten: what is forgotten must not come back.
    pub(super) changing: Arc<Mutex<()>>,
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
    pub(super) fn new(records: MemoryRecords, buffer: Arc<dyn TurnBuffer>, changing: Arc<Mutex<()>>) -> Self {
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

    /// Somebody changed what they wrote: what is found of it is how it stands now.
    pub async fn edit_turn(&self, id: &TurnKey, text: &str) -> Result<(), MemoryFault> {
        let _quiet = self.changing.lock().await;
        let Some(mut turn) = self.records.turns_of(std::slice::from_ref(id)).await?.pop() else {
            return Ok(());
        };
        turn.text = redact(text).text;
        self.records.put(vec![Record::Turn(turn)]).await
    }

    /// Somebody took back what they wrote: it is not found any more, nor are gems that came from nothing else.
    pub async fn drop_turn(&self, id: &TurnKey) -> Result<(), MemoryFault> {
        let _quiet = self.changing.lock().await;
        self.records.gems.forget(&Forget::Turns(vec![id.clone()])).await?;
        Ok(())
    }

    /// What this process holds, archived.
    pub async fn held(&self) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let _quiet = self.changing.lock().await;
        let held = self.buffer.held().await?;
        self.archive(held).await
    }

    /// Takes turns on that nobody holds, and archives them; none while enough are held.
    pub async fn take_on(&self, max: usize, held_max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        // Nothing is forgotten between the two, or it would come back.
        let _quiet = self.changing.lock().await;
        let count = self.buffer.count().await?;
        let claimed = if count.held + max > held_max {
            Vec::new()
        } else {
            self.buffer.claim(max).await?
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
