//! Reading one source: asking for it, understanding it, and the second way in where the first is closed.

use std::time::Duration;

use fetching::{FetchFault, FetchPolicy, Fetched, Fetcher, Validators, Wanted};
use tokio::time::Instant;
use url::Url;

use crate::endpoint::Endpoint;
use crate::feed_parser::{self, Manner};
use crate::story::Stories;
use crate::{hacker_news, reddit, related};

/// How long the reading of a source may take, second way in included.
pub(crate) const READING_TIMEOUT: Duration = Duration::from_secs(9);

/// Largest feed; long-lived podcasts have some of several megabytes.
const MOST_BYTES: usize = 6_000_000;

const JSON: [&str; 1] = ["application/json"];
const LISTING: [&str; 2] = ["application/json", "*/*;q=0.1"];

/// Feeds are sent as all kinds of things, so anything is taken and looked at.
const FEED: [&str; 6] = [
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
    "application/xml;q=0.9",
    "text/xml;q=0.9",
    "*/*;q=0.1",
];

/// What is known from the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remembered {
    /// The way in that worked, where it was not the first.
    pub(crate) way_in: Option<String>,
    /// Which address was read, and what its server said of it.
    pub(crate) address: String,
    pub(crate) validators: Validators,
}

/// What reading came to.
#[derive(Debug)]
pub(crate) struct Read {
    /// None: nothing has changed.
    pub(crate) stories: Option<Stories>,
    pub(crate) remembered: Remembered,
}

/// Why a source could not be read; for a person.
#[derive(Clone, Debug)]
pub(crate) struct ReadFault {
    pub(crate) words: String,
    pub(crate) retry_after: Option<Duration>,
}

impl From<FetchFault> for ReadFault {
    fn from(fault: FetchFault) -> Self {
        Self {
            words: fault.to_string(),
            retry_after: fault.retry_after(),
        }
    }
}

impl ReadFault {
    fn of(words: String) -> Self {
        Self {
            words,
            retry_after: None,
        }
    }
}

/// One reading.
pub(crate) struct Reading<'a> {
    fetcher: &'a Fetcher,
    policy: &'a FetchPolicy,
    known: &'a Remembered,
    until: Instant,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(fetcher: &'a Fetcher, policy: &'a FetchPolicy, known: &'a Remembered) -> Self {
        Self {
            fetcher,
            policy,
            known,
            until: Instant::now() + READING_TIMEOUT,
        }
    }

    pub(crate) async fn of(&self, endpoint: &Endpoint) -> Result<Read, ReadFault> {
        match endpoint {
            Endpoint::Reddit { listing, feed } => self.subreddit(listing, feed).await,
            Endpoint::HackerNews { search } => {
                let fetched = self.fetch(search, &JSON).await?;
                self.understood(search, fetched, None, |text, _| hacker_news::front_page(text))
                    .await
            }
            Endpoint::Feed { url } => self.feed_or_page(url).await,
            Endpoint::Bridge { url } => self.feed(url, Manner::Bridge, None).await,
        }
    }

    async fn subreddit(&self, listing: &str, feed: &str) -> Result<Read, ReadFault> {
        let way_in = Some(feed.to_owned());
        if self.known.way_in == way_in {
            return self.feed(feed, Manner::Reddit, way_in).await;
        }
        let refusal = match self.fetch(listing, &LISTING).await {
            Ok(fetched) => {
                let read = self.understood(listing, fetched, None, |text, _| reddit::listing(text));
                match read.await {
                    Ok(read) => return Ok(read),
                    // A page instead of a listing asks who is there.
                    Err(fault) => fault.words,
                }
            }
            Err(fault) if matches!(fault.status(), Some(401 | 403)) => fault.to_string(),
            Err(fault) if fault.status() == Some(404) => {
                return Err(ReadFault::of(
                    "there is no such subreddit, or it was closed".to_owned(),
                ));
            }
            Err(fault) => return Err(fault.into()),
        };
        // Reddit closes its listings to some networks and leaves its feeds open.
        tracing::debug!(refusal, "the listing cannot be had; its feed is read");
        self.feed(feed, Manner::Reddit, way_in).await
    }

    async fn feed_or_page(&self, url: &str) -> Result<Read, ReadFault> {
        let address = self.known.way_in.as_deref().unwrap_or(url);
        let fetched = self.fetch(address, &FEED).await?;
        let text = fetched.text();
        if fetched.not_modified || !related::is_page(&fetched.mime, &text) {
            let way_in = self.known.way_in.clone();
            return self.understood(address, fetched, way_in, plain_feed).await;
        }
        match related::feed_of_page(&text, &fetched.url) {
            Some(feed) => {
                self.feed(feed.as_str(), Manner::Plain, Some(feed.to_string()))
                    .await
            }
            None => Err(ReadFault::of(format!(
                "{} is a page that names no feed; give the address of its RSS, Atom or JSON feed",
                shown(&fetched.url)
            ))),
        }
    }

    async fn feed(&self, url: &str, manner: Manner, way_in: Option<String>) -> Result<Read, ReadFault> {
        let fetched = self.fetch(url, &FEED).await?;
        let parse = move |text: &str, base: &Url| feed_parser::parse(text, base, &manner);
        self.understood(url, fetched, way_in, parse).await
    }

    async fn fetch(&self, url: &str, accept: &[&str]) -> Result<Fetched, FetchFault> {
        let validators = match self.known.address == url {
            true => self.known.validators.clone(),
            false => Validators::default(),
        };
        let wanted = Wanted {
            url: url.to_owned(),
            accept: accept.iter().map(|mime| (*mime).to_owned()).collect(),
            max_bytes: MOST_BYTES,
            timeout: self.until.saturating_duration_since(Instant::now()),
            validators,
        };
        self.fetcher.fetch(&wanted, self.policy).await
    }

    async fn understood(
        &self,
        address: &str,
        fetched: Fetched,
        way_in: Option<String>,
        parse: impl FnOnce(&str, &Url) -> Result<Stories, String> + Send + 'static,
    ) -> Result<Read, ReadFault> {
        let remembered = Remembered {
            way_in,
            address: address.to_owned(),
            validators: fetched.validators.clone(),
        };
        if fetched.not_modified {
            return Ok(Read {
                stories: None,
                remembered,
            });
        }
        let place = shown(&fetched.url);
        // Megabytes of XML take their time, and a parser that panics takes only its own thread along.
        let parsed = tokio::task::spawn_blocking(move || parse(&fetched.text(), &fetched.url)).await;
        match parsed {
            Ok(Ok(stories)) => Ok(Read {
                stories: Some(stories),
                remembered,
            }),
            Ok(Err(why)) => Err(ReadFault::of(format!("{place} is not understood: {why}"))),
            Err(_) => Err(ReadFault::of(format!("{place} is not understood"))),
        }
    }
}

fn plain_feed(text: &str, base: &Url) -> Result<Stories, String> {
    feed_parser::parse(text, base, &Manner::Plain)
}

/// Without the query, in which there may be a key.
fn shown(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}
