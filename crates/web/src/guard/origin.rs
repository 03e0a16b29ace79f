//! Against other sites' pages: what changes something, the live events, and the sockets of voice and of the share page
//! are for pages of this site only.

use axum::http::{HeaderMap, Method, StatusCode, header};

use crate::communities::address::inner;
use crate::public::PublicAddress;
use crate::refusal::Refusal;

pub(super) fn matters(method: &Method, path: &str) -> bool {
    !matches!(*method, Method::GET | Method::HEAD)
        || matches!(inner(path).as_str(), "/api/events" | "/api/watch/socket")
        || is_voice_socket(&inner(path))
}

/// Whether a path is where programs talk in a room: another site's page must not, with this browser's cookie.
pub(crate) fn is_voice_socket(path: &str) -> bool {
    path.starts_with("/api/rooms/") && path.ends_with("/voice/socket")
}

/// Programs send no origin and may pass; a browser's page must be of the same origin, or of the one that a proxy has, which
/// may ask by another name.
pub(super) fn check(headers: &HeaderMap, public: Option<&PublicAddress>) -> Result<(), Refusal> {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value: &axum::http::HeaderValue| value.to_str().ok())
    };
    let same = match headers.get(header::ORIGIN) {
        None => true,
        Some(_) => {
            let host = text(header::HOST);
            text(header::ORIGIN).is_some_and(|origin| {
                host.is_some_and(|host| is_same(origin, host))
                    || public.is_some_and(|public| public.is_origin(origin))
            })
        }
    };
    if same && !is_of_another_site(headers) {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::FORBIDDEN,
        "bad_origin",
        "This request came from a page of another site. Use Denizen's own pages, or a program that sends no Origin header. If a proxy stands before Denizen, start it with the proxy's address, such as --public-url https://talk.example.",
    ))
}

/// Whether a browser says that a page of another site sent it here.
pub(super) fn is_of_another_site(headers: &HeaderMap) -> bool {
    let said = headers
        .get("sec-fetch-site")
        .and_then(|value| value.to_str().ok());
    matches!(said, Some("cross-site" | "same-site"))
}

fn is_same(origin: &str, host: &str) -> bool {
    let (authority, usual_port) = match origin.split_once("://") {
        Some(("http", authority)) => (authority, ":80"),
        Some(("https", authority)) => (authority, ":443"),
        _ => return false,
    };
    let bare = |name: &str| name.strip_suffix(usual_port).unwrap_or(name).to_ascii_lowercase();
    bare(authority) == bare(host)
}
