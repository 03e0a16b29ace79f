//! What a choice of provider and model means here and now: keys, addresses, and what `auto` stands for.

use fetching::service::ServiceClients;
use settings::{ModelProvider, Settings, StructuredOutput};
use vocabulary::{AskFailure, AskFailureKind, AskPurpose, ModelChoice};

use crate::catalogue::{Catalogue, Provider};
use crate::compatible::Compatible;
use crate::defaults::Defaults;
use crate::discover::Server;
use crate::http::base_url;
use crate::keys::Keys;
use crate::lists::{ListFault, ListProblem};
use crate::options::Options;

/// What settings want of language models: two communities that want the same are answered the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wish {
    /// Some question is to go to the OpenAI-compatible server by name.
    names_compatible: bool,
    pub(crate) compatible_base_url: String,
    structured: StructuredOutput,
    provider: ModelProvider,
    model: String,
}

impl Wish {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self {
            names_compatible: AskPurpose::ALL
                .iter()
                .any(|purpose| settings.choice_for(*purpose).provider == Provider::Compatible.name()),
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

/// Whom a request goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) provider: Provider,
    pub(crate) base_url: String,
    pub(crate) model: String,
    pub(crate) because: String,
}

/// Nobody can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Nobody {
    /// Why, and what to do.
    pub(crate) failure: Box<AskFailure>,
    /// The setting that would do instead.
    pub(crate) or_set: Option<&'static str>,
}

impl From<AskFailure> for Nobody {
    fn from(failure: AskFailure) -> Self {
        Self {
            failure: Box::new(failure),
            or_set: None,
        }
    }
}

impl From<Nobody> for AskFailure {
    fn from(nobody: Nobody) -> Self {
        let Nobody { mut failure, or_set } = nobody;
        if let Some(key) = or_set {
            failure.detail.push_str(&format!("; or set {key}"));
        }
        *failure
    }
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

    /// Who is to write the replies although nobody can, and why it is them.
    pub(crate) fn wanted(&self) -> (String, String) {
        match self.replies.provider.as_str() {
            "auto" | "" => (self.auto.name().to_owned(), self.auto_because.clone()),
            name => {
                let because = format!("llm.provider is set to {name}, but it cannot be used");
                (name.to_owned(), because)
            }
        }
    }

    /// Finds the target of a choice, or says what is missing for it.
    pub(crate) fn target(
        &self,
        keys: &Keys,
        (catalogue, defaults): (&Catalogue, &Defaults),
        choice: &ModelChoice,
        (purpose, settings): (AskPurpose, &Settings),
    ) -> Result<Target, Nobody> {
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
                    ))
                    .into());
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
                    ))
                    .into());
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
    pub(crate) fn server(&self) -> Option<(&str, Result<&[String], ListProblem>)> {
        match &self.compatible {
            Compatible::Server { server, .. } => Some((&server.base_url, Ok(&server.models))),
            Compatible::Silent { base_url, problem } => Some((base_url, Err(problem.clone()))),
            Compatible::BadAddress(problem) => {
                Some(("", Err(ListProblem::new(ListFault::NoList, problem.clone()))))
            }
            Compatible::None { .. } | Compatible::NotLookedFor => None,
        }
    }

    /// Why the server at this address will answer no question, as it said when it was asked which models it has.
    pub(crate) fn shut_out_at(&self, base_url: &str) -> Option<&ListProblem> {
        self.compatible.shut_out_at(base_url)
    }

    /// The same after a server there has answered a question; none where that is no news.
    pub(crate) fn answered_at(&self, base_url: &str) -> Option<Self> {
        self.shut_out_at(base_url)?;
        let mut resolution = self.clone();
        resolution.compatible.lets_in();
        Some(resolution)
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

fn rejected(detail: String) -> AskFailure {
    AskFailure::new(AskFailureKind::Rejected, detail)
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
