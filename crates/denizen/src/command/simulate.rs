//! `denizen simulate`: hours of conversation, weeks with thoughts of its own, or minutes of talk, with failing models and
//! restarts, in moments; and many of them, one seed after the other, until one goes wrong.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::Args;
use rustix::time::{ClockId, clock_gettime};
use simulator::Outcome;
use vocabulary::text::counted;

use super::progress::{Busy, Progress};

#[derive(Debug, Args)]
pub struct SimulateOptions {
    /// The same seed gives the same world, step by step.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Simulated hours.
    #[arg(long, default_value_t = 6)]
    hours: u64,
    /// Simulated weeks with thoughts of its own and little talk, instead of hours.
    #[arg(long, conflicts_with = "hours")]
    weeks: Option<u64>,
    /// Simulated minutes of talk in the voice of a room, instead of hours.
    #[arg(long, conflicts_with_all = ["hours", "weeks"], value_name = "MINUTES")]
    talk: Option<u64>,
    /// In that talk a realtime service answers by itself.
    #[arg(long, requires = "talk")]
    native: bool,
    /// So many seeds one after the other, from the given one on; it ends with the first that goes wrong.
    #[arg(long, value_name = "SEEDS", value_parser = clap::value_parser!(u64).range(1..))]
    sweep: Option<u64>,
    /// Seeds that are lived through at the same time.
    #[arg(long, requires = "sweep", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: u64,
}

impl SimulateOptions {
    fn live(&self, seed: u64) -> Outcome {
        let everything = simulator::Options::default();
        match (self.weeks, self.talk) {
            (Some(weeks), _) => simulator::simulate_weeks(seed, weeks, everything),
            (None, Some(minutes)) if self.native => simulator::simulate_native(seed, minutes, everything),
            (None, Some(minutes)) => simulator::simulate_voice(seed, minutes, everything),
            (None, None) => simulator::simulate(seed, self.hours, everything),
        }
    }

    /// How long each of them is, for people.
    fn length(&self) -> String {
        let (count, unit) = match (self.weeks, self.talk) {
            (Some(weeks), _) => (weeks, "week"),
            (None, Some(minutes)) => (minutes, "minute"),
            (None, None) => (self.hours, "hour"),
        };
        counted(count as usize, unit)
    }
}

