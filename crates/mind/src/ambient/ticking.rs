//! The tick: once a minute it is seen whether a thought may be looked at or looked for. A tick that was missed is missed.

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{Moment, Span};

use super::gates::AmbientGate;
use super::{TICK, pool};
use crate::effect::{Wake, WakeReason};

/// When the next tick comes, and when a fresh thought was last looked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ticker {
    /// None while it is switched off or has nowhere to post.
    next_tick: Option<Moment>,
    considered: Option<Moment>,
}

/// What time has made of the ticker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ticking {
    Quiet,
    Tick,
    /// There are no ticks any more, because of this.
    Stopped(AmbientGate),
}

impl Ticker {
    pub fn advance(&mut self, now: Moment, settings: &Settings) -> Ticking {
        let off = match () {
            () if !settings.initiative.enabled => Some(AmbientGate::Disabled),
            () if pool::eligible(settings).is_empty() => Some(AmbientGate::NoChannels),
            () => None,
        };
        let (next, ticking) = match (off, self.next_tick) {
            (Some(_), None) => (None, Ticking::Quiet),
            (Some(gate), Some(_)) => (None, Ticking::Stopped(gate)),
            (None, Some(at)) if at <= now => (Some(now + TICK), Ticking::Tick),
            (None, at) => (Some(at.unwrap_or(now + TICK)), Ticking::Quiet),
        };
        self.next_tick = next;
        ticking
    }

    /// A fresh thought is looked for: every attempt starts the gap, whatever comes of it.
    pub fn consider(&mut self, now: Moment) {
        self.considered = Some(now);
    }

    /// Since a fresh thought was last looked for; none: never.
    pub fn since_considered(&self, now: Moment) -> Option<Span> {
        self.considered.map(|at| now.since(at))
    }

    pub fn next_tick_in(&self, now: Moment) -> Option<Span> {
        self.next_tick.map(|at| at.since(now))
    }

    /// The process is back: what it missed is missed.
    pub fn restarted(&mut self, now: Moment) {
        self.next_tick = self.next_tick.map(|_| now + TICK);
    }

    pub fn next_wake(&self) -> Option<Wake> {
        self.next_tick.map(|at| Wake {
            at,
            reason: WakeReason::AmbientTick,
        })
    }
}

/// The shortest time between two looks for a fresh thought.
pub(super) fn gap(settings: &Settings) -> Span {
    Span::minutes(settings.initiative.min_minutes_between_posts)
}
