//! The door of REST: every request is read, looked up in faults, tokens and limits, carried out and written down.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Response, StatusCode, header};
use bytes::Bytes;
use serde_json::{Value, json};

use super::answer::{Answer, Call, Failure};
use super::{files, route};
use crate::Shared;
use crate::faults::FaultKind;
use crate::ids::now;
use crate::limits::{self, Metered};

/// The most a request may bring.
const BODY_MAX: usize = 32 * 1024 * 1024;
/// What Discord's front says when nothing behind it answers: no JSON.
const DOWN: &str = "<html><head><title>503 Service Temporarily Unavailable</title></head></html>";

/// What is to be sent, before it is.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Option<String>,
    json: bool,
    cut: bool,
}

impl Reply {
    fn new(answer: &Answer) -> Self {
        let body = answer.body.as_ref().map(Value::to_string);
        Self {
            status: answer.status,
            headers: Vec::new(),
            body,
            json: true,
            cut: false,
        }
    }

    fn refused(failure: &Failure) -> Self {
        Self::new(&Answer {
            status: failure.status,
            body: Some(failure.body()),
        })
    }

    fn down(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Some(DOWN.to_owned()),
            json: false,
            cut: false,
        }
    }

    fn too_soon(wait: f64, scope: &str, mut headers: Vec<(&'static str, String)>) -> Self {
        let global = scope == "global";
        headers.push(("retry-after", format!("{}", wait.ceil())));
        headers.push(("x-ratelimit-scope", scope.to_owned()));
        if global {
            headers.push(("x-ratelimit-global", "true".to_owned()));
        }
        let mut reply = Self::new(&Answer {
            status: 429,
            body: Some(limits::too_soon(wait, global)),
        });
        reply.headers = headers;
        reply
    }
}

/// Answers a request to the API.
pub async fn answer(shared: Arc<Shared>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, BODY_MAX).await.unwrap_or_default();
    let mut call = read(
        parts.method.as_str(),
        parts.uri.path(),
        parts.uri.query().unwrap_or_default(),
    );
    let fits = read_body(&mut call, &parts.headers, &bytes);
    let (fault, down) = {
        let mut world = shared.world();
        (
            world.faults.meet(&call.method, &call.path),
            world.faults.is_down(),
        )
    };
    if let Some(FaultKind::Slow { millis }) = fault {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
    let reply = if down {
        Reply::down(503)
    } else {
        reply(&shared, &mut call, &parts.headers, fault.as_ref(), fits)
    };
    note(&shared, &call, &parts.headers, reply.status);
    send(reply)
}

fn reply(
    shared: &Shared,
    call: &mut Call,
    headers: &HeaderMap,
    fault: Option<&FaultKind>,
    fits: bool,
) -> Reply {
    match fault {
        Some(FaultKind::Status {
            code,
            carried_out: false,
        }) => return broken(*code),
        Some(FaultKind::Limited { seconds, scope }) => return Reply::too_soon(*seconds, scope, Vec::new()),
        _ => {}
    }
    let mut world = shared.world();
    if !authorize(&mut world, call, headers) {
        return Reply::refused(&Failure::UNAUTHORIZED);
    }
    let Metered {
        headers,
        wait,
        global,
    } = world.limits.meter(call.me, &call.method, &call.path);
    if let Some(wait) = wait {
        return Reply::too_soon(wait, if global { "global" } else { "user" }, headers);
    }
    let answered = if fits {
        route(&mut world, call)
    } else {
        Err(Failure::NOT_JSON)
    };
    let mut reply = match answered {
        Ok(mut answer) => {
            if let Some(body) = &mut answer.body {
                world.variants.bend(body);
            }
            Reply::new(&answer)
        }
        Err(failure) => Reply::refused(&failure),
    };
    reply.headers.extend(headers);
    reply.cut = matches!(fault, Some(FaultKind::Cut));
    match fault {
        Some(FaultKind::Status { code, .. }) => broken(*code),
        _ => reply,
    }
}

/// An error of the server's own; those of its front are no JSON.
fn broken(code: u16) -> Reply {
    match code {
        502..=504 | 520..=529 => Reply::down(code),
        code if code >= 500 => Reply::refused(&Failure {
            status: code,
            code: 0,
            message: "500: Internal Server Error",
            errors: None,
        }),
        code => Reply::refused(&Failure {
            status: code,
            code: 0,
            message: "An error on demand",
            errors: None,
        }),
    }
}

