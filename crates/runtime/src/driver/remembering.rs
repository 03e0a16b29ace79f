//! The driver's part in memory: turns are captured in the write of their input, and what is forgotten goes from everywhere else.

use mind::memory::Capture;
use mind::{Forgotten, Input, MemoryEvent};
use tokio::sync::oneshot;
use vocabulary::{CapturedTurn, Forget, RoomId};

use super::Driver;
use crate::handle::{ForgetOrder, InForce, MemoryForgot};
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

/// Lets the mind forget, and begins a new recording. That the mind was told is on disk from then on, and is the promise
/// by which the rest is forgotten: memory first, then what is cleared away in the background. After a crash the next start
/// does both.
pub(super) async fn forget(driver: &mut Driver, order: ForgetOrder) {
    let forgotten = order.forgotten.clone();
    let told = async {
        driver
            .take_in(Input::Memory(MemoryEvent::Forgotten(Box::new(order.forgotten))))
            .await?;
        super::begin_segment(driver).await
    };
    match told.await {
        Ok(()) => {
            let _ = order.promised.send(Ok(()));
            clear_away(driver, forgotten, Some(order.remembered), order.done);
        }
        Err(error) => {
            tracing::error!(community = %driver.community, %error, "a wish to forget could not be stored; ask again to repeat it");
            let _ = order.promised.send(Err(error));
        }
    }
}

/// Clears away what the mind has forgotten, while the driver goes on: messages, model calls, and every recording
/// that could still tell, up to the stretch that goes on. Once memory has forgotten it; where nobody is about to have it
/// forget, after a start, it is told to.
pub(crate) fn clear_away(
    driver: &mut Driver,
    forgotten: Forgotten,
    remembered: Option<MemoryForgot>,
    done: Option<oneshot::Sender<Result<(), StoreError>>>,
) {
    let (store, community) = (driver.store.clone(), driver.community.clone());
    let (live, memory) = (driver.performer.live().clone(), driver.memory.clone());
    let rooms = driver.performer.rooms().clone();
    let forgetting = Forgetting {
        what: forgotten.what,
        turns: forgotten.turn_ids,
        texts: forgotten.texts,
        first_kept: Some(driver.segment_first),
    };
    driver.clearing.spawn(async move {
        if !has_forgotten(memory, remembered, &forgetting.what).await {
            tracing::error!(%community, "memory has not forgotten what it was told to; the next start tries again");
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

/// Waits until memory has forgotten; whether it has.
async fn has_forgotten(
    memory: Option<MemoryService>,
    remembered: Option<MemoryForgot>,
    what: &Forget,
) -> bool {
    match (remembered, memory) {
        (Some(mut remembered), _) => {
            let told = remembered.wait_for(Option::is_some).await;
            told.is_ok_and(|forgot| *forgot == Some(true))
        }
        (None, Some(service)) => match service.forgetting().forget(what).await {
            Ok(_) => true,
            Err(fault) => {
                tracing::error!(%fault, "what was to be forgotten is still remembered");
                false
            }
        },
        (None, None) => true,
    }
}
