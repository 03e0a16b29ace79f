//! The voice of a community's rooms: halls with a clock, and who comes and goes in them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use runtime::ports::{
    DoorRefusal, InVoice, LineCoding, LineEnd, Voice, VoiceAnswer, VoiceComing, VoiceDoors, VoiceEvent,
    VoiceFault, VoiceLine, VoiceRoom, VoiceSession,
};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior};
use vocabulary::{Author, PersonId, RoomId};

use crate::hall::{Arrival, Door, Hall};
use crate::line::Line;
use crate::lobby::{Lobby, STAYS_MAX};
use crate::news::News;
use crate::seat::Seat;
use crate::stay::Stay;
use crate::{PEOPLE_MAX, hall, webrtc};

/// The time of a frame.
const TICK: Duration = Duration::from_millis(20);

/// The voice of all rooms of a community. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Halls(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    lobby: Lobby,
    /// Those in which somebody is.
    rooms: Mutex<BTreeMap<RoomId, Arc<TimedHall>>>,
    news: News,
    changes: watch::Sender<u64>,
}

/// A hall, and the clock that it goes by.
#[derive(Debug)]
pub(crate) struct TimedHall {
    room: RoomId,
    began: Instant,
    state: Mutex<Ticking>,
}

#[derive(Debug, Default)]
struct Ticking {
    hall: Hall,
    /// Whether a task gives it its time.
    is_ticking: bool,
}

impl Halls {
    /// Empty ones; who comes and goes is told by `coming`. Must be called within a runtime of tokio.
    pub fn new(lobby: Lobby, coming: mpsc::Sender<VoiceComing>) -> Self {
        // Nobody in a room waits for whoever reads it.
        let news = News::default();
        tokio::spawn(news.clone().tell(coming));
        Self(Arc::new(Inner {
            lobby,
            rooms: Mutex::default(),
            news,
            changes: watch::Sender::new(0),
        }))
    }

    /// What all communities share.
    pub fn lobby(&self) -> &Lobby {
        &self.0.lobby
    }

    /// Somebody comes into a room, and stays until what is returned is dropped. Whoever is there by that name already is
    /// here from now on, and there no more.
    pub fn come(&self, room: &RoomId, author: Author, muted: bool) -> Result<Stay, DoorRefusal> {
        self.come_by(Door::Program, room, author, muted)
    }

    /// The same, by a certain kind of door.
    pub(crate) fn come_by(
        &self,
        door: Door,
        room: &RoomId,
        author: Author,
        muted: bool,
    ) -> Result<Stay, DoorRefusal> {
        let place = self.0.lobby.place().ok_or_else(|| {
            let why = format!(
                "{STAYS_MAX} people are in voice already, in all rooms together. Try again when one has left."
            );
            DoorRefusal::Full(why)
        })?;
        let session = new_session();
        let mut rooms = self.rooms();
        let timed = rooms.entry(room.clone()).or_insert_with(|| TimedHall::new(room));
        let timed = timed.clone();
        let now = timed.now();
        let entered = timed
            .lock()
            .hall
            .enter(
                author.clone(),
                session.clone(),
                Arrival { muted, door, place },
                now,
            )
            .map_err(|hall::HallFull| {
                let why = format!(
                    "{PEOPLE_MAX} people are in the voice of this room already. Try again when one has left."
                );
                DoorRefusal::Full(why)
            })?;
        let person = author.id.clone();
        if entered.is_new {
            self.0.news.joined(room, author);
        }
        self.changed();
        drop(rooms);
        Ok(Stay::new(self.clone(), timed, person, session, entered.ear))
    }

    /// Ends a stay, if it still lasts.
    pub(crate) fn end(&self, room: &RoomId, person: &PersonId, session: &VoiceSession, end: LineEnd) {
        let mut rooms = self.rooms();
        let Some(timed) = rooms.get(room) else { return };
        let mut state = timed.lock();
        if !state.hall.leave(person, session, end) {
            return;
        }
        let is_empty = state.hall.is_empty();
        drop(state);
        if is_empty {
            rooms.remove(room);
        }
        self.0.news.left(room, person);
        self.changed();
    }

    /// Denizen leaves.
    pub(crate) fn unseat(&self, timed: &TimedHall, stay: u64) {
        let mut rooms = self.rooms();
        let mut state = timed.lock();
        state.hall.unseat(stay);
        // A hall that was emptied before may have another in its place by now.
        let is_current = rooms
            .get(&timed.room)
            .is_some_and(|current| std::ptr::eq(Arc::as_ptr(current), timed));
        if is_current && state.hall.is_empty() {
            rooms.remove(&timed.room);
        }
        drop(state);
        self.changed();
    }

