//! Who may come in: the address that was asked for, the credential, and where the request came from.

mod headers;
mod host;
mod origin;
mod token;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub(crate) use headers::{INERT, MAY_CAPTURE_THE_DISPLAY, MAY_USE_THE_MICROPHONE, security_headers};
pub(crate) use origin::is_voice_socket;
pub use token::{Token, WeakToken};

use vocabulary::WallTime;

use crate::access::enter::{public, session_cookie};
use crate::access::{Access, Caller};
use crate::communities::address::inner;
use crate::doorway::Seat;
use crate::refusal::Refusal;

/// Names the process that answers, so that commands know whom they talk to before they show a key.
const INSTANCE: HeaderName = HeaderName::from_static("x-denizen-instance");

/// The checks in front of every request.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Host names that are taken on loopback, that of a proxy before it included; any elsewhere.
    hosts: Option<Arc<[String]>>,
    access: Access,
}

/// What becomes of a request.
enum Checked {
    /// It goes on, with whoever asks where they have shown a credential.
    On(Option<Caller>),
    Instead(Response),
}

impl Guard {
    pub fn new(address: SocketAddr, access: Access) -> Self {
        let loopback = address.ip().is_loopback();
        Self {
            hosts: loopback.then(|| host::on_loopback(address.ip(), public(&access))),
            access,
        }
    }

    fn check(&self, request: &Request) -> Result<Checked, Refusal> {
        let (uri, headers) = (request.uri(), request.headers());
        if let Some(hosts) = &self.hosts {
            host::check(hosts, uri, headers)?;
        }
        let api = is_api(uri.path());
        let reading = matches!(*request.method(), Method::GET | Method::HEAD);
        let in_address = token::in_query(uri).filter(|_| reading);
        if !api {
            // Another site's page must not choose as whom this browser acts: the page asks before it shows what came.
            if reading && origin::is_of_another_site(headers) {
                let marked = token::marked_as_from_elsewhere(uri);
                return Ok(marked.map_or(Checked::On(None), |asking| Checked::Instead(see_other(asking))));
            }
            // The page says itself what is wrong with a token that opens nothing.
            let known = in_address.and_then(|token| self.access.who(token));
            return Ok(match known {
                Some(caller) => Checked::Instead(self.leave_in_cookie(&caller, uri, headers)),
                None => Checked::On(None),
            });
        }
        let caller = match is_open(uri.path()) {
            true => None,
            false => Some(self.admit(in_address, headers)?),
        };
        if origin::matters(request.method(), uri.path()) {
            origin::check(headers, public(&self.access))?;
        }
        Ok(Checked::On(caller))
    }

    /// Whoever shows a credential: in the address where something is read, in a header, or in this Denizen's cookie.
    fn admit(&self, in_address: Option<&str>, headers: &HeaderMap) -> Result<Caller, Refusal> {
        if let Some(given) = in_address {
            let known = self.access.who(given);
            let over = || self.access.ended_at(given).map(token_over);
            return known.ok_or_else(|| {
                over().unwrap_or_else(|| unauthorized("The token in the address is not right."))
            });
        }
        let shown: Vec<&str> = token::bearer(headers)
            .into_iter()
            .chain(token::cookies(headers, &self.access.cookie_name()))
            .collect();
        let known = shown.iter().find_map(|secret| self.access.who(secret));
        let over = || shown.iter().find_map(|secret| self.access.ended_at(secret));
        known.ok_or_else(|| match (shown.is_empty(), over()) {
            (true, _) => unauthorized("This needs a link or a token."),
            (false, Some(end)) => token_over(end),
            (false, None) => unauthorized("This token is not right, or was taken back."),
        })
    }

    fn leave_in_cookie(&self, caller: &Caller, uri: &Uri, headers: &HeaderMap) -> Response {
        let cookie = session_cookie(&self.access, headers, &self.access.entry_by(caller));
        (
            [(header::SET_COOKIE, cookie)],
            see_other(token::without_token(uri)),
        )
            .into_response()
    }
}

fn see_other(location: String) -> Response {
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// The middleware.
pub(crate) async fn guard(State(guard): State<Guard>, mut request: Request, next: Next) -> Response {
    let mut response = match guard.check(&request) {
        Ok(Checked::On(caller)) => {
            if let Some(caller) = caller {
                keep_the_place(request.extensions());
                request.extensions_mut().insert(caller);
            }
            next.run(request).await
        }
        Ok(Checked::Instead(instead)) => instead,
        Err(refusal) => refusal.into_response(),
    };
    if let Ok(instance) = HeaderValue::from_str(guard.access.instance()) {
        response.headers_mut().insert(INSTANCE, instance);
    }
    response
}

/// What this Denizen's cookies hold.
pub(crate) fn shown_cookies<'a>(access: &Access, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
    token::cookies(headers, &access.cookie_name())
}

/// Whoever asks has shown what is asked for, so others do not push them out.
pub(crate) fn keep_the_place(of: &Extensions) {
    if let Some(seat) = of.get::<Arc<Seat>>() {
        seat.admit();
    }
}

/// Whether a path is for programs: the pages' own calls, other agents', or a monitor's.
pub(crate) fn is_api(path: &str) -> bool {
    ["/api", "/v1", "/metrics"].into_iter().any(|root| {
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Whether a path is for whoever shares a screen: each share has a token of its own, which the route asks for instead.
pub(crate) fn is_for_sharers(path: &str) -> bool {
    inner(path).starts_with("/api/watch/")
}

/// Where nothing has to be shown: to come in, and for sharers, whose own token the route asks for.
fn is_open(path: &str) -> bool {
    path == "/api/enter" || is_for_sharers(path)
}

/// What somebody is told whose token was right, once.
fn token_over(end: WallTime) -> Refusal {
    Refusal::new(StatusCode::UNAUTHORIZED, "token_over", over_since(end))
        .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

/// The same in words.
pub(crate) fn over_since(end: WallTime) -> String {
    format!(
        "The time of this token was over at {}. Where Denizen runs, `denizen access add` makes another, and `denizen link` prints a link.",
        vocabulary::rfc3339::format(end)
    )
}

fn unauthorized(problem: &str) -> Refusal {
    Refusal::new(
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        format!("{problem} Open the link that Denizen printed when it was started, or one that `denizen link` prints; a program sends the header Authorization: Bearer TOKEN."),
    )
    .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}
