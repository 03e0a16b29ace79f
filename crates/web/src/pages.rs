//! The pages, embedded in the binary.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};

use crate::guard::MAY_CAPTURE_THE_DISPLAY;
use crate::refusal::Refusal;

#[cfg(test)]
#[path = "pages_tests.rs"]
mod pages_tests;

#[derive(Embed)]
#[folder = "../../ui/dist"]
struct Pages;

const INDEX: &str = "index.html";
const SHARE: &str = "share.html";

/// The file of that path; any path that names no file is the one page, which finds its own way.
pub(crate) fn serve(method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "Pages can only be read. The API is under /api.",
        )
        .with_header(header::ALLOW, header::HeaderValue::from_static("GET, HEAD"))
        .into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if matches!(path, "share" | "share/" | SHARE) {
        return share_page(headers);
    }
    let names_a_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    match Pages::get(path) {
        Some(file) if !path.is_empty() => answer(path, file, headers),
        _ if names_a_file => Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown_page",
            format!("There is no file {path} here. Start at /."),
        )
        .into_response(),
        _ => match Pages::get(INDEX) {
            Some(index) => answer(INDEX, index, headers),
            None => Refusal::new(
                StatusCode::NOT_FOUND,
                "unknown_page",
                "This Denizen was built without pages. Run `make ui` and build it again.",
            )
            .into_response(),
        },
    }
}

/// The page on which somebody shares a screen; a page of its own, because it may do what no other may.
fn share_page(headers: &HeaderMap) -> Response {
    let Some(page) = Pages::get(SHARE) else {
        return Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown_page",
            "This Denizen was built without the share page. Run `make ui` and build it again; until then a screen can be shared by WHIP or the frame API.",
        )
        .into_response();
    };
    let mut response = answer(SHARE, page, headers);
    response.headers_mut().insert(
        "permissions-policy",
        HeaderValue::from_static(MAY_CAPTURE_THE_DISPLAY),
    );
    response
}

fn answer(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let etag = etag(&file);
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|tags| {
            tags.split(',')
                .any(|tag| tag.trim().trim_start_matches("W/") == etag)
        });
    let about = [
        (header::ETAG, etag),
        (header::CACHE_CONTROL, caching(path).to_owned()),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let body = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Body::from(bytes),
        std::borrow::Cow::Owned(bytes) => Body::from(bytes),
    };
    (about, [(header::CONTENT_TYPE, content_type(path))], body).into_response()
}

/// Vite puts a hash of the content into the names of everything under `assets/`.
fn caching(path: &str) -> &'static str {
    if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}

fn etag(file: &EmbeddedFile) -> String {
    let hash: String = file
        .metadata
        .sha256_hash()
        .iter()
        .take(12)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("\"{hash}\"")
}

fn content_type(path: &str) -> String {
    let mime = mime_guess::from_path(path).first_or_octet_stream();
    match mime.type_() {
        mime_guess::mime::TEXT => format!("{mime}; charset=utf-8"),
        _ => mime.to_string(),
    }
}
