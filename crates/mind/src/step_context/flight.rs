//! Everything slow that was asked of the world and has not come back: who waits for it, and until when.
//!
//! A question to a model is launched here and nowhere else, so that its lines in the journal, its deadline, its end by a
//! restart and the way back to whoever asked are the same for every purpose. What comes back is found by its id.

mod ask;
mod look_up;
mod pace;

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, JournalSeq, Moment, RoomId};

pub(crate) use self::ask::{
    DEADLINE_GRACE, Flight, Launched, Question, cancel, interrupted, launch, launch_aloud, launch_as,
    timed_out,
};
use self::look_up::Expected;
pub(crate) use self::look_up::LookUp;
pub(crate) use self::pace::Pace;
use self::pace::Paces;
use crate::effect::{Wake, WakeReason};

/// Who is told what came back. The order is the one in which they hear of a restart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Owner {
    /// The replies of a room.
    Replies(RoomId),
    /// The running summary of a room.
    Folding(RoomId),
    /// The watch of the screens that are shared in a room.
    Watch(RoomId),
    /// The voice of a room.
    Voice(RoomId),
    Memory,
    Ambient,
}

/// All that is under way outside, each found by its id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Flights {
    /// In the order of their ids.
    #[serde(default)]
    asks: Vec<Flight>,
    /// In the order of what they wait for.
    #[serde(default)]
    look_ups: Vec<Expected>,
    /// How long models take.
    #[serde(default, skip_serializing_if = "Paces::is_empty")]
    paces: Paces,
}

impl Flights {
    /// Questions to models that are under way.
    pub fn asks(&self) -> usize {
        self.asks.len()
    }

    /// Who waits for the answer to a question; nobody where it is over.
    pub fn owner(&self, ask: AskId) -> Option<&Owner> {
        let place = self.place(ask).ok()?;
        Some(&self.asks[place].owner)
    }

    /// A question under way.
    pub fn ask(&self, ask: AskId) -> Option<&Flight> {
        let place = self.place(ask).ok()?;
        Some(&self.asks[place])
    }

    /// A question has come back: nobody waits for it any more but whoever gets the flight.
    pub fn land(&mut self, ask: AskId) -> Option<Flight> {
        let place = self.place(ask).ok()?;
        Some(self.asks.remove(place))
    }

    /// Waits for something that is looked up, made or run outside.
    pub fn expect(&mut self, look_up: LookUp, owner: Owner, deadline: Moment) {
        let expected = Expected {
            look_up,
            owner,
            deadline,
        };
        match self.look_up_place(look_up) {
            Ok(place) => self.look_ups[place] = expected,
            Err(place) => self.look_ups.insert(place, expected),
        }
    }

    /// What was looked up is here, or not wanted any more: who waited for it.
    pub fn found(&mut self, look_up: LookUp) -> Option<Owner> {
        let place = self.look_up_place(look_up).ok()?;
        Some(self.look_ups.remove(place).owner)
    }

    /// Questions that have had their time.
    pub fn overdue_asks(&self, now: Moment) -> Vec<AskId> {
        let overdue = self.asks.iter().filter(|flight| flight.deadline <= now);
        overdue.map(|flight| flight.ask).collect()
    }

    /// Look-ups that have had their time.
    pub fn overdue_look_ups(&self, now: Moment) -> Vec<LookUp> {
        let overdue = self.look_ups.iter().filter(|expected| expected.deadline <= now);
        overdue.map(|expected| expected.look_up).collect()
    }

    /// The process is back, and whatever was under way is lost: the questions, in the order in which their owners hear of
    /// it. Their lines are caused by the one that says so.
    pub fn lose_all(&mut self, cause: JournalSeq) -> Vec<Flight> {
        self.look_ups.clear();
        let mut lost = std::mem::take(&mut self.asks);
        lost.sort_by(|one, other| one.owner.cmp(&other.owner).then(one.ask.cmp(&other.ask)));
        for flight in &mut lost {
            flight.scope.cause = Some(cause);
            flight.lost = true;
        }
        lost
    }

    /// When the first of them has had its time.
    pub fn next_wake(&self) -> Option<Wake> {
        let asks = self.asks.iter().map(|flight| Wake {
            at: flight.deadline,
            reason: WakeReason::AskDeadline,
        });
        asks.chain(self.look_ups.iter().map(Expected::wake)).min()
    }

    fn place(&self, ask: AskId) -> Result<usize, usize> {
        self.asks.binary_search_by(|flight| flight.ask.cmp(&ask))
    }

    fn look_up_place(&self, look_up: LookUp) -> Result<usize, usize> {
        self.look_ups
            .binary_search_by(|expected| expected.look_up.cmp(&look_up))
    }
}

#[cfg(test)]
#[path = "flight_tests.rs"]
mod flight_tests;
