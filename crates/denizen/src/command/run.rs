//! `denizen run`: the product.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use discord::rest::DISCORD_API;
use discord_rooms::Discord;
use runtime::{Handle, Town};
use storage::Door;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::client::token_of_environment;
use crate::house::House;
use crate::logging::{self, LogFormat};

#[derive(Debug, Args)]
pub struct RunOptions {
    /// Port of the local room; 0 takes a free one.
    #[arg(long, env = "DENIZEN_PORT", default_value_t = 8787)]
    port: u16,
    /// Address to listen on; 0.0.0.0 is every address of this machine.
    #[arg(long, env = "DENIZEN_BIND", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Where people open it, where a proxy with TLS stands before it: https://talk.example.
    #[arg(long, env = "DENIZEN_PUBLIC_URL", value_name = "ADDRESS")]
    public_url: Option<web::PublicAddress>,
    /// Where Discord's REST interface is, or that of a server that speaks it. Denizen goes there when it has a bot's token.
    #[arg(long, env = "DENIZEN_DISCORD_API", value_name = "ADDRESS", default_value = DISCORD_API)]
    discord_api: String,
    /// How the log is written to standard error: text for people, json for programs (a line is an object).
    #[arg(long, env = "DENIZEN_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

/// Denizen's own id in the local room.
pub const LOCAL_DENIZEN: &str = "local-denizen";
/// How long the link that is printed at the start lets somebody in.
const LINK_MINUTES: i64 = 15;
/// How long what is being said may take to its end after the process was asked to end.
const FINISHED_WITHIN: Duration = Duration::from_secs(15);
/// The local text channel.
pub const LOUNGE: &str = "lounge";

pub fn run(data: &Path, options: RunOptions) -> anyhow::Result<ExitCode> {
    logging::begin(options.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    super::finish(&runtime, serve(data, options))
}

async fn serve(data: &Path, options: RunOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    let token = token()?;
    let address = SocketAddr::new(options.bind, options.port);
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address}. Is another Denizen running? Stop it, or choose another port with --port")
    })?;
    let mut house = House::open(data, &options.discord_api).await?;
    // Before anybody is told that it runs: whoever knows may ask it to end.
    let mut signals =
        StopSignals::listen().context("signals that ask this process to end cannot be heard")?;
    let address = listener.local_addr()?;
    let key = web::Access::fresh_token();
    let mut given = vec![("command line", &key)];
    given.extend(token.as_ref().map(|token| ("DENIZEN_TOKEN", token)));
    let access = web::Access::open(data, &given)?;
    if let Some(public) = &options.public_url {
        if public.is_https() {
            house.discord().opens_at(public.to_string());
        }
        web::open_at(&access, public.clone());
    }
    let addresses = addresses(address);
    let public = options.public_url.as_ref().map(ToString::to_string);
    house.announce(Door {
        url: addresses[0].clone(),
        public: public.clone(),
        instance: access.instance().to_owned(),
        key: key.as_str().to_owned(),
    })?;
    let link = access.link(web::NewLink {
        role: web::Role::Administrator,
        label: "a browser, by the link of the start".to_owned(),
        uses: 1,
        valid_ms: LINK_MINUTES * 60_000,
        made_by: None,
    });
    greet(&house, &addresses, public.as_deref(), &link, data);
    let streams = house.streams(address.ip())?;
    let site = house.site(access, Some(streams));
    let town = house.town.clone();
    let asked_to_end = async move {
        signals.next().await;
        finish(&town, &mut signals).await;
    };
    tokio::select! {
        served = web::serve(listener, site, asked_to_end) => served?,
        community = house.town.ended() => bail!("the driver of community {community} ended; its log says why"),
    }
    house.leave().await;
    Ok(ExitCode::SUCCESS)
}

/// What is being said is finished before anything ends, unless it takes too long or somebody asks once more.
async fn finish(town: &Town, signals: &mut StopSignals) {
    tokio::select! {
        is_finished = town.finish_saying(FINISHED_WITHIN) => if !is_finished {
            tracing::warn!(seconds = FINISHED_WITHIN.as_secs(), "something is still being said and is cut off; what is written is sent at the next start");
        },
        () = signals.next() => tracing::warn!("asked to end a second time: what is being said is cut off"),
    }
}

fn token() -> anyhow::Result<Option<web::Token>> {
    let given = token_of_environment();
    given
        .map(|token| web::Token::new(&token).context("DENIZEN_TOKEN"))
        .transpose()
}

/// Where it can be opened: on this machine first, then by an address that others reach.
fn addresses(listening: SocketAddr) -> Vec<String> {
    let (ip, port) = (listening.ip(), listening.port());
    let written = |ip: IpAddr| format!("http://{}", SocketAddr::new(ip, port));
    if !ip.is_unspecified() {
        return vec![written(ip)];
    }
    let mut found = vec![written(IpAddr::V4(Ipv4Addr::LOCALHOST))];
    found.extend(outward(ip).map(written));
    found
}

/// The address by which this machine talks to others. Nothing is sent.
fn outward(listening: IpAddr) -> Option<IpAddr> {
    let far = match listening {
        IpAddr::V4(_) => "192.0.2.1:9",
        IpAddr::V6(_) => "[2001:db8::1]:9",
    };
    let socket = UdpSocket::bind(SocketAddr::new(listening, 0)).ok()?;
    socket.connect(far).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified() && !own.is_loopback()).then_some(own)
}

fn greet(house: &House, addresses: &[String], public: Option<&str>, link: &web::IssuedLink, data: &Path) {
    let handle: Handle = house.home();
    let status = handle.language().status(&handle.in_force().settings);
    let name = handle.in_force().settings.identity.name.clone();
    let mut greeting = format!("{name} is in the room: {}/\n", addresses[0]);
    greeting.push_str(&format!(
        "  open it with {}/?enter={} (once, within {LINK_MINUTES} minutes)\n",
        public.unwrap_or(&addresses[0]),
        link.code
    ));
    if public.is_some() && std::env::var_os(reach::ADDRESS_VARIABLE).is_none() {
        greeting.push_str(&format!(
            "  voices and streams do not come through the proxy: name the address of this machine with {}\n",
            reach::ADDRESS_VARIABLE
        ));
    }
    for other in &addresses[1..] {
        greeting.push_str(&format!("  from other machines: {other}/\n"));
    }
    greeting.push_str(&format!(
        "  another link, or one for somebody else: `denizen link --data {}`\n",
        data.display()
    ));
    let model = if status.offline {
        "the built-in offline model, which is no language model".to_owned()
    } else if status.model.is_empty() {
        format!("nobody at the moment ({})", status.provider)
    } else {
        format!("{} ({})", status.model, status.provider)
    };
    greeting.push_str(&format!(
        "  replies by: {model}, because {}\n  to change that: {}\n  {}\n  everything is kept in: {}\n  \
         stop with Ctrl-C; `denizen doctor` checks the set-up\n",
        status.because,
        status.how_to_change,
        on_discord(house.discord()),
        data.display()
    ));
    // A room whose greeting nobody reads is open all the same.
    let _ = std::io::stdout().write_all(greeting.as_bytes());
}

fn on_discord(discord: &Discord) -> String {
    match discord.origin() {
        Some(origin) => {
            format!("Discord: on, by the token of {origin}; `denizen doctor` says which servers it is in")
        }
        None => "Discord: off; `denizen setup discord` begins there".to_owned(),
    }
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

/// Ctrl-C, and what a service manager sends: heard from the moment that this is made.
struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
