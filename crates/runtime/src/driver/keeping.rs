//! Keeping the mind's state, and the stretches of recording that begin with it.

use serde_json::value::RawValue;

use super::{Driver, SEGMENT_LASTS};
use crate::ports::{Batch, Segment, StoreError};

impl Driver {
    /// Keeps the mind's state; now and then the recording begins a new stretch from it.
    pub(super) async fn keep_state(&mut self) -> Result<(), StoreError> {
        if !self.unwritten.is_empty() || !self.reflexes.is_empty() {
            return Ok(());
        }
        let batch = Batch {
            state: Some((self.last_input, self.state())),
            ..Batch::default()
        };
        self.write(batch).await?;
        self.state_at = self.last_input;
        let is_over = self.clock.now().moment.since(self.segment_began.moment) >= SEGMENT_LASTS;
        if is_over && self.reflexes.is_empty() {
            self.begin_segment().await?;
        }
        Ok(())
    }

    /// Begins a stretch of recording with the mind as it is.
    pub async fn begin_segment(&mut self) -> Result<(), StoreError> {
        while !self.reflexes.is_empty() || !self.unwritten.is_empty() {
            let reflexes = self.reflexes.recorded(self.last_input);
            self.write_down_with(reflexes, Batch::default()).await?;
        }
        let segment = self.segment();
        let batch = Batch {
            state: Some((self.last_input, segment.state.get().to_owned())),
            ..Batch::default()
        };
        self.store.commit(&self.community, batch).await?;
        self.state_at = self.last_input;
        self.store.begin_segment(segment).await
    }

    /// A stretch of recording that begins now, with the mind as it is.
    fn segment(&mut self) -> Segment {
        self.segment_began = self.clock.now();
        self.segment_first = self.last_input + 1;
        Segment {
            community: self.community.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: self.segment_began.wall,
            first_input: self.last_input + 1,
            state: RawValue::from_string(self.state()).expect("the state was just written as JSON"),
            settings_version: self.in_force.saved.version,
            settings: self.in_force.saved.document.clone(),
        }
    }

    fn state(&self) -> String {
        mind::snapshot::keep(&self.mind)
    }
}
