//! The voice of one room, without a clock and without a task: who is in it, what each says, and what each hears.
//!
//! Whoever calls says what time it is, in samples of the hall's own clock, and calls [`Hall::tick`] every 20 ms while
//! [`Hall::is_busy`].

mod echo;
mod member;
mod playing;
mod track;

use std::collections::BTreeMap;
use std::sync::Arc;

use audio::mix::{Limiter, Mixer};
use audio::{FRAME, Frame};
use runtime::ports::{InVoice, LineEnd, PersonInVoice, PlaybackExtent, SoundFrame, VoiceEvent, VoiceSession};
use tokio::sync::{mpsc, oneshot};
use vocabulary::{Author, PersonId};

use self::member::{Member, TAIL_FRAMES};
use self::playing::{Played, Playing};
use self::track::Track;
use crate::PEOPLE_MAX;
use crate::ear::Ear;

pub(crate) use self::member::{Arrival, Door, TooFast};

/// Events that wait for Denizen at most: nobody who listens lets that many wait.
const EVENTS_MAX: usize = 8 * PEOPLE_MAX;

/// The voice of a room.
#[derive(Debug, Default)]
pub(crate) struct Hall {
    members: BTreeMap<PersonId, Member>,
    denizen: Option<Denizen>,
    mixer: Mixer,
    /// Turns down what everybody hears who says nothing.
    limiter: Limiter,
    /// Counts deliveries and stays of Denizen's.
    last_number: u64,
}

/// Denizen, while it is in.
#[derive(Debug)]
struct Denizen {
    number: u64,
    events: mpsc::Sender<VoiceEvent>,
    playing: Option<Playing>,
}

/// There is no room for one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HallFull;

/// Why nothing can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotSaid {
    TooFast,
    /// The stay is over.
    Gone,
}

/// Somebody has come in.
#[derive(Debug)]
pub(crate) struct Entered {
    pub(crate) ear: Arc<Ear>,
    /// Whether they were not here before.
    pub(crate) is_new: bool,
}

impl Hall {
    /// Somebody comes in, or comes anew by another device.
    pub(crate) fn enter(
        &mut self,
        author: Author,
        session: VoiceSession,
        arrival: Arrival,
        now: u64,
    ) -> Result<Entered, HallFull> {
        let person = author.id.clone();
        if let Some(member) = self.members.get_mut(&person) {
            member.come_anew(author, session, arrival);
            let ear = member.ear.clone();
            return Ok(Entered { ear, is_new: false });
        }
        if self.members.len() >= PEOPLE_MAX {
            return Err(HallFull);
        }
        let member = Member::new(author, session, arrival);
        let ear = member.ear.clone();
        self.members.insert(person.clone(), member);
        self.introduce(&person, now);
        Ok(Entered { ear, is_new: true })
    }

    /// Ends a stay; says whether the person is gone with it.
    pub(crate) fn leave(&mut self, person: &PersonId, session: &VoiceSession, end: LineEnd) -> bool {
        let Some(member) = self.member(person, session) else {
            return false;
        };
        member.ear.end(end);
        let gone = self.members.remove(person);
        // What they said last is still heard.
        gone.and_then(|member| member.track)
            .into_iter()
            .for_each(Track::finish);
        self.tell_denizen(VoiceEvent::Left(person.clone()));
        true
    }

    /// 20 ms of what somebody says.
    pub(crate) fn say(
        &mut self,
        person: &PersonId,
        session: &VoiceSession,
        frame: &Frame,
        now: u64,
    ) -> Result<(), NotSaid> {
        let member = self.member(person, session).ok_or(NotSaid::Gone)?;
        member.say(frame, now).map_err(|TooFast| NotSaid::TooFast)
    }

    /// Says whether it has changed anything.
    pub(crate) fn mute(&mut self, person: &PersonId, session: &VoiceSession, muted: bool) -> bool {
        match self.member(person, session) {
            Some(member) if member.muted != muted => {
                member.mute(muted);
                true
            }
            _ => false,
        }
    }

    /// Denizen comes in; the number is that of its stay. A stay of its that lasts still is over with that.
    pub(crate) fn seat(&mut self, now: u64) -> (u64, mpsc::Receiver<VoiceEvent>) {
        self.lose_denizen();
        let (events, receiver) = mpsc::channel(EVENTS_MAX);
        self.last_number += 1;
        self.denizen = Some(Denizen {
            number: self.last_number,
            events,
            playing: None,
        });
        let people: Vec<PersonId> = self.members.keys().cloned().collect();
        people.iter().for_each(|person| self.introduce(person, now));
        (self.last_number, receiver)
    }

    /// Denizen goes, if it is still that stay of its.
    pub(crate) fn unseat(&mut self, number: u64) {
        if self
            .denizen
            .as_ref()
            .is_some_and(|denizen| denizen.number == number)
        {
            self.lose_denizen();
        }
    }

