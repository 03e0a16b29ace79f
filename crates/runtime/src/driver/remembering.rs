//! The driver's part in memory: turns are captured in the write of their input, and what is forgotten goes from everywhere else.

use mind::memory::Capture;
use mind::{Input, MemoryEvent};
use vocabulary::{CapturedTurn, RoomId};

use super::Driver;
use crate::handle::{ForgetOrder, InForce};
use crate::ports::{Forgetting, RecordedInput, StoreError};

impl Driver {
    /// The turns among some inputs, for memory's buffer.
    pub(super) fn captures(&self, inputs: &[(RecordedInput, Option<InForce>)]) -> Vec<CapturedTurn> {
        if self.memory.is_none() {
            return Vec::new();
        }
        let mut capture = Capture::new(&self.community, &self.mind, &self.in_force.settings.memory);
        inputs
            .iter()
            .filter_map(|(recorded, _)| capture.turn_of(recorded.seq, &recorded.input, recorded.now.wall))
            .collect()
    }

    /// The final summary of a conversation is a turn like any other, and so is what was seen on a screen.
    pub(super) fn summary(&self, room: &RoomId, text: &str, seen_with: Option<&str>) -> Option<CapturedTurn> {
        self.memory.as_ref()?;
        let settings = &self.in_force.settings;
        let capture = Capture::new(&self.community, &self.mind, &settings.memory);
        let at = self.clock.now().wall;
        match seen_with {
            Some(shared_by) => capture.recap(room, shared_by, text, at),
            None => capture.summary(room, self.mind.denizen(), &settings.identity.name, text, at),
        }
    }

    /// Lets the mind forget, then the messages and every recording that could still tell; a new recording begins.
    pub(super) async fn forget(&mut self, order: ForgetOrder) {
        let (what, texts) = (order.forgotten.what.clone(), order.forgotten.texts.clone());
        let turns = order.turns;
        let forgotten = async {
            self.take_in(Input::Memory(MemoryEvent::Forgotten(Box::new(order.forgotten))))
                .await?;
            let begin = Some(self.segment());
            let forgetting = Forgetting {
                what,
                turns,
                texts,
                begin,
            };
            self.store.forget(&self.community, forgetting).await?;
            self.state_at = self.last_input;
            Ok(())
        };
        let forgotten: Result<(), StoreError> = forgotten.await;
        if let Err(error) = &forgotten {
            tracing::error!(community = %self.community, %error, "what memory forgot could not be cleared everywhere; ask again to repeat it");
        }
        self.performer.begin_anew();
        if let Some(done) = order.done {
            let _ = done.send(forgotten);
        }
    }
}
