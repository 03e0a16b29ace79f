//! `denizen community`: adding, listing and removing communities, in the data folder or in the Denizen that runs on it.

use std::io::{IsTerminal, Write, stderr, stdin};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};
use discord_rooms::{BotFolder, is_on_discord};
use runtime::memory::OnOtherEmbedder;
use runtime::ports::{Store, StoreError};
use runtime::{Gone, NewCommunity, TownError, wall};
use serde::Deserialize;
use serde_json::json;
use settings::{Document, Layers, Settings};
use storage::{DataLock, Sqlite};
use vocabulary::CommunityId;

use super::memory::Address;
use super::progress::Busy;
use super::{Overrides, block_on, known_community};
use crate::client::{Client, segment};
use crate::memory::DataFolder;

#[derive(Debug, Args)]
pub struct CommunityOptions {
    #[command(flatten)]
    address: Address,
    #[command(subcommand)]
    action: CommunityAction,
}

#[derive(Debug, Subcommand)]
pub enum CommunityAction {
    /// Add a community, with a room, a memory and settings of its own.
    Add {
        /// What it is called in addresses and commands: a-z 0-9 - and _.
        id: String,
        /// What people call it.
        #[arg(long)]
        name: Option<String>,
        /// What Denizen is called there; short for --set identity.name=….
        #[arg(long, value_name = "NAME")]
        denizen: Option<String>,
        #[command(flatten)]
        overrides: Overrides,
    },
    /// List the communities.
    List {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a community with everything that was said, decided and remembered in it.
    Remove {
        /// Which one, as `list` shows it.
        id: String,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Deserialize)]
struct Listed {
    communities: Vec<Shown>,
}

#[derive(Deserialize)]
struct Shown {
    id: String,
    name: String,
    #[serde(default)]
    home: bool,
}

/// The data folder while nobody runs on it, otherwise the Denizen that does.
enum Town {
    Folder { _lock: DataLock },
    Running(Client),
}

pub fn run(data: &Path, options: &CommunityOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    block_on(async {
        let town = open(data, &options.address).await?;
        match &options.action {
            CommunityAction::Add {
                id,
                name,
                denizen,
                overrides,
            } => {
                let new = NewCommunity {
                    id: CommunityId::from(id.as_str()),
                    name: name.as_ref().unwrap_or(id).clone(),
                    settings: overlay(denizen.as_deref(), overrides)?,
                };
                add(&town, data, new).await?;
            }
            CommunityAction::List { json } => list(&town, data, *json).await?,
            CommunityAction::Remove { id, yes } => return remove(&town, data, id, *yes).await,
        }
        Ok(ExitCode::SUCCESS)
    })
}

async fn open(data: &Path, address: &Address) -> anyhow::Result<Town> {
    match Sqlite::lock(data) {
        Ok(lock) => Ok(Town::Folder { _lock: lock }),
        Err(StoreError::Busy { .. }) => {
            let client = super::memory::running(data, address).await?;
            Ok(Town::Running(client))
        }
        Err(error) => Err(error.into()),
    }
}

fn overlay(denizen: Option<&str>, overrides: &Overrides) -> anyhow::Result<Document> {
    let mut document = Document::default();
    if let Some(name) = denizen {
        document.set("identity.name", json!(name));
    }
    for pair in &overrides.set {
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| anyhow!("--set {pair} is no KEY=VALUE"))?;
        let knob = Settings::knob(key.trim())?;
        let value = knob.parse_typed(value)?;
        document.set(knob.key, value);
    }
    Ok(document)
}

async fn add(town: &Town, data: &Path, new: NewCommunity) -> anyhow::Result<()> {
    let id = new.id.clone();
    match town {
        Town::Running(client) => {
            let alone = Layers {
                own: new.settings.clone(),
                ..Layers::default()
            };
            alone.read(id.as_str()).map_err(TownError::Settings)?;
            let new = json!({"id": id, "name": new.name, "settings": new.settings});
            client.post::<serde_json::Value>("/api/communities", &new).await?;
        }
        Town::Folder { .. } if id == CommunityId::home() => return Err(TownError::Taken(id).into()),
        Town::Folder { .. } => runtime::add(&Sqlite::open(data)?, new).await?,
    }
    println!("{id} is there now; `denizen settings list --community {id}` shows how it is set up");
    if matches!(town, Town::Folder { .. }) {
        println!("it runs with the next `denizen run`");
    }
    Ok(())
}

