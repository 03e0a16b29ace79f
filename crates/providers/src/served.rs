//! What a server tells of a model of its own: Ollama by `/api/show` and `/api/ps`, llama.cpp by `/props`, it and vLLM by
//! their lists of models. Nobody else is asked; who does not answer has said nothing.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fetching::service::ServiceClients;
use runtime::ports::ModelWarning;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;
use vocabulary::text::token_quarters;
use vocabulary::{AskFailure, AskFailureKind, ContentPart, ModelRequest};

use crate::aside::ask_aside;
use crate::catalogue::Provider;
use crate::discover::Server;

const ANSWER_BYTES_MAX: usize = 4 << 20;
/// What Ollama gives a model that nobody gave another window.
const OLLAMA_WINDOW: u64 = 4_096;
/// The mind reckons with as many letters to a token, which is true of English.
const QUARTERS: usize = 4;

/// What a server says of one of its models; none where it does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Served {
    pub(crate) tools: Option<bool>,
    pub(crate) sees: Option<bool>,
    pub(crate) thinks: Option<bool>,
    /// Tokens that it really reads, which may be far fewer than the model could.
    pub(crate) window: Option<u64>,
    /// Nobody said so: it is what such a server gives a model where nobody set another window. Once the model is loaded,
    /// the server knows.
    pub(crate) window_assumed: bool,
    /// How large the model is, in millions of parameters.
    pub(crate) parameters_millions: Option<u64>,
}

/// What was told, by address and model.
#[derive(Debug, Default)]
pub(crate) struct ServedModels {
    known: Mutex<BTreeMap<(String, String), Served>>,
    /// How often something else was told than before.
    lessons: AtomicU64,
}

/// Models that are known at a time.
const KNOWN_MAX: usize = 256;

impl ServedModels {
    pub(crate) fn of(&self, base_url: &str, model: &str) -> Served {
        let known = self.known.lock().expect("no holder of this lock can panic");
        let key = (base_url.to_owned(), model.to_owned());
        known.get(&key).copied().unwrap_or_default()
    }

    /// Asks a server that has listed its models about one of them, with these clients, this key and this much patience.
    pub(crate) async fn look(
        &self,
        (clients, key, patience): (&ServiceClients, Option<&str>, Duration),
        server: &Server,
        model: &str,
    ) {
        let base_url = &server.base_url;
        let mut served = ask_about(clients, base_url, key, model, patience).await;
        served.window = served.window.or(server.windows.get(model).copied());
        let mut known = self.known.lock().expect("no holder of this lock can panic");
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        let before = known.insert((base_url.to_owned(), model.to_owned()), served);
        if before != Some(served) {
            self.lessons.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How often something else was told than before.
    pub(crate) fn lessons(&self) -> u64 {
        self.lessons.load(Ordering::Relaxed)
    }
}

/// Refuses a prompt of which the server would drop the beginning without a word, so that a smaller one is made.
pub(crate) fn insist_on_window(request: &ModelRequest, served: Served) -> Result<(), AskFailure> {
    let Some(window) = served.window else {
        return Ok(());
    };
    let wanted = estimated_tokens(request) + u64::from(request.max_output_tokens);
    if wanted <= window {
        return Ok(());
    }
    Err(AskFailure::new(
        AskFailureKind::ContextTooLong,
        format!(
            "the server reads {window} tokens of this model, and prompt and answer would be about {wanted}. Set llm.contextTokens to what it reads, or give the model a larger window there"
        ),
    ))
}

/// What an operator should know of a window that is smaller than the prompts that are made.
pub(crate) fn window_warning(model: &str, served: Served, context_tokens: u64) -> Option<ModelWarning> {
    let window = served.window.filter(|window| *window < context_tokens)?;
    Some(ModelWarning {
        text: format!(
            "the server reads {window} tokens of {model}, and llm.contextTokens is {context_tokens}: prompts for it are made no longer than that. Set llm.contextTokens to {window}, or give the model a larger window (num_ctx or OLLAMA_CONTEXT_LENGTH of Ollama, --ctx-size of llama.cpp, --max-model-len of vLLM)"
        ),
        broken: false,
    })
}

/// Tokens that thoughts may have, where a server reads no more than this of prompt, thoughts and answer together.
pub(crate) fn room_within(window: u64, request: &ModelRequest) -> u32 {
    let taken = estimated_tokens(request) + u64::from(request.max_output_tokens);
    u32::try_from(window.saturating_sub(taken)).unwrap_or(u32::MAX)
}

/// Tokens that a question takes, pictures aside.
pub(crate) fn estimated_tokens(request: &ModelRequest) -> u64 {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let said: usize = parts
        .map(|part| match part {
            ContentPart::Text(text) => token_quarters(text),
            ContentPart::ToolResult(result) => token_quarters(&result.text),
            ContentPart::ToolCall(call) => call.arguments.to_string().len(),
            ContentPart::Image { .. } | ContentPart::History { .. } | ContentPart::Carried(_) => 0,
        })
        .sum();
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| tool.description.len() + tool.parameters.to_string().len())
        .sum();
    ((token_quarters(&request.system) + said + tools) / QUARTERS) as u64
}

/// Asks a server about a model.
async fn ask_about(
    clients: &ServiceClients,
    base_url: &str,
    key: Option<&str>,
    model: &str,
    patience: Duration,
) -> Served {
    let root = base_url.trim_end_matches("/v1");
    // A door further in is a gateway's, behind which nobody knows these questions.
    if reqwest::Url::parse(root).is_ok_and(|url| url.path() != "/") {
        return Served::default();
    }
    let server = Asked {
        clients,
        root,
        key,
        patience,
    };
    if let Some(shown) = server.post("/api/show", &json!({"model": model})).await {
        return server.of_ollama(model, &shown).await;
    }
    let Some(props) = server.get("/props").await else {
        return Served::default();
    };
    let listed = server.get("/v1/models").await;
    Served {
        parameters_millions: listed.and_then(|listed| listed_millions(&listed, model)),
        ..of_llama_cpp(&props)
    }
}

struct Asked<'a> {
    clients: &'a ServiceClients,
    root: &'a str,
    key: Option<&'a str>,
    patience: Duration,
}

