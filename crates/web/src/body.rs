//! JSON bodies: bounded, of the right type, and refused with the place and the field that are wrong.

use std::time::Duration;

use axum::Json;
use axum::body::BodyDataStream;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;

use crate::access::Caller;
use crate::large_bodies::LargePermit;
use crate::refusal::Refusal;
use crate::site::Shared;

/// Bodies without pictures.
pub(crate) const SMALL_BODY_BYTES_MAX: usize = 64 * 1024;
/// Turns of other agents: a hundred of 20,000 characters each, and what is said about them.
pub(crate) const WIDE_BODY_BYTES_MAX: usize = 9 * 1024 * 1024;
/// Messages with pictures: four of 5 MB in base64, and the words.
pub(crate) const LARGE_BODY_BYTES_MAX: usize = 28 * 1024 * 1024;
/// How much of a body that is too large is read only to be thrown away, so that its sender hears the refusal.
const DISCARDED_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How long a body may take to come in.
const BODY_DEADLINE: Duration = Duration::from_secs(30);

/// A JSON body without pictures.
#[derive(Debug)]
pub(crate) struct SmallJson<T>(pub T);

/// A JSON body that may hold pictures; few may be in memory at once.
#[derive(Debug)]
pub(crate) struct LargeJson<T> {
    pub value: T,
    _permit: Option<LargePermit>,
}

/// A JSON body that may hold many turns; few may be in memory at once.
#[derive(Debug)]
pub(crate) struct WideJson<T> {
    pub value: T,
    _permit: Option<LargePermit>,
}

impl<T: DeserializeOwned> FromRequest<Shared> for SmallJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refusal> {
        let (bytes, _) = read(request, SMALL_BODY_BYTES_MAX, shared).await?;
        parse(&bytes).map(SmallJson)
    }
}

impl<T: DeserializeOwned> FromRequest<Shared> for LargeJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refusal> {
        let (bytes, permit) = read(request, LARGE_BODY_BYTES_MAX, shared).await?;
        let value = parse(&bytes)?;
        Ok(LargeJson {
            value,
            _permit: permit,
        })
    }
}

impl<T: DeserializeOwned> FromRequest<Shared> for WideJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refusal> {
        let (bytes, permit) = read(request, WIDE_BODY_BYTES_MAX, shared).await?;
        let value = parse(&bytes)?;
        Ok(WideJson {
            value,
            _permit: permit,
        })
    }
}

async fn read(
    request: Request,
    limit: usize,
    shared: &Shared,
) -> Result<(Bytes, Option<LargePermit>), Refusal> {
    let root = request
        .extensions()
        .get::<Caller>()
        .map(|caller| caller.root().to_owned());
    let announced = announced_bytes(request.headers());
    let right_type = is_json(request.headers());
    let mut pieces = request.into_body().into_data_stream();
    let reading = async {
        if !right_type {
            return Err(refuse_after_reading(&mut pieces, wrong_type()).await);
        }
        if announced.is_some_and(|announced| announced > limit) {
            return Err(refuse_after_reading(&mut pieces, too_large(limit)).await);
        }
        collect(&mut pieces, limit, root.as_deref(), shared).await
    };
    tokio::time::timeout(BODY_DEADLINE, reading)
        .await
        .unwrap_or_else(|_| Err(too_slow()))
}

async fn collect(
    pieces: &mut BodyDataStream,
    limit: usize,
    root: Option<&str>,
    shared: &Shared,
) -> Result<(Bytes, Option<LargePermit>), Refusal> {
    let mut collected = BytesMut::new();
    let mut permit = None;
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|problem| {
            Refusal::bad_request(
                "broken_body",
                format!("The body ended before its time: {problem}. Send the request again."),
            )
        })?;
        let length = collected.len() + piece.len();
        if length > limit {
            return Err(refuse_after_reading(pieces, too_large(limit)).await);
        }
        if length > SMALL_BODY_BYTES_MAX && permit.is_none() {
            match shared.large_bodies.take(root.unwrap_or_default()) {
                Some(free) => permit = Some(free),
                None => {
                    let refusal =
                        Refusal::busy("Several large requests are coming in already. Try again in a moment.");
                    return Err(refuse_after_reading(pieces, refusal).await);
                }
            }
        }
        collected.extend_from_slice(&piece);
    }
    Ok((collected.freeze(), permit))
}

/// Reads on for a while: a connection closed on somebody who is still sending would lose them the reason.
async fn refuse_after_reading(pieces: &mut BodyDataStream, refusal: Refusal) -> Refusal {
    let mut discarded = 0;
    while let Some(Ok(piece)) = pieces.next().await {
        discarded += piece.len();
        if discarded > DISCARDED_BYTES_MAX {
            break;
        }
    }
    refusal
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    Json::<T>::from_bytes(bytes)
        .map(|Json(value)| value)
        .map_err(|rejection| match rejection {
            JsonRejection::JsonDataError(problem) => {
                let text = problem.body_text();
                let place = text
                    .split_once("target type: ")
                    .map_or(text.as_str(), |(_, place)| place);
                let code = if place.contains("unknown field") {
                    "unknown_field"
                } else {
                    "invalid_field"
                };
                Refusal::unprocessable(
                    code,
                    format!("The body does not fit: {place}. GET /api/openapi.json describes it."),
                )
            }
            other => {
                let text = other.body_text();
                let place = text
                    .split_once("as JSON: ")
                    .map_or(text.as_str(), |(_, place)| place);
                Refusal::bad_request(
                    "malformed_json",
                    format!("The body is not JSON: {place}. Correct it at that place."),
                )
            }
        })
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|mime| mime.trim().eq_ignore_ascii_case("application/json"))
}

fn announced_bytes(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn wrong_type() -> Refusal {
    Refusal::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "wrong_content_type",
        "The body must be JSON. Send it with the header Content-Type: application/json.",
    )
}

fn too_large(limit: usize) -> Refusal {
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
        format!(
            "The body is larger than {} kB, the most that is taken here. Send less at once.",
            limit / 1024
        ),
    )
}

fn too_slow() -> Refusal {
    Refusal::new(
        StatusCode::REQUEST_TIMEOUT,
        "body_too_slow",
        format!(
            "The body did not come in within {} seconds. Send the request again.",
            BODY_DEADLINE.as_secs()
        ),
    )
}
