//! The tools of the web behind the port that the runtime knows.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use fetching::{FetchPolicy, Fetcher};
use runtime::ports::{ToolStatus, Toolbox};
use settings::Settings;
use tokio::time::{Instant, sleep};
use vocabulary::{OutsideTool, Span, ToolCall};

use crate::arguments::{self, BrowseErrand, PageErrand};
use crate::browser::{self, Browsers, PageView};
use crate::offers;
use crate::pages::{Page, Pages};
use crate::plain;
use crate::search::{self, Search, SearchKeys};
use crate::shelf::Shelf;

/// How often it is looked whether the browser has been installed or removed.
const BROWSER_LOOK_EVERY: Duration = Duration::from_secs(60);

/// Looks things up on the web.
#[derive(Debug)]
pub struct WebTools {
    fetcher: Fetcher,
    search: Search,
    pages: Pages,
    browsers: Browsers,
    pages_read: Shelf<Arc<Page>>,
    pages_seen: Shelf<Arc<PageView>>,
    /// The settings that were asked about last, as far as finding a browser goes.
    browser_wish: Mutex<Settings>,
}

impl WebTools {
    /// With the keys of the search services.
    pub fn new(keys: SearchKeys) -> Self {
        Self::with_fetcher(keys, Fetcher::new())
    }

    /// The same, with another way to the web: whoever resolves names for it.
    pub fn with_fetcher(keys: SearchKeys, fetcher: Fetcher) -> Self {
        Self {
            search: Search::new(keys),
            pages: Pages::new(fetcher.clone()),
            browsers: Browsers::default(),
            pages_read: Shelf::default(),
            pages_seen: Shelf::default(),
            browser_wish: Mutex::default(),
            fetcher,
        }
    }

    fn find_browser(&self, settings: &Settings) -> Result<PathBuf, String> {
        if !settings.tools.browser {
            return Err("the browser is switched off: set tools.browser to true".to_owned());
        }
        browser::find(settings)
    }

    async fn scrape(
        &self,
        errand: &PageErrand,
        settings: &Settings,
        time: Duration,
    ) -> Result<String, String> {
        if !settings.tools.pages {
            return Err("reading pages is switched off: set tools.pages to true".to_owned());
        }
        let key = errand.url.as_str();
        let kept = self.pages_read.find(key).filter(|_| errand.from > 0);
        let page = match kept {
            Some(page) => page,
            None => {
                let page = Arc::new(self.pages.read(&errand.url, &policy(settings), time).await?);
                self.pages_read.keep(key, page.clone());
                page
            }
        };
        Ok(page.tell(errand))
    }

    async fn browse(
        &self,
        errand: &BrowseErrand,
        settings: &Settings,
        time: Duration,
    ) -> Result<String, String> {
        let end = Instant::now() + time;
        let program = self.find_browser(settings)?;
        let key = errand.page.url.as_str();
        let kept = self.pages_seen.find(key).filter(|_| errand.page.from > 0);
        let sight = match kept {
            Some(sight) => sight,
            None => {
                let policy = policy(settings);
                self.pages.allowed(&errand.page.url, &policy, time / 4).await?;
                let left = end.saturating_duration_since(Instant::now());
                let way = (self.fetcher.clone(), policy);
                let seen = self.browsers.browse(&program, errand, way, left).await?;
                let showing = tokio::task::spawn_blocking(move || browser::show(&seen));
                let sight = Arc::new(
                    showing
                        .await
                        .map_err(|_| "what the page shows is broken".to_owned())?,
                );
                self.pages_seen.keep(key, sight.clone());
                sight
            }
        };
        Ok(sight.tell(errand))
    }
}

#[async_trait]
impl Toolbox for WebTools {
    async fn tools(&self, settings: &Settings) -> Vec<OutsideTool> {
        *self.browser_wish.lock().unwrap_or_else(PoisonError::into_inner) = settings.clone();
        let mut tools = Vec::new();
        if self.search.plan(settings).is_ok() {
            tools.push(offers::search(settings));
        }
        if settings.tools.pages {
            tools.push(offers::scrape(settings));
        }
        if self.find_browser(settings).is_ok() {
            tools.push(offers::browse(settings));
        }
        tools
    }

    async fn changed(&self) {
        let wish = || {
            self.browser_wish
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        };
        let settings = wish();
        let before = self.find_browser(&settings).is_ok();
        loop {
            sleep(BROWSER_LOOK_EVERY).await;
            if self.find_browser(&settings).is_ok() != before {
                return;
            }
        }
    }

    async fn run(&self, call: &ToolCall, deadline: Span, settings: &Settings) -> Result<String, String> {
        let time = Duration::from_millis(deadline.0);
        let run = async {
            match call.name.as_str() {
                offers::SEARCH => {
                    let errand = arguments::search(&call.arguments, search::HITS_MAX)?;
                    self.search.run(&errand, settings, time).await
                }
                offers::SCRAPE => {
                    let errand = arguments::page(offers::SCRAPE, &call.arguments)?;
                    self.scrape(&errand, settings, time).await
                }
                offers::BROWSE => {
                    let errand = arguments::browse(&call.arguments)?;
                    self.browse(&errand, settings, time).await
                }
                other => Err(format!("there is no tool {}", plain::line(other, 60))),
            }
        };
        run.await.map_err(|why| plain::line(&why, 600))
    }

    async fn status(&self, settings: &Settings) -> Vec<ToolStatus> {
        let searching = match self.search.plan(settings) {
            Ok(plan) => Ok(plan.told()),
            Err(unplanned) => Err(unplanned.to_string()),
        };
        let reading = match settings.tools.pages {
            true => Ok("reads public pages; sites that ask robots to stay away are left alone".to_owned()),
            false => Err("reading pages is switched off: set tools.pages to true".to_owned()),
        };
        let browsing = self
            .find_browser(settings)
            .map(|program| format!("opens pages in {}", program.display()));
        vec![
            status(offers::SEARCH, searching),
            status(offers::SCRAPE, reading),
            status(offers::BROWSE, browsing),
        ]
    }
}

/// Reads one page, for a command line.
pub async fn scrape_once(url: &str, settings: &Settings) -> Result<String, String> {
    once(offers::SCRAPE, serde_json::json!({ "url": url }), settings).await
}

/// Opens one page in the browser, for a command line.
pub async fn browse_once(
    url: &str,
    wait_for: Option<&str>,
    question: Option<&str>,
    settings: &Settings,
) -> Result<String, String> {
    let arguments = serde_json::json!({ "url": url, "wait_for": wait_for, "question": question });
    once(offers::BROWSE, arguments, settings).await
}

async fn once(tool: &str, arguments: serde_json::Value, settings: &Settings) -> Result<String, String> {
    let offer = match tool {
        offers::BROWSE => offers::browse(settings),
        _ => offers::scrape(settings),
    };
    let call = ToolCall {
        id: String::new(),
        name: tool.to_owned(),
        arguments,
    };
    let curiosity = WebTools::new(SearchKeys::default());
    curiosity.run(&call, offer.deadline, settings).await
}

fn policy(settings: &Settings) -> FetchPolicy {
    FetchPolicy {
        allowed_private_hosts: settings.tools.allowed_private_hosts.clone(),
    }
}

fn status(name: &str, how: Result<String, String>) -> ToolStatus {
    ToolStatus {
        name: name.to_owned(),
        ready: how.is_ok(),
        tools: if how.is_ok() {
            vec![name.to_owned()]
        } else {
            Vec::new()
        },
        detail: how.unwrap_or_else(|why| why),
    }
}
