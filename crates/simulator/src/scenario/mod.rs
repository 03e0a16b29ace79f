//! Scenarios: Markdown that is specification and test at once. Each `##` heading is one; its `script` block says
//! what happens, its other blocks say what must come of it.

mod ambient;
mod cue;
mod document;
mod expect;
mod expected;
mod gems;
mod memory;
mod operator;
mod prompt;
mod prompter;
mod rooms;
mod script;
mod session;
mod thinker;
mod thinking;
mod transcript;
mod voice;
mod watch;
mod words;

use std::fmt;

use settings::Document;
use vocabulary::{Moment, Span};

use crate::check::check;
use crate::deed::Deed;
use crate::trace::Trace;
use crate::world::World;

use cue::Cue;
pub use document::read;
use expect::Expectation;
use prompter::Prompter;

#[cfg(test)]
mod scenario_tests;

/// A world that is not quiet by then is shown as it is.
const LONGEST: Span = Span::hours(48);
/// So long after the last line of a script it is still woken.
const WOKEN_ON: Span = Span::minutes(1);

/// One scenario, ready to run.
#[derive(Debug)]
pub struct Scenario {
    pub file: String,
    pub line: usize,
    pub title: String,
    settings: Document,
    seed: u64,
    /// When it is over; where it is not said, when nothing is left to happen.
    end: Moment,
    deeds: Vec<(Moment, Deed<Cue>)>,
    expectations: Vec<Expectation>,
}

/// What is wrong, where, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub file: String,
    pub line: usize,
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl Scenario {
    /// Plays the script and compares; the standing properties must hold as well.
    pub fn run(&self) -> Result<Trace, Vec<Problem>> {
        self.play(None)
    }

    /// The same, with wakes that the mind did not ask for: they change nothing.
    pub fn run_woken(&self, every: Span) -> Result<Trace, Vec<Problem>> {
        self.play(Some(every))
    }

    fn play(&self, woken: Option<Span>) -> Result<Trace, Vec<Problem>> {
        let problem = |line, what| Problem {
            file: self.file.clone(),
            line,
            what,
        };
        let world = World::new(Prompter::default(), self.settings.clone(), self.seed);
        let mut world = world.map_err(|errors| {
            let all = errors.iter().map(ToString::to_string);
            all.map(|error| problem(self.line, error)).collect::<Vec<_>>()
        })?;
        for (at, deed) in &self.deeds {
            world.plan(*at, deed.clone());
        }
        let last = self.deeds.iter().map(|(at, _)| *at).max().unwrap_or_default();
        let mut at = Moment::default();
        while let Some(every) = woken.filter(|_| at < (last + WOKEN_ON).min(self.end)) {
            at = at + every;
            world.plan_spurious_wake(at);
        }
        world.run(self.end);
        let mut problems = Vec::new();
        for expectation in &self.expectations {
            if let Err((line, what)) = expectation.check(&world) {
                problems.push(problem(line, format!("{:?}: {what}", self.title)));
            }
        }
        for violation in check(&world.trace) {
            problems.push(problem(self.line, format!("{:?}: {violation}", self.title)));
        }
        if problems.is_empty() {
            Ok(world.trace)
        } else {
            Err(problems)
        }
    }
}
