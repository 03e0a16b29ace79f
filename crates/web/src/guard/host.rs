//! Against DNS rebinding: on loopback only loopback's own names are answered.

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode, Uri, header};

use crate::public::PublicAddress;
use crate::refusal::Refusal;

/// The names loopback goes by, the bound address and that of a proxy before it included.
pub(super) fn on_loopback(address: IpAddr, public: Option<&PublicAddress>) -> Arc<[String]> {
    let bound = match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    };
    let own = ["localhost".to_owned(), "127.0.0.1".into(), "[::1]".into(), bound];
    let proxied = public.map(|public| public.host().to_owned());
    own.into_iter().chain(proxied).collect()
}

pub(super) fn check(hosts: &[String], uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
    let known = |authority: &str| {
        hosts
            .iter()
            .any(|host| host.eq_ignore_ascii_case(without_port(authority)))
    };
    let asked = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    let in_line = uri.authority().map(|authority| authority.as_str());
    if asked.is_some_and(known) && in_line.is_none_or(known) {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::FORBIDDEN,
        "bad_host",
        "This address is not one of Denizen's own. Open it as http://localhost or http://127.0.0.1 with its port. If a proxy stands before it, start it with the proxy's address, such as --public-url https://talk.example.",
    ))
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        // The last colon of a bare IPv6 address is inside the brackets.
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
        _ => authority,
    }
}
