//! What is asked for, and what came.

use std::time::Duration;

use bytes::Bytes;
use url::Url;

/// What is wanted of an address.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub url: String,
    /// Media types that will do, such as `text/html` or `image/*`; empty: any.
    pub accept: Vec<String>,
    /// Largest body, after decompression.
    pub max_bytes: usize,
    /// For everything together, redirects included.
    pub timeout: Duration,
    /// What the server said when it was asked last: it may answer that nothing has changed.
    pub validators: Validators,
}

/// By what a server knows whether something has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

impl Validators {
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// What came.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Where it was in the end.
    pub url: Url,
    pub status: u16,
    /// The media type without parameters, in lower case; empty where the server did not say.
    pub mime: String,
    /// The charset the server named.
    pub charset: Option<String>,
    pub bytes: Bytes,
    pub validators: Validators,
    /// Nothing has changed; there are no bytes.
    pub not_modified: bool,
}

impl Fetched {
    /// The body as text, whatever it is written in; see `charset` for how that is found out.
    pub fn text(&self) -> String {
        crate::charset::decode(&self.bytes, self.charset.as_deref())
    }
}
