//! The pump: turns that wait in the buffer are archived, so that they can be found, and told to the mind.

use std::collections::BTreeMap;
use std::time::Duration;

use mind::{Input, MemoryEvent};
use vocabulary::{CapturedTurn, CommunityId};

use super::intake::MemoryIntake;
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
pub(crate) async fn run(intake: MemoryIntake, residents: Residents) {
    let mut told_of_held = false;
    let mut rest = REST_MIN;
    loop {
        match pump(&intake, &residents, &mut told_of_held).await {
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
            () = intake.captured() => {}
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
    intake: &MemoryIntake,
    residents: &Residents,
    told_of_held: &mut bool,
) -> Result<bool, Stopped> {
    if !*told_of_held {
        // After a restart the mind may or may not know what it held; it takes each turn once.
        let held = intake.held().await?;
        for turns in held.chunks(TOLD_AT_ONCE) {
            tell(residents, turns.to_vec()).await?;
        }
        *told_of_held = true;
    }
    let turns = intake.take_on(TOLD_AT_ONCE, HELD_MAX).await;
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
        match handle
            .accept(Input::Memory(MemoryEvent::TurnsBuffered { turns: turns.clone() }))
            .await
        {
            Ok(()) => return Ok(()),
            Err(NotAccepted::Stopping) => return Err(Stopped::Closed),
            Err(NotAccepted::Busy | NotAccepted::NotStored(_)) => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
}
