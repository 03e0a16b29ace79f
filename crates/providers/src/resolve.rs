//! What a choice of provider and model means here and now: keys, addresses, and what `auto` stands for.

use fetching::service::ServiceClients;
use settings::{ModelKeys, ModelProvider, ProviderOrInherit, Settings, StructuredOutput};
use vocabulary::{AskFailure, AskFailureKind, AskPurpose, ModelChoice};

use crate::catalogue::{Catalogue, Provider};
use crate::defaults::Defaults;
use crate::discover::{Server, ask, look_around, usual_name};
use crate::http::base_url;
use crate::keys::Keys;
use crate::options::Options;

/// What settings want of language models: two communities that want the same are answered the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wish {
    /// Some question is to go to the OpenAI-compatible server by name.
    names_compatible: bool,
    compatible_base_url: String,
    structured: StructuredOutput,
    provider: ModelProvider,
    model: String,
}

impl Wish {
    pub(crate) fn of(settings: &Settings) -> Self {
        let wanted = [
            settings.address_classifier.provider,
            settings.reply_followup.provider,
            settings.memory.provider,
            settings.compaction.provider,
            settings.stream_watch.note_provider,
            settings.stream_watch.commentary_provider,
            settings.initiative.execution,
        ];
        Self {
            names_compatible: settings.llm.provider == ModelProvider::Compatible
                || wanted.contains(&ProviderOrInherit::Compatible),
            compatible_base_url: settings.llm.compatible_base_url.trim().to_owned(),
            structured: settings.llm.structured_output,
            provider: settings.llm.provider,
            model: settings.llm.model.clone(),
        }
    }

    fn replies(&self) -> ModelChoice {
        ModelChoice {
            provider: self.provider.name().to_owned(),
            model: self.model.clone(),
        }
    }
}

/// Everything that was worked out from the settings, the keys and a look around.
#[derive(Clone, Debug)]
pub(crate) struct Resolution {
    auto: Provider,
    auto_because: String,
    compatible: Compatible,
    pub(crate) structured: StructuredOutput,
    /// What the settings want for replies.
    pub(crate) replies: ModelChoice,
}

/// What is known of the OpenAI-compatible server.
#[derive(Clone, Debug)]
enum Compatible {
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
        problem: String,
    },
}

/// Whom a request goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) provider: Provider,
    pub(crate) base_url: String,
    pub(crate) model: String,
    pub(crate) because: String,
}

impl Resolution {
    /// The address of a server that was found on this machine without anybody having named it: it is not shown a key.
    pub(crate) fn found(&self) -> Option<&str> {
        self.compatible.found()
    }

    /// Before anything was looked at: keys count, servers are not known.
    pub(crate) fn at_first(wish: &Wish, keys: &Keys) -> Self {
        let (auto, auto_because) = by_key(keys).unwrap_or((
            Provider::Offline,
            "no key was found, and model servers have not been looked for yet".to_owned(),
        ));
        Self {
            auto,
            auto_because,
            compatible: Compatible::NotLookedFor,
            structured: wish.structured,
            replies: wish.replies(),
        }
    }

    /// Works everything out.
    pub(crate) async fn new(wish: &Wish, keys: &Keys, clients: &ServiceClients, options: &Options) -> Self {
        let keyed = by_key(keys);
        let compatible = if keyed.is_none() || wish.names_compatible {
            Compatible::find(wish, keys, clients, options).await
        } else {
            Compatible::NotLookedFor
        };
        let (auto, auto_because) = keyed.unwrap_or_else(|| compatible.as_auto());
        Self {
            auto,
            auto_because,
            compatible,
            structured: wish.structured,
            replies: wish.replies(),
        }
    }

    /// Finds the target of a choice, or says what is missing for it.
    pub(crate) fn target(
        &self,
        keys: &Keys,
        (catalogue, defaults): (&Catalogue, &Defaults),
        choice: &ModelChoice,
        (purpose, settings): (AskPurpose, &Settings),
    ) -> Result<Target, AskFailure> {
        let names = settings.keys_for(purpose);
        let (provider, mut because) = match choice.provider.as_str() {
            "auto" | "" => (self.auto, self.auto_because.clone()),
            name => match Provider::from_name(name) {
                Some(provider) if name == self.replies.provider => {
                    (provider, format!("llm.provider is set to {provider}"))
                }
                Some(provider) => (provider, format!("{} is set to {provider}", names.provider)),
                None => {
                    return Err(rejected(format!(
                        "`{name}` is no provider. Set {} to auto, anthropic, openai, gemini, compatible or offline",
                        names.provider
                    )));
                }
            },
        };
        let target = |base_url: &str, model: &str, because: String| Target {
            provider,
            base_url: base_url.to_owned(),
            model: model.to_owned(),
            because,
        };
        let model = choice.model.trim();
        match provider {
            Provider::Compatible => {
                let (base_url, listed) = self.compatible.reach(names)?;
                match (model, listed) {
                    ("", Some(listed)) => {
                        because =
                            format!("{because}; no model is named, and this is the first that it lists");
                        Ok(target(base_url, listed, because))
                    }
                    ("", None) => Err(self.compatible.silence(names)),
                    (model, _) => Ok(target(base_url, model, because)),
                }
            }
            Provider::Offline => Ok(target("", crate::OFFLINE_MODEL, because)),
            Provider::Anthropic | Provider::OpenAi | Provider::Gemini => {
                if !keys.has(provider) {
                    return Err(rejected(format!(
                        "there is no key for {provider}. Set {}, or put `{provider} = \"…\"` into keys.toml, and start again",
                        provider.key_variables().join(" or ")
                    )));
                }
                let base_url = home(provider, keys)?;
                if !model.is_empty() {
                    return Ok(target(&base_url, model, because));
                }
                let chosen = defaults.model(provider, purpose.role(), catalogue);
                because = format!("{because}; no model is named, and this is {}", chosen.because);
                Ok(target(&base_url, &chosen.model, because))
            }
        }
    }
}

