//! The connection of a session, as far as the session knows of it: when it is opened, given up, and left alone.

use vocabulary::{Moment, Span};

use crate::event::{FaultKind, ServiceFault};

/// A connection is there and set up by then, or it is not.
const OPENS_WITHIN: Span = Span::seconds(10);
/// After a second failure in a row it is left alone for so long, then twice as long each time.
const RESTS: Span = Span::seconds(2);
const RESTS_MAX: Span = Span::seconds(60);
/// Where somebody has to do something about it, it is left alone for so long at once.
const RESTS_WHEN_REFUSED: Span = Span::seconds(60);

/// How long a connection may be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    /// Before another takes its place.
    pub(crate) lasts: Span,
    /// One that nobody has used for so long is closed: some services are paid by the minute.
    pub(crate) idles: Span,
}

/// Where the connection stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Link {
    #[default]
    Down,
    /// It is being opened, or was told how the session is to be.
    Opening {
        since: Moment,
        is_told: bool,
    },
    Up {
        since: Moment,
        used: Moment,
    },
    /// It has failed, and is left alone.
    Resting {
        until: Moment,
        fault: ServiceFault,
    },
}

/// The connection, and how it has fared.
#[derive(Debug, Default)]
pub(crate) struct Connection {
    pub(crate) link: Link,
    /// What belongs to an earlier connection is nothing to this one.
    pub(crate) generation: u64,
    /// Failures in a row.
    failures: u32,
    /// When more may be asked of the service, as it told last.
    resets_in: Option<Span>,
    /// Another is to take its place as soon as nothing is under way, and at this time at the latest.
    pub(crate) leave_by: Option<Moment>,
}

impl Connection {
    pub(crate) fn is_up(&self) -> bool {
        matches!(self.link, Link::Up { .. })
    }

    /// Begins to open; under which number.
    pub(crate) fn open(&mut self, now: Moment) -> u64 {
        self.generation += 1;
        self.leave_by = None;
        self.link = Link::Opening {
            since: now,
            is_told: false,
        };
        self.generation
    }

    /// Whether the service is to be told how the session is to be: once on a connection.
    pub(crate) fn tell(&mut self) -> bool {
        match &mut self.link {
            Link::Opening { is_told, .. } if !*is_told => {
                *is_told = true;
                true
            }
            _ => false,
        }
    }

    /// Words and sound may go.
    pub(crate) fn ready(&mut self, now: Moment) -> bool {
        let is_new = matches!(self.link, Link::Opening { .. });
        if is_new {
            self.link = Link::Up {
                since: now,
                used: now,
            };
        }
        is_new
    }

    /// It did what it was there for.
    pub(crate) fn worked(&mut self) {
        self.failures = 0;
    }

    pub(crate) fn used(&mut self, now: Moment) {
        if let Link::Up { used, .. } = &mut self.link {
            *used = now;
        }
    }

    /// So little may still be asked for; it is more after this time.
    pub(crate) fn limited(&mut self, remaining: u64, resets_in: Option<Span>) {
        self.resets_in = resets_in.filter(|_| remaining == 0);
    }

    /// It is gone for a good reason: the next may be opened at once.
    pub(crate) fn close(&mut self) {
        self.generation += 1;
        self.link = Link::Down;
        self.leave_by = None;
    }

    /// It is gone; whether it is left alone now, rather than tried again at once.
    pub(crate) fn fail(&mut self, now: Moment, fault: &ServiceFault) -> bool {
        self.close();
        if fault.kind == FaultKind::SessionOver {
            return false;
        }
        self.failures = self.failures.saturating_add(1);
        let rests = match fault.is_lasting() {
            true => RESTS_WHEN_REFUSED,
            false if self.failures < 2 && fault.kind != FaultKind::Busy => return false,
            false => {
                let times = 1_u64 << self.failures.saturating_sub(2).min(8);
                Span((RESTS.0 * times).min(RESTS_MAX.0))
            }
        };
        let wait = match fault.kind {
            FaultKind::Busy => fault.wait.or(self.resets_in.take()),
            _ => fault.wait,
        };
        let until = now + wait.map_or(rests, |wait| Span(wait.0.clamp(rests.0, RESTS_WHEN_REFUSED.0)));
        self.link = Link::Resting {
            until,
            fault: fault.clone(),
        };
        true
    }

    /// Takes up again what was left alone for long enough.
    pub(crate) fn wake(&mut self, now: Moment) {
        if matches!(&self.link, Link::Resting { until, .. } if *until <= now) {
            self.link = Link::Down;
        }
    }

    /// Why nothing is asked of it now.
    pub(crate) fn refusal(&self) -> Option<&ServiceFault> {
        match &self.link {
            Link::Resting { fault, .. } => Some(fault),
            _ => None,
        }
    }

    pub(crate) fn opens_too_slowly(&self, now: Moment) -> bool {
        matches!(&self.link, Link::Opening { since, .. } if *since + OPENS_WITHIN <= now)
    }

    /// Whether it is to be given up for another, or because nobody uses it.
    pub(crate) fn is_spent(&self, now: Moment, is_busy: bool, lease: Lease) -> bool {
        let Link::Up { since, used } = &self.link else {
            return false;
        };
        let leaves = self
            .leave_by
            .map_or(*since + lease.lasts, |by| by.min(*since + lease.lasts));
        let is_asked_to_leave = self.leave_by.is_some() || *since + lease.lasts <= now;
        match is_busy {
            // What is under way may come to its end, for a while.
            true => leaves + OPENS_WITHIN <= now,
            false => is_asked_to_leave || *used + lease.idles <= now,
        }
    }

    pub(crate) fn next_due(&self, lease: Lease) -> Option<Moment> {
        match &self.link {
            Link::Down => None,
            Link::Opening { since, .. } => Some(*since + OPENS_WITHIN),
            Link::Up { since, used } => {
                let leaves = self
                    .leave_by
                    .map_or(*since + lease.lasts, |by| by.min(*since + lease.lasts));
                Some((*used + lease.idles).min(leaves + OPENS_WITHIN))
            }
            Link::Resting { until, .. } => Some(*until),
        }
    }
}
