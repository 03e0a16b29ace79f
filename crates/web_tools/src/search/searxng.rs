//! The JSON of a SearXNG: `GET /search?q=…&format=json`.

use serde_json::Value;

use super::hit::{Hit, day};

pub(super) fn hits(answer: &Value) -> Option<Vec<Hit>> {
    let results = answer["results"].as_array()?;
    let text = |result: &Value, name: &str| result[name].as_str().unwrap_or_default().to_owned();
    let hit = |result: &Value| Hit {
        title: text(result, "title"),
        url: text(result, "url"),
        snippet: text(result, "content"),
        age: result["publishedDate"].as_str().and_then(day),
    };
    Some(results.iter().map(hit).collect())
}
