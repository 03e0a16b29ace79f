//! `denizen-bench watch`: how much of what happens on a screen is noted, and for how many looks of a vision model.
//!
//! The screens are rendered here, by seed, with the moments that a person would want noted. From the picture on
//! everything is the real thing: grid, score, judgement and note cadence. Only the model is not: it takes one to three
//! seconds, and one look is under way at a time.

mod canvas;
mod explain;
mod measure;
mod policy;
mod report;
mod scenes;
mod seen;
mod watching;

use clap::{Args, ValueEnum};
use vocabulary::Span;

use measure::Tally;
use policy::Way;
use report::{Report, Row};
use scenes::{Kind, Session};

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// How many sessions of each kind.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub sessions: u64,
    /// How long each session is.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=60))]
    pub minutes: u64,
    /// Pictures that are rendered in a second.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..=60))]
    pub fps: u64,
    /// The first session's seed. The rule was made with 101 to 108; others are news to it.
    #[arg(long, default_value_t = 201)]
    pub seed: u64,
    /// Print the figures for a program.
    #[arg(long)]
    pub json: bool,
    /// Print the time line of one session of a kind instead.
    #[arg(long, value_name = "KIND")]
    pub explain: Option<Kind>,
    /// Which way of looking is explained.
    #[arg(long, value_enum, default_value_t = Way::Relative, requires = "explain")]
    pub way: Way,
}

pub fn run(options: &Options) {
    if let Some(kind) = options.explain {
        print!("{}", explain::explain(kind, options));
        return;
    }
    let report = compare(options);
    if options.json {
        println!("{:#}", report.json());
    } else {
        print!("{report}");
    }
}

/// Watches every session in every way.
fn compare(options: &Options) -> Report {
    let kinds = Kind::value_variants().iter();
    Report {
        sessions: options.sessions,
        minutes: options.minutes,
        first_seed: options.seed,
        kinds: kinds.map(|kind| (*kind, compare_kind(*kind, options))).collect(),
    }
}

fn compare_kind(kind: Kind, options: &Options) -> Vec<Row> {
    let length = Span::minutes(options.minutes);
    let mut rows: Vec<Row> = Way::ALL.into_iter().map(Row::new).collect();
    for number in 0..options.sessions {
        let seed = options.seed.wrapping_add(number);
        let session = Session::new(kind, seed, length);
        let frames = seen::see(&session, options.fps);
        for row in &mut rows {
            let watched = watching::watch(&frames, row.way, seed);
            row.tally.add(&Tally::of(&session.events, &watched, length));
        }
    }
    rows
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
