//! The pages, embedded in the binary.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};

use crate::guard::{MAY_CAPTURE_THE_DISPLAY, MAY_USE_THE_MICROPHONE};
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
    match Pages::get(path).filter(|_| path != INDEX) {
        Some(file) if !path.is_empty() && Encoding::of_file(path).is_none() => answer(path, file, headers),
        _ if names_a_file && path != INDEX => Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown_page",
            format!("There is no file {path} here. Start at /."),
        )
        .into_response(),
        _ => match Pages::get(INDEX) {
            Some(index) => permitted(answer(INDEX, index, headers), MAY_USE_THE_MICROPHONE),
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
    permitted(answer(SHARE, page, headers), MAY_CAPTURE_THE_DISPLAY)
}

/// A page that may ask for something.
fn permitted(mut page: Response, permissions: &'static str) -> Response {
    page.headers_mut()
        .insert("permissions-policy", HeaderValue::from_static(permissions));
    page
}

fn answer(path: &str, plain: EmbeddedFile, headers: &HeaderMap) -> Response {
    let smaller = Encoding::ALL
        .into_iter()
        .filter(|encoding| encoding.is_accepted(headers))
        .find_map(|encoding| Some((encoding, Pages::get(&format!("{path}{}", encoding.ending()))?)));
    let (encoding, file) = match smaller {
        Some((encoding, file)) => (Some(encoding), file),
        None => (None, plain),
    };
    let etag = etag(&file);
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|tags| {
            tags.split(',')
                .any(|tag| tag.trim().trim_start_matches("W/") == etag)
        });
    let mut about = vec![
        (header::ETAG, etag),
        (header::CACHE_CONTROL, caching(path).to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    if known {
        return with_headers(StatusCode::NOT_MODIFIED, about, Body::empty());
    }
    about.push((header::CONTENT_TYPE, content_type(path)));
    if let Some(encoding) = encoding {
        about.push((header::CONTENT_ENCODING, encoding.name().to_owned()));
    }
    let body = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Body::from(bytes),
        std::borrow::Cow::Owned(bytes) => Body::from(bytes),
    };
    with_headers(StatusCode::OK, about, body)
}

fn with_headers(status: StatusCode, about: Vec<(HeaderName, String)>, body: Body) -> Response {
    let mut response = (status, body).into_response();
    for (name, value) in about {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// How a page was made smaller when it was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// The smallest first.
    const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }

    /// Of a file that stands beside the one it was made of.
    fn of_file(path: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|encoding| path.ends_with(encoding.ending()))
    }

    /// Whether whoever asks can read it.
    fn is_accepted(self, headers: &HeaderMap) -> bool {
        let accepted = headers
            .get_all(header::ACCEPT_ENCODING)
            .iter()
            .filter_map(|value| value.to_str().ok());
        accepted.flat_map(|value| value.split(',')).any(|one| {
            let mut parts = one.split(';').map(str::trim);
            let is_named = parts
                .next()
                .is_some_and(|name| name.eq_ignore_ascii_case(self.name()));
            let is_refused = parts.any(|part| {
                part.strip_prefix("q=")
                    .is_some_and(|weight| weight.parse::<f32>().is_ok_and(|weight| weight <= 0.0))
            });
            is_named && !is_refused
        })
    }
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
