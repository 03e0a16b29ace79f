//! A session is watched: frames come, a model looks at one at a time and takes its time, notes come of it.

use mind::watch::activity::Thresholds;
use simulator::Chance;
use vocabulary::{ChangeScore, Moment, Span};

use super::policy::{Reason, Way};
use super::seen::Frame;

/// A note: of which frame, and when it was there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    pub frame: Moment,
    pub landed: Moment,
    pub reason: Reason,
}

/// A frame as it was judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    pub at: Moment,
    pub change: ChangeScore,
    /// The lines that held before it.
    pub lines: Option<Thresholds>,
}

/// What came of watching a session.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    pub notes: Vec<Note>,
    pub judged: Vec<Judged>,
}

/// A cheap vision model takes so long, in milliseconds.
const LATENCY: (u64, u64) = (1_000, 3_000);

/// Watches frames in one way. The seed decides how long the model takes: the same for every way.
pub fn watch(frames: &[Frame], way: Way, seed: u64) -> Watched {
    let mut policy = way.policy();
    let mut chance = Chance::seeded(seed);
    let mut watched = Watched::default();
    let mut busy_until: Option<Moment> = None;
    for (number, frame) in frames.iter().enumerate() {
        // An answer that lands between two frames frees the way for the older one.
        if let Some(landed) = busy_until
            && landed < frame.at
            && number > 0
        {
            let newest = &frames[number - 1];
            busy_until = policy
                .wants(landed, newest)
                .map(|reason| ask(landed, newest, reason, &mut chance, &mut watched));
        }
        watched.judged.push(Judged {
            at: frame.at,
            change: frame.change,
            lines: policy.lines(),
        });
        policy.see(frame);
        if busy_until.is_some_and(|until| until <= frame.at) {
            busy_until = None;
        }
        if busy_until.is_none() {
            busy_until = policy
                .wants(frame.at, frame)
                .map(|reason| ask(frame.at, frame, reason, &mut chance, &mut watched));
        }
    }
    watched
}

fn ask(now: Moment, frame: &Frame, reason: Reason, chance: &mut Chance, watched: &mut Watched) -> Moment {
    let landed = now + Span(chance.between(LATENCY.0, LATENCY.1));
    watched.notes.push(Note {
        frame: frame.at,
        landed,
        reason,
    });
    landed
}
