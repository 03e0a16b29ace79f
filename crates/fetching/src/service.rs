//! What every client of a service that the operator chose has in common: one TLS stack, no proxy between this machine
//! and itself, no redirects that would carry a key away, and keys that do not print themselves.

mod complaint;
mod tls;
pub mod websocket;

use std::sync::Once;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, ClientBuilder, Url, redirect};
use secrecy::SecretString;
use url::Host;

pub use complaint::{Complaint, key_remedy, wait_wanted};
pub use tls::{Speaks, with_tls};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Makes aws-lc the process's TLS provider; calling it again does nothing.
pub fn install_tls() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // An error means that somebody else installed one before, which is just as well.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    });
}

/// Whether an address is this machine's own. What is no address is not.
pub fn is_loopback(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| is_loopback_url(&url))
}

/// Whether an address is this machine's own.
pub fn is_loopback_url(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// How a client of a service is made. `is_local`: it is on this machine, and no proxy may come between.
pub fn client_builder(is_local: bool) -> ClientBuilder {
    client_that(Speaks::Http2OrHttp1, is_local)
}

fn client_that(speaks: Speaks, is_local: bool) -> ClientBuilder {
    let builder = with_tls(Client::builder(), speaks)
        .user_agent(concat!("denizen/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        // A redirect would carry the key to whatever host it names.
        .redirect(redirect::Policy::none());
    if is_local { builder.no_proxy() } else { builder }
}

/// Two clients: one for this machine, which no proxy may come between, and one for everywhere else.
#[derive(Clone, Debug)]
pub struct ServiceClients {
    local: Client,
    remote: Client,
}

impl Default for ServiceClients {
    fn default() -> Self {
        let client = |is_local| client_builder(is_local).build();
        Self {
            local: client(true).expect("the TLS provider is installed"),
            remote: client(false).expect("the TLS provider is installed"),
        }
    }
}

impl ServiceClients {
    /// Whose every request carries these headers, unless it has its own of that name.
    pub fn with_headers(headers: &HeaderMap) -> Self {
        let client = |is_local| client_builder(is_local).default_headers(headers.clone()).build();
        Self {
            local: client(true).expect("the TLS provider is installed"),
            remote: client(false).expect("the TLS provider is installed"),
        }
    }

    /// The one for this address.
    pub fn for_address(&self, address: &str) -> &Client {
        if is_loopback(address) {
            &self.local
        } else {
            &self.remote
        }
    }
}

/// Checks the address of a service that an operator names: no secrets in it, and no slash at its end. What it is instead,
/// where it is none, goes on behind the name of the setting: "… is not an address".
pub fn base_address(text: &str, path_if_none: &str) -> Result<String, String> {
    let url = Url::parse(text.trim()).map_err(|error| format!("not an address ({error})"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("not an http or https address but {}:", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address with a name or password in it; put the key into the environment".to_owned());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("an address with a ? or # part; leave that out".to_owned());
    }
    let path = match url.path().trim_end_matches('/') {
        "" => path_if_none,
        path => path,
    };
    Ok(format!("{}{path}", url.origin().ascii_serialization()))
}

/// Scheme, host and port of an address, for a person.
pub fn origin(address: &str) -> String {
    Url::parse(address).map_or_else(|_| address.to_owned(), |url| url.origin().ascii_serialization())
}

/// A text without a key that may stand in it.
pub fn without_key(text: &str, key: Option<&str>) -> String {
    match key.filter(|key| !key.is_empty()) {
        Some(key) => text.replace(key, "[hidden]"),
        None => text.to_owned(),
    }
}

/// Why a request did not get through. The outer error quotes the address, which holds the key of some services.
pub fn innermost(error: &reqwest::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// What a variable of the environment says; an empty one says nothing.
pub fn variable(env: impl Fn(&str) -> Option<String>, name: &str) -> Option<String> {
    let text = env(name)?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A key from the environment.
pub fn key(env: impl Fn(&str) -> Option<String>, name: &str) -> Option<SecretString> {
    variable(env, name).map(SecretString::from)
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
