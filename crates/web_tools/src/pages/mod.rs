//! `web_scrape`: one page, fetched and made readable.

mod entities;
mod kind;
mod readable;
mod robots;
mod tags;
mod tidy;

use std::time::Duration;

use fetching::{FetchFault, FetchPolicy, Fetcher, Validators, Wanted};
use tokio::time::Instant;
use url::Url;

use crate::arguments::PageErrand;
use crate::cut::{RESULT_CHARS_MAX, window};
use crate::plain;
use kind::Kind;
pub(crate) use readable::{Header, article};
use robots::Robots;

/// Largest page that is read, after decompression.
const PAGE_BYTES_MAX: usize = 4 << 20;

/// A page as it is kept for a while, to be read on.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    header: String,
    text: String,
}

impl Page {
    /// As much as fits, from where it is wanted.
    pub(crate) fn tell(&self, errand: &PageErrand) -> String {
        let room = RESULT_CHARS_MAX.saturating_sub(self.header.chars().count() + 2);
        format!("{}\n\n{}", self.header, window(&self.text, errand.from, room))
    }
}

/// Reads pages, as far as their sites let robots.
#[derive(Debug)]
pub(crate) struct Pages {
    fetcher: Fetcher,
    robots: Robots,
}

impl Pages {
    pub(crate) fn new(fetcher: Fetcher) -> Self {
        Self {
            fetcher,
            robots: Robots::default(),
        }
    }

    /// Whether the site lets robots read an address.
    pub(crate) async fn allowed(
        &self,
        url: &Url,
        policy: &FetchPolicy,
        time: Duration,
    ) -> Result<(), String> {
        self.robots.allow(&self.fetcher, url, policy, time).await
    }

    /// Fetches a page and makes it readable. Errors are for a model and a person.
    pub(crate) async fn read(&self, url: &Url, policy: &FetchPolicy, time: Duration) -> Result<Page, String> {
        let end = Instant::now() + time;
        self.allowed(url, policy, time).await?;
        let wanted = Wanted {
            url: url.to_string(),
            // Everything is taken, to say what it is when it will not do.
            accept: Vec::new(),
            max_bytes: PAGE_BYTES_MAX,
            timeout: end.saturating_duration_since(Instant::now()),
            validators: Validators::default(),
        };
        let fetched = self
            .fetcher
            .fetch(&wanted, policy)
            .await
            .map_err(|fault| told(&fault))?;
        if fetched.url != *url {
            let left = end.saturating_duration_since(Instant::now());
            self.allowed(&fetched.url, policy, left).await?;
        }
        let kind = Kind::of(&fetched.mime, &fetched.bytes);
        let address = fetched.url.clone();
        // Making sense of a large page takes a while; others do not wait for it.
        let reading = tokio::task::spawn_blocking(move || kind.read(&fetched));
        let left = end.saturating_duration_since(Instant::now());
        match tokio::time::timeout(left, reading).await {
            Ok(Ok(page)) => page,
            Ok(Err(_)) => Err(format!(
                "{} could not be read: its text is broken",
                shown(&address)
            )),
            Err(_) => Err(format!(
                "{} takes too long to read. Try another page",
                shown(&address)
            )),
        }
    }
}

fn told(fault: &FetchFault) -> String {
    let remedy = match fault.status() {
        None => "",
        Some(401..=403) => ": it does not let everybody read it. Try another page",
        Some(404 | 410) => ": there is no such page. Check the address, or search for it",
        Some(429) => ": it is asked too often. Try another page",
        Some(500..) => ": the site has trouble of its own. Try later, or another page",
        Some(_) => ". Try another page",
    };
    plain::line(&format!("{fault}{remedy}"), 500)
}

fn shown(url: &Url) -> String {
    plain::line(url.as_str(), 200)
}
