//! The two protocols: what a request looks like, and how an answer is read.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// Which protocol a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    OpenAi,
    Ollama,
}

/// Why an answer could not be read. Holds nothing of the answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It broke off, so the connection did too.
    CutShort,
    Wrong(String),
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct OpenAiAnswer {
    data: Vec<OpenAiItem>,
}

#[derive(Deserialize)]
struct OpenAiItem {
    index: Option<usize>,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct OllamaAnswer {
    embeddings: Vec<Vec<f32>>,
}

impl Wire {
    pub(super) fn url(self, base_url: &str) -> String {
        match self {
            Wire::OpenAi => crate::http::below(base_url, "", "/embeddings"),
            Wire::Ollama => format!("{base_url}/api/embed"),
        }
    }

    /// Both happen to want the same fields.
    pub(super) fn body(self, model: &str, input: &[String], dimensions: Option<usize>) -> Bytes {
        let request = Request {
            model,
            input,
            dimensions,
        };
        Bytes::from(serde_json::to_vec(&request).expect("strings and numbers become JSON"))
    }

    /// One vector per text, in the order the texts were sent.
    pub(super) fn read(self, body: &[u8], count: usize) -> Result<Vec<Vec<f32>>, Unreadable> {
        let vectors = match self {
            Wire::OpenAi => {
                let answer: OpenAiAnswer = parse(body, "data")?;
                in_order(answer.data).map_err(Unreadable::Wrong)?
            }
            Wire::Ollama => parse::<OllamaAnswer>(body, "embeddings")?.embeddings,
        };
        if vectors.len() != count {
            let came = vectors.len();
            return Err(Unreadable::Wrong(format!(
                "{count} texts were sent, and {came} vectors came back"
            )));
        }
        Ok(vectors)
    }
}

/// The parser's own message quotes what it found, which may be anything.
fn parse<'a, T: Deserialize<'a>>(body: &'a [u8], field: &str) -> Result<T, Unreadable> {
    serde_json::from_slice(body).map_err(|error| {
        if body.is_empty() {
            Unreadable::Wrong("it sent nothing".to_owned())
        } else if error.is_eof() {
            Unreadable::CutShort
        } else if error.is_syntax() {
            Unreadable::Wrong("it did not send JSON".to_owned())
        } else {
            Unreadable::Wrong(format!("its answer has no list of vectors in `{field}`"))
        }
    })
}

/// Servers may answer out of order and then number their vectors; small ones leave the numbers out.
fn in_order(items: Vec<OpenAiItem>) -> Result<Vec<Vec<f32>>, String> {
    if items.iter().all(|item| item.index.is_none()) {
        return Ok(items.into_iter().map(|item| item.embedding).collect());
    }
    let mut ordered: Vec<Option<Vec<f32>>> = Vec::new();
    ordered.resize_with(items.len(), || None);
    for item in items {
        let index = item
            .index
            .ok_or("some of its vectors have an `index` and others have none")?;
        let place = ordered
            .get_mut(index)
            .ok_or_else(|| format!("a vector has the index {index}, which no text has"))?;
        if place.replace(item.embedding).is_some() {
            return Err(format!("two vectors have the index {index}"));
        }
    }
    // As many as there are places, each at a place of its own: none is left empty.
    Ok(ordered.into_iter().flatten().collect())
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
