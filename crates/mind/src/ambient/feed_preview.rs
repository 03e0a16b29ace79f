//! What a thought would be shown of a feed, if it looked now and nothing were left to chance.

use settings::Settings;
use vocabulary::{FeedItem, FeedSource, Span, WallTime};

use super::feed::{Candidate, Choosing, SourceTally, choose};
use super::view::AmbientView;

/// Candidates that are shown.
const SHOWN_MAX: usize = 20;
/// The middle of 0 to 99: chance adds nothing and takes nothing.
const NO_CHANCE: u64 = 50;

impl AmbientView {
    /// The sources it has added itself.
    pub fn own_sources(&self) -> Vec<FeedSource> {
        let own = self.sources.iter().filter(|source| source.own);
        own.map(|source| source.source.clone()).collect()
    }

    /// The best of some items, best first; nothing that was posted within the dedupe window.
    pub fn preview(&self, items: &[FeedItem], settings: &Settings, now: WallTime) -> Vec<Candidate> {
        let discovery = &settings.discovery;
        let sources = self.sources.iter();
        let tallies: Vec<(FeedSource, SourceTally)> = sources
            .map(|source| (source.source.clone(), source.tally.clone()))
            .collect();
        let dedupe = i64::try_from(Span::hours(discovery.dedupe_hours).0).unwrap_or(i64::MAX);
        let lately = self
            .posts
            .iter()
            .filter(|post| now.0.saturating_sub(post.at.0) < dedupe);
        let shared: Vec<String> = lately
            .flat_map(|post| post.links.iter().map(|link| link.url.clone()))
            .collect();
        choose(&Choosing {
            items,
            tallies: &tallies,
            interests: &self.interests,
            shared: &shared,
            fresh_for: Span::hours(discovery.freshness_hours),
            allow_nsfw: discovery.allow_nsfw,
            limit: SHOWN_MAX,
            randomness: 0,
            rolls: &vec![NO_CHANCE; items.len()],
            now,
        })
    }
}
