//! What the tests share: sources, wishes, settings, and documents in the shape of the real ones.

use std::time::Duration;

use discovery::{Bases, Feeds};
use runtime::ports::Discovery;
use settings::Settings;
use vocabulary::{FeedFamily, FeedHarvest, FeedSource, FeedWish, SourceReport, Span, WallTime};

use crate::server::Server;

/// 2 January 2030, noon.
pub const NOW: i64 = 1_893_585_600_000;

pub fn source(family: FeedFamily, name: impl Into<String>) -> FeedSource {
    FeedSource {
        family,
        name: name.into(),
    }
}

pub fn rss(url: impl Into<String>) -> FeedSource {
    source(FeedFamily::Rss, url)
}

pub fn wish(sources: &[FeedSource]) -> FeedWish {
    FeedWish {
        sources: sources.to_vec(),
        per_source: 10,
        fresh_for: Span(96 * 3_600_000),
        allow_nsfw: false,
        x_bridge: String::new(),
        now: WallTime(NOW),
    }
}

/// Every family is served by one server.
pub fn feeds_at(server: &Server) -> Feeds {
    let base = server.url("");
    Feeds::with_bases(Bases {
        reddit: base.clone(),
        hacker_news: base.clone(),
        youtube: base,
    })
}

pub fn allowing(servers: &[&Server]) -> Settings {
    let mut settings = Settings::default();
    settings.tools.allowed_private_hosts = servers.iter().map(|server| server.address.to_string()).collect();
    settings
}

/// Reads one source of a server that is allowed.
pub async fn read_one(feeds: &Feeds, server: &Server, source: &FeedSource) -> (FeedHarvest, SourceReport) {
    let found = feeds
        .gather(&wish(std::slice::from_ref(source)), &allowing(&[server]))
        .await;
    let report = found.reports[0].clone();
    (found, report)
}

pub fn titles(found: &FeedHarvest) -> Vec<&str> {
    found.items.iter().map(|item| item.title.as_str()).collect()
}

/// An RSS feed with these items: path and hours of age.
pub fn rss_feed(title: &str, items: &[(&str, u32)]) -> String {
    let items: String = items
        .iter()
        .map(|(path, age)| {
            let day = 2 - age / 24;
            let hour = 12 - age % 24;
            format!(
                "<item><title>{path}</title><link>https://example.org/{path}</link>\
                 <pubDate>{day:02} Jan 2030 {hour:02}:00:00 GMT</pubDate></item>"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel><title>{title}</title>{items}</channel></rss>"
    )
}

/// Lets time pass without waiting for it.
pub async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}
