//! Whom one may talk to besides the public.

use std::net::Ipv6Addr;

use url::Url;

/// Whom one may talk to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchPolicy {
    /// Hosts on a private network that may be reached all the same: `host` or `host:port`.
    pub allowed_private_hosts: Vec<String>,
}

impl FetchPolicy {
    /// Whether the host of an address, as it is written there, may be reached wherever it is.
    pub fn exempts(&self, host: &str, port: u16) -> bool {
        let host = plain(host);
        self.allowed_private_hosts.iter().any(|entry| {
            let (entry_host, entry_port) = host_and_port(entry);
            !entry_host.is_empty() && entry_host == host && entry_port.is_none_or(|entry| entry == port)
        })
    }

    pub(crate) fn exempts_url(&self, url: &Url) -> bool {
        match (url.host_str(), url.port_or_known_default()) {
            (Some(host), Some(port)) => self.exempts(host, port),
            _ => false,
        }
    }
}

/// `host`, `host:port`, `::1`, `[::1]` or `[::1]:port`.
fn host_and_port(entry: &str) -> (String, Option<u16>) {
    let entry = entry.trim();
    if entry.parse::<Ipv6Addr>().is_ok() {
        return (plain(entry), None);
    }
    match entry.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => match port.parse() {
            Ok(port) => (plain(host), Some(port)),
            // Not a port: an entry that says something else must not allow every port.
            Err(_) => (String::new(), None),
        },
        _ => (plain(entry), None),
    }
}

fn plain(host: &str) -> String {
    let host = host.trim_matches(['[', ']']);
    let host = host.strip_suffix('.').unwrap_or(host);
    match host.parse::<Ipv6Addr>() {
        Ok(address) => address.to_string(),
        Err(_) => host.to_lowercase(),
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
