//! `denizen simulate`: hours of conversation, or weeks with thoughts of its own, with failing models and restarts, in
//! moments.

use std::process::ExitCode;

use clap::Args;
use vocabulary::text::counted;

use super::progress::Busy;

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
}

pub fn run(options: &SimulateOptions) -> anyhow::Result<ExitCode> {
    let busy = Busy::with(match options.weeks {
        Some(weeks) => format!("living through {}", counted(weeks as usize, "week")),
        None => format!("living through {}", counted(options.hours as usize, "hour")),
    });
    let everything = simulator::Options::default();
    let outcome = match options.weeks {
        Some(weeks) => simulator::simulate_weeks(options.seed, weeks, everything),
        None => simulator::simulate(options.seed, options.hours, everything),
    };
    drop(busy);
    println!("{outcome}");
    Ok(if outcome.violations.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
