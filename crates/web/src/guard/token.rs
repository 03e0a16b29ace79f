//! The token that opens the door where it can be reached from other machines.

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;

use axum::http::{HeaderMap, Uri, header};
use thiserror::Error;

const COOKIE: &str = "denizen_token";
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

    /// Whether it is the same, in a time that does not depend on where the two differ.
    pub(super) fn matches(&self, given: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), given.as_bytes());
        let mut difference = ours.len() ^ theirs.len();
        for (index, byte) in ours.iter().enumerate() {
            let other = theirs.get(index).copied().unwrap_or(0);
            difference |= usize::from(black_box(byte ^ other));
        }
        black_box(difference) == 0
    }

    pub(super) fn cookie(&self) -> String {
        format!(
            "{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000",
            self.0
        )
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

/// What the bearer header and the cookies say.
pub(super) fn in_headers(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let bearer = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
    let cookies = headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    bearer.into_iter().chain(cookies)
}

/// The same page without the token in its address, and always on this site.
pub(super) fn without_token(uri: &Uri) -> String {
    let path = uri.path().trim_start_matches(['/', '\\']);
    let rest: Vec<&str> = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("token="))
        .collect();
    match rest.as_slice() {
        [] => format!("/{path}"),
        rest => format!("/{path}?{}", rest.join("&")),
    }
}
