//! A data folder with an `mcp.json`, and patience without clocks: things are waited for, not timed.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mcp::client::{ReconnectPace, Servers};
use runtime::ports::{ToolStatus, Toolbox};
use serde_json::{Value, json};
use settings::Settings;
use tempfile::TempDir;
use vocabulary::{OutsideTool, Span, ToolCall};

pub const TOKEN: &str = "tok-9f8e7d6c5b";

/// Long enough on the slowest machine; a test that gets there has failed.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Bench {
    pub folder: TempDir,
    pub servers: Servers,
    pub settings: Settings,
}

impl Bench {
    pub fn new(document: &Value) -> Self {
        Self::with_text(&document.to_string())
    }

    pub fn with_text(text: &str) -> Self {
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mcp.json");
        std::fs::write(&file, text).unwrap();
        let pace = ReconnectPace {
            polling: Duration::from_millis(50),
            relisting: Duration::from_millis(300),
            relisting_gap: Duration::from_millis(10),
            first_retry: Duration::from_millis(50),
            longest_retry: Duration::from_millis(400),
            ..ReconnectPace::default()
        };
        let environment = Arc::new(|name: &str| (name == "TOKEN").then(|| TOKEN.to_owned()));
        Self {
            servers: Servers::start_with(file, environment, pace),
            folder,
            settings: Settings::default(),
        }
    }

    pub fn write(&self, document: &Value) {
        self.write_text(&document.to_string());
    }

    pub fn write_text(&self, text: &str) {
        std::fs::write(self.folder.path().join("mcp.json"), text).unwrap();
    }

    pub async fn tools(&self) -> Vec<OutsideTool> {
        self.servers.tools(&self.settings).await
    }

    pub async fn names(&self) -> Vec<String> {
        self.tools()
            .await
            .into_iter()
            .map(|tool| tool.spec.name)
            .collect()
    }

    pub async fn call(&self, name: &str, arguments: Value) -> Result<String, String> {
        let call = ToolCall {
            id: "1".to_owned(),
            name: name.to_owned(),
            arguments,
        };
        self.servers.run(&call, Span(50_000), &self.settings).await
    }

    pub async fn status(&self, name: &str) -> Option<ToolStatus> {
        let all = self.servers.status(&self.settings).await;
        all.into_iter().find(|status| status.name == name)
    }

    pub async fn everything_told(&self) -> String {
        format!(
            "{:?} {:?}",
            self.servers,
            self.servers.status(&self.settings).await
        )
    }

    /// Waits until a server is connected.
    pub async fn until_ready(&self, name: &str) -> ToolStatus {
        self.until(name, |status| status.is_some_and(|status| status.ready))
            .await
            .unwrap()
    }

    /// Waits until a server's status is as wanted.
    pub async fn until(
        &self,
        name: &str,
        wanted: impl Fn(Option<&ToolStatus>) -> bool,
    ) -> Option<ToolStatus> {
        let waiting = async {
            loop {
                let status = self.status(name).await;
                if wanted(status.as_ref()) {
                    return status;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, waiting).await {
            Ok(status) => status,
            Err(_) => panic!(
                "{name} did not come to stand as wanted: {:?}",
                self.status(name).await
            ),
        }
    }
}

/// Waits until something holds.
pub async fn eventually(holds: impl AsyncFn() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting)
        .await
        .expect("it never came to hold");
}

/// The small server of the examples.
pub fn small(more: Value) -> Value {
    let mut entry = json!({"command": small_server(), "env": {"SMALL_TOKEN": "${TOKEN}"}});
    for (key, value) in more.as_object().unwrap() {
        entry[key] = value.clone();
    }
    entry
}

pub fn servers(entries: Value) -> Value {
    json!({"mcpServers": entries})
}

fn small_server() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("small_server{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "{} is not there; `cargo build -p denizen-mcp --examples` makes it",
        path.display()
    );
    path
}
