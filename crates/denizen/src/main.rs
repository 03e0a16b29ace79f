//! The `denizen` command: wiring only. What Denizen does is in the crates it is made of.

mod arenas;
mod calls;
mod catalogue;
mod client;
mod command;
mod house;
mod logging;
mod memory;
mod outbound;

use std::panic::{set_hook, take_hook};
use std::process::{ExitCode, exit};

use anyhow::bail;
use clap::Parser;
use weights::Shelf;

use command::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    if matches!(cli.command, Command::Run(_)) {
        arenas::keep_few();
    }
    end_quietly_when_nobody_reads();
    match run(cli) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("denizen: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whoever has read enough of a long output (`denizen replay FILE | head`) closes the pipe: no reason to complain.
fn end_quietly_when_nobody_reads() {
    let usual = take_hook();
    set_hook(Box::new(move |panic| {
        let said = panic.payload_as_str().unwrap_or_default();
        if said.starts_with("failed printing to stdout") && said.contains("Broken pipe") {
            exit(0);
        }
        usual(panic);
    }));
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    if cli.quiet {
        command::progress::hush();
    }
    let data = cli.data;
    onnx::also_look_in(&Shelf::of(&data).folder_of("onnxruntime"));
    let community = cli.community.as_deref();
    if community.is_some() && !cli.command.is_of_a_community() {
        bail!("--community makes no difference to this command; leave it out");
    }
    match cli.command {
        Command::Run(options) => command::run::run(&data, options),
        Command::Setup(options) => command::setup::run(&data, &options),
        Command::Link(options) => command::link::run(&data, &options),
        Command::Access(options) => command::access::run(&data, community, &options),
        Command::Replay(options) => command::replay::run(&options),
        Command::Why(options) => command::why::run(&data, community, &options),
        Command::Simulate(options) => command::simulate::run(&options),
        Command::Score(options) => command::score::run(&data, &options),
        Command::Watch(options) => command::watch::run(&data, community, &options),
        Command::Say(options) => command::say::run(&data, community, &options),
        Command::LearnName(options) => command::learn_name::run(&data, community, &options),
        Command::Settings(action) => command::settings::run(&data, community, action),
        Command::Recording(options) => command::recording::run(&data, community, &options),
        Command::Community(options) => command::community::run(&data, &options),
        Command::Memory(options) => command::memory::run(&data, community, options),
        Command::Thoughts(options) => command::thoughts::run(&data, community, &options),
        Command::Models(options) => command::models::run(&data, &options),
        Command::Spending(options) => command::spending::run(&data, community, &options),
        Command::Discovery(options) => command::discovery::run(&data, community, &options),
        Command::Fetch(options) => command::fetch::run(&data, &options),
        Command::Mcp(options) => command::mcp::run(&data, options),
        Command::Backup(options) => command::backup::run(&data, &options),
        Command::Restore(options) => command::restore::run(&data, &options),
        Command::Export { file } => command::recording::export(&data, &file),
        Command::Doctor(options) => command::doctor::run(&data, &options),
        Command::Licences => {
            print!("{}", include_str!("../../../NOTICES.md"));
            Ok(ExitCode::SUCCESS)
        }
        Command::Docs { folder } => command::docs::run(&folder),
    }
}