    /// Begins to play what Denizen says; the number is that of the delivery. None where it is not in any more.
    pub(crate) fn play(
        &mut self,
        stay: u64,
        frames: mpsc::Receiver<SoundFrame>,
    ) -> Option<(u64, oneshot::Receiver<PlaybackExtent>)> {
        let denizen = self.denizen.as_mut().filter(|denizen| denizen.number == stay)?;
        let (done, extent) = oneshot::channel();
        self.last_number += 1;
        denizen.playing = Some(Playing::new(self.last_number, frames, done));
        Some((self.last_number, extent))
    }

    /// Stops what plays: a certain delivery, or whatever it is.
    pub(crate) fn stop(&mut self, delivery: Option<u64>) {
        let Some(denizen) = &mut self.denizen else { return };
        if let Some(playing) = denizen
            .playing
            .take_if(|playing| delivery.is_none_or(|number| number == playing.number))
        {
            playing.stop();
        }
    }

    /// 20 ms go by: everybody hears the others. Says of whom there is sound now that was not, and the other way round.
    pub(crate) fn tick(&mut self, now: u64) -> Vec<(PersonId, bool)> {
        let mut changes = Vec::new();
        let voice = self.denizens_voice();
        let mut said: BTreeMap<PersonId, Frame> = BTreeMap::new();
        for (person, member) in &mut self.members {
            if let Some(frame) = member.due() {
                said.insert(person.clone(), frame);
            }
            if member.pass(now) {
                changes.push((person.clone(), member.sounding));
            }
        }
        self.mixer.clear();
        voice.iter().for_each(|voice| self.mixer.add(voice));
        said.values().for_each(|frame| self.mixer.add(frame));
        let sounds = said.len() + usize::from(voice.is_some());
        let mut everything = Box::new([0; FRAME]);
        self.mixer.for_all(&mut self.limiter, &mut everything);
        let everything: Arc<Frame> = Arc::from(everything);
        for (person, member) in &mut self.members {
            let own = said.get(person);
            let others = sounds - usize::from(own.is_some());
            if others == 0 && member.tail == 0 {
                continue;
            }
            member.tail = if others > 0 { TAIL_FRAMES } else { member.tail - 1 };
            let heard = match own {
                Some(own) => {
                    let mut mix = Box::new([0; FRAME]);
                    self.mixer.without(own, &mut member.limiter, &mut mix);
                    Arc::from(mix)
                }
                None => everything.clone(),
            };
            member.hear(heard, now);
        }
        if !self.is_busy() {
            // Time stands still from here on, and whatever comes next is not turned down for what was before.
            self.limiter = Limiter::new();
            self.members
                .values_mut()
                .for_each(|member| member.limiter = Limiter::new());
        }
        changes
    }

    /// Whether time must go on.
    pub(crate) fn is_busy(&self) -> bool {
        let plays = self
            .denizen
            .as_ref()
            .is_some_and(|denizen| denizen.playing.is_some());
        plays || self.members.values().any(Member::is_busy)
    }

    /// Whether nobody is in.
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty() && self.denizen.is_none()
    }

    /// Who has that session.
    pub(crate) fn whose(&self, session: &VoiceSession) -> Option<&PersonId> {
        let mut members = self.members.iter();
        members
            .find(|(_, member)| member.session == *session)
            .map(|(person, _)| person)
    }

    /// Who is in.
    pub(crate) fn presence(&self) -> InVoice {
        let people = self.members.values().map(|member| PersonInVoice {
            author: member.author.clone(),
            muted: member.muted,
            sounding: member.sounding,
        });
        InVoice {
            denizen: self.denizen.is_some(),
            people: people.collect(),
        }
    }

    fn member(&mut self, person: &PersonId, session: &VoiceSession) -> Option<&mut Member> {
        self.members
            .get_mut(person)
            .filter(|member| member.session == *session)
    }

    /// Tells Denizen of somebody, and lets it hear them.
    fn introduce(&mut self, person: &PersonId, now: u64) {
        if self.denizen.is_none() {
            return;
        }
        let Some(member) = self.members.get_mut(person) else {
            return;
        };
        let (track, frames) = Track::new(now, member.door == Door::Browser);
        member.track = Some(track);
        let author = member.author.clone();
        self.tell_denizen(VoiceEvent::Joined(author));
        self.tell_denizen(VoiceEvent::Track {
            person: person.clone(),
            frames,
        });
    }

    fn tell_denizen(&mut self, event: VoiceEvent) {
        let Some(denizen) = &self.denizen else { return };
        if denizen.events.try_send(event).is_err() {
            tracing::warn!("nobody listens to what happens in a voice room; Denizen is not in it any more");
            self.lose_denizen();
        }
    }

    fn lose_denizen(&mut self) {
        self.stop(None);
        self.denizen = None;
        for member in self.members.values_mut() {
            member.track = None;
        }
    }

    /// What Denizen says in this tick.
    fn denizens_voice(&mut self) -> Option<Box<Frame>> {
        let denizen = self.denizen.as_mut()?;
        match denizen.playing.as_mut()?.next() {
            Played::Sound(frame) => Some(frame),
            Played::Nothing => None,
            Played::Over => {
                denizen.playing.take().into_iter().for_each(Playing::finish);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
