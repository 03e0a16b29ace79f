//! Deliveries under way, so that a sent message can be stored with its turn and its ask.

use std::collections::BTreeMap;

use mind::{Answer, Delivery, Input};
use vocabulary::DeliveryId;

/// Deliveries of which it is known what they came from. One that was given up long ago makes way for a new one.
const OPEN_MAX: usize = 256;

#[derive(Debug, Default)]
pub(super) struct OpenDeliveries(BTreeMap<DeliveryId, Delivery>);

impl OpenDeliveries {
    /// One goes out; where there are too many, that of the oldest turn is let go.
    pub fn open(&mut self, delivery: &Delivery) {
        self.0.insert(delivery.id.clone(), delivery.clone());
        if self.0.len() > OPEN_MAX {
            let oldest = self.0.values().min_by_key(|open| open.turn);
            let oldest = oldest.map(|open| open.id.clone());
            oldest.and_then(|id| self.0.remove(&id));
        }
    }

    /// What one came from, where that is still known.
    pub fn get(&self, id: &DeliveryId) -> Option<&Delivery> {
        self.0.get(id)
    }

    /// An input is on disk; where it says that a delivery has arrived, that one is over.
    pub fn arrived(&mut self, input: &Input) {
        if let Input::Answer(Answer::MessageSent { delivery, .. }) = input {
            self.0.remove(delivery);
        }
    }
}

#[cfg(test)]
#[path = "open_deliveries_tests.rs"]
mod tests;
