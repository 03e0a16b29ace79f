//! Which stories are offered: fresh and allowed, each page once, and no source crowding out the others.

use std::collections::BTreeSet;
use std::sync::Arc;

use vocabulary::{FeedItem, FeedSource, FeedWish, WallTime};

use crate::feed_parser::newest_first;
use crate::story::{Order, Stories, Story};

/// Items of one gathering.
const MOST_ITEMS: usize = 300;

/// A clock that is a little ahead is forgiven; a date further ahead says nothing.
const FORGIVEN_MS: i64 = 24 * 60 * 60 * 1000;

/// What of a source is fresh and allowed.
#[derive(Debug)]
pub(crate) struct Picked {
    /// Everything it has.
    pub(crate) all: usize,
    pub(crate) fresh: Vec<FeedItem>,
    pub(crate) newest: Option<WallTime>,
    /// Left out because it is not safe for work.
    pub(crate) nsfw: usize,
}

/// Picks what is fresh and allowed: in the source's own order where it ranks, else the newest first.
pub(crate) fn pick(source: &FeedSource, stories: &Arc<Stories>, wish: &FeedWish) -> Picked {
    let oldest = wish.now.0.saturating_sub_unsigned(wish.fresh_for.0);
    let mut dated: Vec<Story> = stories.stories.clone();
    for story in &mut dated {
        story.published_at = story.published_at.and_then(|at| sensible(at, wish.now));
    }
    let ranked = stories.order == Order::Ranked;
    if !ranked {
        newest_first(&mut dated);
    }
    let newest = dated.iter().filter_map(|story| story.published_at).max();
    let noticed = Noticed::among(&dated);
    let all = dated.len();
    let mut nsfw = 0;
    let mut fresh = Vec::new();
    for (rank, story) in dated.into_iter().enumerate() {
        if story.nsfw && !wish.allow_nsfw {
            nsfw += 1;
        } else if story.published_at.is_none_or(|at| at.0 >= oldest) {
            let popularity = noticed.popularity(&story, rank, all, ranked);
            fresh.push(item(source, story, popularity));
        }
    }
    Picked {
        all,
        fresh,
        newest,
        nsfw,
    }
}

/// One list out of those of all sources: the first source that has a page keeps it, none brings more than `per_source`,
/// and they take turns until there are enough.
pub(crate) fn together(lists: Vec<Vec<FeedItem>>, per_source: usize) -> Vec<FeedItem> {
    let mut seen = BTreeSet::new();
    let mut turns: Vec<std::vec::IntoIter<FeedItem>> = Vec::new();
    for list in lists {
        let mut own: Vec<FeedItem> = list
            .into_iter()
            .filter(|item| seen.insert(identity(&item.url)))
            .take(per_source)
            .collect();
        own.sort_by_key(|item| std::cmp::Reverse(item.published_at));
        turns.push(own.into_iter());
    }
    let mut items = Vec::new();
    while items.len() < MOST_ITEMS {
        let before = items.len();
        items.extend(turns.iter_mut().filter_map(Iterator::next));
        if items.len() == before {
            break;
        }
    }
    items.truncate(MOST_ITEMS);
    items
}

/// The same page is often linked with and without encryption, `www.` and a last slash.
fn identity(url: &str) -> String {
    let url = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .unwrap_or(url);
    let url = url.strip_prefix("www.").unwrap_or(url);
    url.strip_suffix('/').unwrap_or(url).to_owned()
}

fn sensible(at: WallTime, now: WallTime) -> Option<WallTime> {
    match at.0 {
        ..=0 => None,
        at if at > now.0.saturating_add(FORGIVEN_MS) => None,
        at => Some(WallTime(at.min(now.0))),
    }
}

/// By what the stories of a source are measured.
struct Noticed {
    most: u64,
}

impl Noticed {
    fn among(stories: &[Story]) -> Self {
        Self {
            most: stories.iter().filter_map(measure).max().unwrap_or(0),
        }
    }

    /// 1 for the most noticed story of its source. By views or points on a logarithmic scale, where they are counted;
    /// else by rank, where the source ranks; else 0.5, as nobody knows.
    fn popularity(&self, story: &Story, rank: usize, all: usize, ranked: bool) -> f64 {
        let logarithm = |count: u64| (count as f64 + 1.0).ln();
        match measure(story) {
            Some(count) if self.most > 0 => logarithm(count) / logarithm(self.most),
            _ if ranked && self.most == 0 && all > 0 => (all - rank) as f64 / all as f64,
            _ => 0.5,
        }
    }
}

fn measure(story: &Story) -> Option<u64> {
    story.views.or(story.points)
}

fn item(source: &FeedSource, story: Story, popularity: f64) -> FeedItem {
    FeedItem {
        source: source.clone(),
        url: story.url,
        title: story.title,
        summary: story.summary,
        author: story.author,
        published_at: story.published_at,
        points: story.points,
        comments: story.comments,
        popularity,
        nsfw: story.nsfw,
    }
}

#[cfg(test)]
#[path = "picking_tests.rs"]
mod tests;
