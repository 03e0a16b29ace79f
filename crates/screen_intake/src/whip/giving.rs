//! Frames go to the share, one after the other; the change score of a refused frame is carried over to the next one.

use std::sync::Arc;

use tokio::sync::mpsc;
use vocabulary::ChangeScore;

use super::outlet::{Exposure, Outlet};

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// The share did not begin.
    Nothing,
    /// There are no more frames.
    All,
}

/// Begins the share, then gives it frames until there are no more.
pub(super) async fn run(outlet: Arc<dyn Outlet>, mut exposures: mpsc::Receiver<Exposure>) -> Given {
    if let Err(refused) = outlet.begin().await {
        tracing::debug!(why = refused.0, "a stream's share did not begin");
        return Given::Nothing;
    }
    let mut untold: Option<ChangeScore> = None;
    while let Some(mut exposure) = exposures.recv().await {
        if !outlet.is_watched() {
            // It was on its way when the watch ended; nobody waits for it, nor for what it had to tell.
            untold = None;
            continue;
        }
        if let Some(before) = untold {
            exposure.seen.change = both(before, exposure.seen.change);
        }
        let change = exposure.seen.change;
        untold = match outlet.frame(exposure).await {
            Ok(()) => None,
            Err(refused) => {
                tracing::debug!(why = refused.0, "a frame of a stream was refused");
                Some(change)
            }
        };
    }
    Given::All
}

/// A change that nobody was told of, and the one after it.
fn both(before: ChangeScore, after: ChangeScore) -> ChangeScore {
    let greater = if before.score > after.score { before } else { after };
    ChangeScore {
        ema: before.ema.max(after.ema),
        scene_cut: before.scene_cut || after.scene_cut,
        ..greater
    }
}

#[cfg(test)]
#[path = "giving_tests.rs"]
mod giving_tests;
