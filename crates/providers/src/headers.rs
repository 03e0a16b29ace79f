//! Headers that an operator has every request to a provider carry: tokens in place of keys, who pays, whatever a gateway
//! wants. They hold secrets, and are treated like keys.

use std::collections::BTreeMap;

use fetching::service::ServiceClients;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use crate::catalogue::Provider;

/// Headers of one provider that are kept; no gateway wants near as many.
const HEADERS_MAX: usize = 32;

/// The connection's own, which nobody else may set.
const TAKEN: &[&str] = &[
    "host",
    "content-length",
    "content-type",
    "transfer-encoding",
    "connection",
    "accept",
    "expect",
    "upgrade",
];

/// Values of other headers that are shorter are no secrets.
const SECRET_LENGTH_MIN: usize = 16;
/// Headers that let somebody in, as keys do.
const CREDENTIALS: &[&str] = &[
    "authorization",
    "api-key",
    "x-api-key",
    "x-goog-api-key",
    "proxy-authorization",
    "ocp-apim-subscription-key",
];

/// The headers of all providers.
#[derive(Clone, Default)]
pub(crate) struct Headers {
    of: BTreeMap<Provider, Vec<Header>>,
}

#[derive(Clone)]
struct Header {
    name: HeaderName,
    value: SecretString,
    /// "OPENAI_CUSTOM_HEADERS is in the environment".
    origin: String,
}

impl Headers {
    /// Takes one; the error says what is wrong with its name or value, and never repeats the value.
    pub(crate) fn hold(
        &mut self,
        provider: Provider,
        name: &str,
        value: &str,
        origin: &str,
    ) -> Result<(), &'static str> {
        let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| "is no name of a header")?;
        if TAKEN.contains(&name.as_str()) {
            return Err("is the connection's own and cannot be given");
        }
        let value = value.trim();
        if value.is_empty() || HeaderValue::from_str(value).is_err() {
            return Err("has no value that can travel in a header");
        }
        let headers = self.of.entry(provider).or_default();
        headers.retain(|header| header.name != name);
        if headers.len() >= HEADERS_MAX {
            return Err("is one header too many");
        }
        headers.push(Header {
            name,
            value: SecretString::from(value),
            origin: origin.to_owned(),
        });
        Ok(())
    }

    /// Where the header comes from that lets Denizen in, as a sentence; none where none does.
    pub(crate) fn credential(&self, provider: Provider) -> Option<&str> {
        let mut headers = self.of.get(&provider)?.iter();
        let credential = headers.find(|header| CREDENTIALS.contains(&header.name.as_str()))?;
        Some(&credential.origin)
    }

    /// Names of the headers, for people.
    pub(crate) fn names(&self, provider: Provider) -> Vec<&str> {
        let headers = self.of.get(&provider).into_iter().flatten();
        headers.map(|header| header.name.as_str()).collect()
    }

    /// The values that let somebody in or look as if they did, to take them out of what is shown: a title is no secret.
    pub(crate) fn secrets(&self, provider: Provider) -> impl Iterator<Item = &str> {
        let headers = self.of.get(&provider).into_iter().flatten();
        headers.filter_map(|header| {
            let value = header.value.expose_secret();
            let value = value.strip_prefix("Bearer ").unwrap_or(value);
            let is_credential = CREDENTIALS.contains(&header.name.as_str());
            let looks_secret = value.len() >= SECRET_LENGTH_MIN && !value.contains([' ', '/']);
            (is_credential || looks_secret).then_some(value)
        })
    }

    /// Each with its value.
    pub(crate) fn sent(&self, provider: Provider) -> impl Iterator<Item = (&str, &str)> {
        let headers = self.of.get(&provider).into_iter().flatten();
        headers.map(|header| (header.name.as_str(), header.value.expose_secret()))
    }

    /// Clients whose every request carries them.
    pub(crate) fn clients(&self, provider: Provider) -> ServiceClients {
        let headers = self.of.get(&provider).into_iter().flatten();
        let headers: HeaderMap = headers
            .filter_map(|header| {
                let mut value = HeaderValue::from_str(header.value.expose_secret()).ok()?;
                value.set_sensitive(true);
                Some((header.name.clone(), value))
            })
            .collect();
        match headers.is_empty() {
            true => ServiceClients::default(),
            false => ServiceClients::with_headers(&headers),
        }
    }

    pub(crate) fn providers(&self) -> impl Iterator<Item = Provider> {
        self.of.keys().copied()
    }
}
