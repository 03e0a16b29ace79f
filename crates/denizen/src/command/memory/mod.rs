//! `denizen memory`: looking into what is remembered, taking it elsewhere, and forgetting.

mod access;
mod archive;
mod forget;
mod migrate;
mod reembed;
mod search;
mod show;
mod stats;
pub mod telling;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::block_on;
use super::progress::hush;
pub use access::running;

#[derive(Debug, Args)]
pub struct MemoryOptions {
    #[command(flatten)]
    address: Address,
    #[command(subcommand)]
    action: MemoryAction,
}

/// Where a running Denizen is.
#[derive(Debug, Clone, Args)]
pub struct Address {
    /// Address of the Denizen that is asked; found by the data folder if it is left out. Where it is on no folder of this
    /// machine, a token is taken from DENIZEN_TOKEN.
    #[arg(long, global = true, env = "DENIZEN_URL", value_name = "URL")]
    pub url: Option<String>,
}

/// Which Denizen is asked, and for which community.
#[derive(Debug, Clone)]
pub struct Whose {
    pub address: Address,
    /// None: the default one, or everything where that can be told.
    pub community: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum MemoryAction {
    /// Search everything that is remembered, and say why each match fits.
    Search(search::SearchOptions),
    /// Show a gem with the turns it came from, what it replaced and what replaced it.
    Show {
        /// The gem's id.
        id: String,
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write everything that is remembered as newline-delimited JSON.
    Export {
        /// The new file; standard output without it.
        file: Option<PathBuf>,
    },
    /// Take in what `export` wrote. What is there already is left as it is.
    Import {
        /// The file; `-` is standard input.
        file: PathBuf,
    },
    /// Forget for good: records, vectors, words, messages and recordings.
    Forget(forget::ForgetOptions),
    /// Say where memory is kept, what it holds and what waits.
    Stats {
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Make every vector anew with the embedder of the settings.
    Reembed,
    /// Copy what is remembered from one store to another, or move what waits from one buffer to another.
    Migrate(migrate::MigrateOptions),
}

pub fn run(data: &Path, community: Option<&str>, options: MemoryOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    let whose = Whose {
        address: options.address,
        community: community.map(str::to_owned),
    };
    let as_json = match &options.action {
        MemoryAction::Show { json, .. } | MemoryAction::Stats { json } => *json,
        MemoryAction::Search(search) => search.json,
        _ => false,
    };
    if as_json {
        hush();
    }
    block_on(async {
        match options.action {
            MemoryAction::Search(search) => search::run(data, &whose, &search).await,
            MemoryAction::Show { id, json } => show::run(data, &whose, &id, json).await,
            MemoryAction::Export { file } => archive::export(data, &whose, file.as_deref()).await,
            MemoryAction::Import { file } => archive::import(data, &file).await,
            MemoryAction::Forget(forget) => forget::run(data, &whose, &forget).await,
            MemoryAction::Stats { json } => stats::run(data, &whose, json).await,
            MemoryAction::Reembed => reembed::run(data, &whose).await,
            MemoryAction::Migrate(migrate) => migrate::run(data, &migrate).await,
        }
    })
}
