//! All servers of `mcp.json` together: one toolbox for the runtime.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use runtime::ports::{ToolStatus, Toolbox};
use settings::Settings;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use vocabulary::{OutsideTool, Span, ToolCall, ToolOrigin, ToolSpec};

use super::link::Link;
use super::offer::Offered;
use super::roster::{Kind, Reader, Roster};
use super::standing::{Standing, tools_told};

/// Tools of all servers together.
const TOOLS_MAX: usize = 120;

/// An answer that comes with the caller's patience is one that nobody hears.
const MARGIN: Duration = Duration::from_millis(250);

/// A change may fall between asking for the tools and waiting for changes; nobody waits longer than this for news.
const NEWS_AT_LEAST_EVERY: Duration = Duration::from_secs(20);

/// Where `${NAME}` is looked up.
pub type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// How long things may take, and how often they are done.
#[derive(Clone, Copy, Debug)]
pub struct ReconnectPace {
    /// Between two looks at the file.
    pub polling: Duration,
    pub connecting: Duration,
    pub listing: Duration,
    /// Between two listings of a server that announces nothing.
    pub relisting: Duration,
    /// Between an announcement and the listing that follows.
    pub relisting_gap: Duration,
    pub first_retry: Duration,
    pub longest_retry: Duration,
}

impl Default for ReconnectPace {
    fn default() -> Self {
        Self {
            polling: Duration::from_secs(3),
            connecting: Duration::from_secs(15),
            listing: Duration::from_secs(10),
            relisting: Duration::from_secs(60),
            relisting_gap: Duration::from_secs(1),
            first_retry: Duration::from_secs(1),
            longest_retry: Duration::from_secs(300),
        }
    }
}

/// The MCP servers that the operator has named. They are ended when this is dropped.
pub struct Servers {
    roster: Arc<Roster>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Servers {
    /// Reads the file, begins to connect what it names, and goes on watching it. The file need not be there. Wants to
    /// be called within a runtime.
    pub fn start(file: PathBuf, environment: Environment) -> Self {
        Self::start_with(file, environment, ReconnectPace::default())
    }

    /// As `start`, at another pace.
    pub fn start_with(file: PathBuf, environment: Environment, pace: ReconnectPace) -> Self {
        let servers = Self {
            roster: Arc::new(Roster::new()),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        let mut reader = Reader::new(
            servers.roster.clone(),
            file,
            environment,
            pace,
            servers.stop.clone(),
            servers.tasks.clone(),
        );
        // Once before anybody asks, so that what is wrong with the file is known from the start.
        reader.look();
        servers.tasks.spawn(async move { reader.watch().await });
        servers
    }

    /// Ends all connections and processes, and waits until they are gone.
    pub async fn shut_down(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }

    fn links(&self) -> Vec<Arc<Link>> {
        let members = self.roster.members();
        let links = members.values().filter_map(|member| match &member.kind {
            Kind::Kept { link, .. } => Some(link.clone()),
            Kind::Disabled | Kind::Refused(_) => None,
        });
        links.collect()
    }

    /// What is offered, in the order of names, up to the limit; and how many are beyond it.
    fn offered(&self) -> (Vec<(Arc<Link>, Offered)>, usize) {
        let mut all: Vec<(Arc<Link>, Offered)> = Vec::new();
        for link in self.links() {
            for tool in link.tools() {
                if !all.iter().any(|(_, known)| known.name == tool.name) {
                    all.push((link.clone(), tool));
                }
            }
        }
        let beyond = all.len().saturating_sub(TOOLS_MAX);
        all.truncate(TOOLS_MAX);
        (all, beyond)
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl std::fmt::Debug for Servers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = self.roster.members().keys().cloned().collect();
        formatter.debug_tuple("Servers").field(&names).finish()
    }
}

#[async_trait]
impl Toolbox for Servers {
    async fn tools(&self, _settings: &Settings) -> Vec<OutsideTool> {
        let (offered, _) = self.offered();
        offered
            .into_iter()
            .map(|(link, tool)| outside_tool(&link, tool))
            .collect()
    }

    async fn changed(&self) {
        let mut changes = self.roster.changes.subscribe();
        let _ = tokio::time::timeout(NEWS_AT_LEAST_EVERY, changes.changed()).await;
    }

    async fn run(&self, call: &ToolCall, deadline: Span, _settings: &Settings) -> Result<String, String> {
        for link in self.links() {
            // Also what is not offered just now: the server says best why it cannot be called.
            let offer = link.offer();
            let Some(tool) = offer.tools.iter().find(|tool| tool.name == call.name) else {
                continue;
            };
            let patience = Duration::from_millis(deadline.0).saturating_sub(MARGIN);
            return link
                .call(&tool.tool, &call.arguments, patience.min(link.config.timeout))
                .await;
        }
        Err(format!(
            "no MCP server that is connected has a tool {}",
            call.name
        ))
    }

    async fn status(&self, _settings: &Settings) -> Vec<ToolStatus> {
        let mut all = Vec::new();
        if let Some(problem) = self.roster.problem().clone() {
            all.push(not_ready("mcp.json", problem));
        }
        let (offered, beyond) = self.offered();
        for (name, member) in self.roster.members().iter() {
            all.push(match &member.kind {
                Kind::Disabled => not_ready(name, "disabled in mcp.json".to_owned()),
                Kind::Refused(why) => not_ready(name, why.clone()),
                Kind::Kept { link, .. } => {
                    let tools = offered.iter().filter(|(of, _)| Arc::ptr_eq(of, link));
                    kept_status(link, tools.map(|(_, tool)| tool.name.clone()).collect())
                }
            });
        }
        if beyond > 0 {
            all.push(not_ready(
                "mcp.json",
                format!("{beyond} tools are left out, for {TOOLS_MAX} are the most of all servers together. Choose with `allow`"),
            ));
        }
        all
    }
}

fn outside_tool(link: &Link, tool: Offered) -> OutsideTool {
    OutsideTool {
        spec: ToolSpec {
            name: tool.name,
            description: tool.description,
            parameters: tool.schema,
        },
        origin: ToolOrigin::Mcp {
            server: link.config.name.clone(),
        },
        in_replies: link.config.in_replies,
        in_thoughts: link.config.in_thoughts,
        deadline: Span(u64::try_from(link.config.timeout.as_millis()).unwrap_or(u64::MAX)),
    }
}

fn kept_status(link: &Link, tools: Vec<String>) -> ToolStatus {
    let standing = link.standing();
    let ready = matches!(standing, Standing::Connected { .. });
    let detail = match ready {
        true => format!("{}; {}", standing.words(), tools_told(&link.offer())),
        false => standing.words(),
    };
    ToolStatus {
        name: link.config.name.clone(),
        ready,
        detail,
        tools,
    }
}

fn not_ready(name: &str, detail: String) -> ToolStatus {
    ToolStatus {
        name: name.to_owned(),
        ready: false,
        detail,
        tools: Vec::new(),
    }
}
