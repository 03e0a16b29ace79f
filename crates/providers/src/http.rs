//! The addresses that an operator may give.

use std::net::IpAddr;

use reqwest::Url;

/// Checks an operator's address and brings it to the form adapters build on: no trailing slash, no secrets.
pub(crate) fn base_url(text: &str, path_if_none: &str) -> Result<String, String> {
    let url = Url::parse(text.trim()).map_err(|error| format!("not an address ({error})"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("not an http or https address but {}:", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "an address with a name or password in it, which would be shown in the inspector".to_owned(),
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("an address with a ? or # part".to_owned());
    }
    let path = match url.path().trim_end_matches('/') {
        "" => path_if_none,
        path => path,
    };
    Ok(format!("{}{path}", url.origin().ascii_serialization()))
}

/// Whether a server is on this machine or in its own network.
pub(crate) fn is_nearby(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    match url.host_str().map(|host| host.trim_matches(['[', ']'])) {
        Some("localhost") => true,
        Some(host) => match host.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) => {
                address.is_loopback() || address.is_private() || address.is_link_local()
            }
            Ok(IpAddr::V6(address)) => address.is_loopback() || address.is_unique_local(),
            Err(_) => host.ends_with(".local") || host.ends_with(".lan") || !host.contains('.'),
        },
        None => false,
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
