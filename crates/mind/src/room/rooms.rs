//! The rooms of a community, and which of them want attention now. A step costs what the rooms it touches cost: the
//! others are not looked at before their time has come.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use settings::Settings;
use vocabulary::{Moment, Now, RoomFacts, RoomId};

use super::Room;
use crate::ambient::view::AloudView;
use crate::ambient::{RoomLookup, RoomSeen};
use crate::by_text;
use crate::effect::Wake;
use crate::memory::RunningSummaries;
use crate::reasons::RoomEnding;
use crate::step_context::StepContext;

/// Rooms that are kept in mind at once. A server of Discord has at most 500 channels and 1,000 active threads.
const ROOMS_MAX: usize = 5_000;
/// Rooms of which it is known that they were there, those that are gone included.
const NAMES_MAX: usize = 4 * ROOMS_MAX;

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
    /// Rooms that have ended in this step.
    ended: Vec<RoomId>,
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

impl RunningSummaries for Rooms {
    fn running_summary(&self, room: &RoomId, settings: &Settings) -> String {
        let room = self.rooms.get(room);
        room.map(|room| room.view().running_summary(settings).to_owned())
            .unwrap_or_default()
    }
}

impl Rooms {
    /// What is known of a room, even where it is gone.
    pub fn known(&self, id: &RoomId) -> Option<&Room> {
        self.rooms.get(id)
    }

    /// A copy of one room, without the others.
    pub fn alone(&self, id: &RoomId) -> Self {
        let room = self.rooms.get(id).map(|room| (id.clone(), room.clone()));
        Self {
            rooms: room.into_iter().collect(),
            schedule: Schedule::default(),
        }
    }

    pub fn get(&self, id: &RoomId) -> Option<&Room> {
        self.known(id).filter(|room| !room.is_gone)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&RoomId, &Room)> {
        self.rooms.iter().filter(|(_, room)| !room.is_gone)
    }

    /// A room that something happens to.
    pub fn touch(&mut self, id: &RoomId) -> Option<&mut Room> {
        let room = self.rooms.get_mut(id).filter(|room| !room.is_gone)?;
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
        self.rooms.values_mut().filter(|room| !room.is_gone)
    }

    /// A room by its id; the first thing that happens in it makes it known. Where there are too many, one is let go in
    /// which nothing was ever said, or else the one that was quiet for longest.
    pub fn open(&mut self, id: &RoomId, step: &mut StepContext<'_>) -> &mut Room {
        if self.get(id).is_none() && self.rooms.len() >= ROOMS_MAX {
            self.make_place(step);
        }
        self.schedule.touched.insert(id.clone());
        let room = self
            .rooms
            .entry(id.clone())
            .or_insert_with(|| Room::new(id.clone()));
        room.is_gone = false;
        room
    }

    /// A room, and those that belong to it.
    pub fn with_threads(&mut self, id: &RoomId, step: &mut StepContext<'_>) -> Vec<&mut Room> {
        self.open(id, step);
        let belongs = |room: &Room| {
            let parent = room.facts.as_ref().and_then(|facts| facts.parent.as_ref());
            room.id == *id || parent == Some(id)
        };
        let here = self.rooms.values().filter(|room| belongs(room));
        self.schedule.touched.extend(here.map(|room| room.id.clone()));
        let rooms = self.rooms.values_mut().filter(|room| !room.is_gone);
        rooms.filter(|room| belongs(room)).collect()
    }

    /// A room that was not known is described: what somebody wants in its channel holds there, too.
    pub fn inherit_quiet(&mut self, id: &RoomId, facts: &RoomFacts) {
        let parent = facts.parent.as_ref().and_then(|parent| self.get(parent));
        if let Some(quiet) = parent.and_then(|parent| parent.quiet)
            && let Some(room) = self.rooms.get_mut(id).filter(|room| room.facts.is_none())
        {
            room.quiet = Some(quiet);
        }
    }

    fn make_place(&mut self, step: &mut StepContext<'_>) {
        if self.iter().count() >= ROOMS_MAX {
            let idle = self.iter().filter(|(_, room)| is_idle(room));
            let quietest = idle.min_by_key(|(_, room)| (is_known(room), room.floor.last_heard()));
            match quietest.map(|(id, room)| (id.clone(), is_known(room))) {
                Some((quietest, true)) => self.end(&quietest, RoomEnding::TooManyRooms, step),
                // Somebody typed there, and that was all.
                Some((empty, false)) => {
                    self.rooms.remove(&empty);
                    self.schedule.let_go(&empty);
                }
                None => {}
            }
        }
        let gone = self.rooms.iter().find(|(_, room)| room.is_gone);
        if let Some(gone) = gone
            .map(|(id, _)| id.clone())
            .filter(|_| self.rooms.len() >= NAMES_MAX)
        {
            self.rooms.remove(&gone);
        }
    }

    /// Takes a room over as it was kept, where it fits whole; else it is opened empty. Whether it did.
    pub fn take_over(&mut self, id: RoomId, kept: &Value) -> bool {
        let read = by_text::read::<Room>(kept).ok();
        let is_whole = |room: &Room| by_text::written(room).is_ok_and(|again| again == *kept);
        let read = read.filter(|room| room.id == id).filter(is_whole);
        let fits = read.is_some();
        self.rooms
            .insert(id.clone(), read.unwrap_or_else(|| Room::new(id)));
        fits
    }

    /// A room is gone.
    pub fn end(&mut self, id: &RoomId, because: RoomEnding, step: &mut StepContext<'_>) {
        if let Some(room) = self.touch(id) {
            room.end(because, step);
            self.schedule.let_go(id);
            self.schedule.ended.push(id.clone());
        }
    }

    /// The rooms that have ended since the last time somebody asked.
    pub fn take_ended(&mut self) -> Vec<RoomId> {
        std::mem::take(&mut self.schedule.ended)
    }

    /// What somebody chose in one room holds in all of them.
    pub fn heed_choices(&mut self, step: &mut StepContext<'_>) {
        for (person, listen) in step.unlistened.take_chosen() {
            for (id, room) in &mut self.rooms {
                if room.heed(&person, listen, step) {
                    self.schedule.touched.insert(id.clone());
                }
            }
        }
    }

    /// Does what time has made due, where it has.
    pub fn advance(&mut self, step: &mut StepContext<'_>) {
        if !self.schedule.is_known {
            let all: Vec<RoomId> = self.iter().map(|(id, _)| id.clone()).collect();
            self.schedule.touched.extend(all);
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

/// Whether a room may be let go: nothing is under way there.
fn is_idle(room: &Room) -> bool {
    !room.is_busy() && !room.is_watching()
}

/// Whether there is something to lose: the room was described, or something was said there.
fn is_known(room: &Room) -> bool {
    room.facts.is_some() || room.holds_messages()
}

impl RoomLookup for Rooms {
    fn seen(&self, room: &RoomId, now: Now, settings: &Settings) -> Option<RoomSeen<'_>> {
        // Somebody may have typed into nowhere: a room exists once it was described, or something was said there.
        let room = self.get(room).filter(|room| is_known(room))?;
        Some(room.view().for_thoughts(now, settings))
    }

    fn held_aloud(&self) -> Vec<AloudView> {
        let held = self.iter().filter_map(|(_, room)| room.view().held_aloud());
        held.collect()
    }
}

#[cfg(test)]
#[path = "rooms_tests.rs"]
mod rooms_tests;
