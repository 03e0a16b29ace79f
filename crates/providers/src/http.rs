//! The HTTP clients and the addresses they may go to.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::{Client, Url, redirect};

/// Two clients: one for this machine, which no proxy may come between, and one for everywhere else.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    local: Client,
    remote: Client,
}

impl Clients {
    pub(crate) fn new() -> Self {
        crate::install_tls();
        Self {
            local: builder()
                .no_proxy()
                .build()
                .expect("the TLS provider is installed"),
            remote: builder().build().expect("the TLS provider is installed"),
        }
    }

    pub(crate) fn for_url(&self, url: &str) -> &Client {
        if is_loopback(url) {
            &self.local
        } else {
            &self.remote
        }
    }
}

fn builder() -> reqwest::ClientBuilder {
    Client::builder()
        .user_agent(concat!("denizen/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(10))
        // A redirect would carry the key header to whatever host it names.
        .redirect(redirect::Policy::none())
}

/// Whether an address is this machine's own.
pub(crate) fn is_loopback(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else {
        return false;
    };
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_matches(['[', ']'])
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

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

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
