//! The client: from an address to what is there, one checked hop after another.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, RETRY_AFTER,
};
use reqwest::{Client, Response, StatusCode, redirect};
use tokio::net::TcpStream;
use url::Url;

use crate::accepting::{ContentType, accept_header, untyped_will_do, will_do};
use crate::connecting::connect_by;
use crate::fault::{one_line, root_cause, shown};
use crate::lookup::{ClientResolver, LookupFault};
use crate::service::{Speaks, install_tls, with_tls};
use crate::{FetchFault, FetchPolicy, Fetched, Lookup, SystemLookup, Validators, Wanted};
use crate::{body, hop};

/// The one client for whatever strangers serve. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Fetcher {
    /// Resolves names to public addresses only.
    public: Client,
    /// For hosts that the operator allows by name, wherever they are.
    exempt: Client,
    lookup: Arc<dyn Lookup>,
}

impl Default for Fetcher {
    fn default() -> Self {
        Self::new()
    }
}

impl Fetcher {
    pub fn new() -> Self {
        Self::with_lookup(Arc::new(SystemLookup))
    }

    /// With names resolved by somebody else; what they resolve to is checked all the same.
    pub fn with_lookup(lookup: Arc<dyn Lookup>) -> Self {
        install_tls();
        let client = |only_public| {
            let lookup = lookup.clone();
            client_of(ClientResolver { lookup, only_public })
        };
        Self {
            public: client(true),
            exempt: client(false),
            lookup,
        }
    }

    /// Fetches with GET, following redirects, each address checked where it is connected to.
    pub async fn fetch(&self, wanted: &Wanted, policy: &FetchPolicy) -> Result<Fetched, FetchFault> {
        let url = hop::parse(&wanted.url)?;
        let late = FetchFault::failed(&url, format!("it took longer than {:?}", wanted.timeout));
        tokio::time::timeout(wanted.timeout, self.follow(url, wanted, policy))
            .await
            .unwrap_or(Err(late))
    }

    /// Opens a connection to a host, to an address that was checked.
    pub async fn connect(&self, host: &str, port: u16, policy: &FetchPolicy) -> io::Result<TcpStream> {
        connect_by(self.lookup.clone(), host, port, policy).await
    }

    async fn follow(&self, start: Url, wanted: &Wanted, policy: &FetchPolicy) -> Result<Fetched, FetchFault> {
        let mut seen = vec![start];
        loop {
            let url = seen[seen.len() - 1].clone();
            let met = self.meet(url, wanted, policy, &seen).await;
            match met.map_err(|fault| fault.led_to(&seen))? {
                Met::Found(fetched) => return Ok(*fetched),
                Met::Redirect(next) => seen.push(next),
            }
        }
    }

    /// What is at one address.
    async fn meet(
        &self,
        url: Url,
        wanted: &Wanted,
        policy: &FetchPolicy,
        seen: &[Url],
    ) -> Result<Met, FetchFault> {
        let response = self.ask(&url, wanted, policy).await?;
        let fetched = match response.status() {
            StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT => {
                return hop::next(&url, response.headers(), seen).map(Met::Redirect);
            }
            StatusCode::NOT_MODIFIED if !wanted.validators.is_empty() => {
                not_modified(url, &response, &wanted.validators)
            }
            status if status.is_success() => take(url, response, wanted).await?,
            status => return Err(answered(&url, status, response.headers())),
        };
        Ok(Met::Found(Box::new(fetched)))
    }

    async fn ask(&self, url: &Url, wanted: &Wanted, policy: &FetchPolicy) -> Result<Response, FetchFault> {
        hop::check_literal(url, policy)?;
        let client = match policy.exempts_url(url) {
            true => &self.exempt,
            false => &self.public,
        };
        let asked = client.get(url.clone()).headers(headers_for(wanted)).send().await;
        asked.map_err(|error| fault_of(url, &error))
    }
}

/// What one address had.
enum Met {
    Found(Box<Fetched>),
    Redirect(Url),
}

