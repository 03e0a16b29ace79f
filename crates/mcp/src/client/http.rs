//! A server that is reached over HTTP: the library's client, with an end to every body.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use fetching::service::{client_builder, is_loopback};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Client, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

/// Largest answer to one message, a stream of events taken together.
const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Largest body that is read for its complaint.
const COMPLAINT_BYTES_MAX: usize = 64 * 1024;

const SESSION: &str = "Mcp-Session-Id";

type Fault = StreamableHttpError<reqwest::Error>;

/// The client for one address.
#[derive(Clone)]
pub(crate) struct BoundedClient(Client);

impl BoundedClient {
    pub(crate) fn new(url: &str) -> Result<Self, String> {
        let client = client_builder(is_loopback(url))
            .build()
            .map_err(|error| format!("no HTTP client can be made: {error}"))?;
        Ok(Self(client))
    }
}

impl StreamableHttpClient for BoundedClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Fault> {
        let mut request = self
            .0
            .post(uri.as_ref())
            .header(ACCEPT, "text/event-stream, application/json");
        for (name, value) in custom_headers {
            request = request.header(name, value);
        }
        if let Some(session) = &session_id {
            request = request.header(SESSION, session.as_ref());
        }
        let response = request
            .header(CONTENT_TYPE, "application/json")
            .body(serde_json::to_vec(&message)?)
            .send()
            .await?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return complaint(response).await;
        }
        let is_request = matches!(message, ClientJsonRpcMessage::Request(_));
        answer(response, is_request).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Fault> {
        self.0
            .delete_session(uri, session_id, auth_header, custom_headers)
            .await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Fault> {
        // The library limits each event of this one, and it has no end of its own to limit.
        self.0
            .get_stream(uri, session_id, last_event_id, auth_header, custom_headers)
            .await
    }
}

async fn answer(response: Response, is_request: bool) -> Result<StreamableHttpPostResponse, Fault> {
    let session = header(&response, SESSION);
    if matches!(response.status(), StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    let kind = header(&response, CONTENT_TYPE.as_str()).unwrap_or_default();
    if kind.starts_with("text/event-stream") {
        let events = SseStream::from_bytes_stream(bounded(response)).boxed();
        return Ok(StreamableHttpPostResponse::Sse(events, session));
    }
    if !is_request {
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    if !kind.starts_with("application/json") {
        return Err(StreamableHttpError::UnexpectedContentType(Some(kind)));
    }
    let body = whole(response, BODY_BYTES_MAX).await?;
    Ok(StreamableHttpPostResponse::Json(
        serde_json::from_slice(&body)?,
        session,
    ))
}

/// A refusal: an error of the protocol where it holds one, else the status.
async fn complaint(response: Response) -> Result<StreamableHttpPostResponse, Fault> {
    let status = response.status();
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        let challenge = header(&response, WWW_AUTHENTICATE.as_str()).unwrap_or_default();
        return Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(
            challenge,
        )));
    }
    if status.is_redirection() {
        return Err(unexpected(format!(
            "it answers {status}, and redirects are not followed. Write the address it leads to as `url`"
        )));
    }
    let session = header(&response, SESSION);
    let body = whole(response, COMPLAINT_BYTES_MAX).await.unwrap_or_default();
    match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
        Ok(message @ JsonRpcMessage::Error(_)) => Ok(StreamableHttpPostResponse::Json(message, session)),
        _ => Err(unexpected(format!("it answers {status}"))),
    }
}

async fn whole(response: Response, bytes_max: usize) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        if body.len() + chunk.len() > bytes_max {
            return Err(unexpected(format!(
                "its answer has more than {} kB",
                bytes_max / 1024
            )));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The bytes, with an error where there are too many of them.
fn bounded(
    response: Response,
) -> impl futures_util::Stream<Item = Result<bytes::Bytes, std::io::Error>> + Send {
    let mut total = 0_usize;
    response.bytes_stream().map(move |chunk| {
        let chunk = chunk.map_err(std::io::Error::other)?;
        total = total.saturating_add(chunk.len());
        match total > BODY_BYTES_MAX {
            true => Err(std::io::Error::other(format!(
                "its answer has more than {} kB",
                BODY_BYTES_MAX / 1024
            ))),
            false => Ok(chunk),
        }
    })
}

fn header(response: &Response, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

fn unexpected(what: String) -> Fault {
    StreamableHttpError::UnexpectedServerResponse(Cow::Owned(what))
}
