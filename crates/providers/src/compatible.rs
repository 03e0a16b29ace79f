//! The OpenAI-compatible server: where it is, which models it lists, and why nobody knows.

use fetching::service::ServiceClients;
use settings::ModelKeys;
use vocabulary::{AskFailure, AskFailureKind};

use crate::catalogue::Provider;
use crate::discover::{Server, ask, look_around, usual_name};
use crate::http::base_url;
use crate::keys::Keys;
use crate::lists::{ListFault, ListProblem};
use crate::options::Options;
use crate::resolve::{Nobody, Wish};

/// What is known of the OpenAI-compatible server.
#[derive(Clone, Debug)]
pub(crate) enum Compatible {
    NotLookedFor,
    /// An address that cannot be used.
    BadAddress(String),
    None {
        looked_at: String,
    },
    Server {
        server: Server,
        /// How it came to be known.
        because: String,
        /// An operator named its address, rather than that it was found on this machine.
        named: bool,
    },
    /// It was named by an operator, and did not answer when it was asked for its models.
    Silent {
        base_url: String,
        problem: ListProblem,
    },
}

impl Compatible {
    /// The server that was found on this machine without anybody having named it.
    pub(crate) fn found(&self) -> Option<&str> {
        match self {
            Compatible::Server {
                server, named: false, ..
            } => Some(&server.base_url),
            _ => None,
        }
    }

    pub(crate) async fn find(wish: &Wish, keys: &Keys, clients: &ServiceClients, options: &Options) -> Self {
        let given = match wish.compatible_base_url.as_str() {
            "" => keys
                .base_url(Provider::Compatible)
                .map(|url| ("COMPATIBLE_BASE_URL", url)),
            url => Some(("llm.compatibleBaseUrl", url)),
        };
        if let Some((name, given)) = given {
            let base_url = match base_url(given, "/v1") {
                Ok(base_url) => base_url,
                Err(problem) => {
                    return Compatible::BadAddress(format!(
                        "{name} is {problem}. Write it like http://127.0.0.1:11434/v1; a password goes into COMPATIBLE_API_KEY"
                    ));
                }
            };
            let key = keys.expose(Provider::Compatible);
            // Headers go where an operator says, and not to whatever listens on this machine.
            let own = keys.clients(Provider::Compatible);
            return match ask(&own, &base_url, key, options.probe_patience).await {
                Ok(server) => Compatible::Server {
                    because: format!(
                        "there is no key for a provider, and {name} names a server that answers"
                    ),
                    server,
                    named: true,
                },
                Err(problem) => Compatible::Silent { base_url, problem },
            };
        }
        let sightings = look_around(clients, &options.loopback_ports, options.probe_patience).await;
        let ports: Vec<String> = sightings
            .iter()
            .map(|sighting| sighting.port.to_string())
            .collect();
        let found = sightings
            .into_iter()
            .find_map(|sighting| Some((sighting.port, sighting.found.ok()?)));
        match found {
            Some((port, server)) => Compatible::Server {
                because: format!(
                    "there is no key for a provider, and {} answers on port {port} of this machine",
                    usual_name(port)
                ),
                server,
                named: false,
            },
            None => Compatible::None {
                looked_at: ports.join(", "),
            },
        }
    }

    /// What `auto` takes when there is no key.
    pub(crate) fn as_auto(&self) -> (Provider, String) {
        match self {
            Compatible::Server { because, .. } => (Provider::Compatible, because.clone()),
            Compatible::Silent { base_url, problem } => (
                Provider::Compatible,
                format!(
                    "there is no key, and {base_url} is the address that was given, although: {}",
                    problem.words
                ),
            ),
            Compatible::BadAddress(problem) => (Provider::Offline, format!("there is no key, and {problem}")),
            Compatible::None { looked_at } => (
                Provider::Offline,
                format!("there is no key, and no model server answers on 127.0.0.1, ports {looked_at}"),
            ),
            Compatible::NotLookedFor => (Provider::Offline, "there is no key".to_owned()),
        }
    }

    /// The address, and the first model it lists.
    pub(crate) fn reach(&self, names: ModelKeys) -> Result<(&str, Option<&str>), Nobody> {
        match self {
            Compatible::Server { server, .. } => {
                Ok((&server.base_url, server.models.first().map(String::as_str)))
            }
            Compatible::Silent { base_url, .. } => Ok((base_url, None)),
            Compatible::BadAddress(problem) => Err(rejected(problem.clone()).into()),
            Compatible::None { .. } | Compatible::NotLookedFor => Err(self.silence(names)),
        }
    }

    pub(crate) fn silence(&self, names: ModelKeys) -> Nobody {
        let unreachable = |detail| AskFailure::new(AskFailureKind::Unreachable, detail).into();
        match self {
            Compatible::Silent { base_url, problem } => Nobody {
                failure: Box::new(AskFailure::new(
                    problem.fault.kind(),
                    format!(
                        "{base_url} could not be asked for its models: {}. {}, and look again",
                        problem.words,
                        remedy(problem.fault)
                    ),
                )),
                or_set: Some(names.model),
            },
            Compatible::None { looked_at } => unreachable(format!(
                "no model server answers on 127.0.0.1, ports {looked_at}. Start one and look again, or set llm.compatibleBaseUrl"
            )),
            _ => unreachable(format!(
                "no model server has been looked for. Set {} to compatible, or llm.compatibleBaseUrl, and look again",
                names.provider
            )),
        }
    }

    /// Why the server at this address will answer no question, where it said so when it was asked for its list.
    pub(crate) fn shut_out_at(&self, at: &str) -> Option<&ListProblem> {
        match self {
            Compatible::Silent { base_url, problem } if base_url == at && problem.shuts_out() => {
                Some(problem)
            }
            _ => None,
        }
    }

    /// The server has answered a question: its list is for others, and we are not shut out.
    pub(crate) fn lets_in(&mut self) {
        if let Compatible::Silent { problem, .. } = self {
            problem.fault = ListFault::NotForUs;
        }
    }
}

fn rejected(detail: String) -> AskFailure {
    AskFailure::new(AskFailureKind::Rejected, detail)
}

/// What to do about a server that does not list its models.
pub(crate) fn remedy(fault: ListFault) -> &'static str {
    match fault {
        ListFault::KeyRefused => "Put the key that it wants into COMPATIBLE_API_KEY",
        ListFault::RegionRefused => {
            "Go by an address that answers from here (llm.compatibleBaseUrl or COMPATIBLE_BASE_URL)"
        }
        ListFault::NotForUs => "Have it list them for this key",
        ListFault::Answered(404 | 405) => {
            "Correct llm.compatibleBaseUrl or COMPATIBLE_BASE_URL: it usually ends in /v1"
        }
        ListFault::Answered(429) => "Wait a little: it is asked too often",
        ListFault::Answered(_) => "Look at what the server itself has logged",
        ListFault::NoList => "Correct llm.compatibleBaseUrl or COMPATIBLE_BASE_URL",
        ListFault::NoModel => "Load a model there",
        ListFault::Unheard => "Start the server",
    }
}