fn client_of(resolver: ClientResolver) -> Client {
    with_tls(Client::builder(), Speaks::Http2OrHttp1)
        .user_agent(concat!("Denizen/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(10))
        .pool_max_idle_per_host(2)
        .pool_idle_timeout(Duration::from_secs(15))
        // A proxy would resolve and connect where nothing is checked.
        .no_proxy()
        .redirect(redirect::Policy::none())
        .referer(false)
        // Decompressed here, within the limit; another crate may have these compiled in.
        .no_gzip()
        .no_deflate()
        .no_brotli()
        .no_zstd()
        .dns_resolver(Arc::new(resolver))
        .build()
        .expect("the TLS provider is installed")
}

fn headers_for(wanted: &Wanted) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, accept_header(&wanted.accept));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate"));
    let mut put = |name, value: &Option<String>| {
        if let Some(value) = value.as_ref().and_then(|value| HeaderValue::from_str(value).ok()) {
            headers.insert(name, value);
        }
    };
    put(IF_NONE_MATCH, &wanted.validators.etag);
    put(IF_MODIFIED_SINCE, &wanted.validators.last_modified);
    headers
}

async fn take(url: Url, response: Response, wanted: &Wanted) -> Result<Fetched, FetchFault> {
    let status = response.status().as_u16();
    let ContentType { mime, charset } = ContentType::of(response.headers());
    if !will_do(&mime, &wanted.accept) {
        let (is, wish) = (one_line(&mime, 60), wanted.accept.join(", "));
        return Err(FetchFault::refused(
            &url,
            format!("it is {is}, and {wish} is wanted"),
        ));
    }
    let validators = validators_of(response.headers());
    let bytes = body::read(&url, response, wanted.max_bytes).await?;
    if mime.is_empty() && !untyped_will_do(&wanted.accept, &bytes) {
        let wish = wanted.accept.join(", ");
        return Err(FetchFault::refused(
            &url,
            format!("the server does not say what it is, and {wish} is wanted"),
        ));
    }
    tracing::debug!(url = %shown(&url), status, bytes = bytes.len(), "fetched");
    Ok(Fetched {
        url,
        status,
        mime,
        charset,
        bytes,
        validators,
        not_modified: false,
    })
}

fn not_modified(url: Url, response: &Response, asked: &Validators) -> Fetched {
    let said = validators_of(response.headers());
    let ContentType { mime, charset } = ContentType::of(response.headers());
    Fetched {
        url,
        status: StatusCode::NOT_MODIFIED.as_u16(),
        mime,
        charset,
        bytes: bytes::Bytes::new(),
        validators: Validators {
            etag: said.etag.or_else(|| asked.etag.clone()),
            last_modified: said.last_modified.or_else(|| asked.last_modified.clone()),
        },
        not_modified: true,
    }
}

fn validators_of(headers: &HeaderMap) -> Validators {
    let text = |name: HeaderName| {
        let value = headers.get(name)?.to_str().ok()?;
        (value.len() <= 500).then(|| value.to_owned())
    };
    Validators {
        etag: text(ETAG),
        last_modified: text(LAST_MODIFIED),
    }
}

fn answered(url: &Url, status: StatusCode, headers: &HeaderMap) -> FetchFault {
    FetchFault::Answered {
        status: status.as_u16(),
        retry_after: retry_after(headers, Timestamp::now()),
        words: format!("{} answered {status}", shown(url)),
    }
}

/// Seconds, or a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let seconds = match value.parse::<u64>() {
        Ok(seconds) => seconds,
        Err(_) => {
            let until = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
            u64::try_from(until.as_second() - now.as_second()).unwrap_or(0)
        }
    };
    Some(Duration::from_secs(seconds.min(MOST_RETRY_SECONDS)))
}

/// A day: who asks for more is asked again all the same.
const MOST_RETRY_SECONDS: u64 = 24 * 60 * 60;

fn fault_of(url: &Url, error: &reqwest::Error) -> FetchFault {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(this) = cause {
        match this.downcast_ref::<LookupFault>() {
            Some(fault @ LookupFault::NotPublic { .. }) => return FetchFault::refused(url, fault),
            Some(fault @ LookupFault::Unknown { .. }) => return FetchFault::failed(url, fault),
            None => cause = this.source(),
        }
    }
    let what = match error {
        error if error.is_timeout() => "nobody answers".to_owned(),
        error if error.is_connect() => format!("no connection ({})", root_cause(error)),
        error => root_cause(error),
    };
    FetchFault::failed(url, what)
}

#[cfg(test)]
#[path = "fetcher_tests.rs"]
mod tests;