    /// Does something in a hall, and has time go on there if it must.
    pub(crate) fn within<T>(&self, timed: &Arc<TimedHall>, act: impl FnOnce(&mut Hall, u64) -> T) -> T {
        let now = timed.now();
        let mut state = timed.lock();
        let done = act(&mut state.hall, now);
        if state.hall.is_busy() && !state.is_ticking {
            state.is_ticking = true;
            tokio::spawn(keep_time(self.clone(), timed.clone()));
        }
        done
    }

    /// Turns a microphone off or on.
    pub(crate) fn set_muted(
        &self,
        timed: &Arc<TimedHall>,
        person: &PersonId,
        session: &VoiceSession,
        muted: bool,
    ) {
        if self.within(timed, |hall, _| hall.mute(person, session, muted)) {
            self.changed();
        }
    }

    fn find(&self, room: &RoomId, session: &VoiceSession) -> Option<(Arc<TimedHall>, PersonId)> {
        let timed = self.rooms().get(room)?.clone();
        let person = timed.lock().hall.whose(session)?.clone();
        Some((timed, person))
    }

    fn changed(&self) {
        self.0.changes.send_modify(|number| *number += 1);
    }

    fn rooms(&self) -> MutexGuard<'_, BTreeMap<RoomId, Arc<TimedHall>>> {
        self.0.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TimedHall {
    fn new(room: &RoomId) -> Arc<Self> {
        Arc::new(Self {
            room: room.clone(),
            began: Instant::now(),
            state: Mutex::default(),
        })
    }

    pub(crate) fn room(&self) -> &RoomId {
        &self.room
    }

    /// In samples since the hall is there.
    fn now(&self) -> u64 {
        self.began.elapsed().as_micros() as u64 * 48 / 1_000
    }

    fn lock(&self) -> MutexGuard<'_, Ticking> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives a hall its time while there is sound in it.
async fn keep_time(halls: Halls, timed: Arc<TimedHall>) {
    let mut clock = tokio::time::interval(TICK);
    // Whoever was held up does not hurry afterwards: sound that comes in heaps is worse than a pause.
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        clock.tick().await;
        let now = timed.now();
        let mut state = timed.lock();
        let changes = state.hall.tick(now);
        let goes_on = state.hall.is_busy();
        state.is_ticking = goes_on;
        drop(state);
        if !changes.is_empty() {
            halls.changed();
        }
        for (person, sounding) in changes {
            halls.0.news.sounding(&timed.room, &person, sounding);
        }
        if !goes_on {
            return;
        }
    }
}

fn new_session() -> VoiceSession {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("an operating system that this runs on gives random bytes");
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    VoiceSession::new(digits)
}

#[async_trait]
impl Voice for Halls {
    async fn join(
        &self,
        room: &RoomId,
    ) -> Result<(Box<dyn VoiceRoom>, mpsc::Receiver<VoiceEvent>), VoiceFault> {
        let mut rooms = self.rooms();
        let timed = rooms.entry(room.clone()).or_insert_with(|| TimedHall::new(room));
        let timed = timed.clone();
        let now = timed.now();
        let (stay, events) = timed.lock().hall.seat(now);
        drop(rooms);
        self.changed();
        Ok((Box::new(Seat::new(self.clone(), timed, stay)), events))
    }
}

#[async_trait]
impl VoiceDoors for Halls {
    fn presence(&self, room: &RoomId) -> InVoice {
        let timed = self.rooms().get(room).cloned();
        timed.map_or_else(InVoice::default, |timed| timed.lock().hall.presence())
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    fn enter(
        &self,
        room: &RoomId,
        author: Author,
        coding: LineCoding,
        muted: bool,
    ) -> Result<Box<dyn VoiceLine>, DoorRefusal> {
        let line = Line::new(self.come(room, author, muted)?, coding)?;
        Ok(Box::new(line))
    }

    async fn offer(
        &self,
        room: &RoomId,
        author: Author,
        sdp: &str,
        muted: bool,
    ) -> Result<VoiceAnswer, DoorRefusal> {
        webrtc::offer(self, room, author, sdp, muted).await
    }

    fn whose(&self, room: &RoomId, session: &VoiceSession) -> Option<PersonId> {
        self.find(room, session).map(|(_, person)| person)
    }

    fn mute(&self, room: &RoomId, session: &VoiceSession, muted: bool) {
        if let Some((timed, person)) = self.find(room, session) {
            self.set_muted(&timed, &person, session, muted);
        }
    }

    fn close(&self, room: &RoomId, session: &VoiceSession) {
        if let Some((_, person)) = self.find(room, session) {
            self.end(room, &person, session, LineEnd::Closed);
        }
    }

    fn supersede(&self, room: &RoomId, session: &VoiceSession) {
        if let Some((_, person)) = self.find(room, session) {
            self.end(room, &person, session, LineEnd::Superseded);
        }
    }
}
