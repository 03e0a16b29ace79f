//! Tokens: what makes a good one, and where in a request one stands.

use std::fmt;
use std::sync::Arc;

use axum::http::{HeaderMap, Uri, header};
use thiserror::Error;

const CHARACTERS_MIN: usize = 16;
const CHARACTERS_MAX: usize = 256;

/// A secret that callers must know. Never shown.
#[derive(Clone)]
pub struct Token(Arc<str>);

/// A token that would be guessed, or would not survive an address.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the access token must have 16 to 256 of the characters A-Z a-z 0-9 . _ ~ and -; for example what `openssl rand -hex 24` prints"
)]
pub struct WeakToken;

impl Token {
    /// Takes a token that is long enough and needs no escaping in an address, a header or a cookie.
    pub fn new(text: &str) -> Result<Self, WeakToken> {
        let plain = |letter: u8| letter.is_ascii_alphanumeric() || b"._~-".contains(&letter);
        let long_enough = (CHARACTERS_MIN..=CHARACTERS_MAX).contains(&text.len());
        if long_enough && text.bytes().all(plain) {
            Ok(Self(text.into()))
        } else {
            Err(WeakToken)
        }
    }

    /// The secret itself, for whoever has to hand it on.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// What `?token=` says.
pub(super) fn in_query(uri: &Uri) -> Option<&str> {
    uri.query()?
        .split('&')
        .find_map(|pair| pair.strip_prefix("token="))
}

/// What the bearer header says.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// What the cookies of a name say.
pub(super) fn cookies<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let of_that_name = |pair: &'a str| pair.trim().strip_prefix(name)?.strip_prefix('=');
    let lines = headers.get_all(header::COOKIE).into_iter();
    lines
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(of_that_name)
        .collect::<Vec<_>>()
        .into_iter()
}

/// The same page without the token in its address, and always on this site.
pub(super) fn without_token(uri: &Uri) -> String {
    here(uri, pairs(uri).filter(|pair| !pair.starts_with("token=")))
}

/// What says in an address that a page of another site led here.
const FROM_ELSEWHERE: &str = "from=elsewhere";

/// The same page, told that a page of another site led here with something that lets somebody in; none where nothing does,
/// or it is told already.
pub(super) fn marked_as_from_elsewhere(uri: &Uri) -> Option<String> {
    let lets_in = |pair: &str| ["enter=", "token="].iter().any(|name| pair.starts_with(name));
    let is_marked = pairs(uri).any(|pair| pair == FROM_ELSEWHERE);
    (pairs(uri).any(lets_in) && !is_marked).then(|| here(uri, pairs(uri).chain([FROM_ELSEWHERE])))
}

fn pairs(uri: &Uri) -> impl Iterator<Item = &str> {
    uri.query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty())
}

fn here<'a>(uri: &Uri, pairs: impl Iterator<Item = &'a str>) -> String {
    let path = uri.path().trim_start_matches(['/', '\\']);
    match pairs.collect::<Vec<_>>().as_slice() {
        [] => format!("/{path}"),
        rest => format!("/{path}?{}", rest.join("&")),
    }
}
