//! Somebody's stay in a voice room, inside this process: 20 ms frames both ways.

use std::sync::Arc;

use audio::Frame;
use runtime::ports::{LineEnd, LineFault, VoiceSession};
use vocabulary::PersonId;

use crate::ear::Ear;
use crate::hall::NotSaid;
use crate::halls::{Halls, TimedHall};

/// A person in a voice room. Dropping it leaves the room.
#[derive(Debug)]
pub struct Stay {
    halls: Halls,
    timed: Arc<TimedHall>,
    person: PersonId,
    session: VoiceSession,
    ear: Arc<Ear>,
}

impl Stay {
    pub(crate) fn new(
        halls: Halls,
        timed: Arc<TimedHall>,
        person: PersonId,
        session: VoiceSession,
        ear: Arc<Ear>,
    ) -> Self {
        Self {
            halls,
            timed,
            person,
            session,
            ear,
        }
    }

    /// What names it.
    pub fn session(&self) -> &VoiceSession {
        &self.session
    }

    /// 20 ms of what the person says.
    pub fn say(&self, frame: &Frame) -> Result<(), LineFault> {
        let said = self.halls.within(&self.timed, |hall, now| {
            hall.say(&self.person, &self.session, frame, now)
        });
        said.map_err(|not_said| match not_said {
            NotSaid::TooFast => LineFault::TooFast,
            NotSaid::Gone => {
                LineFault::Wrong("The stay in this voice room is over. Come in anew.".to_owned())
            }
        })
    }

    /// The next 20 ms of what the others say; nothing comes while they are silent. Nothing is lost where this is given up.
    pub async fn hear(&self) -> Result<Arc<Frame>, LineEnd> {
        self.ear.hear().await
    }

    /// The next 20 ms, where they wait already.
    pub fn waiting(&self) -> Option<Arc<Frame>> {
        self.ear.take()
    }

    /// Frames that were lost because they were not taken in time.
    pub fn lost(&self) -> u64 {
        self.ear.lost()
    }

    /// Turns the microphone off or on.
    pub fn mute(&self, muted: bool) {
        self.halls
            .set_muted(&self.timed, &self.person, &self.session, muted);
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        let room = self.timed.room();
        self.halls.end(room, &self.person, &self.session, LineEnd::Closed);
    }
}
