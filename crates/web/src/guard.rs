//! Who may come in: the address that was asked for, the token, and where the request came from.

mod headers;
mod host;
mod origin;
mod token;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub(crate) use headers::{INERT, MAY_CAPTURE_THE_DISPLAY, security_headers};
pub use token::{Token, WeakToken};

use crate::communities::address::inner;
use crate::doorway::Seat;
use crate::refusal::Refusal;

/// The checks in front of every request.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Host names that are taken on loopback; none elsewhere, where the token guards.
    hosts: Option<Arc<[String]>>,
    token: Option<Token>,
}

impl Guard {
    /// Refuses to open anything but loopback without a token.
    pub fn new(address: SocketAddr, token: Option<Token>) -> io::Result<Self> {
        let loopback = address.ip().is_loopback();
        if !loopback && token.is_none() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "{address} can be reached from other machines, so a token is needed. Give one, or listen on 127.0.0.1"
                ),
            ));
        }
        Ok(Self {
            hosts: loopback.then(|| host::on_loopback(address.ip())),
            token,
        })
    }

    fn check(&self, request: &Request) -> Result<Option<Response>, Refusal> {
        let (uri, headers) = (request.uri(), request.headers());
        if let Some(hosts) = &self.hosts {
            host::check(hosts, uri, headers)?;
        }
        let api = is_api(uri.path());
        if let Some(token) = &self.token
            && !is_for_sharers(uri.path())
            && let Some(redirect) = admit(token, api, request.method(), uri, headers)?
        {
            return Ok(Some(redirect));
        }
        if api && origin::matters(request.method(), uri.path()) {
            origin::check(headers)?;
        }
        Ok(None)
    }
}

/// The middleware.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.check(&request) {
        Ok(None) => {
            if is_api(request.uri().path()) && !is_for_sharers(request.uri().path()) {
                keep_the_place(request.extensions());
            }
            next.run(request).await
        }
        Ok(Some(instead)) => instead,
        Err(refusal) => refusal.into_response(),
    }
}

/// Whoever asks has shown what is asked for, so others do not push them out.
pub(crate) fn keep_the_place(of: &Extensions) {
    if let Some(seat) = of.get::<Arc<Seat>>() {
        seat.admit();
    }
}

/// Whether a path is for programs: the pages' own calls, or other agents'.
pub(crate) fn is_api(path: &str) -> bool {
    ["/api", "/v1"].into_iter().any(|root| {
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Whether a path is for whoever shares a screen: each share has a token of its own, which the route asks for instead.
pub(crate) fn is_for_sharers(path: &str) -> bool {
    inner(path).starts_with("/api/watch/")
}

/// Lets through who knows the token. Pages hold no secrets; opened with `?token=` they leave it in a cookie.
fn admit(
    token: &Token,
    api: bool,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<Option<Response>, Refusal> {
    let reading = matches!(*method, Method::GET | Method::HEAD);
    if let Some(given) = token::in_query(uri).filter(|_| reading) {
        if !token.matches(given) {
            return Err(unauthorized("The token in the address is not the right one."));
        }
        return Ok((!api).then(|| leave_in_cookie(token, uri)));
    }
    if !api || token::in_headers(headers).any(|given| token.matches(given)) {
        return Ok(None);
    }
    Err(unauthorized("A token is needed here."))
}

fn leave_in_cookie(token: &Token, uri: &Uri) -> Response {
    let response = (
        StatusCode::SEE_OTHER,
        [
            (header::LOCATION, token::without_token(uri)),
            (header::SET_COOKIE, token.cookie()),
            (header::CACHE_CONTROL, "no-store".to_owned()),
        ],
    );
    response.into_response()
}

fn unauthorized(problem: &str) -> Refusal {
    Refusal::new(
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        format!("{problem} Open the page with ?token=TOKEN once, or send the header Authorization: Bearer TOKEN; whoever started Denizen knows it."),
    )
    .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}
