//! From names to addresses: by the machine's own resolver, or from a table.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::refusal_of;

/// What a look-up ends in.
pub type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a name.
pub trait Lookup: fmt::Debug + Send + Sync {
    fn addresses(&self, host: &str) -> Addresses;
}

/// As the machine resolves names.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses(&self, host: &str) -> Addresses {
        let host = host.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((host.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// A table of names, for tests and for machines without a resolver.
#[derive(Clone, Debug, Default)]
pub struct NameTable(pub BTreeMap<String, Vec<IpAddr>>);

impl NameTable {
    pub fn with(mut self, host: &str, addresses: &[IpAddr]) -> Self {
        self.0.insert(host.to_owned(), addresses.to_vec());
        self
    }
}

impl Lookup for NameTable {
    fn addresses(&self, host: &str) -> Addresses {
        let found = self.0.get(host).cloned();
        let found = found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such name in the table"));
        Box::pin(async move { found })
    }
}

/// What a name resolves to, without the addresses that are refused.
pub(crate) async fn public_addresses(lookup: &dyn Lookup, host: &str) -> Result<Vec<IpAddr>, LookupFault> {
    let found = all_addresses(lookup, host).await?;
    let mut refused = None;
    let mut public = Vec::new();
    for address in found {
        match refusal_of(address) {
            None => public.push(address),
            Some(why) => refused = refused.or(Some((address, why))),
        }
    }
    match (public.is_empty(), refused) {
        (true, Some((address, why))) => Err(LookupFault::NotPublic {
            host: host.to_owned(),
            address,
            why,
        }),
        _ => Ok(public),
    }
}

/// What a name resolves to; at least one address.
pub(crate) async fn all_addresses(lookup: &dyn Lookup, host: &str) -> Result<Vec<IpAddr>, LookupFault> {
    let unknown = || LookupFault::Unknown {
        host: host.to_owned(),
    };
    let mut found = lookup.addresses(host).await.map_err(|_| unknown())?;
    // No name needs more, and each of them may be tried.
    found.truncate(MOST_ADDRESSES);
    match found.is_empty() {
        true => Err(unknown()),
        false => Ok(found),
    }
}

const MOST_ADDRESSES: usize = 16;

/// Why a name has no address that may be connected to.
#[derive(Clone, Debug)]
pub(crate) enum LookupFault {
    Unknown {
        host: String,
    },
    NotPublic {
        host: String,
        address: IpAddr,
        why: &'static str,
    },
}

impl fmt::Display for LookupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookupFault::Unknown { host } => write!(f, "the name {host} has no address"),
            LookupFault::NotPublic { host, address, why } if *host == address.to_string() => {
                write!(f, "{address} is {why}; {}", remedy(host))
            }
            LookupFault::NotPublic { host, address, why } => {
                write!(f, "{host} is at {address}, {why}; {}", remedy(host))
            }
        }
    }
}

impl Error for LookupFault {}

fn remedy(host: &str) -> String {
    format!("add {host} to tools.allowedPrivateHosts if it may be reached")
}

/// The resolver inside an HTTP client: what it does not give out cannot be connected to.
#[derive(Debug)]
pub(crate) struct ClientResolver {
    pub(crate) lookup: Arc<dyn Lookup>,
    pub(crate) only_public: bool,
}

impl Resolve for ClientResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let lookup = self.lookup.clone();
        let only_public = self.only_public;
        Box::pin(async move {
            let addresses = match only_public {
                true => public_addresses(&*lookup, name.as_str()).await?,
                false => all_addresses(&*lookup, name.as_str()).await?,
            };
            // Port 0 is replaced by the one of the address that is fetched.
            let sockets = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(sockets) as Addrs)
        })
    }
}

#[cfg(test)]
#[path = "lookup_tests.rs"]
mod tests;
