//! The address at which people open it, where a proxy stands before it.

use std::fmt;
use std::str::FromStr;

use axum::http::{HeaderMap, Uri, header};
use thiserror::Error;

/// Where people open it: a scheme, a host, and a port where it is not the usual one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicAddress {
    is_https: bool,
    /// In small letters, without the usual port.
    authority: String,
}

/// No address at which anybody could open it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "“{0}” is no address at which people could open it. Give a scheme and a name, and a port where it is not the usual one, such as https://talk.example; no path: a proxy must pass on everything"
)]
pub struct NoPublicAddress(String);

impl FromStr for PublicAddress {
    type Err = NoPublicAddress;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || NoPublicAddress(text.to_owned());
        let uri: Uri = text.trim().parse().map_err(|_| refused())?;
        let is_https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(refused()),
        };
        let authority = uri.authority().ok_or_else(refused)?.as_str();
        let is_plain = !authority.contains('@') && uri.query().is_none() && matches!(uri.path(), "" | "/");
        if !is_plain || uri.host().is_none_or(str::is_empty) {
            return Err(refused());
        }
        Ok(Self {
            is_https,
            authority: without_usual_port(authority, is_https),
        })
    }
}

impl fmt::Display for PublicAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_https { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority)
    }
}

impl PublicAddress {
    /// Whether it is opened by TLS: without, browsers let no page share a screen.
    pub fn is_https(&self) -> bool {
        self.is_https
    }

    /// The name alone, without a port.
    pub(crate) fn host(&self) -> &str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
            _ => &self.authority,
        }
    }

    /// Whether a request came from a page of this address.
    pub(crate) fn is_origin(&self, origin: &str) -> bool {
        origin.eq_ignore_ascii_case(&self.to_string())
    }

    /// Whether a request came by TLS as far as its headers tell: it was for this address, or from a page of it.
    pub(crate) fn is_by_tls(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let asked = text(header::HOST).map(|host| without_usual_port(host, self.is_https));
        let is_here = asked.is_some_and(|host| host == self.authority);
        self.is_https && (is_here || text(header::ORIGIN).is_some_and(|origin| self.is_origin(origin)))
    }
}

fn without_usual_port(authority: &str, is_https: bool) -> String {
    let usual = if is_https { ":443" } else { ":80" };
    authority
        .strip_suffix(usual)
        .unwrap_or(authority)
        .to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_scheme_and_a_name_and_perhaps_a_port() {
        for (text, shown, host) in [
            ("https://talk.example", "https://talk.example", "talk.example"),
            (
                "https://Talk.Example:443/",
                "https://talk.example",
                "talk.example",
            ),
            (
                "https://talk.example:8443",
                "https://talk.example:8443",
                "talk.example",
            ),
            ("http://[2001:db8::7]:80", "http://[2001:db8::7]", "[2001:db8::7]"),
        ] {
            let address: PublicAddress = text.parse().expect(text);
            assert_eq!((address.to_string().as_str(), address.host()), (shown, host));
        }
        for text in [
            "",
            "talk.example",
            "wss://talk.example",
            "https://",
            "https://talk.example/denizen",
            "https://ann@talk.example",
            "https://talk.example?x=1",
        ] {
            let refused = PublicAddress::from_str(text).expect_err(text).to_string();
            assert!(
                refused.contains(text) && refused.contains("https://talk.example"),
                "{refused}"
            );
        }
    }
}
