//! `denizen fetch`: a page as a model would be given it.

use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;

use super::progress::Busy;
use super::{block_on, saved_settings};

#[derive(Debug, Args)]
pub struct FetchOptions {
    /// The page's address. Private addresses need to be in tools.allowedPrivateHosts.
    url: String,
    /// Open it in the browser, for a page that is empty without scripts.
    #[arg(long)]
    browser: bool,
    /// With --browser: wait until this CSS selector is there.
    #[arg(long, requires = "browser", value_name = "SELECTOR")]
    wait_for: Option<String>,
}

pub fn run(data: &Path, options: &FetchOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    let settings = saved_settings(data)?;
    let url = options.url.as_str();
    let busy = Busy::with(format!("reading {url}"));
    let text = block_on(async {
        let looked_up = match options.browser {
            true => web_tools::browse_once(url, options.wait_for.as_deref(), None, &settings).await,
            false => web_tools::scrape_once(url, &settings).await,
        };
        looked_up.map_err(|why| anyhow!(why))
    })?;
    drop(busy);
    println!("{text}");
    Ok(ExitCode::SUCCESS)
}
