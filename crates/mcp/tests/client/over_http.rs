//! Servers over HTTP, in the wire format of the protocol: messages are posted, answers are JSON or events.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::bench::{Bench, TOKEN, servers};

/// A method, and the key it came with.
type Heard = (String, Option<String>);

#[derive(Clone, Default)]
struct Remote {
    heard: Arc<Mutex<Vec<Heard>>>,
    as_events: bool,
}

async fn take(State(remote): State<Remote>, headers: HeaderMap, body: String) -> Response {
    let key = headers
        .get("authorization")
        .map(|value| value.to_str().unwrap().to_owned());
    let message: Value = serde_json::from_str(&body).unwrap();
    let method = message["method"].as_str().unwrap_or_default().to_owned();
    remote.heard.lock().unwrap().push((method.clone(), key.clone()));
    if key.as_deref() != Some(&format!("Bearer {TOKEN}")) {
        return (StatusCode::UNAUTHORIZED, "no").into_response();
    }
    let result = match method.as_str() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "remote", "version": "2"},
        }),
        "tools/list" => json!({"tools": [
            {"name": "weather", "description": "The weather.", "inputSchema": {"type": "object"}},
            {"name": "no_schema", "description": "It has none."},
            {"name": "odd", "inputSchema": true},
            {"name": "large", "inputSchema": {"type": "object"}},
        ]}),
        "tools/call" if message["params"]["name"] == "large" => {
            json!({"content": [{"type": "text", "text": "x".repeat(20 * 1024 * 1024)}]})
        }
        "tools/call" => {
            json!({"content": [], "structuredContent": {"sky": "clear", "sent": message["params"]["arguments"]}})
        }
        _ => return StatusCode::ACCEPTED.into_response(),
    };
    let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
    match remote.as_events {
        true => (
            [("content-type", "text/event-stream")],
            format!("event: message\ndata: {answer}\n\n"),
        )
            .into_response(),
        false => ([("content-type", "application/json")], answer).into_response(),
    }
}

async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/mcp")
}

async fn remote(as_events: bool) -> (Remote, String) {
    let remote = Remote {
        as_events,
        ..Remote::default()
    };
    let url = serve(Router::new().route("/mcp", post(take)).with_state(remote.clone())).await;
    (remote, url)
}

fn entry(url: &str) -> Value {
    json!({"url": url, "headers": {"Authorization": "Bearer ${TOKEN}"}})
}

#[tokio::test]
async fn a_server_over_http_is_used_with_its_headers() {
    for as_events in [false, true] {
        let (remote, url) = remote(as_events).await;
        let bench = Bench::new(&servers(json!({"remote": entry(&url)})));
        let status = bench.until_ready("remote").await;
        assert_eq!(status.tools, ["remote__large", "remote__weather"]);
        assert!(
            status.detail.contains("no_schema (its input schema is missing"),
            "{}",
            status.detail
        );
        assert!(
            status.detail.contains("odd (its input schema is missing"),
            "{}",
            status.detail
        );
        let told = bench
            .call("remote__weather", json!({"town": "Porto"}))
            .await
            .unwrap();
        assert_eq!(told, r#"{"sent":{"town":"Porto"},"sky":"clear"}"#);
        let heard = remote.heard.lock().unwrap().clone();
        assert!(
            heard
                .iter()
                .all(|(_, key)| key.as_deref() == Some(&format!("Bearer {TOKEN}"))),
            "{heard:?}"
        );
    }
}

#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    for as_events in [false, true] {
        let (_, url) = remote(as_events).await;
        let mut entry = entry(&url);
        entry["timeoutSeconds"] = json!(3);
        let bench = Bench::new(&servers(json!({"remote": entry})));
        bench.until_ready("remote").await;
        assert!(bench.call("remote__large", json!({})).await.is_err());
        bench.until_ready("remote").await;
        assert!(bench.call("remote__weather", json!({})).await.is_ok());
    }
}

