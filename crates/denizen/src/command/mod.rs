//! The command line: what can be said, and one file for what each command does.

pub mod access;
pub mod backup;
mod colour;
pub mod community;
pub mod discovery;
pub mod docs;
pub mod doctor;
pub mod fetch;
pub mod learn_name;
pub mod link;
pub mod mcp;
pub mod memory;
pub mod models;
pub mod progress;
pub mod recording;
pub mod replay;
pub mod restore;
pub mod run;
pub mod say;
pub mod score;
pub mod settings;
pub mod setup;
pub mod simulate;
pub mod spending;
pub mod thoughts;
pub mod watch;
pub mod why;

use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};

use ::settings::Settings;
use anyhow::anyhow;
use clap::{Args, Parser, Subcommand};
use runtime::ports::Store;
use storage::Sqlite;
use vocabulary::CommunityId;

/// An AI participant that lives in your rooms: every decision named, explained and replayable.
#[derive(Debug, Parser)]
#[command(
    name = "denizen",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// Folder for everything Denizen keeps.
    #[arg(
        long,
        global = true,
        env = "DENIZEN_DATA",
        default_value = "data",
        value_name = "DIR"
    )]
    pub data: PathBuf,
    /// The community that is meant, where there are several; `denizen community list` shows them.
    #[arg(long, global = true, env = "DENIZEN_COMMUNITY", value_name = "ID")]
    pub community: Option<String>,
    /// Tell nothing of progress on standard error.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start Denizen and serve the local room.
    Run(run::RunOptions),
    /// Set up a place where Denizen is to live: what it needs there is checked, and what is missing told.
    Setup(setup::SetupOptions),
    /// Print a link that lets somebody into the Denizen that runs on the data folder.
    Link(link::LinkOptions),
    /// See who may come in; make tokens and take them back, and release names.
    Access(access::AccessOptions),
    /// Say why a message was (not) answered: the chain from what was heard to what was (not) said.
    Why(why::WhyOptions),
    /// Step a recording again and print its journal; with --set, show which decisions would have differed.
    Replay(replay::ReplayOptions),
    /// Save a recording of what happened, for a bug report or a replay.
    Recording(recording::RecordingOptions),
    /// Run a simulated world with failing models and restarts, and check that nothing is lost.
    Simulate(simulate::SimulateOptions),
    /// Print how much the screen changes in a video, frame by frame, as newline-delimited JSON.
    Score(score::ScoreOptions),
    /// Play a video as a shared screen to a running Denizen, and print what it notes and says; for tuning.
    Watch(watch::WatchOptions),
    /// Play recordings as people's microphones into the voice of a room of a running Denizen, and print what it heard,
    /// decided and said; for tuning.
    Say(say::SayOptions),
    /// Have the chosen voice say the name to the chosen ears, and keep how they write it.
    LearnName(learn_name::LearnNameOptions),
    /// Look at settings and change them.
    #[command(subcommand)]
    Settings(settings::SettingsAction),
    /// Add a community to this process, list them, or remove one.
    Community(community::CommunityOptions),
    /// Look into memory: search, show, export, import, forget, migrate.
    Memory(memory::MemoryOptions),
    /// See what it thinks of by itself and what keeps it from it; have it think now, or drop what it holds.
    Thoughts(thoughts::ThoughtsOptions),
    /// See which models there are, what they cost and when they end; install ears, a voice and others that run on this machine.
    Models(models::ModelsOptions),
    /// See what models have cost today, by purpose, and what was saved.
    Spending(spending::SpendingOptions),
    /// See what it reads to have something to talk about; read it now, or try a source.
    Discovery(discovery::DiscoveryOptions),
    /// Print a page of the web as a model would be given it.
    Fetch(fetch::FetchOptions),
    /// Give another agent memory as MCP tools, over standard input and output.
    Mcp(mcp::McpOptions),
    /// Check settings, keys, models and storage, and say what to do about each problem.
    Doctor(doctor::DoctorOptions),
    /// Copy everything that Denizen keeps to a new folder, also while it runs; `restore` takes it back.
    Backup(backup::BackupOptions),
    /// Put a back-up in the place of the data folder. Nothing may run on it.
    Restore(restore::RestoreOptions),
    /// Write a consistent copy of the database, also while Denizen runs.
    Export {
        /// The new file.
        file: PathBuf,
    },
    /// Print the notices of what is compiled in, which go with the binary.
    #[command(visible_alias = "licenses")]
    Licences,
    /// Write the generated pages of the manual (settings.md and events.md), and the types of the web pages.
    #[command(hide = true)]
    Docs {
        /// The folder to write them to.
        #[arg(default_value = "docs")]
        folder: PathBuf,
    },
}

impl Command {
    /// Whether it is about one community, so that `--community` says which.
    pub fn is_of_a_community(&self) -> bool {
        match self {
            Command::Why(_)
            | Command::Recording(_)
            | Command::Watch(_)
            | Command::Say(_)
            | Command::LearnName(_)
            | Command::Settings(_)
            | Command::Memory(_)
            // It has an option of that name itself: whose memory is shared.
            | Command::Mcp(_)
            | Command::Thoughts(_)
            | Command::Spending(_)
            | Command::Access(_)
            | Command::Discovery(_) => true,
            Command::Run(_)
            | Command::Setup(_)
            | Command::Link(_)
            | Command::Replay(_)
            | Command::Simulate(_)
            | Command::Score(_)
            | Command::Community(_)
            | Command::Fetch(_)
            | Command::Models(_)
            | Command::Doctor(_)
            | Command::Backup(_)
            | Command::Restore(_)
            | Command::Export { .. }
            | Command::Licences
            | Command::Docs { .. } => false,
        }
    }
}

/// Which settings to replace, as KEY=VALUE.
#[derive(Debug, Args)]
pub struct Overrides {
    /// Replace a setting; can be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// The community that a command means: the default one, or one that is there.
pub async fn known_community(store: &dyn Store, given: Option<&str>) -> anyhow::Result<CommunityId> {
    let wanted = given.map_or_else(CommunityId::home, CommunityId::from);
    let mut known: Vec<CommunityId> = store
        .communities()
        .await?
        .into_iter()
        .map(|record| record.id)
        .collect();
    if wanted == CommunityId::home() || known.contains(&wanted) {
        return Ok(wanted);
    }
    known.push(CommunityId::home());
    known.sort();
    known.dedup();
    Err(runtime::TownError::Unknown { wanted, known }.into())
}

/// The settings that a data folder has; the defaults where there is no such folder, which is then not made.
pub fn saved_settings(data: &Path) -> anyhow::Result<Settings> {
    if !data.exists() {
        return Ok(Settings::default());
    }
    let store = Sqlite::open(data)?;
    let saved = block_on(async { Ok(store.base_settings().await?) })?;
    Settings::read(&saved.document).map_err(|errors| {
        let problems: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow!("the settings cannot be used:\n{}", problems.join("\n"))
    })
}

/// Runs async work to its end on the small runtime that commands need.
pub fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    finish(&runtime, work)
}

/// Behind a pointer: a runtime compiles its loops anew around each kind of work, with all of that work inside, three times over.
fn finish<T>(runtime: &tokio::runtime::Runtime, work: impl Future<Output = T>) -> T {
    let work: Pin<&mut dyn Future<Output = T>> = pin!(work);
    runtime.block_on(work)
}