pub fn run(options: &SimulateOptions) -> anyhow::Result<ExitCode> {
    if let Some(seeds) = options.sweep {
        return Ok(sweep(options, seeds));
    }
    let busy = Busy::with(format!("living through {}", options.length()));
    let outcome = options.live(options.seed);
    drop(busy);
    println!("{outcome}");
    Ok(if outcome.violations.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What a sweep came to.
#[derive(Debug, Default)]
struct Swept {
    seeds: usize,
    steps: u64,
    minutes: u64,
    /// The one with the smallest seed of those that went wrong.
    wrong: Option<Outcome>,
}

fn sweep(options: &SimulateOptions, seeds: u64) -> ExitCode {
    let (began, spent) = (Instant::now(), cpu_time());
    let swept = lived(options.seed, seeds, options.jobs, |seed| options.live(seed));
    println!(
        "{}: {} h simulated, {} steps",
        counted(swept.seeds, "seed"),
        swept.minutes / 60,
        swept.steps
    );
    println!(
        "{}",
        price(&swept, began.elapsed(), cpu_time().saturating_sub(spent))
    );
    match swept.wrong {
        None => {
            println!("every standing property held");
            ExitCode::SUCCESS
        }
        // It ends with the command that lives through it again.
        Some(wrong) => {
            println!("the first that went wrong:\n{wrong}");
            ExitCode::FAILURE
        }
    }
}

/// What it took, and what a budget of time can be planned with.
fn price(swept: &Swept, took: Duration, cpu: Duration) -> String {
    let each_second = |count: f64| count / cpu.as_secs_f64().max(0.001);
    format!(
        "{:.1} s, {:.1} s of CPU: {:.1} h and {:.0} steps a second of CPU",
        took.as_secs_f64(),
        cpu.as_secs_f64(),
        each_second(swept.minutes as f64 / 60.0),
        each_second(swept.steps as f64)
    )
}

/// What this process has taken so far, on all cores.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(u64::try_from(time.tv_sec).unwrap_or_default(), nanos)
}

/// Lives through seeds in their order, several at a time. Once one goes wrong no other is begun; those before it are
/// lived through to their end, so that the first is always the same.
fn lived(first: u64, seeds: u64, jobs: u64, live: impl Fn(u64) -> Outcome + Sync) -> Swept {
    let next = AtomicU64::new(first);
    let end = AtomicU64::new(first.saturating_add(seeds));
    let (tell, told) = mpsc::channel();
    let mut progress = Progress::new("seeds lived through");
    let mut swept = Swept::default();
    let mut wrong = BTreeMap::new();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(seeds) {
            let (tell, next, end, live) = (tell.clone(), &next, &end, &live);
            scope.spawn(move || {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end.load(Ordering::Relaxed) {
                        return;
                    }
                    let outcome = live(seed);
                    if !outcome.violations.is_empty() {
                        end.fetch_min(seed, Ordering::Relaxed);
                    }
                    if tell.send(outcome).is_err() {
                        return;
                    }
                }
            });
        }
        drop(tell);
        for outcome in told {
            swept.seeds += 1;
            swept.steps += outcome.stats.steps as u64;
            swept.minutes += outcome.stats.simulated.0 / 60_000;
            progress.at(swept.seeds, usize::try_from(seeds).ok());
            if !outcome.violations.is_empty() {
                wrong.insert(outcome.seed, outcome);
            }
        }
    });
    progress.done();
    swept.wrong = wrong.into_values().next();
    swept
}

#[cfg(test)]
mod tests {
    use simulator::{Options, Outcome, Violation, simulate};
    use vocabulary::Moment;

    use std::time::Duration;

    use super::{Swept, lived, price};

    /// Worlds that are all alike, but that some seeds go wrong.
    fn worlds() -> impl Fn(u64) -> Outcome + Sync {
        let quick = Options {
            faults: false,
            twice: false,
        };
        let one = simulate(1, 1, quick);
        move |seed| {
            let mut outcome = one.clone();
            outcome.seed = seed;
            if seed == 9 || seed == 12 {
                outcome.violations.push(Violation {
                    property: "made up",
                    at: Moment(0),
                    what: "for a test".to_owned(),
                });
            }
            outcome
        }
    }

    #[test]
    fn a_sweep_tells_the_first_seed_that_goes_wrong_however_many_are_lived_through_at_once() {
        for jobs in [1, 2, 5] {
            let swept = lived(3, 20, jobs, worlds());
            let wrong = swept.wrong.expect("two go wrong");
            assert_eq!(wrong.seed, 9, "{jobs} at once");
            let told = wrong.to_string();
            assert!(told.contains("denizen simulate --seed 9 --hours 1"), "{told}");
            assert!(
                (7..20).contains(&swept.seeds),
                "no other is begun: {}",
                swept.seeds
            );
        }
    }

    #[test]
    fn a_sweep_says_how_much_is_lived_through_in_a_second_of_the_processor() {
        let swept = Swept {
            minutes: 60 * 24,
            steps: 6_000,
            ..Swept::default()
        };
        let told = price(&swept, Duration::from_secs(2), Duration::from_secs(3));
        assert_eq!(told, "2.0 s, 3.0 s of CPU: 8.0 h and 2000 steps a second of CPU");
    }

    #[test]
    fn a_sweep_in_which_nothing_goes_wrong_lives_through_all() {
        let swept = lived(20, 6, 2, worlds());
        assert!(swept.wrong.is_none());
        assert_eq!(swept.seeds, 6);
    }
}
