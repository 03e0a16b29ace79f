//! Feeds of every make: RSS, Atom and JSON Feed.

use feed_rs::model::{Entry, Link, MediaObject};
use feed_rs::parser;
use url::Url;
use vocabulary::WallTime;

use crate::nesting;
use crate::plain::plain;
use crate::reddit;
use crate::story::{Draft, MOST_STORIES, Order, Stories, Story, says_nsfw};
use crate::x;

/// Whose feed it is: some say things in their own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Plain,
    /// Reddit's: the page a post is about is hidden in its text, and the order says what is noticed.
    Reddit,
    /// A bridge to X: its items are told by their addresses on X, never by those of the bridge.
    Bridge,
}

/// Reads a feed that was found at `base`.
pub(crate) fn parse(text: &str, base: &Url, manner: &Manner) -> Result<Stories, String> {
    let parser = parser::Builder::new()
        .base_uri(Some(base.as_str()))
        .sanitize_content(false)
        .build();
    let text = without_declaration(text);
    if let Some(hazard) = nesting::hazard_of(text) {
        return Err(hazard.to_owned());
    }
    let feed = parser.parse(text.as_bytes()).map_err(|error| {
        format!(
            "it is no feed that can be read ({})",
            plain(&error.to_string(), 120)
        )
    })?;
    let stories = feed.entries.iter().filter_map(|entry| story(entry, base, manner));
    let mut stories: Vec<Story> = stories.collect();
    let order = match manner {
        Manner::Reddit => Order::Ranked,
        Manner::Plain | Manner::Bridge => Order::Dated,
    };
    if order == Order::Dated {
        newest_first(&mut stories);
    }
    stories.truncate(MOST_STORIES);
    Ok(Stories {
        title: feed
            .title
            .map(|title| plain(&title.content, 80))
            .unwrap_or_default(),
        order,
        stories,
    })
}

/// Those without a date stay behind the others, in the order they had.
pub(crate) fn newest_first(stories: &mut [Story]) {
    stories.sort_by_key(|story| std::cmp::Reverse(story.published_at));
}

/// The text is decoded already; what its declaration says of the charset would only mislead.
fn without_declaration(text: &str) -> &str {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    match text.strip_prefix("<?xml") {
        Some(declaration) => declaration.find("?>").map_or(text, |end| &declaration[end + 2..]),
        None => text,
    }
}

fn story(entry: &Entry, base: &Url, manner: &Manner) -> Option<Story> {
    let media = entry.media.first();
    let described = media.and_then(|media| media.description.as_ref());
    let content = entry.content.as_ref().and_then(|content| content.body.as_deref());
    let summary = entry
        .summary
        .as_ref()
        .or(described)
        .map(|text| text.content.as_str());
    let url = match manner {
        Manner::Plain => page_of(entry, base)?,
        Manner::Reddit => match content.or(summary).and_then(reddit::linked) {
            Some(link) => plain(link, 2000),
            None => page_of(entry, base)?,
        },
        Manner::Bridge => x::own_address(&page_of(entry, base)?, base)?,
    };
    let community = media.and_then(|media| media.community.as_ref());
    let title = entry.title.as_ref().or_else(|| media?.title.as_ref());
    Draft {
        url: &url,
        title: title.map_or("", |title| &title.content),
        summary: match manner {
            // "submitted by …, [link], [comments]": nothing of the post itself.
            Manner::Reddit => "",
            Manner::Plain | Manner::Bridge => summary.or(content).unwrap_or_default(),
        },
        author: entry
            .authors
            .first()
            .and_then(|author| author.name.as_deref())
            .unwrap_or_default(),
        published_at: entry
            .published
            .or(entry.updated)
            .map(|at| WallTime(at.timestamp_millis())),
        points: community.and_then(|community| community.stars_count),
        comments: None,
        views: community.and_then(|community| community.stats_views),
        nsfw: marked_nsfw(entry, media),
    }
    .finished()
}

/// The page an entry is about, absolute.
fn page_of(entry: &Entry, base: &Url) -> Option<String> {
    let of_kind = |wanted: fn(&Link) -> bool| {
        let mut links = entry.links.iter().filter(|link| wanted(link));
        links.find_map(|link| web(&link.href, base))
    };
    of_kind(|link| link.rel.as_deref().is_none_or(|rel| rel == "alternate"))
        .or_else(|| {
            of_kind(|link| {
                !matches!(
                    link.rel.as_deref(),
                    Some("self" | "edit" | "replies" | "enclosure")
                )
            })
        })
        // Many a feed gives the address only as the identity of an entry.
        .or_else(|| {
            Some(entry.id.clone()).filter(|id| id.starts_with("http://") || id.starts_with("https://"))
        })
        .or_else(|| of_kind(|link| link.rel.as_deref() == Some("enclosure")))
}

fn web(href: &str, base: &Url) -> Option<String> {
    let url = base.join(href.trim()).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

fn marked_nsfw(entry: &Entry, media: Option<&MediaObject>) -> bool {
    let adult = |media: &MediaObject| {
        let mut ratings = media.content.iter().filter_map(|content| content.rating.as_ref());
        ratings.any(|rating| rating.value == "adult")
    };
    entry.categories.iter().any(|category| says_nsfw(&category.term)) || media.is_some_and(adult)
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
