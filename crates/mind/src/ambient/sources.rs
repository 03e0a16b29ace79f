//! What it reads: the operator's sources, and those it has added itself.

use settings::Settings;
use vocabulary::{FeedFamily, FeedSource, FeedWish, Span, WallTime};

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

/// What is to be collected: the operator's sources first, and its own as far as there is room for them.
pub fn wish(settings: &Settings, own: &[FeedSource], now: WallTime) -> FeedWish {
    let discovery = &settings.discovery;
    let mut sources: Vec<FeedSource> = Vec::new();
    let all = configured(settings).into_iter().chain(own.iter().cloned());
    for source in all.filter(|source| is_on(source.family, settings)) {
        let taken = sources
            .iter()
            .filter(|taken| taken.family == source.family)
            .count();
        if taken < discovery.max_sources_per_type as usize && !sources.contains(&source) {
            sources.push(source);
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
