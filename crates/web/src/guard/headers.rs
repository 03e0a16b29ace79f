//! Headers every response carries, unless it brought a stricter one of its own.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; media-src 'self'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), display-capture=(), geolocation=(), microphone=()",
    ),
];

/// For what came from somebody else: it must never run as a page of ours.
pub(crate) const INERT: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// The permissions of the share page: the only page that may ask for a screen.
pub(crate) const MAY_CAPTURE_THE_DISPLAY: &str =
    "camera=(), display-capture=(self), geolocation=(), microphone=()";

/// The permissions of the pages of the rooms: in one of them people talk.
pub(crate) const MAY_USE_THE_MICROPHONE: &str =
    "camera=(), display-capture=(), geolocation=(), microphone=(self)";

/// The middleware.
pub(crate) async fn security_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .entry(HeaderName::from_static(name))
            .or_insert(HeaderValue::from_static(value));
    }
    response
}
