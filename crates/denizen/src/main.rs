//! The `denizen` command: wiring only. What Denizen does is in the crates it is made of.

mod bench;
mod command;

use std::process::ExitCode;

use clap::Parser;

use command::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("denizen: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let data = cli.data;
    match cli.command {
        Command::Run(options) => command::run::run(&data, options),
        Command::Replay(options) => command::replay::run(&options),
        Command::Why(options) => command::why::run(&data, &options),
        Command::Simulate(options) => command::simulate::run(&options),
        Command::Settings(action) => command::settings::run(&data, action),
        Command::Recording(options) => command::recording::run(&data, &options),
        Command::Export { file } => command::recording::export(&data, &file),
        Command::Doctor(options) => command::doctor::run(&data, &options),
        Command::Bench(what) => bench::run(what),
        Command::Docs { folder } => command::docs::run(&folder),
    }
}
