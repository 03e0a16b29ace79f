//! One request after another: waiting for its turn, sending it, and what became of it.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use fetching::service;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, USER_AGENT};
use reqwest::{Client, Method};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use vocabulary::Span;

use super::answer::{Answer, NoAnswer};
use super::failure::{RestFailure, RestFault};
use super::form::{FilePart, form};
use super::gate::Gate;
use super::limiter::{Landing, RequestLimiter, RequestRefusal};
use super::route::Route;
use super::tally::{RestCounts, RestTally};

/// Where Discord itself is.
pub const DISCORD_API: &str = "https://discord.com/api/v10";
/// Discord wants this form; what has another may be turned away before it is looked at.
const AGENT: &str = concat!(
    "DiscordBot (https://denizen.example, ",
    env!("CARGO_PKG_VERSION"),
    ")"
);
const TIMEOUT: Duration = Duration::from_secs(20);
const TIMEOUT_WITH_FILES: Duration = Duration::from_secs(120);
/// How long a request may wait for its turn, all tries together.
pub(super) const PATIENCE: Span = Span::seconds(90);

/// A client of Discord's REST interface, or of a server that speaks it. Clones share one queue.
#[derive(Clone)]
pub struct RestClient {
    inside: Arc<Inside>,
    /// The most that a request waits for its turn, whatever it would.
    patience: Span,
}

struct Inside {
    http: Client,
    base: String,
    /// With the word `Bot` before it.
    token: HeaderValue,
    gate: Arc<Gate>,
    tally: RestTally,
}

impl fmt::Debug for RestClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RestClient")
            .field("base", &self.inside.base)
            .finish_non_exhaustive()
    }
}

/// Something to be asked.
pub(super) struct Call<'a> {
    pub(super) route: Route,
    /// What it is, for a person: "sending a message".
    pub(super) deed: &'static str,
    pub(super) body: Option<Value>,
    pub(super) files: &'a [FilePart],
    /// Whether doing it twice is no more than doing it once.
    pub(super) again: bool,
    pub(super) patience: Span,
}

impl Call<'_> {
    /// Something that is only read, or that may be done twice.
    pub(super) fn repeatable(deed: &'static str, route: Route) -> Self {
        Self {
            route,
            deed,
            body: None,
            files: &[],
            again: true,
            patience: PATIENCE,
        }
    }

    /// Something that would happen twice if it were asked twice.
    pub(super) fn once(deed: &'static str, route: Route) -> Self {
        Self {
            again: false,
            ..Self::repeatable(deed, route)
        }
    }

    pub(super) fn body(self, body: Value) -> Self {
        Self {
            body: Some(body),
            ..self
        }
    }
}

impl RestClient {
    /// At this address (see [`DISCORD_API`]), as the bot with this token. Wants a runtime of tokio around it.
    pub fn new(base: &str, token: &SecretString) -> Result<Self, RestFailure> {
        let base = service::base_address(base, "/api/v10").map_err(|why| {
            let why = format!("\"{base}\" is {why}");
            RestFailure::new(RestFault::Unreachable, "connecting to Discord", &why)
        })?;
        let token = token.expose_secret().trim();
        // People copy it with its word.
        let bare = token
            .strip_prefix("Bot")
            .filter(|rest| !rest.starts_with(char::is_alphanumeric));
        let token = bare.unwrap_or(token).trim();
        let header = HeaderValue::from_str(&format!("Bot {token}"));
        let mut header = header.ok().filter(|_| !token.is_empty()).ok_or_else(|| {
            let why = "the bot's token is empty, or has characters in it that no token has. Copy it again from the \
                       developer portal";
            RestFailure::new(RestFault::TokenRefused, "connecting to Discord", why)
        })?;
        header.set_sensitive(true);
        let http = service::client_builder(service::is_loopback(&base)).build();
        Ok(Self {
            inside: Arc::new(Inside {
                http: http.expect("the TLS provider is installed"),
                base,
                token: header,
                gate: Gate::new(RequestLimiter::default()),
                tally: RestTally::default(),
            }),
            patience: PATIENCE,
        })
    }

    /// For somebody who waits: what does not work soon has failed.
    #[must_use]
    pub fn with_patience(mut self, patience: Span) -> Self {
        self.patience = patience;
        self
    }

    /// How many requests wait, and how many are under way.
    pub fn load(&self) -> (usize, usize) {
        self.inside.gate.load()
    }

    /// What was asked so far.
    pub fn counts(&self) -> RestCounts {
        self.inside.tally.counts()
    }

