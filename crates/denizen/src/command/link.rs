//! `denizen link`: a way in for a browser, made by the Denizen that runs on the data folder.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde::Deserialize;
use serde_json::json;
use web::Role;

use super::access::{Span, told};
use super::block_on;
use super::memory::Address;
use crate::client::Client;

#[derive(Debug, Args)]
pub struct LinkOptions {
    #[command(flatten)]
    address: Address,
    /// What it lets somebody be: administrator, participant or reader. Administrator without it; participant with `--room`.
    #[arg(long)]
    role: Option<Role>,
    /// The room that opens with it, of the default community.
    #[arg(long, value_name = "ROOM")]
    room: Option<String>,
    /// Whom it is for, to know their session again.
    #[arg(long, default_value = "", value_name = "NAME")]
    label: String,
    /// How often it lets somebody in.
    #[arg(long, default_value_t = 1)]
    uses: u32,
    /// For how long it does: 15m, 2h, 7d.
    #[arg(long, default_value = "15m", value_name = "TIME")]
    valid: Span,
}

#[derive(Deserialize)]
struct Made {
    path: String,
}

pub fn run(data: &Path, options: &LinkOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    block_on(async {
        let client = Client::somewhere(data, options.address.url.as_deref()).await?;
        let usual = match &options.room {
            Some(_) => Role::Participant,
            None => Role::Administrator,
        };
        let role = options.role.unwrap_or(usual);
        let wish = json!({
            "role": role, "room": options.room, "label": options.label, "uses": options.uses, "validSeconds": options.valid.seconds()
        });
        let made: Made = client.post("/api/access/links", &wish).await?;
        println!("{}{}", client.opened_at().unwrap_or_default(), made.path);
        eprintln!(
            "for a browser whose person is to be {} here; it works {} within {}",
            told(role),
            if options.uses == 1 {
                "once".to_owned()
            } else {
                format!("{} times", options.uses)
            },
            options.valid
        );
        Ok(ExitCode::SUCCESS)
    })
}
