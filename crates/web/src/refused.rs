//! What is refused at the door is journaled: the operator sees what was tried and why it will not do.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use mind::{Input, ShellEvent};

use crate::access::Caller;
use crate::refusal::RefusedAs;
use crate::site::Shared;

/// Lines in one stretch of time; more are counted and told with the next line.
const LINES_MAX: u32 = 20;
const STRETCH: Duration = Duration::from_secs(10);
/// The same of whoever has shown nothing: some routes are open to everybody.
const STRANGERS_LINES_MAX: u32 = 4;
const PATH_CHARS_MAX: usize = 200;
/// The longest method that there is has seven; anything may be sent as one.
const METHOD_CHARS_MAX: usize = 16;

/// How many lines were written lately, and how many were not.
#[derive(Debug)]
pub(crate) struct RefusalCount(Mutex<Counted>);

#[derive(Debug)]
struct Counted {
    since: Instant,
    lines: u32,
    /// Those of them that strangers caused.
    of_strangers: u32,
    folded: u64,
}

impl RefusalCount {
    pub fn new() -> Self {
        Self(Mutex::new(Counted {
            since: Instant::now(),
            lines: 0,
            of_strangers: 0,
            folded: 0,
        }))
    }

    /// Whether there is room for one more line, and how many went without one before it.
    fn take(&self, is_stranger: bool) -> Option<u64> {
        let mut counted = self.0.lock().expect("no holder of this lock can panic");
        if counted.since.elapsed() >= STRETCH {
            counted.since = Instant::now();
            counted.lines = 0;
            counted.of_strangers = 0;
        }
        let is_full = counted.lines == LINES_MAX;
        if is_full || (is_stranger && counted.of_strangers == STRANGERS_LINES_MAX) {
            counted.folded += 1;
            return None;
        }
        counted.lines += 1;
        counted.of_strangers += u32::from(is_stranger);
        Some(std::mem::take(&mut counted.folded))
    }
}

/// The middleware. Reading changes nothing and is not journaled. Who may not come in is turned away before this, except
/// where everybody may knock: there few lines are written.
pub(crate) async fn journal_refusals(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let (method, path) = (request.method().clone(), shown_path(request.uri().path()));
    let is_stranger = request.extensions().get::<Caller>().is_none();
    let response = next.run(request).await;
    let refused = response.extensions().get::<RefusedAs>().copied();
    let status = response.status();
    let by_us = status.is_client_error() || status == StatusCode::SERVICE_UNAVAILABLE;
    if let Some(RefusedAs(code)) = refused.filter(|_| changes && by_us) {
        write_line(&shared, (&method, &path, is_stranger), status, code);
    }
    response
}

/// Journals one refusal, unless there are too many.
pub(crate) fn journal(shared: &Shared, method: &Method, path: &str, status: StatusCode, code: &str) {
    write_line(shared, (method, path, false), status, code);
}

fn write_line(
    shared: &Shared,
    (method, path, is_stranger): (&Method, &str, bool),
    status: StatusCode,
    code: &str,
) {
    if let Some(folded) = shared.refusals.take(is_stranger) {
        shared.handle().mention(Input::Shell(ShellEvent::RequestRefused {
            method: method.as_str().chars().take(METHOD_CHARS_MAX).collect(),
            path: path.chars().take(PATH_CHARS_MAX).collect(),
            status: status.as_u16(),
            code: code.to_owned(),
            folded,
        }));
    }
}

/// The path as it may be journaled: where a share is named, somebody may by mistake have put its token.
fn shown_path(path: &str) -> String {
    let mut segments = path.split('/').skip(1);
    let named: [Option<&str>; 5] = std::array::from_fn(|_| segments.next());
    match named {
        [Some("api"), Some("watch"), Some("socket"), None, _] => path.to_owned(),
        [
            Some("api"),
            Some("watch"),
            Some(_),
            rest @ (None | Some("frames" | "whip")),
            None,
        ] => {
            let rest = rest.map_or(String::new(), |rest| format!("/{rest}"));
            format!("/api/watch/{{share}}{rest}")
        }
        [Some("api"), Some("watch"), ..] => "/api/watch/…".to_owned(),
        [Some("api"), Some("rooms"), Some(room), Some("shares"), Some(_)] => {
            format!("/api/rooms/{room}/shares/{{share}}")
        }
        _ => path.to_owned(),
    }
}

#[cfg(test)]
#[path = "refused_tests.rs"]
mod refused_tests;
