//! One connection to one server, from the handshake to its end.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt, NotificationContext, RunningService,
    RunningServiceCancellationToken,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, Peer, RoleClient};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::child::{self, LastWords, Process};
use super::config::{Reach, ServerConfig};
use super::http::BoundedClient;
use super::plain;

/// How long the end of a connection may take.
const CLOSING: Duration = Duration::from_secs(2);

/// Longest account of what went wrong.
const FAULT_CHARACTERS_MAX: usize = 600;

/// Headers that the protocol needs for itself.
const OUR_HEADERS: [&str; 5] = [
    "accept",
    "content-type",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
];

/// A connection that stands.
pub(crate) struct Connection {
    pub(crate) peer: Peer<RoleClient>,
    /// The server says that its tools are others.
    pub(crate) list_changed: Arc<Notify>,
    /// Its own name and version.
    pub(crate) about: String,
    ended: JoinHandle<()>,
    stop: RunningServiceCancellationToken,
    process: Option<Process>,
}

/// Connects; for a person, why not.
pub(crate) async fn connect(config: &ServerConfig, patience: Duration) -> Result<Connection, String> {
    let first = attempt(config, ClientLifecycleMode::Initialize, patience).await;
    let connected = match first {
        // It was understood and declined: it may know only the newer way to begin.
        Err(Fault::Declined(_)) => attempt(config, newer_lifecycle(), patience)
            .await
            .map_err(|later| match later {
                Fault::Declined(_) => first.err().unwrap_or(later),
                Fault::Failed(_) => later,
            }),
        other => other,
    };
    connected.map_err(|fault| {
        let (Fault::Declined(why) | Fault::Failed(why)) = fault;
        plain::paragraph(&config.secrets.hide(&why), FAULT_CHARACTERS_MAX)
    })
}

impl Connection {
    /// Ends when the server is gone.
    pub(crate) async fn lost(&mut self) {
        let _ = (&mut self.ended).await;
    }

    pub(crate) fn last_words(&self) -> String {
        self.process
            .as_ref()
            .map(|process| process.last_words().told())
            .unwrap_or_default()
    }

    /// Says good-bye, and sees to it that nothing of it is left.
    pub(crate) async fn close(mut self) {
        self.stop.cancel();
        if !self.ended.is_finished() {
            let _ = tokio::time::timeout(CLOSING, &mut self.ended).await;
        }
        if let Some(process) = self.process.take() {
            process.end().await;
        }
    }
}

enum Fault {
    /// The server answered the handshake with an error.
    Declined(String),
    Failed(String),
}

/// What a server may tell us without being asked.
struct Ears(Arc<Notify>);

impl ClientHandler for Ears {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("denizen", env!("CARGO_PKG_VERSION")),
        )
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.notify_one();
    }
}

async fn attempt(
    config: &ServerConfig,
    lifecycle: ClientLifecycleMode,
    patience: Duration,
) -> Result<Connection, Fault> {
    let list_changed = Arc::new(Notify::new());
    let ears = Ears(list_changed.clone());
    let (connecting, process) = match &config.reach {
        Reach::Process {
            command,
            args,
            env,
            cwd,
        } => {
            let (process, output, input) =
                child::start(&config.name, command, args, env, cwd.as_deref(), &config.secrets)
                    .map_err(Fault::Failed)?;
            let connecting =
                tokio::time::timeout(patience, ears.serve_with_lifecycle((output, input), lifecycle)).await;
            (connecting, Some(process))
        }
        Reach::Http { url, headers } => {
            let transport = http_transport(url, headers).map_err(Fault::Failed)?;
            let connecting =
                tokio::time::timeout(patience, ears.serve_with_lifecycle(transport, lifecycle)).await;
            (connecting, None)
        }
    };
    let last_words = process.as_ref().map(Process::last_words).unwrap_or_default();
    match connecting {
        Ok(Ok(running)) => Ok(standing(running, list_changed, process)),
        Ok(Err(error)) => {
            if let Some(process) = process {
                // Its last words come through a pipe, and it takes a moment until they are read.
                process.end().await;
            }
            Err(fault(&error, &last_words))
        }
        Err(_) => Err(Fault::Failed(format!(
            "it did not answer within {} s{}",
            patience.as_secs_f32(),
            last_words.told()
        ))),
    }
}

fn standing(
    running: RunningService<RoleClient, Ears>,
    list_changed: Arc<Notify>,
    process: Option<Process>,
) -> Connection {
    let peer = running.peer().clone();
    let about = peer
        .peer_info()
        .and_then(|info| info.server_info.clone())
        .map_or_else(
            || "a server without a name".to_owned(),
            |info| plain::paragraph(&format!("{} {}", info.name, info.version), 100),
        );
    let stop = running.cancellation_token();
    let ended = tokio::spawn(async move {
        let _ = running.waiting().await;
    });
    Connection {
        peer,
        list_changed,
        about,
        ended,
        stop,
        process,
    }
}

fn http_transport(
    url: &str,
    headers: &std::collections::BTreeMap<String, String>,
) -> Result<StreamableHttpClientTransport<BoundedClient>, String> {
    let mut given = HashMap::new();
    for (name, value) in headers {
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
            format!(
                "`headers` has “{}”, which is no name of a header",
                plain::paragraph(name, 60)
            )
        })?;
        if OUR_HEADERS.contains(&header.as_str()) {
            return Err(format!(
                "`headers` has “{header}”, which the protocol sets itself. Take it out"
            ));
        }
        let mut value = HeaderValue::from_str(value)
            .map_err(|_| format!("the value of `headers.{name}` has characters that a header cannot have"))?;
        value.set_sensitive(true);
        given.insert(header, value);
    }
    let config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(given);
    Ok(StreamableHttpClientTransport::with_client(
        BoundedClient::new(url)?,
        config,
    ))
}

fn newer_lifecycle() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    }
}

fn fault(error: &ClientInitializeError, last_words: &LastWords) -> Fault {
    if error.is_authorization_required() {
        return Fault::Failed(
            "it wants authorisation. Give it a key, such as \"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"}".to_owned(),
        );
    }
    match error {
        ClientInitializeError::ConnectionClosed(_) => {
            Fault::Failed(format!("it ended before it answered{}", last_words.told()))
        }
        ClientInitializeError::JsonRpcError(error) => Fault::Declined(format!(
            "it declined the handshake: {} ({}){}",
            error.message,
            error.code.0,
            last_words.told()
        )),
        ClientInitializeError::TransportError { error, .. } => {
            Fault::Failed(format!("{}{}", chain(error.error.as_ref()), last_words.told()))
        }
        other => Fault::Failed(format!(
            "it does not speak MCP as expected: {other}{}",
            last_words.told()
        )),
    }
}

/// An error with its causes, each said once.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !told.contains(&words) {
            told = format!("{told}: {words}");
        }
        cause = error.source();
    }
    told
}
