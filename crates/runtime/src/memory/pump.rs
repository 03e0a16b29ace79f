//! The pump: turns that wait in the buffer are archived, so that they can be found, and told to the mind.

use std::collections::BTreeSet;
use std::time::Duration;

use mind::{Input, MemoryEvent};
use vocabulary::{CapturedTurn, CommunityId};

use super::intake::MemoryIntake;
use crate::handle::Handle;
use crate::ports::{MemoryFault, WhoseTurns};
use crate::residents::Residents;

/// Turns a mind may have to hold at once, of all its conversations together.
const HELD_MAX: usize = 608;
/// Turns that are taken on in one write, where so many wait.
const TAKEN_AT_ONCE: usize = 128;
/// Communities whose turns are taken on together, and how many of each there are at least then.
const COMMUNITIES_AT_ONCE: usize = 32;
const TAKEN_OF_EACH: usize = 8;
/// Turns that are told in one input.
const TOLD_AT_ONCE: usize = 32;
/// What is said within this time is taken on together: a turn is in the conversation long before it is remembered.
const GATHERED_FOR: Duration = Duration::from_millis(500);
/// Other processes put turns into a shared buffer without telling us.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The waits after a failure.
const REST_MIN: Duration = Duration::from_millis(500);
const REST_MAX: Duration = Duration::from_secs(10);

/// Runs for as long as the process does.
pub(crate) async fn run(intake: MemoryIntake, residents: Residents) {
    let mut pump = Pump {
        intake,
        residents,
        told_of_held: BTreeSet::new(),
    };
    let mut rest = REST_MIN;
    loop {
        match pump.go_round().await {
            Ok(more) => {
                rest = REST_MIN;
                if more {
                    continue;
                }
            }
            Err(fault) => {
                // Once at first, and then as rarely as it is tried.
                if rest == REST_MIN || rest == REST_MAX {
                    tracing::warn!(%fault, "captured turns wait: memory cannot take them now");
                }
                // New turns are no reason to try sooner: each would make the wait longer.
                tokio::time::sleep(rest).await;
                rest = (rest * 2).min(REST_MAX);
                continue;
            }
        }
        tokio::select! {
            () = pump.intake.captured() => tokio::time::sleep(GATHERED_FOR).await,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

struct Pump {
    intake: MemoryIntake,
    residents: Residents,
    /// Communities whose minds know what is held for them.
    told_of_held: BTreeSet<CommunityId>,
}

impl Pump {
    /// Takes some turns on for every community that has any; whether there may be more.
    async fn go_round(&mut self) -> Result<bool, MemoryFault> {
        let residents = self.residents.all();
        self.told_of_held
            .retain(|known| residents.iter().any(|handle| handle.community() == known));
        for handle in &residents {
            if !self.told_of_held.contains(handle.community()) {
                self.tell_of_held(handle).await?;
            }
        }
        let waiting = self.intake.waiting().await?;
        let mut more = false;
        let due = residents.iter().map(|handle| (handle, self.whose(handle)));
        let mut due: Vec<(&Handle, WhoseTurns)> = due
            .filter(|(_, whose)| waiting.iter().any(|community| whose.covers(community)))
            .collect();
        for some in together(&mut due) {
            more |= self.take_on(some).await?;
        }
        Ok(more)
    }

    /// The turns that a community looks after: its own, and at home those of nobody here.
    fn whose(&self, handle: &Handle) -> WhoseTurns {
        let community = handle.community();
        if community != self.residents.home() {
            return WhoseTurns::Of(community.clone());
        }
        let others = self
            .residents
            .all()
            .into_iter()
            .map(|handle| handle.community().clone());
        WhoseTurns::NotOf(others.filter(|other| other != community).collect())
    }

    /// After a restart the mind may or may not know what it held; it takes each turn once.
    async fn tell_of_held(&mut self, handle: &Handle) -> Result<(), MemoryFault> {
        let held = self.intake.held(&self.whose(handle)).await?;
        if tell(handle, held).await {
            self.told_of_held.insert(handle.community().clone());
        }
        Ok(())
    }

    async fn take_on(&mut self, some: &[(&Handle, WhoseTurns)]) -> Result<bool, MemoryFault> {
        for (handle, _) in some {
            // Until it is told, the mind does not know of what was claimed.
            self.told_of_held.remove(handle.community());
        }
        let whose: Vec<WhoseTurns> = some.iter().map(|(_, whose)| whose.clone()).collect();
        let each = (TAKEN_AT_ONCE / whose.len().max(1)).max(TAKEN_OF_EACH);
        let taken = self.intake.take_on_of_each(&whose, each, HELD_MAX).await?;
        let mut more = false;
        for ((handle, _), turns) in some.iter().zip(taken) {
            more |= turns.len() == each;
            if tell(handle, turns).await {
                self.told_of_held.insert(handle.community().clone());
            }
        }
        Ok(more)
    }
}

/// Those whose turns are taken on together. Whoever looks after the turns of nobody here has to be alone everywhere meanwhile, so
/// theirs are taken on by themselves, after the others.
fn together<T>(due: &mut [(T, WhoseTurns)]) -> Vec<&[(T, WhoseTurns)]> {
    due.sort_by_key(|(_, whose)| !matches!(whose, WhoseTurns::Of(_)));
    let own = due.partition_point(|(_, whose)| matches!(whose, WhoseTurns::Of(_)));
    let (own, others) = due.split_at(own);
    own.chunks(COMMUNITIES_AT_ONCE).chain(others.chunks(1)).collect()
}

/// Tells a mind of turns; whether it took them all in. One that is busy is told later, and holds nobody up.
async fn tell(handle: &Handle, turns: Vec<CapturedTurn>) -> bool {
    let mut rest = turns.into_iter();
    loop {
        let turns: Vec<CapturedTurn> = rest.by_ref().take(TOLD_AT_ONCE).collect();
        if turns.is_empty() {
            return true;
        }
        let told = Input::Memory(MemoryEvent::TurnsBuffered { turns });
        if handle.accept(told).await.is_err() {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_looks_after_turns_of_nobody_here_has_no_other_community_wait() {
        let of = |number: usize| WhoseTurns::Of(CommunityId::new(format!("c{number}")));
        let mut due: Vec<(usize, WhoseTurns)> = (1..=40).map(|number| (number, of(number))).collect();
        due.insert(3, (0, WhoseTurns::NotOf(Vec::new())));
        let rounds: Vec<Vec<usize>> = together(&mut due)
            .into_iter()
            .map(|some| some.iter().map(|(number, _)| *number).collect())
            .collect();
        let own = |numbers: std::ops::RangeInclusive<usize>| numbers.collect::<Vec<usize>>();
        assert_eq!(rounds, [own(1..=32), own(33..=40), vec![0]]);
    }
}
