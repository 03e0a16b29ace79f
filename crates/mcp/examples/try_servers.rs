//! Connects to the servers of an `mcp.json`, prints how each stands, and calls one tool:
//! `cargo run -p denizen-mcp --example try_servers -- mcp.json [SERVER__TOOL '{"argument": "value"}']`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mcp::client::Servers;
use runtime::ports::Toolbox;
use settings::Settings;
use vocabulary::{Span, ToolCall};

#[tokio::main]
async fn main() {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let mut arguments = std::env::args().skip(1);
    let file = PathBuf::from(arguments.next().unwrap_or_else(|| "mcp.json".to_owned()));
    let settings = Settings::default();
    let servers = Servers::start(file, Arc::new(|name: &str| std::env::var(name).ok()));
    // Each change is a server that came or went; a quiet while means that there are no more.
    while tokio::time::timeout(Duration::from_secs(6), servers.changed())
        .await
        .is_ok()
    {}
    for status in servers.status(&settings).await {
        println!("{}: {}\n  {}", status.name, status.detail, status.tools.join(" "));
    }
    for tool in servers.tools(&settings).await {
        println!(
            "{} — {} {}",
            tool.spec.name, tool.spec.description, tool.spec.parameters
        );
    }
    if let Some(name) = arguments.next() {
        let given = arguments.next().unwrap_or_else(|| "{}".to_owned());
        let call = ToolCall {
            id: "1".to_owned(),
            name,
            arguments: serde_json::from_str(&given).unwrap_or_default(),
        };
        match servers.run(&call, Span(60_000), &settings).await {
            Ok(text) => println!("→ {text}"),
            Err(why) => println!("→ not: {why}"),
        }
    }
    servers.shut_down().await;
}