    /// Asks, as often as it takes. An answer without a body is null.
    pub(super) async fn ask(&self, call: Call<'_>) -> Result<Value, RestFailure> {
        let by_bot = call.route.key.by_bot;
        let name = call.route.key.name;
        let content = content(&call);
        let patience = call.patience.min(self.patience);
        let mut pass = self.inside.gate.ask(call.route.key.clone(), patience);
        let mut last: Option<RestFailure> = None;
        loop {
            let queued = Instant::now();
            let turn = pass.turn().await;
            self.inside.tally.waited(queued.elapsed());
            match (turn, last) {
                (Ok(()), _) => {}
                (Err(RequestRefusal::TriedEnough), Some(last)) => return Err(last),
                // A fault that it met says more than that its time is over.
                (Err(RequestRefusal::Overdue { .. }), Some(last)) if last.fault != RestFault::Limited => {
                    return Err(last);
                }
                (Err(refusal), _) => return Err(RestFailure::of_refusal(refusal, call.deed)),
            }
            let answer = match self.inside.exchange(&call, content.clone()).await {
                Ok(answer) => answer,
                Err(error) => {
                    let again = call.again || error.is_unsent();
                    let failure = error.told(call.deed);
                    self.inside.tally.came_back(None);
                    tracing::debug!(route = name, %failure, again, "a request to Discord got no answer");
                    pass.landed(None, Landing::Fault { again });
                    if !again {
                        return Err(failure);
                    }
                    last = Some(failure);
                    continue;
                }
            };
            let landing = answer.landing(by_bot, call.again);
            let status = answer.status.as_u16();
            self.inside.tally.came_back(Some(status));
            tracing::debug!(route = name, status, ?landing, "Discord answered");
            pass.landed(answer.headers, landing);
            if answer.status.is_success() {
                return read(&answer.body, call.deed);
            }
            let failure = RestFailure::of_answer(status, &answer.body, by_bot, call.deed);
            match landing {
                Landing::Limited { .. } | Landing::Fault { again: true } => last = Some(failure),
                _ => return Err(failure),
            }
        }
    }
}

impl Inside {
    async fn exchange(
        &self,
        call: &Call<'_>,
        content: Option<(HeaderValue, Bytes)>,
    ) -> Result<Answer, NoAnswer> {
        let method = Method::from_bytes(call.route.method().as_bytes()).unwrap_or_default();
        let timeout = match call.files {
            [] => TIMEOUT,
            _ => TIMEOUT_WITH_FILES,
        };
        let address = format!("{}{}", self.base, call.route.path);
        let mut request = self
            .http
            .request(method, address)
            .header(USER_AGENT, AGENT)
            .timeout(timeout);
        if call.route.key.by_bot {
            request = request.header(AUTHORIZATION, self.token.clone());
        }
        request = match content {
            Some((mime, body)) => request.header(CONTENT_TYPE, mime).body(body),
            // Some servers want the length of nothing, too.
            None if call.route.method() != "GET" => request.body(Bytes::new()),
            None => request,
        };
        Answer::read(request.send().await.map_err(NoAnswer::Broken)?).await
    }
}

/// What is sent, of which type.
fn content(call: &Call<'_>) -> Option<(HeaderValue, Bytes)> {
    let body = call.body.as_ref()?;
    if call.files.is_empty() {
        let mime = HeaderValue::from_static("application/json");
        return Some((mime, Bytes::from(body.to_string())));
    }
    let (mime, body) = form(body, call.files);
    Some((HeaderValue::from_str(&mime).expect("a boundary is plain"), body))
}

fn read(body: &[u8], deed: &str) -> Result<Value, RestFailure> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Value::Null);
    }
    serde_json::from_slice(body).map_err(|error| {
        let why = format!(
            "the server's answer is no JSON (line {}, column {})",
            error.line(),
            error.column()
        );
        RestFailure::new(RestFault::Unreadable, deed, &why)
    })
}

impl NoAnswer {
    /// Whether the server cannot have seen it.
    fn is_unsent(&self) -> bool {
        matches!(self, Self::Broken(error) if error.is_connect())
    }

    fn told(&self, deed: &str) -> RestFailure {
        match self {
            Self::Broken(error) if error.is_timeout() => {
                RestFailure::new(RestFault::Unreachable, deed, "the server did not answer in time")
            }
            // Its outer words hold the address, and that may hold a token.
            Self::Broken(error) => {
                let why = format!("the server cannot be reached ({})", service::innermost(error));
                RestFailure::new(RestFault::Unreachable, deed, &why)
            }
            Self::TooLong => RestFailure::new(RestFault::Unreadable, deed, "the server's answer has no end"),
        }
    }
}
