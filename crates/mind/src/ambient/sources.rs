//! What it reads: the operator's sources, those it has added itself, how each has done, and what was shared lately.

use gist::links::canonical;
use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{FeedFamily, FeedHarvest, FeedSource, FeedWish, Moment, SourceReport, Span, WallTime};

use super::feed::SourceTally;
use super::view::{PostLink, SourceView};

/// Sources whose tallies are kept.
const TALLIES_MAX: usize = 400;
/// Addresses that are remembered as shared.
const SHARED_MAX: usize = 2_000;

/// The operator's sources of the families that are switched on, each once.
pub fn configured(settings: &Settings) -> Vec<FeedSource> {
    let (discovery, on) = (&settings.discovery, &settings.discovery_sources);
    let mut sources: Vec<FeedSource> = Vec::new();
    let mut add = |family: FeedFamily, wanted: bool, names: &[String]| {
        for name in names.iter().filter(|_| wanted) {
            let source = FeedSource {
                family,
                name: plain_name(family, name),
            };
            if !source.name.is_empty() && !sources.contains(&source) {
                sources.push(source);
            }
        }
    };
    add(FeedFamily::Reddit, on.reddit, &discovery.reddit_subreddits);
    add(FeedFamily::HackerNews, on.hacker_news, &["top".to_owned()]);
    add(FeedFamily::Youtube, on.youtube, &discovery.youtube_channel_ids);
    add(FeedFamily::Rss, on.rss, &discovery.rss_feeds);
    add(
        FeedFamily::X,
        on.x && !discovery.x_bridge_url.is_empty(),
        &discovery.x_handles,
    );
    sources
}

/// Whether a family is read at all.
pub fn is_on(family: FeedFamily, settings: &Settings) -> bool {
    let on = &settings.discovery_sources;
    match family {
        FeedFamily::Reddit => on.reddit,
        FeedFamily::HackerNews => on.hacker_news,
        FeedFamily::Youtube => on.youtube,
        FeedFamily::Rss => on.rss,
        FeedFamily::X => on.x && !settings.discovery.x_bridge_url.is_empty(),
    }
}

/// A source's name without the marks people put before it.
pub fn plain_name(family: FeedFamily, name: &str) -> String {
    let name = name.trim();
    let name = match family {
        FeedFamily::Reddit => {
            let name = name.trim_matches('/');
            name.strip_prefix("r/").unwrap_or(name)
        }
        FeedFamily::X => name.trim_start_matches('@'),
        FeedFamily::HackerNews | FeedFamily::Youtube | FeedFamily::Rss => name,
    };
    name.to_owned()
}

/// The source that a model or a person names; what is wrong with the name where there is none.
pub fn named(family: &str, name: &str) -> Result<FeedSource, String> {
    let wanted = family.trim().to_lowercase();
    let Some(family) = FeedFamily::ALL.into_iter().find(|family| family.name() == wanted) else {
        return Err("the argument `family` is one of reddit, youtube, rss, x".to_owned());
    };
    let name = plain_name(family, name);
    let name = match family {
        FeedFamily::Rss => canonical(&name)
            .ok_or("the argument `name` of a feed is its address, with http:// or https://")?,
        _ => name,
    };
    Ok(FeedSource { family, name })
}

/// What is to be collected: all of the operator's sources, and its own as far as there is room for them.
pub fn wish(settings: &Settings, own: &[FeedSource], now: WallTime) -> FeedWish {
    let discovery = &settings.discovery;
    // What the operator has named is read, however much it is.
    let mut sources = configured(settings);
    for source in own.iter().filter(|source| is_on(source.family, settings)) {
        let taken = sources
            .iter()
            .filter(|taken| taken.family == source.family)
            .count();
        if taken < discovery.max_sources_per_type as usize && !sources.contains(source) {
            sources.push(source.clone());
        }
    }
    FeedWish {
        sources,
        per_source: discovery.source_fetch_limit as usize,
        fresh_for: Span::hours(discovery.freshness_hours),
        allow_nsfw: discovery.allow_nsfw,
        x_bridge: discovery.x_bridge_url.clone(),
        now,
    }
}

/// A source it has added itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OwnSource {
    pub source: FeedSource,
    pub added_at: WallTime,
    pub reason: String,
}

