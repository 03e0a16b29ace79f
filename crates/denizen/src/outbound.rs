//! What reaches out, put together: feeds, the web, the MCP servers of the data folder, and whoever makes media. Keys come
//! from the environment.

use std::path::Path;
use std::sync::Arc;

use discovery::Feeds;
use fetching::Fetcher;
use mcp::client::Servers;
use runtime::ports::{OutboundServices, Toolbox};
use studio::{Studio, StudioKeys};
use web_tools::{SearchKeys, WebTools};

/// The operator's list of MCP servers, in the data folder.
pub const MCP_FILE: &str = "mcp.json";

/// Everything that reaches out. The servers are ended when it is left.
pub struct Outbound {
    pub outbound: OutboundServices,
    web: Arc<WebTools>,
    servers: Arc<Servers>,
}

impl Outbound {
    /// Begins to connect what is to be connected; nothing else goes out before it is asked for.
    pub fn open(data: &Path) -> Self {
        let environment = |name: &str| std::env::var(name).ok();
        let servers = Arc::new(Servers::start(data.join(MCP_FILE), Arc::new(environment)));
        let web = Arc::new(WebTools::new(SearchKeys::from_env(environment)));
        let studio = Studio::new(StudioKeys::from_env(environment), Fetcher::new());
        let outbound = OutboundServices {
            discovery: Arc::new(Feeds::new()),
            // The first to offer a name has it: no server can pose as the web.
            toolboxes: vec![web.clone(), servers.clone()],
            studio: Arc::new(studio),
        };
        Self {
            outbound,
            web,
            servers,
        }
    }

    /// The web alone.
    pub fn web(&self) -> &dyn Toolbox {
        self.web.as_ref()
    }

    /// The MCP servers alone.
    pub fn servers(&self) -> &dyn Toolbox {
        self.servers.as_ref()
    }

    /// Ends what was started, and waits until it is gone.
    pub async fn leave(self) {
        self.servers.shut_down().await;
    }
}
