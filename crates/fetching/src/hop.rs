//! One address after another: what may be fetched at all, and where a redirect leads.

use std::net::IpAddr;

use reqwest::header::{HeaderMap, LOCATION};
use url::{Host, Url};

use crate::fault::{FetchFault, one_line};
use crate::lookup::LookupFault;
use crate::{FetchPolicy, refusal_of};

/// Redirects that are followed for one fetch.
pub(crate) const MOST_REDIRECTS: usize = 5;

const LONGEST_ADDRESS: usize = 4096;

/// Reads an address somebody wrote.
pub(crate) fn parse(text: &str) -> Result<Url, FetchFault> {
    let text = text.trim();
    if text.len() > LONGEST_ADDRESS {
        return Err(FetchFault::Refused(format!(
            "{} was refused: an address has {LONGEST_ADDRESS} characters at most",
            one_line(text, 80)
        )));
    }
    let url = Url::parse(text).map_err(|error| {
        FetchFault::Refused(format!(
            "“{}” is no address of the web ({error}); it should look like https://example.org/page",
            one_line(text, 80)
        ))
    })?;
    permissible(url)
}

/// Where a redirect leads.
pub(crate) fn next(from: &Url, headers: &HeaderMap, seen: &[Url]) -> Result<Url, FetchFault> {
    let Some(location) = headers.get(LOCATION) else {
        return Err(FetchFault::failed(from, "it redirects without saying where to"));
    };
    let location = String::from_utf8_lossy(location.as_bytes());
    if location.len() > LONGEST_ADDRESS {
        return Err(FetchFault::refused(
            from,
            "it redirects to an address that is too long",
        ));
    }
    let joined = from.join(location.trim()).map_err(|error| {
        let to = one_line(&location, 80);
        FetchFault::failed(
            from,
            format!("it redirects to “{to}”, which is no address ({error})"),
        )
    })?;
    let to = permissible(joined)?;
    if from.scheme() == "https" && to.scheme() == "http" {
        let why = format!("it redirects from https to http ({})", crate::fault::shown(&to));
        return Err(FetchFault::refused(from, why));
    }
    if seen.contains(&to) {
        return Err(FetchFault::failed(from, "it redirects in a circle"));
    }
    if seen.len() > MOST_REDIRECTS {
        return Err(FetchFault::failed(
            from,
            format!("it redirects more than {MOST_REDIRECTS} times"),
        ));
    }
    Ok(to)
}

/// Whether an address is one of the web without secrets in it; its fragment is not looked at, for servers never get it.
fn permissible(mut url: Url) -> Result<Url, FetchFault> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchFault::Refused(format!(
            "{} was refused: only http and https addresses are fetched, not {}:",
            one_line(url.as_str(), 80),
            one_line(url.scheme(), 20)
        )));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchFault::refused(
            &url,
            "there is a name or password in the address; take it out",
        ));
    }
    url.set_fragment(None);
    Ok(url)
}

/// Refuses an address that is written as a number and is not public: the client connects to those without resolving.
pub(crate) fn check_literal(url: &Url, policy: &FetchPolicy) -> Result<(), FetchFault> {
    let address = match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::V4(address),
        Some(Host::Ipv6(address)) => IpAddr::V6(address),
        Some(Host::Domain(_)) => return Ok(()),
        None => return Err(FetchFault::refused(url, "it names no host")),
    };
    match refusal_of(address) {
        Some(why) if !policy.exempts_url(url) => Err(FetchFault::refused(
            url,
            LookupFault::NotPublic {
                host: address.to_string(),
                address,
                why,
            },
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[path = "hop_tests.rs"]
mod tests;
