//! `denizen run`: the product.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use runtime::Handle;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use crate::house::House;

#[derive(Debug, Args)]
pub struct RunOptions {
    /// Port of the local room; 0 takes a free one.
    #[arg(long, env = "DENIZEN_PORT", default_value_t = 8787)]
    port: u16,
    /// Address to listen on. Any but loopback needs a token in DENIZEN_TOKEN.
    #[arg(long, env = "DENIZEN_BIND", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
}

/// Denizen's own id in the local room.
pub const LOCAL_DENIZEN: &str = "local-denizen";
/// The local text channel.
pub const LOUNGE: &str = "lounge";

pub fn run(data: &Path, options: RunOptions) -> anyhow::Result<ExitCode> {
    let filter = EnvFilter::try_from_env("DENIZEN_LOG").unwrap_or_else(|_| {
        EnvFilter::new("warn,denizen=info,runtime=info,web=info,providers=info,storage=info")
    });
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .init();
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(serve(data, options))
}

async fn serve(data: &Path, options: RunOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    let token = token(&options)?;
    let address = SocketAddr::new(options.bind, options.port);
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address}. Is another Denizen running? Stop it, or choose another port with --port")
    })?;
    let house = House::open(data).await?;
    let address = listener.local_addr()?;
    greet(&house.home(), address, token.is_some(), data);
    let streams = house.streams(address.ip())?;
    let site = house.site(token, Some(streams));
    tokio::select! {
        served = web::serve(listener, site, stop_requested()) => served?,
        community = house.town.ended() => bail!("the driver of community {community} ended; its log says why"),
    }
    house.leave().await;
    Ok(ExitCode::SUCCESS)
}

fn token(options: &RunOptions) -> anyhow::Result<Option<web::Token>> {
    let given = std::env::var("DENIZEN_TOKEN")
        .ok()
        .filter(|token| !token.is_empty());
    match given {
        Some(token) => Ok(Some(web::Token::new(&token).context("DENIZEN_TOKEN")?)),
        None if options.bind.is_loopback() => Ok(None),
        None => bail!(
            "{} can be reached by others, so a token is needed. Set DENIZEN_TOKEN (for example to the output of `openssl rand -hex 24`), or leave --bind out",
            options.bind
        ),
    }
}

fn greet(handle: &Handle, address: SocketAddr, token: bool, data: &Path) {
    let status = handle.language().status(&handle.in_force().settings);
    let name = handle.in_force().settings.identity.name.clone();
    let mut greeting = format!("{name} is in the room: http://{address}/\n");
    if token {
        greeting.push_str("  open it with ?token=… (the value of DENIZEN_TOKEN)\n");
    }
    let model = if status.offline {
        "the built-in offline model, which is no language model".to_owned()
    } else {
        format!("{} ({})", status.model, status.provider)
    };
    greeting.push_str(&format!(
        "  replies by: {model}, because {}\n  to change that: {}\n  everything is kept in: {}\n  \
         stop with Ctrl-C; `denizen doctor` checks the set-up\n",
        status.because,
        status.how_to_change,
        data.display()
    ));
    // A room whose greeting nobody reads is open all the same.
    let _ = std::io::stdout().write_all(greeting.as_bytes());
}

pub fn export(recording: &runtime::ports::Recording) -> String {
    let mut bytes = Vec::new();
    match runtime::recording::write(recording, &mut bytes) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => format!(
            "{{\"error\": {}}}\n",
            serde_json::Value::String(error.to_string())
        ),
    }
}

/// Ctrl-C, or what a service manager sends.
async fn stop_requested() {
    let mut terminate = match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(signal) => signal,
        Err(error) => {
            tracing::warn!(%error, "only Ctrl-C stops this process");
            let _ = tokio::signal::ctrl_c().await;
            return;
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}
