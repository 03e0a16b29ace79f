//! `denizen spending`: what models have cost today, by purpose, and what was saved.

mod telling;

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use mind::spending::view::SpendingView;
use serde_json::Value;

use super::block_on;
use super::memory::Address;
use crate::client::Client;

#[derive(Debug, Args)]
pub struct SpendingOptions {
    #[command(flatten)]
    address: Address,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(data: &Path, community: Option<&str>, options: &SpendingOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    block_on(async {
        let client = Client::somewhere(data, options.address.url.as_deref())
            .await?
            .in_community(community);
        let shown: Value = client.get("/api/spending").await?;
        if options.json {
            println!("{}", serde_json::to_string_pretty(&shown)?);
        } else {
            let view: SpendingView = serde_json::from_value(shown)?;
            print!("{}", telling::spent(&view));
        }
        Ok(ExitCode::SUCCESS)
    })
}
