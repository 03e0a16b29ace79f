//! Chores of the process, once for all its communities: settings saved by other programs come into force, shares of
//! screens are looked after, old rows are let go, and turns that wait for memory are taken on.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::task::AbortOnDropHandle;
use vocabulary::Span;

use crate::Handle;
use crate::clock::{MachineTime, TimeSource, wall};
use crate::memory::{MemoryService, pump};
use crate::ports::Swept;
use crate::residents::Residents;

const LOOK_FOR_SETTINGS_EVERY: Duration = Duration::from_secs(1);
pub(crate) const LOOK_AFTER_SCREENS_EVERY: Duration = Duration::from_secs(5);
const SWEEP_EVERY: Duration = Duration::from_secs(3_600);

/// Starts them; they end when what is returned is dropped.
pub(crate) fn start(residents: &Residents, memory: Option<MemoryService>) -> Vec<AbortOnDropHandle<()>> {
    let mut chores = vec![tokio::spawn(keep_up(residents.clone()))];
    if let Some(service) = memory {
        chores.push(tokio::spawn(pump::run(
            service.intake().clone(),
            residents.clone(),
        )));
        chores.push(tokio::spawn(service.vectors().clone().keep_embedding()));
    }
    chores.into_iter().map(AbortOnDropHandle::new).collect()
}

async fn keep_up(residents: Residents) {
    let mut look = interval(LOOK_FOR_SETTINGS_EVERY);
    let mut screens = interval(LOOK_AFTER_SCREENS_EVERY);
    let mut sweep = interval(SWEEP_EVERY);
    for every in [&mut look, &mut screens, &mut sweep] {
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    }
    let mut seen = None;
    let time = MachineTime::default();
    let mut swept_at = None;
    loop {
        tokio::select! {
            _ = look.tick() => look_for_settings(&residents, &mut seen).await,
            _ = screens.tick() => {
                for handle in residents.all() {
                    handle.screens().look_after();
                }
            }
            _ = sweep.tick() => {
                let now = time.elapsed();
                let before = swept_at.replace(now).unwrap_or(now);
                sweep_storage(&residents, now.saturating_sub(before)).await;
            }
        }
    }
}

/// One look tells whether any layer was saved; only then each community is looked at.
async fn look_for_settings(residents: &Residents, seen: &mut Option<u64>) {
    let Some(home) = residents.get(residents.home()) else {
        return;
    };
    match home.store().newest_settings().await {
        Ok(newest) if *seen != Some(newest) => {
            for handle in residents.all() {
                look_for_settings_of(&handle).await;
            }
            *seen = Some(newest);
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "the settings could not be looked at"),
    }
}

async fn look_for_settings_of(handle: &Handle) {
    let community = handle.community();
    match handle.store().settings(community).await {
        Ok(saved) if saved.version() > handle.in_force().saved.version => {
            let version = saved.version();
            match handle.put_in_force(saved).await {
                Ok(_) => tracing::info!(%community, version, "settings saved elsewhere are in force"),
                Err(error) => {
                    tracing::warn!(%community, version, %error, "settings saved elsewhere were not applied")
                }
            }
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%community, %error, "the settings could not be looked at"),
    }
}

/// Lets go what is too old; `ran` is how long it is since the last time.
async fn sweep_storage(residents: &Residents, ran: Duration) {
    let everybody = residents.all();
    let Some(first) = everybody.first() else {
        return;
    };
    let keep: Vec<_> = everybody
        .iter()
        .map(|handle| {
            (
                handle.community().clone(),
                handle.in_force().settings.storage.clone(),
            )
        })
        .collect();
    let ran = Span(u64::try_from(ran.as_millis()).unwrap_or(u64::MAX));
    match first.store().sweep(&keep, wall(), ran).await {
        Ok(Swept { rows, doubt }) => {
            if rows > 0 {
                tracing::info!(rows, "what was older than the settings keep was deleted");
            }
            if let Some(doubt) = doubt {
                tracing::warn!(sure_of_ms = doubt.sure.0, "{doubt}");
            }
            for handle in &everybody {
                let told = doubt.map(|doubt| doubt.to_string());
                handle.ailments().set_retention(told);
            }
        }
        Err(error) => tracing::warn!(%error, "old rows could not be deleted; it is tried again in an hour"),
    }
}
