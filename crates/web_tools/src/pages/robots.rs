//! What sites ask of robots, and keeping to it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use fetching::{FetchPolicy, Fetcher, Validators, Wanted};
use tokio::time::Instant;
use url::Url;

use crate::plain;

/// By what name a site speaks to us.
const OUR_NAME: &str = "denizen";
const KEPT_FOR: Duration = Duration::from_secs(3_600);
const SITES_KEPT_MAX: usize = 128;
/// Sites need not be read any further than this.
const ROBOTS_BYTES_MAX: usize = 512 << 10;
const FETCH_TIME_MAX: Duration = Duration::from_secs(5);

/// The wishes of the sites that were visited of late.
#[derive(Debug, Default)]
pub(super) struct Robots {
    sites: Mutex<Vec<Site>>,
}

#[derive(Debug)]
struct Site {
    origin: String,
    asked: Instant,
    wishes: robotxt::Robots,
}

impl Robots {
    /// Whether the site of an address lets robots read it. A site without a robots.txt does, and one that cannot be
    /// asked does: it will not serve the page either.
    pub(super) async fn allow(
        &self,
        fetcher: &Fetcher,
        url: &Url,
        policy: &FetchPolicy,
        time: Duration,
    ) -> Result<(), String> {
        let origin = url.origin().ascii_serialization();
        let known = self.known(&origin, url);
        let allowed = match known {
            Some(allowed) => allowed,
            None => {
                let wishes = ask(fetcher, &origin, policy, time.min(FETCH_TIME_MAX)).await;
                let allowed = wishes.is_url_allowed(url);
                self.keep(origin, wishes);
                allowed
            }
        };
        if allowed {
            return Ok(());
        }
        Err(format!(
            "{} was not read: the site asks robots to stay away from it (robots.txt). Look for another source",
            plain::line(url.as_str(), 200)
        ))
    }

    fn known(&self, origin: &str, url: &Url) -> Option<bool> {
        let sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = sites
            .iter()
            .find(|site| site.origin == origin && site.asked.elapsed() < KEPT_FOR);
        fresh.map(|site| site.wishes.is_url_allowed(url))
    }

    fn keep(&self, origin: String, wishes: robotxt::Robots) {
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        sites.retain(|site| site.origin != origin && site.asked.elapsed() < KEPT_FOR);
        if sites.len() >= SITES_KEPT_MAX {
            sites.remove(0);
        }
        sites.push(Site {
            origin,
            asked: Instant::now(),
            wishes,
        });
    }
}

async fn ask(fetcher: &Fetcher, origin: &str, policy: &FetchPolicy, time: Duration) -> robotxt::Robots {
    let wanted = Wanted {
        url: format!("{origin}/robots.txt"),
        accept: Vec::new(),
        max_bytes: ROBOTS_BYTES_MAX,
        timeout: time,
        validators: Validators::default(),
    };
    match fetcher.fetch(&wanted, policy).await {
        // A page that says in words that there is no such file is no list of wishes.
        Ok(fetched) if fetched.status == 200 && !fetched.mime.contains("html") => {
            robotxt::Robots::parse(&fetched.bytes, OUR_NAME)
        }
        _ => robotxt::Robots::allow_all(),
    }
}
