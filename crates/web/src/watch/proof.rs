//! Who may bring frames in: whoever knows the token of the share, and says it in the header.

use axum::extract::{FromRequestParts, Path};
use axum::http::header;
use axum::http::request::Parts;
use runtime::screens::{ShareRefusal, ShareTicket};
use vocabulary::ShareId;

use crate::guard::keep_the_place;
use crate::refusal::Refusal;
use crate::site::Shared;

/// The right to the share that the path names, proved by `Authorization: Bearer`.
#[derive(Debug)]
pub(crate) struct Proved(pub ShareTicket);

impl FromRequestParts<Shared> for Proved {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let token = bearer(parts).unwrap_or_default().to_owned();
        // What cannot be read names no share either.
        let Path(share) = Path::<String>::from_request_parts(parts, shared)
            .await
            .map_err(|_| ShareRefusal::NotFound)?;
        let ticket = shared
            .handle()
            .screens()
            .ticket(Some(&ShareId::new(share)), &token)?;
        keep_the_place(&parts.extensions);
        Ok(Proved(ticket))
    }
}

/// Only the bearer counts: cookies are the site's, and addresses end up in logs.
fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