impl Resolution {
    /// The OpenAI-compatible server that was asked, and which models it has that can talk, or why nobody knows.
    pub(crate) fn server(&self) -> Option<(&str, Result<&[String], &str>)> {
        match &self.compatible {
            Compatible::Server { server, .. } => Some((&server.base_url, Ok(&server.models))),
            Compatible::Silent { base_url, problem } => Some((base_url, Err(problem))),
            Compatible::BadAddress(problem) => Some(("", Err(problem))),
            Compatible::None { .. } | Compatible::NotLookedFor => None,
        }
    }

    /// The OpenAI-compatible server, where it was found or named; one that did not list anything has no models.
    pub(crate) fn listed_server(&self) -> Option<Server> {
        match &self.compatible {
            Compatible::Server { server, .. } => Some(server.clone()),
            Compatible::Silent { base_url, .. } => Some(Server::silent(base_url)),
            Compatible::BadAddress(_) | Compatible::None { .. } | Compatible::NotLookedFor => None,
        }
    }

    /// The same after that server has listed its models again; none where it is another's.
    pub(crate) fn served_by(&self, listed: &Server) -> Option<Self> {
        let mut resolution = self.clone();
        match &mut resolution.compatible {
            Compatible::Server { server, .. } if server.base_url == listed.base_url => {
                *server = listed.clone();
                Some(resolution)
            }
            _ => None,
        }
    }
}

/// The first provider there is a key for.
fn by_key(keys: &Keys) -> Option<(Provider, String)> {
    Provider::WITH_KEYS
        .into_iter()
        .find_map(|provider| Some((provider, keys.origin(provider)?.to_owned())))
}

pub(crate) fn home(provider: Provider, keys: &Keys) -> Result<String, AskFailure> {
    let default = provider.home().unwrap_or("");
    let Some(given) = keys.base_url(provider) else {
        return Ok(default.to_owned());
    };
    let path_if_none = if provider == Provider::OpenAi { "/v1" } else { "" };
    base_url(given, path_if_none).map_err(|problem| {
        let variable = provider.base_url_variable().unwrap_or("");
        rejected(format!("{variable} is {problem}. Write it like {default}"))
    })
}

impl Compatible {
    /// The server that was found on this machine without anybody having named it.
    fn found(&self) -> Option<&str> {
        match self {
            Compatible::Server {
                server, named: false, ..
            } => Some(&server.base_url),
            _ => None,
        }
    }

    async fn find(wish: &Wish, keys: &Keys, clients: &ServiceClients, options: &Options) -> Self {
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
    fn as_auto(&self) -> (Provider, String) {
        match self {
            Compatible::Server { because, .. } => (Provider::Compatible, because.clone()),
            Compatible::Silent { base_url, problem } => (
                Provider::Compatible,
                format!("there is no key, and {base_url} is the address that was given, although: {problem}"),
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
    fn reach(&self, names: ModelKeys) -> Result<(&str, Option<&str>), AskFailure> {
        match self {
            Compatible::Server { server, .. } => {
                Ok((&server.base_url, server.models.first().map(String::as_str)))
            }
            Compatible::Silent { base_url, .. } => Ok((base_url, None)),
            Compatible::BadAddress(problem) => Err(rejected(problem.clone())),
            Compatible::None { .. } | Compatible::NotLookedFor => Err(self.silence(names)),
        }
    }

    fn silence(&self, names: ModelKeys) -> AskFailure {
        let detail = match self {
            Compatible::Silent { base_url, problem } => {
                format!(
                    "{base_url} could not be asked for its models: {problem}. {}, and look again; or set {}",
                    remedy(problem),
                    names.model
                )
            }
            Compatible::None { looked_at } => format!(
                "no model server answers on 127.0.0.1, ports {looked_at}. Start one and look again, or set llm.compatibleBaseUrl"
            ),
            _ => format!(
                "no model server has been looked for. Set {} to compatible, or llm.compatibleBaseUrl, and look again",
                names.provider
            ),
        };
        AskFailure::new(AskFailureKind::Unreachable, detail)
    }
}

fn rejected(detail: String) -> AskFailure {
    AskFailure::new(AskFailureKind::Rejected, detail)
}

/// What to do about a server that does not list its models.
pub(crate) fn remedy(problem: &str) -> &'static str {
    match problem
        .rsplit_once("with status ")
        .map_or("", |(_, status)| status.get(..3).unwrap_or(""))
    {
        "401" | "403" => "Put the key that it wants into COMPATIBLE_API_KEY",
        "404" | "405" => "Correct llm.compatibleBaseUrl or COMPATIBLE_BASE_URL: it usually ends in /v1",
        status if status.starts_with('5') => "Look at what the server itself has logged",
        "429" => "Wait a little: it is asked too often",
        "" if problem.contains("is no model server") => {
            "Correct llm.compatibleBaseUrl or COMPATIBLE_BASE_URL"
        }
        "" if problem.contains("has no model") => "Load a model there",
        _ => "Start the server",
    }
}

/// What an operator does to have another model answer.
pub(crate) fn how_to_change(provider: Provider) -> &'static str {
    match provider {
        Provider::Offline => {
            "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and start again; or start a model server such as Ollama, or name one in llm.compatibleBaseUrl, and look again"
        }
        _ => "Set llm.provider and llm.model in the settings",
    }
}
