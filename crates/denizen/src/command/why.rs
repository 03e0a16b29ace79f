//! `denizen why`: the chain of causes from what was heard to what was (not) said.

mod would;

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use explain::{Outcome, PeopleNames};
use runtime::ports::Store;
use serde_json::Value;
use storage::Sqlite;
use vocabulary::{CommunityId, MessageId};

use super::colour::Colour;
use super::memory::Address;
use super::{block_on, known_community};
use crate::client::{Client, segment};

#[derive(Debug, Args)]
pub struct WhyOptions {
    /// The message's id, as the room's page shows it.
    #[arg(required_unless_present = "would")]
    message: Option<String>,
    /// Print the journal lines themselves, as newline-delimited JSON.
    #[arg(long)]
    json: bool,
    /// What would a running Denizen do with this message? No model is asked, and nothing is kept.
    #[arg(long, value_name = "TEXT", conflicts_with = "message", requires = "author")]
    would: Option<String>,
    /// Who would write it.
    #[arg(long = "as", value_name = "NAME", requires = "would")]
    author: Option<String>,
    /// Where it would be written.
    #[arg(long, requires = "would", default_value = "lounge")]
    room: String,
    #[command(flatten)]
    address: Address,
}

pub fn run(data: &Path, community: Option<&str>, options: &WhyOptions) -> anyhow::Result<ExitCode> {
    if let (Some(text), Some(author)) = (&options.would, &options.author) {
        fetching::service::install_tls();
        let imagined = would::Imagined {
            room: &options.room,
            author,
            text,
        };
        return block_on(async {
            let client = Client::somewhere(data, options.address.url.as_deref()).await?;
            would::run(&client.in_community(community), &imagined, options.json).await
        });
    }
    let store = Sqlite::open_read_only(data)?;
    block_on(async {
        let id = MessageId::new(options.message.as_deref().unwrap_or_default());
        let community = known_community(&store, community).await?;
        let chain = store.why(&community, &id).await?;
        let message = store.message(&community, &id).await?;
        if chain.is_empty() && message.is_none() {
            bail!(
                "no message {id} of community {community} in {}. Its id is on the room's page, under “why”",
                data.display()
            );
        }
        if options.json {
            for entry in &chain {
                println!("{}", serde_json::to_string(entry)?);
            }
            return Ok(ExitCode::SUCCESS);
        }
        let mut verdict = explain::verdict(&chain, &id);
        if verdict.outcome == Outcome::Waiting
            && let Some(sentence) = said_by_the_running_one(data, &community, &id).await
        {
            verdict.sentence = sentence;
        }
        println!("{}\n", Colour::of_stdout().bold(&verdict.sentence));
        let names = PeopleNames::of(&chain);
        let start = chain.first().map(|entry| entry.moment).unwrap_or_default();
        for entry in &chain {
            let after = entry.moment.since(start).0 as f64 / 1_000.0;
            println!(
                "{after:>9.3} s  {:<26} {}",
                entry.event.name(),
                names.sentence(entry)
            );
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// What a message waits for, by whoever knows how far that is; none where nobody runs on the folder.
async fn said_by_the_running_one(data: &Path, community: &CommunityId, id: &MessageId) -> Option<String> {
    fetching::service::install_tls();
    let client = Client::of_folder(data, None).await.ok()?;
    let client = client.in_community(Some(community.as_str()));
    let why: Value = client
        .get(&format!("/api/why/{}", segment(id.as_str())))
        .await
        .ok()?;
    why["verdict"]["sentence"].as_str().map(str::to_owned)
}
