//! The addresses that an operator may give, and how long what lives there is waited for.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;
use runtime::ports::{ModelWarning, Patience};
use settings::Settings;

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
    let query = match url.query() {
        None | Some("") => String::new(),
        Some(query) if is_api_version(query) => format!("?{query}"),
        Some(_) => return Err("an address with a ? part other than ?api-version=".to_owned()),
    };
    if url.fragment().is_some() {
        return Err("an address with a # part".to_owned());
    }
    let path = match url.path().trim_end_matches('/') {
        "" => path_if_none,
        path => path,
    };
    Ok(format!("{}{path}{query}", url.origin().ascii_serialization()))
}

/// Azure wants to know which version is meant. Nothing else may stand there: keys would be shown in the inspector.
fn is_api_version(query: &str) -> bool {
    query.strip_prefix("api-version=").is_some_and(|version| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        !version.is_empty() && version.len() <= 40 && version.chars().all(plain)
    })
}

/// What comes below an address, before its query; a beginning of the path that the address has already is not repeated.
pub(crate) fn below(base_url: &str, beginning: &str, path: &str) -> String {
    let (base, query) = match base_url.split_once('?') {
        Some((base, query)) => (base, Some(query)),
        None => (base_url, None),
    };
    let base = base.strip_suffix(beginning).unwrap_or(base);
    match query {
        Some(query) if path.contains('?') => format!("{base}{beginning}{path}&{query}"),
        Some(query) => format!("{base}{beginning}{path}?{query}"),
        None => format!("{base}{beginning}{path}"),
    }
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

/// How long a server is waited for: one nearby may have to load its model first.
pub(crate) fn patience(base_url: &str, settings: &Settings) -> Patience {
    let llm = &settings.llm;
    let first_byte = match is_nearby(base_url) {
        true => llm.local_first_byte_seconds,
        false => llm.first_byte_seconds,
    };
    Patience {
        first_byte: Duration::from_secs(first_byte),
        stall: Duration::from_secs(llm.stall_seconds),
        while_it_works: is_nearby(base_url) && llm.waits_while_it_works(),
    }
}

/// What an operator should know of patience that never comes to its end, because the whole answer has less time.
pub(crate) fn patience_warning(base_url: &str, settings: &Settings) -> Option<ModelWarning> {
    let llm = &settings.llm;
    let (key, seconds) = match is_nearby(base_url) {
        true => ("llm.localFirstByteSeconds", llm.local_first_byte_seconds),
        false => ("llm.firstByteSeconds", llm.first_byte_seconds),
    };
    let whole = llm.reply_seconds(is_nearby(base_url));
    (seconds > whole).then(|| ModelWarning {
        text: format!(
            "{key} is {seconds}, but llm.timeoutSeconds gives up every reply after {whole} s, whether it has begun or not. Raise llm.timeoutSeconds above {seconds}, or lower {key} to less than {whole}"
        ),
        broken: false,
    })
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
