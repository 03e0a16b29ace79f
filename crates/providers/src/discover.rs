//! Looks for OpenAI-compatible servers: on the usual loopback ports, or at an address that was given.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use fetching::service::ServiceClients;
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

use crate::aside::{Unheard, ask_aside};
use crate::catalogue::{LOOPBACK_PORTS, Provider};
use crate::http::below;
use crate::lists::{ListFault, ListProblem, late};

const LISTING_BYTES_MAX: usize = 1 << 20;
/// Characters of a server's own words that are told.
const WORDS_MAX: usize = 160;

/// Names of models that turn text into numbers or sound, and cannot talk.
const CANNOT_TALK: &[&str] = &[
    "embed",
    "bge-",
    "minilm",
    "rerank",
    "e5-",
    "gte-",
    "whisper",
    "tts-",
    "clip-",
    "moderation",
    "dall-e",
];

/// A server that lists models that can talk, in its own order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) base_url: String,
    pub(crate) models: Vec<String>,
    /// How many tokens it reads of a model, where its list says so.
    pub(crate) windows: BTreeMap<String, u64>,
    /// Models that it lists and does not have; they are not among the others.
    pub(crate) refused: BTreeSet<String>,
}

impl Server {
    /// One that did not say what it has.
    pub(crate) fn silent(base_url: &str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            ..Self::default()
        }
    }
}

/// What was found on one port.
#[derive(Debug)]
pub(crate) struct Sighting {
    pub(crate) port: u16,
    pub(crate) found: Result<Server, ListProblem>,
}

#[derive(Deserialize)]
struct Listing {
    /// Ollama says `null` where it has no model.
    data: Value,
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    /// As vLLM says it.
    max_model_len: Option<u64>,
}

/// Asks every port at once; the answers come in the order of the ports.
pub(crate) async fn look_around(
    clients: &ServiceClients,
    ports: &[u16],
    patience: Duration,
) -> Vec<Sighting> {
    join_all(ports.iter().map(|port| async move {
        let base_url = format!("http://127.0.0.1:{port}/v1");
        // Whatever listens there need not be ours: it is not shown a key.
        let found = ask(clients, &base_url, None, patience).await;
        Sighting { port: *port, found }
    }))
    .await
}

/// Asks one server for its models.
pub(crate) async fn ask(
    clients: &ServiceClients,
    base_url: &str,
    key: Option<&str>,
    patience: Duration,
) -> Result<Server, ListProblem> {
    let listing = timeout(patience, list(clients, base_url, key)).await;
    listing.unwrap_or_else(|_| Err(late(patience)))
}

async fn list(clients: &ServiceClients, base_url: &str, key: Option<&str>) -> Result<Server, ListProblem> {
    let url = below(base_url, "", "/models");
    let request = clients.for_address(&url).get(&url);
    let asked = ask_aside(request, (Provider::Compatible, &url, key), LISTING_BYTES_MAX).await;
    let body = asked.map_err(|why| {
        let problem = ListProblem::of(&why, Provider::Compatible);
        let words = match why {
            Unheard::Unreached => "nothing listens there".to_owned(),
            Unheard::Refused(_, ref said) => format!("{why}{}", words_of(said)),
            Unheard::Broken => problem.words,
        };
        ListProblem { words, ..problem }
    })?;
    let no_server = |_| ListProblem::new(ListFault::NoList, "what listens there is no model server");
    let listing: Listing = serde_json::from_slice(&body).map_err(no_server)?;
    let listed: Option<Vec<Listed>> = serde_json::from_value(listing.data).map_err(no_server)?;
    let able: Vec<Listed> = listed
        .into_iter()
        .flatten()
        .filter(|listed| can_talk(&listed.id))
        .collect();
    if able.is_empty() {
        let words = "it has no model that can talk; load one";
        return Err(ListProblem::new(ListFault::NoModel, words));
    }
    let windows = able
        .iter()
        .filter_map(|listed| Some((listed.id.clone(), listed.max_model_len?)));
    Ok(Server {
        base_url: base_url.to_owned(),
        windows: windows.collect(),
        models: able.into_iter().map(|listed| listed.id).collect(),
        refused: BTreeSet::new(),
    })
}

/// What a server says of its refusal, where it says it as everybody does.
fn words_of(body: &[u8]) -> String {
    let said: Value = serde_json::from_slice(body).unwrap_or_default();
    let words = [
        &said["error"]["message"],
        &said["error"],
        &said["message"],
        &said["detail"],
    ];
    let words = words.into_iter().find_map(Value::as_str).unwrap_or_default();
    let words: String = words
        .chars()
        .filter(|c| !c.is_control())
        .take(WORDS_MAX)
        .collect();
    match words.trim() {
        "" => String::new(),
        words => format!(" (“{words}”)"),
    }
}

fn can_talk(id: &str) -> bool {
    let id = id.to_lowercase();
    !id.is_empty() && !CANNOT_TALK.iter().any(|part| id.contains(part))
}

/// What usually listens on a port.
pub(crate) fn usual_name(port: u16) -> &'static str {
    LOOPBACK_PORTS
        .iter()
        .find(|(usual, _)| *usual == port)
        .map_or("a model server", |(_, name)| name)
}
