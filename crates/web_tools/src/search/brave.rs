//! The JSON of Brave's web search: `GET /res/v1/web/search`.

use serde_json::Value;

use super::hit::{Hit, day};

/// Brave takes no longer questions.
pub(super) const QUERY_CHARS_MAX: usize = 400;
pub(super) const QUERY_WORDS_MAX: usize = 50;

pub(super) fn hits(answer: &Value) -> Option<Vec<Hit>> {
    // Without any result, there is no `web` at all.
    let Some(results) = answer["web"]["results"].as_array() else {
        return (answer["type"] == "search").then(Vec::new);
    };
    let text = |result: &Value, name: &str| result[name].as_str().unwrap_or_default().to_owned();
    let hit = |result: &Value| Hit {
        title: text(result, "title"),
        url: text(result, "url"),
        snippet: text(result, "description"),
        age: result["age"]
            .as_str()
            .map(str::to_owned)
            .or_else(|| result["page_age"].as_str().and_then(day)),
    };
    Some(results.iter().map(hit).collect())
}
