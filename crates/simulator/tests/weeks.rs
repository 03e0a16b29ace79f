//! Weeks with thoughts of its own, in seconds: every kind of model, every setting, crashes, days without power, sleep.

use simulator::{Options, Outcome, simulate_weeks};

#[track_caller]
fn all_hold(seeds: std::ops::Range<u64>, weeks: u64, options: Options) -> Vec<Outcome> {
    let outcomes: Vec<Outcome> = seeds.map(|seed| simulate_weeks(seed, weeks, options)).collect();
    let broken: Vec<String> = outcomes
        .iter()
        .filter(|outcome| !outcome.violations.is_empty())
        .map(ToString::to_string)
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    outcomes
}

#[test]
fn a_calm_week_holds() {
    let calm = Options {
        faults: false,
        ..Options::default()
    };
    for outcome in all_hold(1..2, 1, calm) {
        println!("{outcome}\n{:?}", outcome.stats.events);
    }
}

#[test]
fn stormy_weeks_hold() {
    let once = Options {
        twice: false,
        ..Options::default()
    };
    for outcome in all_hold(1..6, 1, once) {
        println!("{outcome}\n{:?}", outcome.stats.events);
    }
}
