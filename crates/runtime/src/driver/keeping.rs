//! Keeping the mind's state, and the stretches of recording that begin with it.

use serde_json::value::RawValue;

use super::{Driver, SEGMENT_LASTS};
use crate::ports::{Batch, Segment, StoreError};

/// Keeps the mind's state; now and then the recording begins a new stretch from it.
pub(super) async fn keep_state(driver: &mut Driver) -> Result<(), StoreError> {
    if !driver.unwritten.is_empty() || !driver.reflexes.is_empty() {
        return Ok(());
    }
    let batch = Batch {
        state: Some((driver.last_input, state(driver))),
        ..Batch::default()
    };
    driver.write(batch).await?;
    driver.state_at = driver.last_input;
    let is_over = driver.clock.now().moment.since(driver.segment_began.moment) >= SEGMENT_LASTS;
    if is_over && driver.reflexes.is_empty() {
        begin_segment(driver).await?;
    }
    Ok(())
}

/// Begins a stretch of recording with the mind as it is.
pub(crate) async fn begin_segment(driver: &mut Driver) -> Result<(), StoreError> {
    while !driver.reflexes.is_empty() || !driver.unwritten.is_empty() {
        let reflexes = driver.reflexes.recorded(driver.last_input);
        driver.write_down_with(reflexes, Batch::default()).await?;
    }
    let segment = segment(driver);
    let batch = Batch {
        state: Some((driver.last_input, segment.state.get().to_owned())),
        ..Batch::default()
    };
    driver.store.commit(&driver.community, batch).await?;
    driver.state_at = driver.last_input;
    driver.store.begin_segment(segment).await
}

/// A stretch of recording that begins now, with the mind as it is.
fn segment(driver: &mut Driver) -> Segment {
    driver.segment_began = driver.clock.now();
    driver.segment_first = driver.last_input + 1;
    Segment {
        community: driver.community.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: driver.segment_began.wall,
        first_input: driver.last_input + 1,
        state: RawValue::from_string(state(driver)).expect("the state was just written as JSON"),
        settings_version: driver.in_force.saved.version,
        settings: driver.in_force.saved.document.clone(),
    }
}

fn state(driver: &Driver) -> String {
    mind::snapshot::keep(&driver.mind)
}
