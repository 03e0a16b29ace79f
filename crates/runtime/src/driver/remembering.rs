//! The driver's part in memory: turns are captured in the write of their input, and what is forgotten goes from everywhere else.

use mind::memory::Capture;
use mind::{Forgotten, Input, MemoryEvent};
use tokio::sync::oneshot;
use vocabulary::{CapturedTurn, Forget, RoomId};

use super::Driver;
use crate::handle::{ForgetOrder, InForce};
use crate::memory::MemoryService;
use crate::ports::{Forgetting, RecordedInput, StoreError};

/// The turns among some inputs, for memory's buffer.
pub(super) fn captures(driver: &Driver, inputs: &[(RecordedInput, Option<InForce>)]) -> Vec<CapturedTurn> {
    if driver.memory.is_none() {
        return Vec::new();
    }
    let mut capture = Capture::new(&driver.community, &driver.mind, &driver.in_force.settings.memory);
    inputs
        .iter()
        .filter_map(|(recorded, _)| capture.turn_of(recorded.seq, &recorded.input, recorded.now.wall))
        .collect()
}

/// The final summary of a conversation is a turn like any other, and so is what was seen on a screen.
pub(super) fn summary(
    driver: &Driver,
    room: &RoomId,
    text: &str,
    seen_with: Option<&str>,
) -> Option<CapturedTurn> {
    driver.memory.as_ref()?;
    let settings = &driver.in_force.settings;
    let capture = Capture::new(&driver.community, &driver.mind, &settings.memory);
    let at = driver.clock.now().wall;
    match seen_with {
        Some(shared_by) => capture.recap(room, shared_by, text, at),
        None => capture.summary(room, driver.mind.denizen(), &settings.identity.name, text, at),
    }
}

/// A wish to forget that the mind has taken in, once memory has forgotten it or has not.
#[derive(Debug)]
pub(super) struct Awaited {
    forgotten: Forgotten,
    done: Option<oneshot::Sender<Result<(), StoreError>>>,
    memory_forgot: bool,
}

/// Lets the mind forget, and begins a new recording. That the mind was told is on disk from then on, and is the promise
/// by which the rest is forgotten: memory first, then what is cleared away in the background. After a crash the next start
/// does both.
pub(super) async fn forget(driver: &mut Driver, order: ForgetOrder) {
    let ForgetOrder {
        forgotten,
        promised,
        mut remembered,
        done,
    } = order;
    driver.changed_lately.forgot(&forgotten);
    let told = Input::Memory(MemoryEvent::Forgotten(Box::new(forgotten.clone())));
    let told = async {
        driver.take_in(told).await?;
        super::begin_segment(driver).await
    };
    if let Err(error) = told.await {
        tracing::error!(community = %driver.community, %error, "a wish to forget could not be stored; ask again to repeat it");
        let _ = promised.send(Err(error));
        return;
    }
    let _ = promised.send(Ok(()));
    driver.forgetting.spawn(async move {
        let told = remembered.wait_for(Option::is_some).await;
        Awaited {
            forgotten,
            done,
            memory_forgot: told.is_ok_and(|forgot| *forgot == Some(true)),
        }
    });
}

/// Memory has forgotten what the mind has: the rest is cleared away. What memory found until then may stand in the
/// recording that was begun with the promise, so another one begins here.
pub(super) async fn clear_awaited(driver: &mut Driver, awaited: Awaited) {
    let community = &driver.community;
    if !awaited.memory_forgot {
        tracing::error!(%community, "memory has not forgotten what it was told to; the next start tries again");
        return;
    }
    if let Err(error) = super::begin_segment(driver).await {
        tracing::error!(community = %driver.community, %error, "what is forgotten could not be cleared away; the next start tries again");
        if let Some(done) = awaited.done {
            let _ = done.send(Err(error));
        }
        return;
    }
    clear_away(driver, awaited.forgotten, None, awaited.done);
}

/// Clears away what the mind has forgotten, while the driver goes on: messages, model calls, and every recording
/// that could still tell, up to the stretch that goes on. After a start, memory is told to forget it first.
pub(crate) fn clear_away(
    driver: &mut Driver,
    forgotten: Forgotten,
    memory: Option<MemoryService>,
    done: Option<oneshot::Sender<Result<(), StoreError>>>,
) {
    let (store, community) = (driver.store.clone(), driver.community.clone());
    let live = driver.performer.live().clone();
    let rooms = driver.performer.rooms().clone();
    let forgetting = Forgetting {
        what: forgotten.what,
        turns: forgotten.turn_ids,
        texts: forgotten.texts,
        first_kept: Some(driver.segment_first),
    };
    driver.clearing.spawn(async move {
        if let Some(service) = memory
            && let Err(fault) = service.forgetting().forget(&forgetting.what).await
        {
            tracing::error!(%community, %fault, "what was to be forgotten is still remembered; the next start tries again");
            return;
        }
        if let Forget::Person { person, community: of, .. } = &forgetting.what
            && of.as_ref().is_none_or(|of| *of == community)
        {
            rooms.forget(person).await;
        }
        let cleared = store.forget(&community, forgetting).await.map(|_| ());
        if let Err(error) = &cleared {
            tracing::error!(%community, %error, "what is forgotten could not be cleared everywhere; the next start tries again");
        }
        live.begin_anew();
        if let Some(done) = done {
            let _ = done.send(cleared);
        }
    });
}
