//! Parameters of the path and the query, refused in the same shape as everything else.

use std::ops::RangeInclusive;

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// Parameters of the path.
#[derive(Debug)]
pub(crate) struct InPath<T>(pub T);

/// Parameters of the query.
#[derive(Debug)]
pub(crate) struct InQuery<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for InPath<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Path(value) = Path::<T>::from_request_parts(parts, state)
            .await
            .map_err(|problem| {
                Refusal::bad_request(
                    "bad_path",
                    format!(
                        "The address cannot be read: {}.",
                        problem.body_text().trim_end_matches('.')
                    ),
                )
            })?;
        Ok(InPath(value))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for InQuery<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Query(value) = Query::<T>::from_request_parts(parts, state)
            .await
            .map_err(|problem| {
                let text = problem.body_text();
                let place = text
                    .split_once("query string: ")
                    .map_or(text.as_str(), |(_, place)| place);
                Refusal::bad_request(
                    "bad_query",
                    format!("The query cannot be read: {place}. GET /api/openapi.json describes it."),
                )
            })?;
        Ok(InQuery(value))
    }
}

/// A parameter that is there; an empty one is not.
pub(crate) fn given(parameter: Option<String>) -> Option<String> {
    parameter.filter(|text| !text.is_empty())
}

/// A limit within its range, or the usual one.
pub(crate) fn limit(
    given: Option<usize>,
    usual: usize,
    range: RangeInclusive<usize>,
) -> Result<usize, Refusal> {
    match given {
        None => Ok(usual),
        Some(limit) if range.contains(&limit) => Ok(limit),
        Some(limit) => Err(Refusal::bad_request(
            "bad_query",
            format!(
                "limit={limit} is out of range. Give a number from {} to {}.",
                range.start(),
                range.end()
            ),
        )),
    }
}
