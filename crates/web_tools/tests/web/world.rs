//! A small web on loopback: servers, names for them, and somebody who is curious.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use fetching::{Fetcher, NameTable};
use runtime::ports::Toolbox;
use serde_json::Value;
use settings::Settings;
use vocabulary::{Span, ToolCall};
use web_tools::{SearchKeys, WebTools};

/// Serves until the test is over; says on which port.
pub async fn serve(router: Router) -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}

/// Somebody who knows `site.test` as this machine, and `rebound.test` as an address that clouds keep their keys at.
pub fn curious() -> WebTools {
    let address = |text: &str| -> IpAddr { text.parse().expect("an address") };
    let names = NameTable::default()
        .with("site.test", &[address("127.0.0.1")])
        .with("other.test", &[address("127.0.0.1")])
        .with("rebound.test", &[address("169.254.169.254")]);
    WebTools::with_fetcher(keys(), Fetcher::with_lookup(Arc::new(names)))
}

pub fn keys() -> SearchKeys {
    SearchKeys {
        brave: Some("brave-secret".into()),
        tavily: Some("tavily-secret".into()),
    }
}

/// Settings with which `site.test` may be reached on a port.
pub fn allowing(port: u16) -> Settings {
    let mut settings = Settings::default();
    settings.tools.allowed_private_hosts = vec![format!("site.test:{port}")];
    settings
}

pub fn searching(provider: &str, port: u16) -> Settings {
    let mut settings = Settings::default();
    settings.tools.search_provider = settings::SearchProvider::named(provider).expect("a provider");
    settings.tools.search_url = format!("http://127.0.0.1:{port}");
    settings
}

pub fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "1".to_owned(),
        name: name.to_owned(),
        arguments,
    }
}

pub async fn run(
    curious: &WebTools,
    name: &str,
    arguments: Value,
    settings: &Settings,
) -> Result<String, String> {
    let outcome = curious
        .run(&call(name, arguments), Span::seconds(40), settings)
        .await;
    let (Ok(told) | Err(told)) = &outcome;
    assert!(told.chars().count() <= 3_500, "{told}");
    if let Err(why) = &outcome {
        assert!(!why.contains('\n') && !why.contains("-secret"), "{why}");
    }
    outcome
}
