//! The server: the gateway's socket, the API, files, and the control API beside them.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{Method, Response, StatusCode, Uri, header};
use axum::response::IntoResponse;
use axum::routing::{any, get};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::Shared;
use crate::control::control;
use crate::gateway::socket::{self, Manner};
use crate::rest::door;

pub async fn run(listener: TcpListener, shared: Arc<Shared>) {
    let router = Router::new()
        .route("/", get(gateway))
        .route("/control/{verb}", any(command))
        .route("/attachments/{channel}/{id}/{name}", get(file))
        .fallback(api)
        .with_state(shared);
    // Ends only when the listener does.
    let _ = axum::serve(listener, router).await;
}

async fn api(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    door::answer(shared, request).await
}

async fn gateway(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Response<Body> {
    if shared.world().faults.is_down() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let query = query.unwrap_or_default();
    let manner = Manner {
        zlib_stream: query.split('&').any(|pair| pair == "compress=zlib-stream"),
    };
    upgrade.on_upgrade(move |socket| socket::run(socket, shared, manner))
}

async fn file(
    State(shared): State<Arc<Shared>>,
    Path((_, id, _)): Path<(u64, u64, String)>,
) -> Response<Body> {
    let found = shared.world().files.get(&id).cloned();
    match found {
        Some(file) => ([(header::CONTENT_TYPE, file.kind)], file.bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn command(
    State(shared): State<Arc<Shared>>,
    Path(verb): Path<String>,
    method: Method,
    uri: Uri,
    body: bytes::Bytes,
) -> Response<Body> {
    let wish = if method == Method::GET {
        let read = door::read("GET", "", uri.query().unwrap_or_default());
        let fields = read.query.into_iter().map(|(key, value)| (key, json!(value)));
        Ok(Value::Object(fields.collect()))
    } else if body.is_empty() {
        Ok(json!({}))
    } else {
        serde_json::from_slice(&body).map_err(|error| format!("no JSON: {error}"))
    };
    let answer = wish.and_then(|wish| control(&mut shared.world(), &verb, &wish));
    let (status, told) = match answer {
        Ok(told) => (StatusCode::OK, told),
        Err(error) => (StatusCode::BAD_REQUEST, json!({"error": error})),
    };
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        told.to_string(),
    )
        .into_response()
}
