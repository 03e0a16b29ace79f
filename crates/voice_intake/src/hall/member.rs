//! One person in a hall: what they say on its way to the others and to Denizen's ears.

use std::collections::VecDeque;
use std::sync::Arc;

use audio::mix::Limiter;
use audio::{Decibels, FRAME, Frame};
use runtime::ports::{LineEnd, VoiceSession};
use vocabulary::Author;

use super::track::Track;
use crate::ear::Ear;
use crate::lobby::Place;

/// Frames of one person that wait to be mixed; of more the oldest are lost.
const WAITING_MAX: usize = 10;
/// A pause so long is one: 60 ms.
const GAP: u64 = 3 * FRAME as u64;
/// How far somebody may be ahead of the clock: a second, which a program that was held up catches up with.
const AHEAD_MAX: u64 = 48_000;
/// Frames of perfect silence after which they need not be passed on: a second.
const SILENT_PASSED_ON: u32 = 50;
/// No sample of perfect silence is larger.
const SILENT: u16 = 4;
/// What is louder for so many frames is a sound.
const LOUD: Decibels = Decibels(-50.0);
const LOUD_FRAMES: u32 = 3;
/// Half a second in frames: after that there is no sound of them any more.
const HUSH_FRAMES: u32 = 25;
/// Frames of silence that follow the last sound that somebody hears, so that their program fades it out.
pub(super) const TAIL_FRAMES: u32 = 10;

/// How somebody comes in.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) muted: bool,
    pub(crate) door: Door,
    pub(crate) place: Place,
}

/// By what somebody comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// What comes out of their loudspeakers may come in by their microphone.
    Program,
    /// Browsers take echoes away themselves, mostly.
    Browser,
}

/// Somebody who is in a hall.
#[derive(Debug)]
pub(crate) struct Member {
    pub(super) author: Author,
    pub(super) session: VoiceSession,
    pub(super) muted: bool,
    pub(super) door: Door,
    pub(super) sounding: bool,
    pub(super) ear: Arc<Ear>,
    /// Turns down what they hear of the others while they speak themselves.
    pub(super) limiter: Limiter,
    /// Frames of silence that they still hear.
    pub(super) tail: u32,
    /// To Denizen's ears, while it is in.
    pub(super) track: Option<Track>,
    waiting: VecDeque<Frame>,
    /// Whether frames are taken as they are due; otherwise the first waits for a second one.
    flowing: bool,
    /// Where the next frame belongs, in samples of the hall's clock.
    next: u64,
    silent: u32,
    loud: u32,
    hush: u32,
    _place: Place,
}

/// Somebody speaks faster than time goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooFast;

impl Member {
    pub(super) fn new(author: Author, session: VoiceSession, arrival: Arrival) -> Self {
        Self {
            author,
            session,
            muted: arrival.muted,
            door: arrival.door,
            sounding: false,
            ear: Arc::default(),
            limiter: Limiter::new(),
            tail: 0,
            track: None,
            waiting: VecDeque::new(),
            flowing: false,
            next: 0,
            silent: 0,
            loud: 0,
            hush: 0,
            _place: arrival.place,
        }
    }

    /// The same person by another device: the one before hears that it is over. Denizen hears them on by the same track;
    /// what came out of the loudspeakers of the device before says nothing of this one's.
    pub(super) fn come_anew(&mut self, author: Author, session: VoiceSession, arrival: Arrival) {
        self.ear.end(LineEnd::Superseded);
        let before = std::mem::replace(self, Self::new(author, session, arrival));
        self.track = before.track;
        if let Some(track) = &mut self.track {
            track.come_anew(self.door == Door::Browser);
        }
        // That there is no sound of them any more is told with the next tick.
        self.sounding = before.sounding;
        self.hush = HUSH_FRAMES;
    }

    /// 20 ms of what they say; `now` is the hall's clock in samples.
    pub(super) fn say(&mut self, frame: &Frame, now: u64) -> Result<(), TooFast> {
        if now > self.next + GAP {
            self.next = now;
        }
        if self.next > now + AHEAD_MAX {
            return Err(TooFast);
        }
        let at = self.next;
        self.next += FRAME as u64;
        if self.muted {
            return Ok(());
        }
        let is_silent = frame.iter().all(|sample| sample.unsigned_abs() <= SILENT);
        self.silent = if is_silent { self.silent + 1 } else { 0 };
        if self.silent > SILENT_PASSED_ON {
            return Ok(());
        }
        if let Some(track) = &mut self.track {
            track.give(frame, at);
        }
        // Silence is mixed where sound is still on its way, so that it keeps its place.
        if !is_silent || !self.waiting.is_empty() {
            if self.waiting.len() == WAITING_MAX {
                self.waiting.pop_front();
            }
            self.waiting.push_back(*frame);
        }
        let is_loud = !is_silent && Decibels::of_samples(frame) > LOUD;
        self.loud = if is_loud { self.loud + 1 } else { 0 };
        if is_loud {
            self.hush = 0;
        }
        Ok(())
    }

    /// The frame that is due, if there is one.
    pub(super) fn due(&mut self) -> Option<Frame> {
        if !self.flowing && self.waiting.len() == 1 {
            // One more is awaited, for a tick: from then on a frame that is a little late is no hole.
            self.flowing = true;
            return None;
        }
        let due = self.waiting.pop_front();
        self.flowing = due.is_some();
        due
    }

    /// A tick has gone by; whether it has changed that there is sound of them.
    pub(super) fn pass(&mut self, now: u64) -> bool {
        let before = self.sounding;
        self.hush += 1;
        if self.loud >= LOUD_FRAMES {
            self.sounding = true;
        } else if self.hush >= HUSH_FRAMES {
            self.sounding = false;
        }
        if self.hush >= LOUD_FRAMES {
            self.loud = 0;
        }
        if let Some(track) = &mut self.track {
            track.advance(now);
        }
        self.sounding != before
    }

    /// 20 ms that they hear.
    pub(super) fn hear(&mut self, frame: Arc<Frame>, now: u64) {
        if let Some(track) = &mut self.track {
            track.hears(&frame, now);
        }
        self.ear.give(frame);
    }

    pub(super) fn mute(&mut self, muted: bool) {
        self.muted = muted;
        if muted {
            self.waiting.clear();
            self.loud = 0;
        }
    }

    /// Whether time must go on for them.
    pub(super) fn is_busy(&self) -> bool {
        let tracked = self.track.as_ref().is_some_and(Track::has_more);
        !self.waiting.is_empty() || self.sounding || self.tail > 0 || tracked
    }
}
