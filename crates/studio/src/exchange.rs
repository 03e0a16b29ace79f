//! One question to a service and its whole answer: within the deadline, bounded, and asked once more where that may help.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use fetching::service::innermost;
use reqwest::header::RETRY_AFTER;
use reqwest::{RequestBuilder, Response, StatusCode};
use runtime::ports::MediaFault;
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use crate::complaint;
use crate::fault::{failed, too_late};
use crate::service::Service;

const ATTEMPTS: u32 = 2;

/// Largest body that is read for its complaint.
const COMPLAINT_BYTES_MAX: usize = 64 * 1024;

/// A service and how long it has.
#[derive(Clone, Copy)]
pub(crate) struct Exchange<'a> {
    pub(crate) service: &'a Service,
    pub(crate) deadline: Instant,
    /// Before a question is asked once more.
    pub(crate) pause: Duration,
}

/// A body, or where it is to be had.
pub(crate) enum Content {
    Here(Bytes),
    At(String),
}

impl Exchange<'_> {
    /// The answer as JSON.
    pub(crate) async fn json(
        &self,
        request: impl Fn() -> RequestBuilder,
        bytes_max: usize,
    ) -> Result<Value, MediaFault> {
        let response = self.ask(request).await?;
        if !response.status().is_success() {
            return Err(self.complaint(response).await);
        }
        let body = self.whole(response, bytes_max).await?;
        serde_json::from_slice(&body).map_err(|_| {
            failed(format!(
                "{} answered with something that is not JSON. Check that the address is that of the API",
                self.service.who
            ))
        })
    }

    /// The answer as it is; a redirect is told and not followed, for the key must not go along.
    pub(crate) async fn content(
        &self,
        request: impl Fn() -> RequestBuilder,
        bytes_max: usize,
    ) -> Result<Content, MediaFault> {
        let response = self.ask(request).await?;
        if response.status().is_success() {
            return Ok(Content::Here(self.whole(response, bytes_max).await?));
        }
        let location = response
            .headers()
            .get("location")
            .and_then(|value| value.to_str().ok());
        match location {
            Some(location) if response.status().is_redirection() => Ok(Content::At(location.to_owned())),
            _ => Err(self.complaint(response).await),
        }
    }

    async fn ask(&self, request: impl Fn() -> RequestBuilder) -> Result<Response, MediaFault> {
        let mut attempt = 1;
        loop {
            let sent = timeout_at(self.deadline, request().send()).await;
            let last = attempt == ATTEMPTS;
            match sent.map_err(|_| too_late(self.service))? {
                Ok(response) if response.status().is_server_error() && !last => {}
                Ok(response) => return Ok(response),
                Err(error) if error.is_connect() && !last => {}
                Err(error) => return Err(self.unreachable(&error)),
            }
            attempt += 1;
            timeout_at(self.deadline, sleep(self.pause))
                .await
                .map_err(|_| too_late(self.service))?;
        }
    }

    async fn whole(&self, mut response: Response, bytes_max: usize) -> Result<Bytes, MediaFault> {
        let who = &self.service.who;
        let mut body = BytesMut::new();
        loop {
            let chunk = timeout_at(self.deadline, response.chunk())
                .await
                .map_err(|_| too_late(self.service))?;
            match chunk {
                Err(error) => return Err(self.unreachable(&error)),
                Ok(None) => return Ok(body.freeze()),
                Ok(Some(chunk)) if body.len() + chunk.len() > bytes_max => {
                    return Err(failed(format!(
                        "what {who} gave is larger than media.maxMegabytes allows"
                    )));
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            }
        }
    }

    async fn complaint(&self, response: Response) -> MediaFault {
        let status: StatusCode = response.status();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        let body = self
            .whole(response, COMPLAINT_BYTES_MAX)
            .await
            .unwrap_or_default();
        complaint::fault(self.service, status, retry_after.as_deref(), &body)
    }

    fn unreachable(&self, error: &reqwest::Error) -> MediaFault {
        let why = self
            .service
            .without_key(&crate::fault::one_line(&innermost(error)));
        failed(format!("{} cannot be reached: {why}", self.service.who))
    }
}
