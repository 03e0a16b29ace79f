//! `denizen discovery`: what it reads to have something to talk about.

mod telling;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use mind::ambient::feed::Candidate;
use serde::Deserialize;
use serde_json::{Value, json};
use vocabulary::{FeedSource, SourceReport, WallTime};

use super::block_on;
use super::memory::Address;
use super::progress::{Busy, hush};
use crate::client::Client;

#[derive(Debug, Args)]
pub struct DiscoveryOptions {
    #[command(flatten)]
    address: Address,
    #[command(subcommand)]
    action: DiscoveryAction,
}

#[derive(Debug, Subcommand)]
pub enum DiscoveryAction {
    /// List what it reads: your sources and those it has added itself, and how each has done.
    Sources {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Read all sources now, and show the items it would be shown, best first.
    Preview {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Try a source: read it once, and say what it has or why it will not do.
    Check(Source),
    /// Drop a source that it has added itself. Yours are taken out of the settings.
    Drop(Source),
}

#[derive(Debug, Args)]
pub struct Source {
    /// Which family of sources.
    family: Family,
    /// A subreddit, a feed's address, a YouTube channel's id or a handle on X; for Hacker News `top`.
    name: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Family {
    Reddit,
    HackerNews,
    Youtube,
    Rss,
    X,
}

pub fn run(data: &Path, community: Option<&str>, options: &DiscoveryOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    block_on(async {
        let client = Client::somewhere(data, options.address.url.as_deref())
            .await?
            .in_community(community);
        match &options.action {
            DiscoveryAction::Sources { json } => sources(&client, *json).await,
            DiscoveryAction::Preview { json } => preview(&client, *json).await,
            DiscoveryAction::Check(source) => check(&client, source).await,
            DiscoveryAction::Drop(source) => {
                client
                    .delete_with("/api/discovery/sources", &source.body())
                    .await?;
                println!("it does not read that any more");
                Ok(ExitCode::SUCCESS)
            }
        }
    })
}

/// A source that is read, as the API shows it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadSource {
    source: FeedSource,
    own: bool,
    reason: String,
    shown: u64,
    shared: u64,
    reactions: u64,
    replies: u64,
    last_report: Option<SourceReport>,
    last_read_at: Option<WallTime>,
}

#[derive(Debug, Deserialize)]
struct Preview {
    candidates: Vec<Candidate>,
    reports: Vec<SourceReport>,
}

#[derive(Debug, Deserialize)]
struct Checked {
    ok: bool,
    words: String,
}

async fn sources(client: &Client, as_json: bool) -> anyhow::Result<ExitCode> {
    let view: Value = client.get("/api/ambient").await?;
    if as_json {
        println!("{}", serde_json::to_string_pretty(&view["sources"])?);
        return Ok(ExitCode::SUCCESS);
    }
    let sources: Vec<ReadSource> = serde_json::from_value(view["sources"].clone())?;
    print!("{}", telling::sources(&sources));
    Ok(ExitCode::SUCCESS)
}

async fn preview(client: &Client, as_json: bool) -> anyhow::Result<ExitCode> {
    if as_json {
        hush();
    }
    let busy = Busy::with("reading all sources");
    let found: Value = client.post("/api/discovery/preview", &json!({})).await?;
    drop(busy);
    if as_json {
        println!("{}", serde_json::to_string_pretty(&found)?);
        return Ok(ExitCode::SUCCESS);
    }
    let preview: Preview = serde_json::from_value(found)?;
    print!("{}", telling::preview(&preview));
    Ok(ExitCode::SUCCESS)
}

async fn check(client: &Client, source: &Source) -> anyhow::Result<ExitCode> {
    let busy = Busy::with(format!("reading {}", source.name));
    let checked: Checked = client.post("/api/discovery/check", &source.body()).await?;
    drop(busy);
    println!("{}", checked.words);
    Ok(match checked.ok {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

impl Source {
    fn body(&self) -> Value {
        let family = self.family.to_possible_value();
        let family = family.expect("no family is hidden").get_name().to_owned();
        json!({"family": family, "name": self.name})
    }
}
