//! `denizen thoughts`: what it thinks of by itself, or what keeps it from it.

mod telling;
mod trial;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use mind::ambient::view::AmbientView;
use serde_json::Value;

use super::block_on;
use super::memory::Address;
use crate::client::Client;

#[derive(Debug, Args)]
pub struct ThoughtsOptions {
    #[command(flatten)]
    address: Address,
    /// Print it as JSON; with `think`, what came of it instead of the steps.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Option<ThoughtsAction>,
}

#[derive(Debug, Subcommand)]
pub enum ThoughtsAction {
    /// Have it think now, and show step by step what it would say. Nothing is posted, and nothing is held.
    Think,
    /// Drop the thought that it holds for later.
    Drop,
}

pub fn run(data: &Path, community: Option<&str>, options: &ThoughtsOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    block_on(async {
        let client = Client::somewhere(data, options.address.url.as_deref())
            .await?
            .in_community(community);
        match &options.action {
            None => show(&client, options.json).await,
            Some(ThoughtsAction::Think) => trial::run(&client, options.json).await,
            Some(ThoughtsAction::Drop) => drop_thought(&client).await,
        }
    })
}

async fn show(client: &Client, as_json: bool) -> anyhow::Result<ExitCode> {
    let shown: Value = client.get("/api/ambient").await?;
    if as_json {
        println!("{}", serde_json::to_string_pretty(&shown)?);
    } else {
        let view: AmbientView = serde_json::from_value(shown)?;
        print!("{}", telling::standing(&view));
    }
    Ok(ExitCode::SUCCESS)
}

async fn drop_thought(client: &Client) -> anyhow::Result<ExitCode> {
    let view: AmbientView = client.get("/api/ambient").await?;
    client.delete::<Value>("/api/ambient/thought").await?;
    match view.thought {
        Some(thought) => println!("dropped: “{}”", thought.text),
        None => println!("dropped"),
    }
    Ok(ExitCode::SUCCESS)
}
