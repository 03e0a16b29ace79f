//! Chores beside the driver: settings saved by other programs come into force, and old rows are let go.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::Handle;
use crate::clock::wall;

const LOOK_FOR_SETTINGS_EVERY: Duration = Duration::from_secs(1);
const SWEEP_EVERY: Duration = Duration::from_secs(3_600);

/// Runs until it is aborted.
pub(crate) async fn run(handle: Handle) {
    let mut look = interval(LOOK_FOR_SETTINGS_EVERY);
    let mut sweep = interval(SWEEP_EVERY);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = look.tick() => look_for_settings(&handle).await,
            _ = sweep.tick() => sweep_storage(&handle).await,
        }
    }
}

async fn look_for_settings(handle: &Handle) {
    match handle.store().settings().await {
        Ok(saved) if saved.version > handle.in_force().saved.version => {
            let version = saved.version;
            match handle.put_in_force(saved).await {
                Ok(_) => tracing::info!(version, "settings saved elsewhere are in force"),
                Err(error) => tracing::warn!(version, %error, "settings saved elsewhere were not applied"),
            }
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "the settings could not be looked at"),
    }
}

async fn sweep_storage(handle: &Handle) {
    let keep = handle.in_force().settings.storage.clone();
    match handle.store().sweep(&keep, wall()).await {
        Ok(0) => {}
        Ok(rows) => tracing::info!(rows, "what was older than the settings keep was deleted"),
        Err(error) => tracing::warn!(%error, "old rows could not be deleted; it is tried again in an hour"),
    }
}
