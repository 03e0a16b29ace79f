//! What comes back out of somebody's loudspeakers is not theirs: it is kept from Denizen's ears.
//!
//! What a person hears is compared with what comes from them. A sound that begins soon after they heard something is held
//! back until it is known what it is, some 240 ms; from then on it passes at once, or as silence. Whoever has a door that
//! takes echoes away itself is trusted until the first one that comes through.

use std::collections::VecDeque;

use audio::echo::EchoGuard;
use audio::resample::Resampler;
use audio::{Decibels, EAR_RATE, FRAME, Frame, RATE};

/// Frames that are compared at a time, at least and at most: 240 and 480 ms.
const COMPARED_LEAST: usize = 12;
const COMPARED_MOST: usize = 24;
/// Frames between two comparisons: 160 ms.
const COMPARED_EVERY: u32 = 8;
/// The share of a sound from which on it is an echo.
const ECHO: f32 = 0.6;
/// What is quieter is no sound; after so many such frames the next sound is a new one.
const QUIET: Decibels = Decibels(-55.0);
const QUIET_FRAMES: u32 = 10;
/// How long after something was heard it can come back, in samples: 1.5 s.
const COMES_BACK: u64 = RATE as u64 * 3 / 2;
/// A pause so long is one, in samples: 60 ms.
const PAUSE: u64 = 3 * FRAME as u64;

/// A frame, and where it belongs in the hall's time.
pub(super) type Placed = (Frame, u64);

/// Compares what one person hears and what comes from them.
#[derive(Debug)]
pub(super) struct EchoWatch {
    guard: Box<EchoGuard>,
    /// The hall's time at which the guard's begins, and up to which it was told.
    began: Option<u64>,
    told: u64,
    /// When the person last heard something.
    sounded: Option<u64>,
    /// What came from them last; the newest may be held back.
    window: VecDeque<Placed>,
    held: usize,
    uncompared: u32,
    quiet: u32,
    verdict: Verdict,
    /// Whether nothing new is trusted.
    is_wary: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Unknown,
    Own,
    Echo,
}

impl EchoWatch {
    /// `cancels`: their door takes echoes away itself.
    pub(super) fn new(cancels: bool) -> Self {
        Self {
            guard: Box::new(EchoGuard::new()),
            began: None,
            told: 0,
            sounded: None,
            window: VecDeque::with_capacity(COMPARED_MOST + 1),
            held: 0,
            uncompared: 0,
            quiet: QUIET_FRAMES,
            verdict: Verdict::Unknown,
            is_wary: !cancels,
        }
    }

    /// 20 ms that the person hears at this time.
    pub(super) fn hears(&mut self, frame: &Frame, now: u64) {
        if self.began.is_none() {
            (self.began, self.told) = (Some(now), now);
        }
        if now > self.told + PAUSE {
            self.guard.rest(now - self.told);
            self.told = now;
        }
        self.guard.play(frame);
        self.told += FRAME as u64;
        if Decibels::of_samples(frame) > QUIET {
            self.sounded = Some(self.told);
        }
    }

    /// 20 ms that come from the person: what of it, and of what was held back, goes on to the ears now.
    pub(super) fn says(&mut self, frame: &Frame, at: u64, passed: &mut Vec<Placed>) {
        let may_come_back = self.sounded.is_some_and(|sounded| at < sounded + COMES_BACK);
        let is_quiet = Decibels::of_samples(frame) <= QUIET;
        self.quiet = if is_quiet { self.quiet + 1 } else { 0 };
        if self.window.back().is_some_and(|(_, last)| at > last + PAUSE) {
            self.begin_anew(passed);
        }
        if !may_come_back || self.quiet >= QUIET_FRAMES {
            self.begin_anew(passed);
            passed.push((*frame, at));
            return;
        }
        self.window.push_back((*frame, at));
        self.held += 1;
        self.uncompared += 1;
        if self.window.len() >= COMPARED_LEAST && self.uncompared >= COMPARED_EVERY {
            self.compare();
        }
        if self.verdict != Verdict::Unknown || !self.is_wary {
            self.release(passed);
        }
        while self.window.len() > COMPARED_MOST {
            self.window.pop_front();
        }
    }

    /// What comes next is another sound.
    fn begin_anew(&mut self, passed: &mut Vec<Placed>) {
        self.release(passed);
        self.window.clear();
        self.verdict = Verdict::Unknown;
    }

    /// Lets go of what is held back, as nothing comes after it.
    pub(super) fn release(&mut self, passed: &mut Vec<Placed>) {
        let first = self.window.len() - self.held;
        let silenced = self.verdict == Verdict::Echo;
        passed.extend(self.window.range(first..).map(|(frame, at)| {
            let frame = if silenced { [0; FRAME] } else { *frame };
            (frame, *at)
        }));
        self.held = 0;
    }

    /// When what is held back must go: where nothing comes after it.
    pub(super) fn holds_since(&self) -> Option<u64> {
        let newest = self.window.back().filter(|_| self.held > 0);
        newest.map(|(_, at)| *at)
    }

    fn compare(&mut self) {
        self.uncompared = 0;
        let (Some(began), Some((_, begins))) = (self.began, self.window.front()) else {
            return;
        };
        let sound: Vec<i16> = self.window.iter().flat_map(|(frame, _)| *frame).collect();
        let Ok(for_ears) = Resampler::convert(RATE, EAR_RATE, &sound) else {
            return;
        };
        let likeness = self.guard.likeness(&for_ears, begins.saturating_sub(began));
        self.verdict = if likeness.share >= ECHO {
            // A door that lets one echo through lets more.
            self.is_wary = true;
            Verdict::Echo
        } else {
            Verdict::Own
        };
    }
}
