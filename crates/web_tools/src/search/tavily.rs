//! The JSON of Tavily: `POST /search`.

use serde_json::{Value, json};

use super::hit::{Hit, day};

pub(super) fn question(query: &str, count: usize) -> Value {
    json!({ "query": query, "max_results": count, "search_depth": "basic" })
}

pub(super) fn hits(answer: &Value) -> Option<Vec<Hit>> {
    let results = answer["results"].as_array()?;
    let text = |result: &Value, name: &str| result[name].as_str().unwrap_or_default().to_owned();
    let hit = |result: &Value| Hit {
        title: text(result, "title"),
        url: text(result, "url"),
        snippet: text(result, "content"),
        age: result["published_date"].as_str().and_then(day),
    };
    Some(results.iter().map(hit).collect())
}
