//! The driver's part in memory: turns are captured in the write of their input, and what is forgotten goes from everywhere else.

use mind::memory::Capture;
use mind::{Forgotten, Input, MemoryEvent};
use tokio::sync::oneshot;
use vocabulary::{CapturedTurn, RoomId};

use super::Driver;
use crate::handle::{ForgetOrder, InForce};
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
/// by which the rest is cleared away in the background: after a crash the next start does it.
pub(super) async fn forget(driver: &mut Driver, order: ForgetOrder) {
    let forgotten = order.forgotten.clone();
    let told = async {
        driver
            .take_in(Input::Memory(MemoryEvent::Forgotten(Box::new(order.forgotten))))
            .await?;
        driver.begin_segment().await
    };
    match told.await {
        Ok(()) => clear_away(driver, forgotten, order.done),
        Err(error) => {
            tracing::error!(community = %driver.community, %error, "what memory forgot could not be cleared everywhere; ask again to repeat it");
            if let Some(done) = order.done {
                let _ = done.send(Err(error));
            }
        }
    }
}

/// Clears away what the mind has forgotten, while the driver goes on: messages, model calls, and every recording
/// that could still tell, up to the stretch that goes on.
pub(crate) fn clear_away(
    driver: &mut Driver,
    forgotten: Forgotten,
    done: Option<oneshot::Sender<Result<(), StoreError>>>,
) {
    let (store, community) = (driver.store.clone(), driver.community.clone());
    let live = driver.performer.live().clone();
    let forgetting = Forgetting {
        what: forgotten.what,
        turns: forgotten.turn_ids,
        texts: forgotten.texts,
        first_kept: Some(driver.segment_first),
    };
    driver.clearing.spawn(async move {
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
