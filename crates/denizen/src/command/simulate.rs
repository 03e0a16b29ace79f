//! `denizen simulate`: hours of conversation with failing models and restarts, in milliseconds.

use std::process::ExitCode;

use clap::Args;

#[derive(Debug, Args)]
pub struct SimulateOptions {
    /// The same seed gives the same world, step by step.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Simulated hours.
    #[arg(long, default_value_t = 6)]
    hours: u64,
}

pub fn run(options: &SimulateOptions) -> anyhow::Result<ExitCode> {
    let outcome = simulator::simulate(options.seed, options.hours, simulator::Options::default());
    println!("{outcome}");
    Ok(if outcome.violations.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
