//! Who has come and gone since it was last told: never more than people there can be, however long nobody reads it.
//!
//! Of each person in a room one change waits, and what cancels out is not told: who came and left while nobody read was
//! never there, and who left and came again has not left.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use runtime::ports::VoiceComing;
use tokio::sync::{Notify, mpsc};
use vocabulary::{Author, PersonId, RoomId};

/// What waits to be told. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct News(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    waiting: Mutex<VecDeque<Change>>,
    more: Notify,
}

/// What has become of one person in one room since they were told of.
#[derive(Debug)]
struct Change {
    room: RoomId,
    person: PersonId,
    presence: Presence,
    /// Whether there is sound of them, where that has changed.
    sounding: Option<bool>,
}

#[derive(Debug)]
enum Presence {
    AsTold,
    Came(Author),
    Left,
}

impl News {
    /// Tells what waits, and what comes, until nobody reads it.
    pub(crate) async fn tell(self, coming: mpsc::Sender<VoiceComing>) {
        while let Ok(place) = coming.reserve().await {
            match self.next() {
                Some(news) => place.send(news),
                None => {
                    drop(place);
                    tokio::select! {
                        () = coming.closed() => return,
                        () = self.0.more.notified() => {}
                    }
                }
            }
        }
    }

    pub(crate) fn joined(&self, room: &RoomId, author: Author) {
        let person = author.id.clone();
        self.change(room, &person, |change| {
            change.presence = match change.presence {
                Presence::Left => Presence::AsTold,
                _ => Presence::Came(author),
            }
        });
    }

    pub(crate) fn left(&self, room: &RoomId, person: &PersonId) {
        self.change(room, person, |change| {
            change.sounding = None;
            change.presence = match change.presence {
                Presence::Came(_) => Presence::AsTold,
                _ => Presence::Left,
            }
        });
    }

    pub(crate) fn sounding(&self, room: &RoomId, person: &PersonId, sounding: bool) {
        self.change(room, person, |change| {
            if !matches!(change.presence, Presence::Left) {
                change.sounding = Some(sounding);
            }
        });
    }

    fn change(&self, room: &RoomId, person: &PersonId, change: impl FnOnce(&mut Change)) {
        let mut waiting = self.waiting();
        let place = waiting
            .iter()
            .position(|waits| waits.room == *room && waits.person == *person);
        let place = place.unwrap_or_else(|| {
            waiting.push_back(Change {
                room: room.clone(),
                person: person.clone(),
                presence: Presence::AsTold,
                sounding: None,
            });
            waiting.len() - 1
        });
        change(&mut waiting[place]);
        if matches!(waiting[place].presence, Presence::AsTold) && waiting[place].sounding.is_none() {
            waiting.remove(place);
        }
        drop(waiting);
        self.0.more.notify_one();
    }

    fn next(&self) -> Option<VoiceComing> {
        let mut waiting = self.waiting();
        let mut change = waiting.pop_front()?;
        let (room, person) = (change.room.clone(), change.person.clone());
        match std::mem::replace(&mut change.presence, Presence::AsTold) {
            Presence::Came(author) => {
                if change.sounding.is_some() {
                    waiting.push_front(change);
                }
                Some(VoiceComing::Joined { room, author })
            }
            Presence::Left => Some(VoiceComing::Left { room, person }),
            Presence::AsTold => Some(VoiceComing::Sounding {
                room,
                person,
                sounding: change.sounding.unwrap_or_default(),
            }),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Change>> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
