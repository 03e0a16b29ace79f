//! What is known of one bucket of Discord's rate limits, and how many requests it takes now.
//!
//! The server counts in windows that begin when it likes. What is known here errs on the careful side only: of several
//! answers the least is believed, and a window ends when the last of them said it would.

use vocabulary::{Moment, Span};

/// Added to every end of a window that a server names: it rounds.
const MARGIN: Span = Span(20);
/// How many requests may be under way on a route for which the server counts none.
const UNCOUNTED_MAX: u32 = 8;

/// What the headers of an answer say about its bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketHeaders {
    pub bucket: String,
    pub limit: u32,
    pub remaining: u32,
    pub reset_after: Span,
}

/// When the next request may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Now,
    At(Moment),
    /// Something that is under way must come back first.
    WhenLanded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// Nothing has come back yet: one request finds out.
    Unseen,
    /// Answers have no headers.
    Uncounted,
    Counted {
        limit: u32,
        remaining: u32,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Bucket {
    size: Size,
    /// When the server has forgotten everything that has come back so far.
    reset_at: Option<Moment>,
    /// The longest a window was said to last.
    window: Span,
    /// The server said to stay away until then.
    closed_until: Moment,
}

impl Default for Bucket {
    fn default() -> Self {
        Self {
            size: Size::Unseen,
            reset_at: None,
            window: Span::ZERO,
            closed_until: Moment::default(),
        }
    }
}

impl Bucket {
    /// Everything that came back belongs to a window that is over, once its end is here.
    pub(super) fn renew(&mut self, now: Moment) {
        if self.reset_at.is_some_and(|at| at <= now) {
            self.reset_at = None;
            if let Size::Counted { limit, remaining } = &mut self.size {
                *remaining = *limit;
            }
        }
    }

    /// `under_way`: requests that may be counted here and have not come back.
    pub(super) fn opening(&self, now: Moment, under_way: u32) -> Opening {
        if now < self.closed_until {
            return Opening::At(self.closed_until);
        }
        let room = match self.size {
            Size::Unseen => 1,
            Size::Uncounted => UNCOUNTED_MAX,
            Size::Counted { remaining, .. } => remaining,
        };
        match self.reset_at {
            _ if under_way < room => Opening::Now,
            Some(at) => Opening::At(at),
            None => Opening::WhenLanded,
        }
    }

    /// An answer came back and said this.
    pub(super) fn count(&mut self, now: Moment, headers: &BucketHeaders) {
        let remaining = match self.size {
            Size::Counted { remaining, .. } => remaining.min(headers.remaining),
            Size::Unseen | Size::Uncounted => headers.remaining,
        };
        self.size = Size::Counted {
            // A bucket without room for anything would never open.
            limit: headers.limit.max(1),
            remaining,
        };
        self.window = self.window.max(headers.reset_after);
        self.extend(now + headers.reset_after);
    }

    /// Something was sent, and whether the server counted it nobody knows.
    pub(super) fn count_blindly(&mut self, now: Moment) {
        if let Size::Counted { remaining, .. } = &mut self.size {
            *remaining = remaining.saturating_sub(1);
            self.extend(now + self.window);
        }
    }

    /// An answer came back without headers.
    pub(super) fn is_uncounted(&mut self) {
        if self.size == Size::Unseen {
            self.size = Size::Uncounted;
        }
    }

    pub(super) fn close(&mut self, now: Moment, wait: Span) {
        self.closed_until = self.closed_until.max(now + wait + MARGIN);
    }

    /// Whether nothing would change if it were forgotten, but for a question more.
    pub(super) fn is_idle(&self, now: Moment) -> bool {
        self.reset_at.is_none() && self.closed_until <= now
    }

    fn extend(&mut self, end: Moment) {
        self.reset_at = self.reset_at.max(Some(end + MARGIN));
    }
}
