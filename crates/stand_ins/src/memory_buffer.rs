//! The buffer's side of memory in a test's hand.

use std::collections::BTreeSet;

use async_trait::async_trait;
use vocabulary::{CapturedTurn, CommunityId, Forget, TurnKey};

use super::memory_in_ram::{Held, MemoryInRam, is_to_forget};
use runtime::ports::{BufferCount, MemoryFault, TurnBuffer, WhoseTurns};

#[async_trait]
impl TurnBuffer for MemoryInRam {
    fn describe(&self) -> String {
        "in this test's memory".to_owned()
    }

    async fn push(&self, turns: &[CapturedTurn]) -> Result<(), MemoryFault> {
        let mut held = self.buffer_reached()?;
        for turn in turns {
            let known = held
                .waiting
                .iter()
                .chain(&held.held)
                .any(|known| known.id == turn.id);
            if !known && !held.turns.contains_key(&turn.id) {
                held.waiting.push(turn.clone());
            }
        }
        Ok(())
    }

    async fn claim(&self, whose: &WhoseTurns, max: usize) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let mut held = self.buffer_reached()?;
        let mut claimed: Vec<CapturedTurn> = Vec::new();
        held.waiting.retain(|turn| {
            let is_claimed = claimed.len() < max && whose.covers(&turn.place.community);
            if is_claimed {
                claimed.push(turn.clone());
            }
            !is_claimed
        });
        held.held.extend(claimed.iter().cloned());
        Ok(claimed)
    }

    async fn held(&self, whose: &WhoseTurns) -> Result<Vec<CapturedTurn>, MemoryFault> {
        let mut held = self.buffer_reached()?.held.clone();
        held.retain(|turn| whose.covers(&turn.place.community));
        Ok(held)
    }

    async fn waiting(&self) -> Result<Vec<CommunityId>, MemoryFault> {
        let held = self.buffer_reached()?;
        let waiting: BTreeSet<_> = held
            .waiting
            .iter()
            .map(|turn| turn.place.community.clone())
            .collect();
        Ok(waiting.into_iter().collect())
    }

    async fn settle(&self, turns: &[TurnKey]) -> Result<(), MemoryFault> {
        self.buffer_reached()?
            .held
            .retain(|turn| !turns.contains(&turn.id));
        Ok(())
    }

    async fn forget(&self, what: &Forget) -> Result<usize, MemoryFault> {
        let mut held = self.buffer_reached()?;
        let before = held.waiting.len() + held.held.len();
        held.waiting.retain(|turn| !is_to_forget(what, turn));
        held.held.retain(|turn| !is_to_forget(what, turn));
        Ok(before - held.waiting.len() - held.held.len())
    }

    async fn edit(&self, turn: &TurnKey, text: &str) -> Result<(), MemoryFault> {
        let mut held = self.buffer_reached()?;
        let Held {
            waiting, held: mine, ..
        } = &mut *held;
        for found in waiting.iter_mut().chain(mine).filter(|found| found.id == *turn) {
            found.text = text.to_owned();
        }
        Ok(())
    }

    async fn count(&self, whose: &WhoseTurns) -> Result<BufferCount, MemoryFault> {
        let held = self.buffer_reached()?;
        let count = |turns: &[CapturedTurn]| {
            let meant = turns.iter().filter(|turn| whose.covers(&turn.place.community));
            meant.count()
        };
        Ok(BufferCount {
            waiting: count(&held.waiting),
            held: count(&held.held),
            kept_back: 0,
        })
    }
}
