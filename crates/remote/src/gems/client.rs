//! Calls of Qdrant's REST interface: every one may safely be made twice, and a few short retries ride out a hiccup.

use std::time::Duration;

use fetching::service::{client_builder, is_loopback_url};
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};
use runtime::ports::MemoryFault;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Making a collection or removing many points takes a while on a slow disk.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
const RETRY_AFTER: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
const DETAIL_CHARS_MAX: usize = 300;

pub(super) struct Client {
    http: reqwest::Client,
    base: String,
    api_key: Option<SecretString>,
}

/// Why a call brought nothing.
enum Miss {
    /// It may be different the next time.
    Passing(String),
    Final(MemoryFault),
}

impl Client {
    pub(super) fn new(url: &str, api_key: Option<SecretString>) -> Result<Self, MemoryFault> {
        let refused = |why: &str| {
            MemoryFault::Refused(format!(
                "memory.store.qdrantUrl is {why}. Write it like http://127.0.0.1:6333"
            ))
        };
        let url = Url::parse(url.trim()).map_err(|error| refused(&format!("no address ({error})")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused("no http or https address"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused(
                "an address with a name or password in it; a key goes into QDRANT_API_KEY",
            ));
        }
        let http = client_builder(is_loopback_url(&url))
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(CALL_TIMEOUT);
        let http = http.build().map_err(|error| MemoryFault::Failed {
            doing: "setting up the connection to Qdrant",
            detail: error.to_string(),
        })?;
        let path = url.path().trim_end_matches('/');
        Ok(Self {
            http,
            base: format!("{}{path}", url.origin().ascii_serialization()),
            api_key,
        })
    }

    pub(super) fn place(&self) -> &str {
        &self.base
    }

    pub(super) async fn get(&self, doing: &'static str, path: &str) -> Result<Option<Value>, MemoryFault> {
        self.call(doing, Method::GET, path, None).await
    }

    pub(super) async fn post(
        &self,
        doing: &'static str,
        path: &str,
        body: &Value,
    ) -> Result<Option<Value>, MemoryFault> {
        self.call(doing, Method::POST, path, Some(body)).await
    }

    pub(super) async fn put(
        &self,
        doing: &'static str,
        path: &str,
        body: &Value,
    ) -> Result<Option<Value>, MemoryFault> {
        self.call(doing, Method::PUT, path, Some(body)).await
    }

    pub(super) async fn delete(&self, doing: &'static str, path: &str) -> Result<Option<Value>, MemoryFault> {
        self.call(doing, Method::DELETE, path, None).await
    }

    /// The result of a call; none where what it is about does not exist.
    async fn call(
        &self,
        doing: &'static str,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Option<Value>, MemoryFault> {
        let body = body.map(Value::to_string);
        let mut waits = RETRY_AFTER.iter();
        loop {
            let mut request = self.http.request(method.clone(), format!("{}{path}", self.base));
            if let Some(body) = &body {
                request = request
                    .header("content-type", "application/json")
                    .body(body.clone());
            }
            let detail = match self.try_once(doing, request).await {
                Ok(answer) => return Ok(answer),
                Err(Miss::Final(fault)) => return Err(fault),
                Err(Miss::Passing(detail)) => detail,
            };
            match waits.next() {
                Some(wait) => tokio::time::sleep(*wait).await,
                None => return Err(self.unreachable(detail)),
            }
        }
    }

    async fn try_once(
        &self,
        doing: &'static str,
        mut request: RequestBuilder,
    ) -> Result<Option<Value>, Miss> {
        if let Some(key) = &self.api_key {
            request = request.header("api-key", key.expose_secret());
        }
        let response = match request.send().await {
            Ok(response) => response,
            // Waiting just as long once more would not be a short retry.
            Err(error) if error.is_timeout() && !error.is_connect() => {
                return Err(Miss::Final(
                    self.unreachable("it did not answer in time".to_owned()),
                ));
            }
            Err(error) => return Err(Miss::Passing(innermost(&error))),
        };
        let status = response.status();
        let body = body_of(response)
            .await
            .map_err(|error| Miss::Passing(innermost(&error)))?;
        if status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let answer: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        if status.is_success() {
            return Ok(Some(answer.get("result").cloned().unwrap_or(Value::Null)));
        }
        let detail = answer["status"]["error"].as_str().unwrap_or("no reason given");
        let detail: String = detail.chars().take(DETAIL_CHARS_MAX).collect();
        Err(match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Miss::Final(MemoryFault::Refused(format!(
                "Qdrant at {} does not accept the key (status {}). Put the right one into QDRANT_API_KEY",
                self.base,
                status.as_u16()
            ))),
            StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT => Miss::Passing(format!("status {}: {detail}", status.as_u16())),
            _ => Miss::Final(MemoryFault::Failed {
                doing,
                detail: format!("Qdrant at {} answers {}: {detail}", self.base, status.as_u16()),
            }),
        })
    }

    fn unreachable(&self, detail: String) -> MemoryFault {
        MemoryFault::Unreachable {
            what: "Qdrant",
            place: self.base.clone(),
            detail,
            remedy: "Start it there, or correct memory.store.qdrantUrl".to_owned(),
        }
    }
}

async fn body_of(mut response: Response) -> Result<Vec<u8>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        // Cut off it reads as no answer, which is what so long a one deserves.
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            break;
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The reason at the bottom of an error: "connection refused" rather than "error sending request".
fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
