//! The pump: turns that wait in the buffer are archived, so that they can be found, and told to the mind.

use std::time::Duration;

use mind::Input;
use vocabulary::CapturedTurn;

use super::intake::MemoryIntake;
use crate::handle::{Handle, NotAccepted};
use crate::ports::MemoryFault;

/// Turns the mind may have to hold at once, of all conversations together.
const HELD_MAX: usize = 512;
/// Turns that are told in one input.
const TOLD_AT_ONCE: usize = 32;
/// Other processes put turns into a shared buffer without telling us.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The waits after a failure.
const REST_MIN: Duration = Duration::from_millis(500);
const REST_MAX: Duration = Duration::from_secs(10);

/// Runs for as long as the community does.
pub(crate) async fn run(intake: MemoryIntake, handle: Handle) {
    let mut told_of_held = false;
    let mut rest = REST_MIN;
    loop {
        match pump(&intake, &handle, &mut told_of_held).await {
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
async fn pump(intake: &MemoryIntake, handle: &Handle, told_of_held: &mut bool) -> Result<bool, Stopped> {
    if !*told_of_held {
        // After a restart the mind may or may not know what it held; it takes each turn once.
        let held = intake.held().await?;
        for turns in held.chunks(TOLD_AT_ONCE) {
            tell(handle, turns.to_vec()).await?;
        }
        *told_of_held = true;
    }
    let turns = intake.take_on(TOLD_AT_ONCE, HELD_MAX).await;
    // What was claimed and could not be archived is held, and the mind does not know of it.
    *told_of_held = turns.is_ok();
    let turns = turns?;
    let more = turns.len() == TOLD_AT_ONCE;
    if !turns.is_empty() {
        tell(handle, turns).await?;
    }
    Ok(more)
}

async fn tell(handle: &Handle, turns: Vec<CapturedTurn>) -> Result<(), Stopped> {
    loop {
        match handle.accept(Input::TurnsBuffered { turns: turns.clone() }).await {
            Ok(()) => return Ok(()),
            Err(NotAccepted::Stopping) => return Err(Stopped::Closed),
            Err(NotAccepted::Busy | NotAccepted::NotStored(_)) => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
}
