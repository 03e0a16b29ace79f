//! A server as the rest sees it: its tools, how it stands, and calls to it, whether or not it is connected.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::ServiceError;
use rmcp::{Peer, RoleClient};
use serde_json::Value;
use tokio::sync::{Notify, Semaphore, watch};

use super::config::ServerConfig;
use super::offer::{Offer, Offered};
use super::standing::Standing;
use super::{answer, connection, plain};

/// Calls to one server at a time; further ones wait within their own time.
const CALLS_AT_ONCE: usize = 8;

/// A server's tools stay offered while so many attempts to have it back come to nothing: a short absence is not worth
/// telling a model of other tools twice.
const ATTEMPTS_FORGIVEN: u32 = 3;

/// What keeper and callers share.
pub(crate) struct Link {
    pub(crate) config: ServerConfig,
    state: Mutex<State>,
    calls: Semaphore,
    /// A caller found that the connection may be broken.
    pub(crate) found_broken: Notify,
    changes: Arc<watch::Sender<u64>>,
}

struct State {
    standing: Standing,
    offer: Offer,
    peer: Option<Peer<RoleClient>>,
    failures: u32,
}

impl Link {
    pub(crate) fn new(config: ServerConfig, changes: Arc<watch::Sender<u64>>) -> Self {
        Self {
            config,
            state: Mutex::new(State {
                standing: Standing::Connecting,
                offer: Offer::default(),
                peer: None,
                failures: 0,
            }),
            calls: Semaphore::new(CALLS_AT_ONCE),
            found_broken: Notify::new(),
            changes,
        }
    }

    /// The tools that can be called now, or very soon again.
    pub(crate) fn tools(&self) -> Vec<Offered> {
        visible(&self.state())
    }

    pub(crate) fn offer(&self) -> Offer {
        self.state().offer.clone()
    }

    pub(crate) fn standing(&self) -> Standing {
        self.state().standing.clone()
    }

    pub(crate) fn connected(&self, about: String, peer: Peer<RoleClient>, offer: Offer) {
        self.change(|state| {
            state.standing = Standing::Connected { about };
            state.peer = Some(peer);
            state.offer = offer;
            state.failures = 0;
        });
    }

    pub(crate) fn relisted(&self, offer: Offer) {
        self.change(|state| state.offer = offer);
    }

    pub(crate) fn away(&self, standing: Standing, failures: u32) {
        self.change(|state| {
            state.standing = standing;
            state.peer = None;
            state.failures = failures;
        });
    }

    /// Runs a tool, by the name that the server knows it by.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: &Value,
        patience: Duration,
    ) -> Result<String, String> {
        let name = &self.config.name;
        let mut request = CallToolRequestParams::new(tool.to_owned());
        match arguments {
            Value::Object(object) => request = request.with_arguments(object.clone()),
            Value::Null => {}
            _ => {
                return Err(
                    "the arguments are not an object; send an object with the arguments by name".to_owned(),
                );
            }
        }
        let (peer, standing) = {
            let state = self.state();
            (state.peer.clone(), state.standing.clone())
        };
        let Some(peer) = peer else {
            return Err(format!("the server {name} is {}", standing.words()));
        };
        let asking = async {
            let _turn = self.calls.acquire().await;
            peer.call_tool_once(request).await
        };
        let told = match tokio::time::timeout(patience, asking).await {
            // The call is dropped with its future, and the server is told that nobody waits for it any more.
            Err(_) => Err(format!(
                "the server {name} did not answer within {} s, and the call was cancelled",
                patience.as_secs_f32()
            )),
            Ok(Err(error)) => Err(self.failed(&error)),
            Ok(Ok(CallToolResponse::Complete(result))) => answer::text(result),
            Ok(Ok(_)) => Err(format!(
                "the server {name} wants more than one answer for this tool, which is not possible here"
            )),
        };
        match told {
            Ok(text) => Ok(self.config.secrets.hide(&text)),
            Err(why) => Err(self.config.secrets.hide(&why)),
        }
    }

    fn failed(&self, error: &ServiceError) -> String {
        let name = &self.config.name;
        match error {
            ServiceError::McpError(error) => plain::paragraph(&error.message, 1_000),
            ServiceError::TransportSend(error) => {
                self.found_broken.notify_one();
                let why = plain::paragraph(&connection::chain(error.error.as_ref()), 300);
                format!("the server {name} could not be asked: {why}")
            }
            ServiceError::TransportClosed => {
                self.found_broken.notify_one();
                format!("the server {name} went away during the call; it is being connected again")
            }
            other => format!(
                "the server {name} answered otherwise than expected: {}",
                plain::paragraph(&other.to_string(), 300)
            ),
        }
    }

    fn change(&self, how: impl FnOnce(&mut State)) {
        let mut state = self.state();
        let before = visible(&state);
        how(&mut state);
        if visible(&state) != before {
            self.changes.send_modify(|generation| *generation += 1);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn visible(state: &State) -> Vec<Offered> {
    match &state.standing {
        Standing::Ended => Vec::new(),
        _ if state.failures >= ATTEMPTS_FORGIVEN => Vec::new(),
        _ => state.offer.tools.clone(),
    }
}
