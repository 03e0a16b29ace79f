//! The rooms of a community, and which of them want attention now. A step costs what the rooms it touches cost: the
//! others are not looked at before their time has come.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{Moment, RoomId};

use super::Room;
use crate::ambient::{RoomLookup, RoomSeen};
use crate::effect::Wake;
use crate::reasons::RoomEnding;
use crate::step_context::StepContext;

/// Rooms that are kept in mind at once. A server of Discord has at most 500 channels and 1,000 active threads.
const ROOMS_MAX: usize = 5_000;

/// All rooms, by id.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rooms {
    rooms: BTreeMap<RoomId, Room>,
    /// Follows from the rooms; made anew by the first step of a mind that was restored.
    #[serde(skip)]
    schedule: Schedule,
}

/// When each room wants waking.
#[derive(Clone, Debug, Default)]
struct Schedule {
    /// Whether every room has been looked at under the settings as they are.
    is_known: bool,
    wakes: BTreeMap<RoomId, Wake>,
    in_order: BTreeSet<(Wake, RoomId)>,
    /// Rooms in which every moment may matter.
    watching: BTreeSet<RoomId>,
    /// Rooms that something happened to in this step.
    touched: BTreeSet<RoomId>,
    /// Rooms that the last step looked at.
    #[cfg(test)]
    looked_at: usize,
}

impl PartialEq for Rooms {
    fn eq(&self, other: &Self) -> bool {
        self.rooms == other.rooms
    }
}

impl Schedule {
    fn set(&mut self, id: &RoomId, wake: Option<Wake>) {
        if let Some(old) = self.wakes.remove(id) {
            self.in_order.remove(&(old, id.clone()));
        }
        if let Some(wake) = wake {
            self.wakes.insert(id.clone(), wake);
            self.in_order.insert((wake, id.clone()));
        }
    }

    /// Takes up the rooms whose time has come.
    fn touch_due(&mut self, now: Moment) {
        let due = self.in_order.iter().take_while(|(wake, _)| wake.at <= now);
        let due: Vec<RoomId> = due.map(|(_, id)| id.clone()).collect();
        self.touched.extend(due);
        self.touched.extend(self.watching.iter().cloned());
    }

    fn let_go(&mut self, id: &RoomId) {
        self.set(id, None);
        self.watching.remove(id);
        self.touched.remove(id);
    }
}

impl Rooms {
    pub fn get(&self, id: &RoomId) -> Option<&Room> {
        self.rooms.get(id)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&RoomId, &Room)> {
        self.rooms.iter()
    }

    /// A room that something happens to.
    pub fn touch(&mut self, id: &RoomId) -> Option<&mut Room> {
        let room = self.rooms.get_mut(id)?;
        if !self.schedule.touched.contains(id) {
            self.schedule.touched.insert(id.clone());
        }
        Some(room)
    }

    /// Looks at every room in this step, since what they wait for may have changed.
    pub fn reconsider_all(&mut self) {
        self.schedule.is_known = false;
    }

    /// Every room, since something may concern any of them.
    pub fn touch_all(&mut self) -> impl Iterator<Item = &mut Room> {
        self.reconsider_all();
        self.rooms.values_mut()
    }

    /// A room by its id; the first thing that happens in it makes it known. Where there are too many, one is let go in
    /// which nothing was ever said, or else the one that was quiet for longest.
    pub fn open(&mut self, id: &RoomId, step: &mut StepContext<'_>) -> &mut Room {
        if !self.rooms.contains_key(id) && self.rooms.len() >= ROOMS_MAX {
            let idle = self.rooms.iter().filter(|(_, room)| !room.is_busy());
            let quietest = idle.min_by_key(|(_, room)| (room.holds_messages(), room.last_heard()));
            if let Some(quietest) = quietest.map(|(id, _)| id.clone()) {
                self.end(&quietest, RoomEnding::TooManyRooms, step);
            }
        }
        self.schedule.touched.insert(id.clone());
        self.rooms
            .entry(id.clone())
            .or_insert_with(|| Room::new(id.clone()))
    }

    /// Opens a room in which nothing was said yet.
    pub fn open_empty(&mut self, id: RoomId) {
        self.rooms.entry(id.clone()).or_insert_with(|| Room::new(id));
    }

    /// A room is gone; whether it was there.
    pub fn end(&mut self, id: &RoomId, because: RoomEnding, step: &mut StepContext<'_>) -> bool {
        let Some(mut room) = self.rooms.remove(id) else {
            return false;
        };
        room.end(because, step);
        self.schedule.let_go(id);
        true
    }

    /// Does what time has made due, where it has.
    pub fn advance(&mut self, step: &mut StepContext<'_>) {
        if !self.schedule.is_known {
            self.schedule.touched.extend(self.rooms.keys().cloned());
            self.schedule.is_known = true;
        }
        self.schedule.touch_due(step.moment());
        #[cfg(test)]
        {
            self.schedule.looked_at = self.schedule.touched.len();
        }
        for id in &self.schedule.touched {
            if let Some(room) = self.rooms.get_mut(id) {
                room.advance(step);
            }
        }
    }

    /// Closes the step: notes when the rooms that were touched want waking.
    pub fn settle(&mut self, settings: &Settings) {
        for id in std::mem::take(&mut self.schedule.touched) {
            let room = self.rooms.get(&id);
            self.schedule
                .set(&id, room.and_then(|room| room.next_wake(settings)));
            if room.is_some_and(Room::is_watching) {
                self.schedule.watching.insert(id);
            } else {
                self.schedule.watching.remove(&id);
            }
        }
    }

    /// When the first of them wants waking.
    pub fn next_wake(&self) -> Option<Wake> {
        self.schedule.in_order.first().map(|(wake, _)| *wake)
    }
}

impl RoomLookup for Rooms {
    fn seen(&self, room: &RoomId) -> Option<RoomSeen<'_>> {
        self.rooms.get(room).map(Room::seen_by_thoughts)
    }
}

#[cfg(test)]
#[path = "rooms_tests.rs"]
mod rooms_tests;