/// Finds out who asks; some routes have their own secret in the address.
fn authorize(world: &mut crate::world::World, call: &mut Call, headers: &HeaderMap) -> bool {
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|it| it.to_str().ok())
        .unwrap_or_default();
    let token = given.trim_start_matches("Bot ").trim_start_matches("Bearer ");
    if let Some(me) = world.whose(token) {
        call.me = me;
        return true;
    }
    let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
    matches!(
        path.as_slice(),
        ["gateway"] | ["interactions", _, _, "callback"] | ["webhooks", _, _, ..]
    )
}

/// Reads an address: `/api/v10/channels/1?limit=5`.
pub fn read(method: &str, path: &str, query: &str) -> Call {
    let mut parts: Vec<String> = path.split('/').filter(|it| !it.is_empty()).map(decoded).collect();
    if parts.first().is_some_and(|it| it == "api") {
        parts.remove(0);
        let version = |it: &String| it.strip_prefix('v').is_some_and(|it| it.parse::<u8>().is_ok());
        if parts.first().is_some_and(version) {
            parts.remove(0);
        }
    }
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let query: BTreeMap<String, String> = pairs
        .map(|(key, value)| (decoded(key), decoded(&value.replace('+', " "))))
        .collect();
    Call {
        method: method.to_owned(),
        path: parts,
        query,
        ..Call::default()
    }
}

/// Text of an address without its percent signs.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after
            .get(..2)
            .and_then(|it| std::str::from_utf8(it).ok())
            .and_then(|it| u8::from_str_radix(it, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads the body into the call; false where it is no JSON and no form.
fn read_body(call: &mut Call, headers: &HeaderMap, bytes: &Bytes) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|it| it.to_str().ok())
        .unwrap_or_default();
    if kind.starts_with("multipart/form-data") {
        let Some((body, files)) = files::read_form(kind, bytes) else {
            return false;
        };
        (call.body, call.files) = (body, files);
        return true;
    }
    if bytes.is_empty() {
        return true;
    }
    serde_json::from_slice(bytes).map(|body| call.body = body).is_ok()
}

fn note(shared: &Shared, call: &Call, headers: &HeaderMap, status: u16) {
    let text = |name: &str| {
        headers
            .get(name)
            .and_then(|it| it.to_str().ok())
            .map(str::to_owned)
    };
    let mut world = shared.world();
    if matches!(status, 401 | 403 | 429) {
        *world.limits.invalid.entry(call.me).or_default() += 1;
    }
    let who = world.accounts.get(&call.me).map(|it| it.name.clone());
    let files: Vec<Value> = call
        .files
        .iter()
        .map(|it| json!({"name": it.name, "size": it.bytes.len()}))
        .collect();
    let entry = json!({"at": now(), "method": call.method, "path": format!("/{}", call.path.join("/")), "query": call.query,
        "body": call.body, "files": files, "status": status, "account": who, "user_agent": text("user-agent"),
        "audit_reason": text("x-audit-log-reason")});
    world.log.request(entry);
}

fn send(reply: Reply) -> Response<Body> {
    let mut response =
        Response::builder().status(StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK));
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    // Discord's front says who it is; a client may take an answer without it for somebody else's.
    response = response.header("via", "1.1 google");
    let body = match reply.body {
        None => Body::empty(),
        Some(body) => {
            let kind = if reply.json {
                "application/json"
            } else {
                "text/html"
            };
            response = response.header(header::CONTENT_TYPE, kind);
            if reply.cut {
                response = response.header(header::CONTENT_LENGTH, body.len());
                let half = Bytes::copy_from_slice(&body.as_bytes()[..body.len() / 2]);
                // What is written at once with the error would not be sent at all.
                let end = async {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    Err(std::io::Error::other("cut off on demand"))
                };
                let pieces = futures_util::stream::once(async { Ok(half) });
                Body::from_stream(futures_util::StreamExt::chain(
                    pieces,
                    futures_util::stream::once(end),
                ))
            } else {
                Body::from(body)
            }
        }
    };
    response.body(body).unwrap_or_default()
}
