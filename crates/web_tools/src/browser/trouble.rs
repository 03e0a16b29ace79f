//! Why a page could not be seen, for a model and a person.

use url::Url;

use super::proxy::Budget;
use crate::plain;

pub(super) fn late(address: &Url) -> String {
    format!(
        "{} did not answer in time: try web_scrape or another page, or raise tools.timeoutSeconds",
        shown(address.as_str())
    )
}

pub(super) fn too_much(address: &Url, budget: &Budget) -> String {
    let megabytes = budget.limits.bytes_max / 1_000_000;
    format!(
        "{} was stopped: it loads more than {megabytes} MB. Try web_scrape or another page",
        shown(address.as_str())
    )
}

/// The browser says it could not go to `address`; `wanted` is where it was sent from there.
pub(super) fn unreached(address: &Url, error: &str, wanted: &str, budget: &Budget) -> String {
    let error = error.trim_start_matches("net::");
    let elsewhere = Url::parse(wanted).ok().filter(|wanted| wanted != address);
    let last = elsewhere.as_ref().unwrap_or(address);
    let sent = match elsewhere.is_some() {
        true => format!(", which sends one on to {},", shown(last.as_str())),
        false => String::new(),
    };
    let why = match refusal(last, budget) {
        Some(why) => why,
        None => meaning(error),
    };
    format!("{}{sent} was not opened: {why}", shown(address.as_str()))
}

/// The page went to an address by itself that cannot be had.
pub(super) fn unreached_later(unreachable: &str, budget: &Budget) -> String {
    let why = Url::parse(unreachable).ok().and_then(|url| refusal(&url, budget));
    let why = why.unwrap_or_else(|| "it cannot be reached".to_owned());
    format!(
        "the page goes on to {}, which was not opened: {why}",
        shown(unreachable)
    )
}

fn refusal(url: &Url, budget: &Budget) -> Option<String> {
    let host = match url.host()? {
        url::Host::Ipv6(address) => address.to_string(),
        host => host.to_string(),
    };
    budget.refusal_of(&host)
}

fn meaning(error: &str) -> String {
    match error {
        "ERR_ABORTED" => "it is a file to be downloaded, or nothing to look at. Try web_scrape".to_owned(),
        "ERR_TOO_MANY_REDIRECTS" => "it sends one on in a circle".to_owned(),
        "ERR_EMPTY_RESPONSE" | "ERR_CONNECTION_CLOSED" | "ERR_CONNECTION_RESET" => {
            "it closed the connection without an answer".to_owned()
        }
        "ERR_TUNNEL_CONNECTION_FAILED" | "ERR_PROXY_CONNECTION_FAILED" => "it cannot be reached".to_owned(),
        "ERR_UNSAFE_PORT" => "nobody serves pages on that port".to_owned(),
        certificate if certificate.starts_with("ERR_CERT") => {
            format!("its certificate is not valid ({certificate})")
        }
        error => format!("the browser says {}", plain::line(error, 60)),
    }
}

fn shown(address: &str) -> String {
    plain::line(address, 200)
}