/// Sources and what came of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sources {
    pub own: Vec<OwnSource>,
    pub tallies: Vec<(FeedSource, SourceTally)>,
    shared: Vec<(Moment, String)>,
    reports: Vec<(WallTime, SourceReport)>,
}

impl Sources {
    pub fn own_ones(&self) -> Vec<FeedSource> {
        self.own.iter().map(|own| own.source.clone()).collect()
    }

    /// Remembers what became of each source.
    pub fn read(&mut self, found: &FeedHarvest, now: WallTime) {
        for report in &found.reports {
            self.reports.retain(|(_, known)| known.source != report.source);
            self.reports.push((now, report.clone()));
        }
        let surplus = self.reports.len().saturating_sub(TALLIES_MAX);
        self.reports.drain(..surplus);
    }

    pub fn tally(&mut self, source: &FeedSource) -> &mut SourceTally {
        let place = self.tallies.iter().position(|(known, _)| known == source);
        let place = place.unwrap_or_else(|| {
            if self.tallies.len() >= TALLIES_MAX {
                self.tallies.remove(0);
            }
            self.tallies.push((source.clone(), SourceTally::default()));
            self.tallies.len() - 1
        });
        &mut self.tallies[place].1
    }

    /// Links of a post are not offered again for a while.
    pub fn shared(&mut self, links: &[PostLink], now: Moment) {
        for link in links {
            self.shared.push((now, link.url.clone()));
            if let Some(source) = &link.source {
                self.tally(&source.clone()).shared += 1;
            }
        }
        let surplus = self.shared.len().saturating_sub(SHARED_MAX);
        self.shared.drain(..surplus);
    }

    /// Addresses that were shared within the dedupe window.
    pub fn shared_lately(&self, settings: &Settings, now: Moment) -> Vec<String> {
        let window = Span::hours(settings.discovery.dedupe_hours);
        let lately = self.shared.iter().filter(|(at, _)| now.since(*at) < window);
        lately.map(|(_, url)| url.clone()).collect()
    }

    pub fn is_own(&self, source: &FeedSource) -> bool {
        self.own.iter().any(|own| own.source == *source)
    }

    /// Why a source cannot be added; the operator's guardrails.
    pub fn refuses(&self, source: &FeedSource, settings: &Settings) -> Option<String> {
        let known = configured(settings);
        let (family, limit) = (source.family, settings.discovery.max_sources_per_type);
        let taken = known.iter().filter(|known| known.family == family).count()
            + self.own.iter().filter(|own| own.source.family == family).count();
        if source.name.is_empty() {
            Some("the argument `name` is empty: give the source".to_owned())
        } else if family == FeedFamily::HackerNews {
            Some("Hacker News is one source, and the operator's".to_owned())
        } else if !is_on(family, settings) {
            Some(format!(
                "sources of the family {} are switched off",
                family.name()
            ))
        } else if known.contains(source) || self.is_own(source) {
            Some("that source is read already".to_owned())
        } else if taken as u64 >= limit {
            Some(format!(
                "there are {taken} sources of the family {} already, and {limit} are allowed; remove one of yours first",
                family.name()
            ))
        } else {
            None
        }
    }

    /// Everything that is read, with how it did.
    pub fn views(&self, settings: &Settings) -> Vec<SourceView> {
        let mut all = configured(settings);
        all.extend(self.own_ones());
        let view = |source: FeedSource| {
            let own = self.own.iter().find(|own| own.source == source);
            let tally = self.tallies.iter().find(|(known, _)| *known == source);
            let report = self.reports.iter().find(|(_, report)| report.source == source);
            SourceView {
                own: own.is_some(),
                added_at: own.map(|own| own.added_at),
                reason: own.map(|own| own.reason.clone()).unwrap_or_default(),
                tally: tally.map(|(_, tally)| tally.clone()).unwrap_or_default(),
                last_report: report.map(|(_, report)| report.clone()),
                last_read_at: report.map(|(at, _)| *at),
                source,
            }
        };
        all.into_iter().map(view).collect()
    }
}

#[cfg(test)]
#[path = "sources_tests.rs"]
mod sources_tests;
