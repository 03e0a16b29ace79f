//! Who is asked, where, and with which key.

use std::fmt;

use fetching::service::{self, is_loopback_url};
use secrecy::SecretString;
use serde_json::Value;
use settings::{SearchProvider, Settings};
use url::Url;

use super::hit::Hit;
use super::{brave, searxng, tavily};

/// The keys of search services, from the environment.
#[derive(Clone, Debug, Default)]
pub struct SearchKeys {
    /// `BRAVE_API_KEY`
    pub brave: Option<SecretString>,
    /// `TAVILY_API_KEY`
    pub tavily: Option<SecretString>,
}

impl SearchKeys {
    /// Takes them from the environment; an empty one is none.
    pub fn from_env(env: impl Fn(&str) -> Option<String>) -> Self {
        let key = |name| service::key(&env, name);
        Self {
            brave: key("BRAVE_API_KEY"),
            tavily: key("TAVILY_API_KEY"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Provider {
    Searxng,
    Brave,
    Tavily,
}

/// One service at one address.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub provider: Provider,
    pub address: Url,
    /// Shown to this address; none where it is not to see it.
    pub key: Option<SecretString>,
}

/// Why the web is not searched, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unplanned(String);

impl Plan {
    pub(crate) fn of(settings: &Settings, keys: &SearchKeys) -> Result<Self, Unplanned> {
        let (provider, key) = match settings.tools.search_provider {
            SearchProvider::Searxng => (Provider::Searxng, None),
            SearchProvider::Brave => (Provider::Brave, keys.brave.clone()),
            SearchProvider::Tavily => (Provider::Tavily, keys.tavily.clone()),
            SearchProvider::None => {
                return unplanned(
                    "nobody is chosen to search the web: set tools.searchProvider to searxng, brave or tavily",
                );
            }
        };
        let given = settings.tools.search_url.trim();
        if given.is_empty() {
            let Some(own) = provider.own_address() else {
                return unplanned(
                    "tools.searchUrl is empty: set it to the address of your SearXNG, such as http://127.0.0.1:8888",
                );
            };
            if key.is_none() {
                return unplanned(&format!(
                    "{} wants a key: put it into {} in the environment and start Denizen again",
                    provider.name(),
                    provider.key_name()
                ));
            }
            let address = Url::parse(own).expect("the address of a service, written here");
            return Ok(Self {
                provider,
                address,
                key,
            });
        }
        let address = address_of(given, provider)?;
        // Who may change settings must not be able to have a key sent to a host of theirs.
        let key = key.filter(|_| is_loopback_url(&address));
        Ok(Self {
            provider,
            address,
            key,
        })
    }

    /// Who is asked and where, for a person.
    pub(crate) fn told(&self) -> String {
        let own = self.provider.own_address() == Some(self.address.as_str());
        match own {
            true => format!("asks {}; queries leave this machine", self.provider.name()),
            false => format!(
                "asks {} at {}",
                self.provider.name(),
                self.address.origin().ascii_serialization()
            ),
        }
    }
}

impl Provider {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Searxng => "SearXNG",
            Self::Brave => "Brave Search",
            Self::Tavily => "Tavily",
        }
    }

    pub(super) fn key_name(self) -> &'static str {
        match self {
            Self::Searxng => "no key",
            Self::Brave => "BRAVE_API_KEY",
            Self::Tavily => "TAVILY_API_KEY",
        }
    }

    fn own_address(self) -> Option<&'static str> {
        match self {
            Self::Searxng => None,
            Self::Brave => Some("https://api.search.brave.com/res/v1/web/search"),
            Self::Tavily => Some("https://api.tavily.com/search"),
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Searxng | Self::Tavily => "/search",
            Self::Brave => "/res/v1/web/search",
        }
    }

    /// What an answer of the service says.
    pub(super) fn read(self, answer: &Value) -> Result<Vec<Hit>, String> {
        let hits = match self {
            Self::Searxng => searxng::hits(answer),
            Self::Brave => brave::hits(answer),
            Self::Tavily => tavily::hits(answer),
        };
        hits.ok_or_else(|| {
            format!(
                "{} answered something else than a list of results: check tools.searchUrl and tools.searchProvider",
                self.name()
            )
        })
    }
}

impl fmt::Display for Unplanned {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The address to ask: what the operator gave, with the service's path where it lacks it.
fn address_of(given: &str, provider: Provider) -> Result<Url, Unplanned> {
    let mut url = match Url::parse(given) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => url,
        // Not repeated: people put keys into addresses.
        _ => return unplanned("tools.searchUrl is no address: set it to one like http://127.0.0.1:8888"),
    };
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        return unplanned(
            "tools.searchUrl has a password or a ? part, which would be shown to whoever sees the settings: set it without",
        );
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if path.ends_with(provider.path()) {
        url.set_path(&path);
    } else {
        url.set_path(&format!("{path}{}", provider.path()));
    }
    url.set_fragment(None);
    Ok(url)
}

fn unplanned<T>(why: &str) -> Result<T, Unplanned> {
    Err(Unplanned(why.to_owned()))
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
