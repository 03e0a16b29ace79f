//! The front page of Hacker News, as its search serves it in one piece.

use serde::Deserialize;
use vocabulary::WallTime;

use crate::story::{Draft, MOST_STORIES, Order, Stories, Story};

/// Reads the answer of the search.
pub(crate) fn front_page(json: &str) -> Result<Stories, String> {
    let answer: Answer = serde_json::from_str(json)
        .map_err(|error| format!("it is no answer of the search of Hacker News ({error})"))?;
    let stories = answer
        .hits
        .into_iter()
        .filter_map(story)
        .take(MOST_STORIES)
        .collect();
    Ok(Stories {
        title: "Hacker News".to_owned(),
        order: Order::Ranked,
        stories,
    })
}

fn story(hit: Hit) -> Option<Story> {
    let own_page = format!("https://news.ycombinator.com/item?id={}", hit.object_id);
    // Questions to the community have no address but their own.
    let url = hit.url.filter(|url| !url.is_empty()).unwrap_or(own_page);
    Draft {
        url: &url,
        title: &hit.title.unwrap_or_default(),
        summary: &hit.story_text.unwrap_or_default(),
        author: &hit.author.unwrap_or_default(),
        published_at: hit
            .created_at_i
            .map(|seconds| WallTime(seconds.saturating_mul(1000))),
        points: hit.points,
        comments: hit.num_comments,
        views: None,
        nsfw: false,
    }
    .finished()
}

#[derive(Deserialize)]
struct Answer {
    hits: Vec<Hit>,
}

#[derive(Deserialize)]
struct Hit {
    #[serde(rename = "objectID")]
    object_id: String,
    title: Option<String>,
    url: Option<String>,
    story_text: Option<String>,
    author: Option<String>,
    points: Option<u64>,
    num_comments: Option<u64>,
    created_at_i: Option<i64>,
}

#[cfg(test)]
#[path = "hacker_news_tests.rs"]
mod tests;
