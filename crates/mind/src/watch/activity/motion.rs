//! Motion that comes to rest: a fade, a scroll, a paragraph being typed. What it leaves behind is worth a look.

use serde::{Deserialize, Serialize};
use vocabulary::{Moment, Span};

/// Rest is when nothing has moved for this much longer than the pauses so far …
const PAUSES: f64 = 1.5;
/// … but not sooner than this, and not later than this.
const REST_MIN: Span = Span::seconds(2);
const REST_MAX: Span = Span::seconds(8);
/// A frame with less than this share of the motion before it may be rest; with more, that motion has become usual.
const REST_SHARE: f64 = 0.5;

/// Motion with pauses, since it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Motion {
    last: Moment,
    /// The pause between two frames that moved, smoothed.
    pause: Span,
    /// The score of those frames, smoothed.
    level: f64,
    /// What has moved since something was last told, summed up.
    untold: f64,
    at_rest: bool,
}

/// What a frame that did not move says of the motion before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stillness {
    /// A pause, or rest that was told of before.
    Nothing,
    /// It goes on, but that is usual by now.
    Usual,
    /// It has come to rest, and so much of it was not told.
    Rest { untold: f64 },
}

impl Motion {
    /// The motion after a frame that moved.
    pub fn moved(before: Option<Motion>, at: Moment, score: f64) -> Motion {
        // What moved long ago was something else.
        let before = before.filter(|before| at.since(before.last) <= REST_MAX);
        let Some(before) = before else {
            return Motion {
                last: at,
                pause: Span::ZERO,
                level: score,
                untold: score,
                at_rest: false,
            };
        };
        let pause = at.since(before.last);
        Motion {
            last: at,
            pause: Span((before.pause.0 + pause.0) / 2),
            level: (before.level + score) / 2.0,
            // Once it is more than everything it does not matter how much more.
            untold: (before.untold + score).min(1.0),
            at_rest: false,
        }
    }

    /// A frame did not move.
    pub fn still(&mut self, at: Moment, score: f64) -> Stillness {
        if self.at_rest {
            return Stillness::Nothing;
        }
        if score > self.level * REST_SHARE {
            return Stillness::Usual;
        }
        let rest = Span((self.pause.0 as f64 * PAUSES) as u64).clamp(REST_MIN, REST_MAX);
        if at.since(self.last) < rest {
            return Stillness::Nothing;
        }
        self.at_rest = true;
        Stillness::Rest { untold: self.untold }
    }

    pub fn told(&mut self) {
        self.untold = 0.0;
    }

    pub fn goes_on(&self) -> bool {
        !self.at_rest
    }
}
