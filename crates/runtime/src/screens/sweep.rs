//! Looks after shares that nobody looks after: silent ones are lost, expired links go, and so does what is too old.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};
use vocabulary::ShareEnd;

use super::Screens;
use super::open_share::{OpenShare, Phase};
use super::registry::Inner;
use crate::chores::LOOK_AFTER_SCREENS_EVERY;

/// A share without a frame or a sign of life for so long is lost.
const LOST_AFTER: Duration = Duration::from_secs(60);

impl Screens {
    /// Looks after the shares of a community once; whether it is still there.
    pub(crate) fn look_after(&self) -> bool {
        let is_over = self.0.community.is_over();
        if is_over {
            self.close();
        } else {
            self.sweep();
        }
        !is_over
    }

    /// Looks after them until the community is over, where no process does it for all.
    pub fn keep_sweeping(&self) -> impl Future<Output = ()> + Send + 'static {
        let screens: Weak<Inner> = Arc::downgrade(&self.0);
        async move {
            let mut every = interval(LOOK_AFTER_SCREENS_EVERY);
            every.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                every.tick().await;
                let is_there = screens
                    .upgrade()
                    .map(Screens)
                    .is_some_and(|screens| screens.look_after());
                if !is_there {
                    break;
                }
            }
        }
    }

    fn sweep(&self) {
        self.close_expired();
        let now = Instant::now();
        for open in self.shares() {
            let due = open.state().refusals.due(now);
            for telling in &due {
                self.tell_refusal(&open, telling);
            }
            if let Some(reason) = self.why_over(&open, now) {
                // The mind is told in a task of its own: one share does not wait for another.
                self.start_ending(&open, reason);
            }
        }
        let mut registry = self.registry();
        registry.shelf.let_go(now);
        registry.rooms.retain(|_, room| {
            room.samples.let_go(now);
            room.watched.is_some() || !room.samples.is_empty()
        });
    }

    fn why_over(&self, open: &OpenShare, now: Instant) -> Option<ShareEnd> {
        let (phase, last_sign) = {
            let state = open.state();
            (state.phase, state.last_sign)
        };
        if phase != Phase::Begun {
            return None;
        }
        let is_present = self.0.community.is_present(&open.share.room, &open.share.person);
        if !is_present {
            Some(ShareEnd::SharerLeft)
        } else if now.duration_since(last_sign) >= LOST_AFTER {
            Some(ShareEnd::Lost)
        } else {
            None
        }
    }

    /// Closes links that were not opened in time: the mind never knew of them.
    pub(super) fn close_expired(&self) {
        let now = Instant::now();
        for open in self.shares() {
            if now >= open.opens_until {
                self.close_share(&open, ShareEnd::Lost, |phase| phase == Phase::Invited);
            }
        }
    }

    fn shares(&self) -> Vec<Arc<OpenShare>> {
        self.registry().shares.values().cloned().collect()
    }
}
