//! What reaches out, put together: feeds, and the MCP servers of the data folder.

use std::path::Path;
use std::sync::Arc;

use discovery::Feeds;
use mcp::client::Servers;
use runtime::ports::{Outward, Toolbox};

/// The operator's list of MCP servers, in the data folder.
pub const MCP_FILE: &str = "mcp.json";

/// Everything that reaches out. The servers are ended when it is left.
pub struct World {
    pub outward: Outward,
    servers: Arc<Servers>,
}

impl World {
    /// Begins to connect what is to be connected; nothing else goes out before it is asked for.
    pub fn open(data: &Path) -> Self {
        let servers = Arc::new(Servers::start(
            data.join(MCP_FILE),
            Arc::new(|name: &str| std::env::var(name).ok()),
        ));
        let outward = Outward {
            discovery: Arc::new(Feeds::new()),
            toolboxes: vec![servers.clone()],
            ..Outward::none()
        };
        Self { outward, servers }
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
