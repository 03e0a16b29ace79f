//! One question to a service and its answer: within the deadline, bounded, and asked once more where that may help.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use fetching::service::innermost;
use reqwest::header::RETRY_AFTER;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::complaint;
use super::service::Service;
use crate::trouble::{Trouble, one_line};

const ATTEMPTS: u32 = 2;
/// Before a question is asked once more.
const PAUSE: Duration = Duration::from_millis(150);
/// Largest body that is read for its complaint.
const COMPLAINT_BYTES_MAX: usize = 64 * 1024;

/// A service and how long it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange<'a> {
    pub(crate) service: &'a Service,
    pub(crate) deadline: Instant,
    /// How long it had from the beginning, for a message.
    pub(crate) time: Duration,
}

impl<'a> Exchange<'a> {
    /// One that may take so long from now.
    pub(crate) fn within(service: &'a Service, time: Duration) -> Self {
        Self::until(service, Instant::now() + time, time)
    }

    /// One that may take until then, which is how long it has from its beginning.
    pub(crate) fn until(service: &'a Service, deadline: Instant, time: Duration) -> Self {
        Self {
            service,
            deadline,
            time,
        }
    }

    /// The answer as JSON.
    pub(crate) async fn json(
        &self,
        request: impl Fn() -> RequestBuilder,
        bytes_max: usize,
    ) -> Result<Value, Trouble> {
        let response = self.ask(request).await?;
        let body = self.whole(response, bytes_max).await?;
        serde_json::from_slice(&body).map_err(|_| self.unexpected())
    }

    /// The head of a good answer; its body is still to come.
    pub(crate) async fn ask(&self, request: impl Fn() -> RequestBuilder) -> Result<Response, Trouble> {
        let mut attempt = 1;
        loop {
            let sent = timeout_at(self.deadline, request().send()).await;
            let last = attempt == ATTEMPTS;
            match sent.map_err(|_| self.late())? {
                Ok(response) if response.status().is_server_error() && !last => {}
                Ok(response) if response.status().is_success() => return Ok(response),
                Ok(response) => return Err(self.complaint(response).await),
                // A connection that was kept may be closed by the other side just when it is used again.
                Err(error) if (error.is_connect() || error.is_request()) && !error.is_timeout() && !last => {}
                Err(error) => return Err(self.unreachable(&error)),
            }
            attempt += 1;
            timeout_at(self.deadline, sleep(PAUSE))
                .await
                .map_err(|_| self.late())?;
        }
    }

    /// The next piece of a body.
    pub(crate) async fn piece(&self, response: &mut Response) -> Result<Option<Bytes>, Trouble> {
        let piece = timeout_at(self.deadline, response.chunk()).await;
        piece
            .map_err(|_| self.late())?
            .map_err(|error| self.unreachable(&error))
    }

    async fn whole(&self, mut response: Response, bytes_max: usize) -> Result<Bytes, Trouble> {
        let mut body = BytesMut::new();
        while let Some(piece) = self.piece(&mut response).await? {
            if body.len() + piece.len() > bytes_max {
                return Err(Trouble::lasting(format!(
                    "{} answered with more than {bytes_max} bytes",
                    self.service.who
                )));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body.freeze())
    }

    async fn complaint(&self, response: Response) -> Trouble {
        let status = response.status();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        let body = self
            .whole(response, COMPLAINT_BYTES_MAX)
            .await
            .unwrap_or_default();
        complaint::trouble(self.service, status, retry_after.as_deref(), &body)
    }

    /// The service did not answer as its API does.
    pub(crate) fn unexpected(&self) -> Trouble {
        Trouble::lasting(format!(
            "{} answered otherwise than its API does. Check that {} is the address of such an API",
            self.service.who,
            self.service.url_knob()
        ))
    }

    fn late(&self) -> Trouble {
        Trouble::late(&self.service.who, self.time)
    }

    fn unreachable(&self, error: &reqwest::Error) -> Trouble {
        let why = self.service.without_key(&one_line(&innermost(error)));
        Trouble::passing(format!("{} cannot be reached: {why}", self.service.who))
    }
}
