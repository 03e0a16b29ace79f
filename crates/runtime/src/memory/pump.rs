//! The pump: turns that wait in the buffer are archived, so that they can be found, and told to the mind.

use std::collections::BTreeMap;
use std::time::Duration;

use mind::Input;
use mind::memory::gems::redaction::redact;
use vocabulary::{CapturedTurn, CommunityId, Record, RecordId, SessionId};

use super::service::MemoryService;
use crate::handle::NotAccepted;
use crate::ports::MemoryFault;
use crate::residents::Residents;

/// Turns the mind may have to hold at once, of all conversations together.
const HELD_MAX: usize = 512;
/// Turns that are told in one input.
const TOLD_AT_ONCE: usize = 32;
/// Other processes put turns into a shared buffer without telling us.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The waits after a failure.
const REST_MIN: Duration = Duration::from_millis(500);
const REST_MAX: Duration = Duration::from_secs(10);

/// Runs for as long as the process does.
pub(crate) async fn run(service: MemoryService, residents: Residents) {
    let mut told_of_held = false;
    let mut rest = REST_MIN;
    loop {
        match pump(&service, &residents, &mut told_of_held).await {
            Ok(more) => {
                rest = REST_MIN;
                if more {
                    continue;
                }
            }
            Err(Stopped::Fault(fault)) => {
                // Once at first, and then as rarely as it is tried.
                if rest == REST_MIN || rest == REST_MAX {
                    tracing::warn!(%fault, "captured turns wait: memory cannot take them now");
                }
                // New turns are no reason to try sooner: each would make the wait longer.
                tokio::time::sleep(rest).await;
                rest = (rest * 2).min(REST_MAX);
                continue;
            }
            Err(Stopped::Closed) => return,
        }
        tokio::select! {
            () = service.captured() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

enum Stopped {
    Fault(MemoryFault),
    Closed,
}

impl From<MemoryFault> for Stopped {
    fn from(fault: MemoryFault) -> Self {
        Stopped::Fault(fault)
    }
}

/// Takes some turns on; whether there may be more.
async fn pump(
    service: &MemoryService,
    residents: &Residents,
    told_of_held: &mut bool,
) -> Result<bool, Stopped> {
    if !*told_of_held {
        // After a restart the mind may or may not know what it held; it takes each turn once.
        let held = service.held().await?;
        for turns in held.chunks(TOLD_AT_ONCE) {
            tell(residents, turns.to_vec()).await?;
        }
        *told_of_held = true;
    }
    let turns = service.take_on(TOLD_AT_ONCE, HELD_MAX).await;
    // What was claimed and could not be archived is held, and the mind does not know of it.
    *told_of_held = turns.is_ok();
    let turns = turns?;
    let more = turns.len() == TOLD_AT_ONCE;
    if !turns.is_empty() {
        tell(residents, turns).await?;
    }
    Ok(more)
}

/// Tells each turn to whoever is responsible for its community.
async fn tell(residents: &Residents, turns: Vec<CapturedTurn>) -> Result<(), Stopped> {
    let mut by_community: BTreeMap<CommunityId, Vec<CapturedTurn>> = BTreeMap::new();
    for turn in turns {
        let responsible = match residents.get(&turn.place.community) {
            Some(handle) => handle.community().clone(),
            None => residents.home().clone(),
        };
        by_community.entry(responsible).or_default().push(turn);
    }
    for (community, turns) in by_community {
        tell_one(residents, &community, turns).await?;
    }
    Ok(())
}

async fn tell_one(
    residents: &Residents,
    community: &CommunityId,
    turns: Vec<CapturedTurn>,
) -> Result<(), Stopped> {
    let Some(handle) = residents.get(community) else {
        return Err(Stopped::Closed);
    };
    loop {
        match handle.accept(Input::TurnsBuffered { turns: turns.clone() }).await {
            Ok(()) => return Ok(()),
            Err(NotAccepted::Stopping) => return Err(Stopped::Closed),
            Err(NotAccepted::Busy | NotAccepted::NotStored(_)) => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
}

impl MemoryService {
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
        for record in self.gems.get(&ids).await? {
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
                None => self.gems.last_number(&turn.session).await?,
            };
            turn.number = turn.number.max(known + 1);
            last.insert(turn.session.clone(), turn.number);
            new.push(Record::Turn(turn.clone()));
        }
        self.put(new).await?;
        Ok(turns)
    }
}