async fn list(town: &Town, data: &Path, as_json: bool) -> anyhow::Result<()> {
    let communities = match town {
        Town::Running(client) => client.get::<Listed>("/api/communities").await?.communities,
        Town::Folder { .. } => {
            let known = Sqlite::open(data)?.communities().await?;
            let home = CommunityId::home();
            let mut shown: Vec<Shown> = known
                .into_iter()
                .map(|record| Shown {
                    home: record.id == home,
                    id: record.id.to_string(),
                    name: record.name,
                })
                .collect();
            if !shown.iter().any(|shown| shown.home) {
                // It comes with the first start, and is as good as there.
                let (id, name) = (home.to_string(), String::new());
                shown.insert(0, Shown { id, name, home: true });
            }
            shown
        }
    };
    if as_json {
        let lines = communities
            .iter()
            .map(|shown| json!({"id": shown.id, "name": shown.name, "home": shown.home}));
        println!("{}", serde_json::to_string_pretty(&lines.collect::<Vec<_>>())?);
        return Ok(());
    }
    for shown in communities {
        let default = if shown.home { "  (default)" } else { "" };
        let name = if shown.name.is_empty() || shown.name == shown.id {
            String::new()
        } else {
            format!("  {}", shown.name)
        };
        println!("{}{name}{default}", shown.id);
    }
    Ok(())
}

async fn remove(town: &Town, data: &Path, id: &str, yes: bool) -> anyhow::Result<ExitCode> {
    let community = CommunityId::from(id);
    if community == CommunityId::home() {
        return Err(TownError::Home(community).into());
    }
    let told = format!(
        "every message, journal line, model call, recording, memory and setting of community {id} goes for good"
    );
    if !yes && !confirmed(&told)? {
        println!("nothing was removed");
        return Ok(ExitCode::FAILURE);
    }
    let busy = Busy::with(format!("removing {id}"));
    match town {
        Town::Running(client) => {
            let path = format!("/api/communities/{}", segment(id));
            client.delete::<serde_json::Value>(&path).await?;
            drop(busy);
            println!("{id} is gone");
            tell_of_the_bot(&community);
        }
        Town::Folder { .. } => {
            let folder = DataFolder::of(data).await?;
            let community = known_community(folder.sqlite.as_ref(), Some(id)).await?;
            let memory = folder
                .open(OnOtherEmbedder::Refuse)
                .await
                .context("its memory could not be opened, so nothing was removed")?;
            let gone = runtime::remove(folder.sqlite.as_ref(), Some(&memory), &community).await?;
            drop(busy);
            println!("{id} is gone{}", what_went(&gone));
            if is_on_discord(&community) {
                BotFolder::of(data).emptied(&community, wall());
            }
            tell_of_the_bot(&community);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A server's community comes back as long as the bot is in the server.
fn tell_of_the_bot(community: &CommunityId) {
    if is_on_discord(community) {
        println!(
            "where the bot still is, it begins anew with what happens next, and knows nothing of before. To end that, remove the \
             bot from the server"
        );
    }
}

fn what_went(gone: &Gone) -> String {
    format!(
        ": {} messages, {} journal lines, {} model calls, {} memories and {} turns of conversations",
        gone.stored.messages, gone.stored.journal_lines, gone.stored.asks, gone.gems, gone.turns
    )
}

fn confirmed(told: &str) -> anyhow::Result<bool> {
    if !stdin().is_terminal() {
        bail!("{told}. Say --yes to do it: there is nobody here to ask");
    }
    write!(stderr(), "{told}. Do it? [y/N] ")?;
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
