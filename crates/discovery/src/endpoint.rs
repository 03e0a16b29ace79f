//! Where a source is read, and whether its name is one at all.

use url::Url;
use vocabulary::{FeedFamily, FeedSource};

/// The services that are read, by the beginnings of their addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bases {
    /// Reddit, `https://www.reddit.com`.
    pub reddit: String,
    /// The search of Hacker News, `https://hn.algolia.com`.
    pub hacker_news: String,
    /// YouTube, `https://www.youtube.com`.
    pub youtube: String,
}

impl Default for Bases {
    fn default() -> Self {
        Self {
            reddit: "https://www.reddit.com".to_owned(),
            hacker_news: "https://hn.algolia.com".to_owned(),
            youtube: "https://www.youtube.com".to_owned(),
        }
    }
}

/// Where a source is, and how it is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// A listing as JSON, and the same as a feed.
    Reddit {
        listing: String,
        feed: String,
    },
    HackerNews {
        search: String,
    },
    /// A feed, or a page that names its feed.
    Feed {
        url: String,
    },
    /// A feed that stands in for somebody on X.
    Bridge {
        url: String,
    },
}

impl Endpoint {
    /// Where a source is read; an error says what its name should be like.
    pub(crate) fn of(source: &FeedSource, bases: &Bases, x_bridge: &str) -> Result<Self, String> {
        let name = source.name.trim();
        match source.family {
            FeedFamily::Reddit => reddit(name, &bases.reddit),
            FeedFamily::HackerNews => match name {
                "top" => Ok(Endpoint::HackerNews {
                    search: format!(
                        "{}/api/v1/search?tags=front_page&hitsPerPage=50",
                        bases.hacker_news
                    ),
                }),
                other => Err(format!(
                    "“{}” is no list of Hacker News; the only one is top",
                    short(other)
                )),
            },
            FeedFamily::Youtube => youtube(name, &bases.youtube),
            FeedFamily::Rss => Ok(Endpoint::Feed {
                url: web_address(name)
                    .map_err(|why| format!("“{}” is no address of a feed: {why}", short(name)))?,
            }),
            FeedFamily::X => bridge(name, x_bridge.trim()),
        }
    }
}

fn reddit(name: &str, base: &str) -> Result<Endpoint, String> {
    let bare = name.trim_matches('/');
    let bare = bare.strip_prefix("r/").unwrap_or(bare);
    if !is_made_of(bare, 2..=21, |letter| letter == '_') {
        return Err(format!(
            "“{}” is no subreddit: its name has 2 to 21 letters, digits and underscores, such as rust",
            short(name)
        ));
    }
    Ok(Endpoint::Reddit {
        listing: format!("{base}/r/{bare}/hot.json?limit=50&raw_json=1"),
        feed: format!("{base}/r/{bare}/hot/.rss?limit=50"),
    })
}

fn youtube(name: &str, base: &str) -> Result<Endpoint, String> {
    let is_id = name.starts_with("UC") && is_made_of(name, 24..=24, |letter| "_-".contains(letter));
    if !is_id {
        return Err(format!(
            "“{}” is no id of a YouTube channel: those have 24 characters and begin with UC; \
             the channel's page has it under About, Share channel, Copy channel ID",
            short(name)
        ));
    }
    Ok(Endpoint::Feed {
        url: format!("{base}/feeds/videos.xml?channel_id={name}"),
    })
}

fn bridge(name: &str, x_bridge: &str) -> Result<Endpoint, String> {
    let handle = name.strip_prefix('@').unwrap_or(name);
    if !is_made_of(handle, 1..=15, |letter| letter == '_') {
        return Err(format!(
            "“{}” is no handle on X: those have 1 to 15 letters, digits and underscores",
            short(name)
        ));
    }
    if x_bridge.is_empty() {
        return Err(
            "X is read through a bridge, and none is named: set initiative.discovery.xBridgeUrl, \
                    such as https://bridge.example/{handle}/rss"
                .to_owned(),
        );
    }
    let wrong = |why: &str| format!("initiative.discovery.xBridgeUrl is “{}”: {why}", short(x_bridge));
    if !x_bridge.contains("{handle}") {
        return Err(wrong("it needs {handle} where the handle goes"));
    }
    let url = web_address(&x_bridge.replace("{handle}", handle)).map_err(|why| wrong(&why))?;
    Ok(Endpoint::Bridge { url })
}

fn web_address(text: &str) -> Result<String, String> {
    let url = Url::parse(text)
        .map_err(|error| format!("{error}; it should look like https://example.org/feed.xml"))?;
    match url.scheme() {
        "http" | "https" => Ok(url.into()),
        scheme => Err(format!("it must begin with http:// or https://, not {scheme}:")),
    }
}

fn is_made_of(name: &str, lengths: std::ops::RangeInclusive<usize>, also: impl Fn(char) -> bool) -> bool {
    lengths.contains(&name.len())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || also(letter))
}

fn short(name: &str) -> String {
    crate::plain::shortened(&name.replace(|letter: char| letter.is_control(), " "), 80)
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