impl Asked<'_> {
    async fn get(&self, path: &str) -> Option<Value> {
        let url = format!("{}{path}", self.root);
        self.send(&url, self.clients.for_address(&url).get(&url)).await
    }

    async fn post(&self, path: &str, body: &Value) -> Option<Value> {
        let url = format!("{}{path}", self.root);
        let request = self.clients.for_address(&url).post(&url);
        let request = request
            .header(reqwest::header::CONTENT_TYPE, "application/json")
            .body(body.to_string());
        self.send(&url, request).await
    }

    async fn send(&self, url: &str, request: reqwest::RequestBuilder) -> Option<Value> {
        let asking = ask_aside(request, (Provider::Compatible, url, self.key), ANSWER_BYTES_MAX);
        let body = timeout(self.patience, asking).await.ok()?.ok()?;
        serde_json::from_slice(&body).ok()
    }

    async fn of_ollama(&self, model: &str, shown: &Value) -> Served {
        let Ok(about) = Shown::deserialize(shown) else {
            return Served::default();
        };
        let can = |what: &str| {
            about
                .capabilities
                .as_ref()
                .map(|all| all.iter().any(|one| one == what))
        };
        let loaded = self.get("/api/ps").await;
        let loaded = loaded.as_ref().and_then(|list| list["models"].as_array());
        let loaded = loaded.into_iter().flatten();
        let running = loaded
            .filter(|one| one["model"] == model || one["name"] == model)
            .find_map(|one| one["context_length"].as_u64());
        Served {
            tools: can("tools"),
            sees: can("vision"),
            thinks: can("thinking"),
            window: running.or(about.window()).or(Some(OLLAMA_WINDOW)),
            window_assumed: running.is_none() && about.window().is_none(),
            parameters_millions: shown_millions(shown),
        }
    }
}

/// What Ollama shows of a model.
#[derive(Deserialize)]
struct Shown {
    capabilities: Option<Vec<String>>,
    /// Lines such as `num_ctx 8192`.
    #[serde(default)]
    parameters: String,
}

impl Shown {
    fn window(&self) -> Option<u64> {
        let mut lines = self.parameters.lines().map(str::split_whitespace);
        lines.find_map(|mut words| match words.next() {
            Some("num_ctx") => words.next()?.parse().ok(),
            _ => None,
        })
    }
}

fn of_llama_cpp(props: &Value) -> Served {
    Served {
        tools: None,
        sees: props["modalities"]["vision"].as_bool(),
        thinks: None,
        window: props["default_generation_settings"]["n_ctx"].as_u64(),
        window_assumed: false,
        parameters_millions: None,
    }
}

const MILLION: u64 = 1_000_000;

/// What Ollama shows of a model's size: counted, or rounded as in `1.5B` and `134.52M`.
fn shown_millions(shown: &Value) -> Option<u64> {
    let counted = shown["model_info"]["general.parameter_count"].as_u64();
    counted.map(|count| count / MILLION).or_else(|| {
        let size = shown["details"]["parameter_size"].as_str()?.trim();
        let (figure, unit) = match (size.strip_suffix(['B', 'b']), size.strip_suffix(['M', 'm'])) {
            (Some(figure), _) => (figure, 1_000.0),
            (None, Some(figure)) => (figure, 1.0),
            (None, None) => return None,
        };
        let figure: f64 = figure.trim().parse().ok().filter(|figure| *figure > 0.0)?;
        Some((figure * unit) as u64)
    })
}

/// What llama.cpp says of a model's size in its list; the only one of a list is meant by whatever name.
fn listed_millions(listed: &Value, model: &str) -> Option<u64> {
    let models = listed["data"].as_array()?;
    let named = models.iter().find(|one| one["id"] == model);
    let meant = named.or_else(|| models.first().filter(|_| models.len() == 1))?;
    meant["meta"]["n_params"].as_u64().map(|count| count / MILLION)
}
