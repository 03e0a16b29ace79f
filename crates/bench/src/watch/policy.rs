//! When to look: Denizen's way, and the ways of others.

use clap::ValueEnum;
use media::score::Grid;
use mind::watch::activity::Thresholds;
use mind::watch::allowance::{Allowance, CallKind};
use mind::watch::attention::Attention;
use mind::watch::note::NoteTrigger;
use mind::watch::note_cadence::{NoteDecision, NoteQuestion, decide};
use settings::{Settings, StreamWatchSettings, ThresholdMode};
use vocabulary::{Moment, Span};

use super::seen::Frame;

/// A way of deciding when to have a frame looked at. Never asked while a look is under way.
pub trait NotePolicy {
    /// A frame was emitted.
    fn see(&mut self, frame: &Frame);

    /// Whether the newest frame is to be looked at now, and why.
    fn wants(&mut self, now: Moment, newest: &Frame) -> Option<Reason>;

    /// The lines a score is held against, where there are any.
    fn lines(&self) -> Option<Thresholds>;
}

/// Why a look is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Noting(NoteTrigger),
    /// By the clock, or by a rule of somebody else's.
    Due,
}

/// The ways that are compared, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Way {
    Relative,
    Absolute,
    EverySecond,
    EveryTwoSeconds,
    EveryThreeSeconds,
    /// About as many looks as Denizen takes, but blindly.
    EveryTenSeconds,
    FivePercent,
}

impl Way {
    pub const ALL: [Way; 7] = [
        Way::Relative,
        Way::Absolute,
        Way::EverySecond,
        Way::EveryTwoSeconds,
        Way::EveryThreeSeconds,
        Way::EveryTenSeconds,
        Way::FivePercent,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Way::Relative => "denizen, relative",
            Way::Absolute => "denizen, absolute",
            Way::EverySecond => "every second",
            Way::EveryTwoSeconds => "every 2 s",
            Way::EveryThreeSeconds => "every 3.3 s",
            Way::EveryTenSeconds => "every 10 s",
            Way::FivePercent => "5 % changed or 30 s",
        }
    }

    /// For programs.
    pub fn key(self) -> &'static str {
        match self {
            Way::Relative => "relative",
            Way::Absolute => "absolute",
            Way::EverySecond => "every1s",
            Way::EveryTwoSeconds => "every2s",
            Way::EveryThreeSeconds => "every3.3s",
            Way::EveryTenSeconds => "every10s",
            Way::FivePercent => "changed5percentOr30s",
        }
    }

    pub fn policy(self) -> Box<dyn NotePolicy> {
        match self {
            Way::Relative => Box::new(Denizen::new(ThresholdMode::Relative)),
            Way::Absolute => Box::new(Denizen::new(ThresholdMode::Absolute)),
            Way::EverySecond => Box::new(Every::new(Span(1_000))),
            Way::EveryTwoSeconds => Box::new(Every::new(Span(2_000))),
            Way::EveryThreeSeconds => Box::new(Every::new(Span(3_333))),
            Way::EveryTenSeconds => Box::new(Every::new(Span(10_000))),
            Way::FivePercent => Box::new(Changed::default()),
        }
    }
}

/// What Denizen does: the real attention and the real cadence.
struct Denizen {
    settings: StreamWatchSettings,
    attention: Attention,
    last_attempt: Option<Moment>,
    allowance: Allowance,
}

impl Denizen {
    fn new(mode: ThresholdMode) -> Self {
        Self {
            settings: StreamWatchSettings {
                threshold_mode: mode,
                ..Settings::default().stream_watch
            },
            attention: Attention::default(),
            last_attempt: None,
            allowance: Allowance::default(),
        }
    }
}

impl NotePolicy for Denizen {
    fn see(&mut self, frame: &Frame) {
        self.attention.see(frame.at, &frame.change, &self.settings);
    }

    fn wants(&mut self, now: Moment, _newest: &Frame) -> Option<Reason> {
        let question = NoteQuestion {
            now,
            fresh_frame: true,
            urgent: self.attention.urgent(),
            activity: self.attention.activity()?,
            frozen: self.attention.is_frozen(),
            last_attempt: self.last_attempt,
            in_flight: false,
            failures: 0,
            unpaid_until: None,
            allowed_at: self.allowance.next(CallKind::Note, &self.settings),
        };
        let NoteDecision::Take(trigger) = decide(&question, &self.settings) else {
            return None;
        };
        self.attention.attempted();
        self.last_attempt = Some(now);
        self.allowance.spend(now, CallKind::Note, &self.settings);
        Some(Reason::Noting(trigger))
    }

    fn lines(&self) -> Option<Thresholds> {
        Some(self.attention.thresholds(&self.settings))
    }
}

/// By the clock.
struct Every {
    interval: Span,
    last: Option<Moment>,
}

impl Every {
    fn new(interval: Span) -> Self {
        Self { interval, last: None }
    }
}

impl NotePolicy for Every {
    fn see(&mut self, _frame: &Frame) {}

    fn wants(&mut self, now: Moment, _newest: &Frame) -> Option<Reason> {
        let due = self.last.is_none_or(|last| now.since(last) >= self.interval);
        if due {
            self.last = Some(now);
        }
        due.then_some(Reason::Due)
    }

    fn lines(&self) -> Option<Thresholds> {
        None
    }
}

/// When 5 % of the screen differ from what was looked at last, else every 30 seconds.
#[derive(Default)]
struct Changed {
    looked: Option<(Moment, Grid)>,
}

/// A cell of the grid has changed when its brightness differs by this much: 3 % of what is possible.
const CELL_CHANGED: u8 = 8;
const SHARE_CHANGED: f64 = 0.05;
const IDLE: Span = Span::seconds(30);

impl NotePolicy for Changed {
    fn see(&mut self, _frame: &Frame) {}

    fn wants(&mut self, now: Moment, newest: &Frame) -> Option<Reason> {
        let due = self.looked.as_ref().is_none_or(|(last, grid)| {
            let pairs = grid.0.iter().zip(&newest.grid.0);
            let changed = pairs.filter(|(before, after)| before.abs_diff(**after) >= CELL_CHANGED);
            let share = changed.count() as f64 / grid.0.len() as f64;
            share >= SHARE_CHANGED || now.since(*last) >= IDLE
        });
        if due {
            self.looked = Some((now, newest.grid.clone()));
        }
        due.then_some(Reason::Due)
    }

    fn lines(&self) -> Option<Thresholds> {
        None
    }
}
