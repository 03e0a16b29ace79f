//! What the benchmark found, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use super::measure::{Figures, Tally};
use super::policy::Way;
use super::scenes::Kind;

/// Every way of looking, for every kind of session.
#[derive(Clone, Debug)]
pub struct Report {
    pub sessions: u64,
    pub minutes: u64,
    pub first_seed: u64,
    pub kinds: Vec<(Kind, Vec<Row>)>,
}

/// What one way of looking came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub way: Way,
    pub tally: Tally,
}

impl Row {
    pub fn new(way: Way) -> Self {
        Self {
            way,
            tally: Tally::default(),
        }
    }
}

impl Report {
    /// Over all kinds.
    pub fn all(&self) -> Vec<Row> {
        let mut all: Vec<Row> = Way::ALL.into_iter().map(Row::new).collect();
        for row in self.kinds.iter().flat_map(|(_, rows)| rows) {
            if let Some(sum) = all.iter_mut().find(|sum| sum.way == row.way) {
                sum.tally.add(&row.tally);
            }
        }
        all
    }

    pub fn json(&self) -> Value {
        let figures = |rows: &[Row]| -> BTreeMap<&str, Figures> {
            rows.iter()
                .map(|row| (row.way.key(), row.tally.figures()))
                .collect()
        };
        let kinds = self.kinds.iter();
        json!({
            "sessionsPerKind": self.sessions,
            "minutesPerSession": self.minutes,
            "firstSeed": self.first_seed,
            "kinds": kinds.map(|(kind, rows)| (kind.name(), figures(rows))).collect::<BTreeMap<_, _>>(),
            "all": figures(&self.all()),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} sessions of {} minutes of each kind, seeds from {}; a model takes 1 to 3 s, one look at a time",
            self.sessions, self.minutes, self.first_seed
        )?;
        writeln!(
            f,
            "{:<26} {:>12} {:>8} {:>8} {:>9}",
            "", "caught", "median", "p90", "calls/h"
        )?;
        for (kind, rows) in &self.kinds {
            write_rows(f, kind.name(), rows)?;
        }
        let all = self.all();
        write_rows(f, "all", &all)?;
        write_verdict(f, &all)
    }
}

fn write_rows(f: &mut fmt::Formatter<'_>, name: &str, rows: &[Row]) -> fmt::Result {
    writeln!(f, "{name}")?;
    for Row { way, tally } in rows {
        let figures = tally.figures();
        let seconds =
            |delay: Option<f64>| delay.map_or_else(|| "-".to_owned(), |delay| format!("{delay:.1} s"));
        writeln!(
            f,
            "  {:<24} {:>12} {:>8} {:>8} {:>9.0}",
            way.name(),
            format!("{} of {}", figures.caught, figures.events),
            seconds(figures.median_delay_seconds),
            seconds(figures.p90_delay_seconds),
            figures.calls_per_hour
        )?;
    }
    Ok(())
}

/// One line: what the first way caught, and how many more looks each other needs for what it catches.
fn write_verdict(f: &mut fmt::Formatter<'_>, all: &[Row]) -> fmt::Result {
    let Some((ours, others)) = all.split_first() else {
        return Ok(());
    };
    let against: Vec<String> = others
        .iter()
        .map(|other| {
            let ratio = other.tally.calls as f64 / ours.tally.calls.max(1) as f64;
            format!("{} {ratio:.1}× ({})", other.way.name(), share(&other.tally))
        })
        .collect();
    writeln!(
        f,
        "verdict: {} catches {} with {:.0} calls an hour; calls of the others beside it, and what they catch: {}",
        ours.way.name(),
        share(&ours.tally),
        ours.tally.calls_per_hour(),
        against.join(", ")
    )
}

fn share(tally: &Tally) -> String {
    format!(
        "{:.1} %",
        tally.caught as f64 * 100.0 / tally.events.max(1) as f64
    )
}
