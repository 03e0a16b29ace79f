//! Models that asked to be left alone for long. Nobody waits that long in a room: it is said, and the room goes on.

use serde::{Deserialize, Serialize};
use vocabulary::{ModelChoice, Moment, RoomId, Span};

/// The longest that a reply waits for a model because the provider asks for it.
pub(crate) const PATIENCE_MAX: Span = Span::seconds(60);
/// A model is asked again after so long, whatever its provider said.
const REST_MAX: Span = Span::hours(1);
/// Models that are known to rest; a community has few.
const RESTS_MAX: usize = 16;

/// Models that are not asked for a while.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ModelRests {
    resting: Vec<Rest>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rest {
    pub choice: ModelChoice,
    pub until: Moment,
    /// Rooms in which somebody was told of it.
    #[serde(default)]
    told: Vec<RoomId>,
}

impl ModelRests {
    /// A provider asks for a wait that is longer than anybody waits in a room: for how long the model is left alone.
    pub fn begin(&mut self, choice: &ModelChoice, asked_for: Span, now: Moment) -> Option<Span> {
        if asked_for <= PATIENCE_MAX {
            return None;
        }
        let rest = asked_for.min(REST_MAX);
        self.resting
            .retain(|rest| rest.until > now && rest.choice != *choice);
        self.resting.truncate(RESTS_MAX - 1);
        self.resting.push(Rest {
            choice: choice.clone(),
            until: now + rest,
            told: Vec::new(),
        });
        Some(rest)
    }

    /// Until when a model is left alone.
    pub fn until(&self, choice: &ModelChoice, now: Moment) -> Option<Moment> {
        let mut resting = self.resting(now);
        resting.find(|rest| rest.choice == *choice).map(|rest| rest.until)
    }

    /// Whether somebody in a room is to be told of it: once for each rest.
    pub fn is_to_be_told(&mut self, choice: &ModelChoice, room: &RoomId, now: Moment) -> bool {
        let mut resting = self.resting.iter_mut().filter(|rest| rest.until > now);
        let Some(rest) = resting.find(|rest| rest.choice == *choice) else {
            return false;
        };
        let news = !rest.told.contains(room);
        if news {
            rest.told.push(room.clone());
        }
        news
    }

    /// All that rest now.
    pub fn resting(&self, now: Moment) -> impl Iterator<Item = &Rest> {
        self.resting.iter().filter(move |rest| rest.until > now)
    }
}

#[cfg(test)]
#[path = "rests_tests.rs"]
mod rests_tests;