#[tokio::test]
async fn a_missing_key_is_told_with_the_remedy() {
    let (_, url) = remote(false).await;
    let bench = Bench::new(&servers(json!({"remote": {"url": url}})));
    let status = bench
        .until("remote", |status| {
            status.unwrap().detail.contains("not connected")
        })
        .await
        .unwrap();
    assert!(
        status.detail.contains("authorisation") && status.detail.contains("headers"),
        "{}",
        status.detail
    );
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_operators_headers() {
    let (remote, url) = remote(false).await;
    let away = url.clone();
    let router = Router::new().route(
        "/mcp",
        post(move || async move { (StatusCode::TEMPORARY_REDIRECT, [("location", away)]) }),
    );
    let bench = Bench::new(&servers(json!({"remote": entry(&serve(router).await)})));
    let status = bench
        .until("remote", |status| {
            status.unwrap().detail.contains("not connected")
        })
        .await
        .unwrap();
    assert!(
        status.detail.contains("redirects are not followed"),
        "{}",
        status.detail
    );
    assert!(remote.heard.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_server_that_goes_away_is_noticed_and_its_tools_are_withdrawn_and_come_back() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = || {
        Router::new()
            .route("/mcp", post(take))
            .with_state(Remote::default())
    };
    let first = router();
    // In a runtime of its own: its connections end with it, as they do with a machine that is switched off.
    let machine = tokio::runtime::Runtime::new().unwrap();
    let listener = listener.into_std().unwrap();
    machine.spawn(async move {
        let listener = TcpListener::from_std(listener).unwrap();
        axum::serve(listener, first).await.unwrap();
    });
    let bench = Bench::new(&servers(
        json!({"remote": entry(&format!("http://{address}/mcp"))}),
    ));
    bench.until_ready("remote").await;
    machine.shutdown_background();
    let away = bench.until("remote", |status| {
        let status = status.unwrap();
        status.detail.contains("not connected") && status.tools.is_empty()
    });
    away.await;
    let refusal = bench.call("remote__weather", json!({})).await.unwrap_err();
    assert!(
        refusal.contains("the server remote is not connected"),
        "{refusal}"
    );
    let listener = TcpListener::bind(address).await.unwrap();
    tokio::spawn(async move { axum::serve(listener, router()).await.unwrap() });
    bench.until_ready("remote").await;
    assert!(bench.call("remote__weather", json!({})).await.is_ok());
}

/// A server with more tools than anybody needs.
async fn many(body: String) -> Response {
    let message: Value = serde_json::from_str(&body).unwrap();
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "many", "version": "1"},
        }),
        "tools/list" => {
            let first = message["params"]["cursor"]
                .as_str()
                .map_or(0, |cursor| cursor.parse().unwrap());
            let tools: Vec<Value> = (first..first + 20)
                .map(|number| json!({"name": format!("tool{number:03}"), "inputSchema": {"type": "object"}}))
                .collect();
            // Page after page, without end.
            json!({"tools": tools, "nextCursor": (first + 20).to_string()})
        }
        _ => return StatusCode::ACCEPTED.into_response(),
    };
    let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
    ([("content-type", "application/json")], answer).into_response()
}

#[tokio::test]
async fn servers_offer_so_many_tools_and_no_more() {
    let url = serve(Router::new().route("/mcp", post(many))).await;
    let bench = Bench::new(&servers(
        json!({"a": {"url": url}, "b": {"url": url}, "c": {"url": url}, "d": {"url": url}}),
    ));
    for name in ["a", "b", "c", "d"] {
        bench.until_ready(name).await;
    }
    assert_eq!(bench.names().await.len(), 120);
    assert_eq!(bench.status("a").await.unwrap().tools.len(), 40);
    assert!(bench.status("d").await.unwrap().tools.is_empty());
    assert!(
        bench
            .status("mcp.json")
            .await
            .unwrap()
            .detail
            .contains("40 tools are left out")
    );
}

#[tokio::test]
async fn headers_of_the_protocol_itself_are_refused() {
    let bench = Bench::new(&servers(
        json!({"remote": {"url": "http://127.0.0.1:9/mcp", "headers": {"Accept": "*/*"}}}),
    ));
    let status = bench
        .until("remote", |status| {
            status.unwrap().detail.contains("not connected")
        })
        .await
        .unwrap();
    assert!(status.detail.contains("accept"), "{}", status.detail);
}

/// A server of the protocol's newer kind: no handshake, and every request says who asks.
async fn newer(headers: HeaderMap, body: String) -> Response {
    let message: Value = serde_json::from_str(&body).unwrap();
    let id = &message["id"];
    let answer = match message["method"].as_str().unwrap_or_default() {
        "server/discover" => json!({"jsonrpc": "2.0", "id": id, "result": {
            "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
            "ttlMs": 0, "cacheScope": "private",
        }}),
        "tools/list" => json!({"jsonrpc": "2.0", "id": id, "result": {
            "resultType": "complete", "tools": [{"name": "version", "inputSchema": {"type": "object"}}],
            "ttlMs": 0, "cacheScope": "private",
        }}),
        "tools/call" => {
            let version = headers["mcp-protocol-version"].to_str().unwrap();
            json!({"jsonrpc": "2.0", "id": id, "result": {
                "resultType": "complete", "content": [{"type": "text", "text": version}],
            }})
        }
        _ if id.is_null() => return StatusCode::ACCEPTED.into_response(),
        _ => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}}),
    };
    ([("content-type", "application/json")], answer.to_string()).into_response()
}

#[tokio::test]
async fn a_server_that_knows_only_the_newer_protocol_is_used() {
    let url = serve(Router::new().route("/mcp", post(newer))).await;
    let bench = Bench::new(&servers(json!({"newer": {"url": url}})));
    bench.until_ready("newer").await;
    assert_eq!(
        bench.call("newer__version", json!({})).await.unwrap(),
        "2026-07-28"
    );
}
