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
use crate::overfull::FoundWindow;

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
    pub(crate) window_from: WindowFrom,
    /// How large the model is, in millions of parameters.
    pub(crate) parameters_millions: Option<u64>,
}

/// Who says how much a model reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WindowFrom {
    /// Its server.
    #[default]
    Server,
    /// Nobody: it is what Ollama gives a model where nobody set another window. Once the model is loaded, it says.
    Usual,
    /// Nobody: a longer prompt was refused for its length, and less is tried.
    Trial,
}

impl Served {
    /// With what was found where a prompt was too long. What nobody said gives way to what the server did.
    pub(crate) fn found_to_read(self, found: FoundWindow) -> Self {
        let is_guess = self.window_from == WindowFrom::Usual && found.is_told;
        match self.window.filter(|window| !is_guess && *window <= found.tokens) {
            Some(_) => self,
            None => Self {
                window: Some(found.tokens),
                window_from: match found.is_told {
                    true => WindowFrom::Server,
                    false => WindowFrom::Trial,
                },
                ..self
            },
        }
    }

    /// Whether nobody has said how much it reads.
    pub(crate) fn is_window_guessed(self) -> bool {
        self.window.is_some() && self.window_from != WindowFrom::Server
    }

    /// Whether its server has said anything of it.
    pub(crate) fn is_told(self) -> bool {
        let window = self.window.filter(|_| self.window_from == WindowFrom::Server);
        let said = Self {
            window,
            window_from: WindowFrom::Server,
            ..self
        };
        said != Self::default()
    }
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
        if let Some(listed) = server.windows.get(model)
            && (served.window.is_none() || served.is_window_guessed())
        {
            served.window = Some(*listed);
            served.window_from = WindowFrom::Server;
        }
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
    let reads = match served.window_from {
        WindowFrom::Server => format!("the server reads {window} tokens of this model"),
        WindowFrom::Usual => format!(
            "Ollama gives a model {window} tokens unless it is told otherwise, and says what it really gives this one once it is loaded"
        ),
        WindowFrom::Trial => format!(
            "a longer prompt was refused by this model without a number, and {window} tokens are tried since"
        ),
    };
    Err(AskFailure::new(
        AskFailureKind::ContextTooLong,
        format!(
            "{reads}, and prompt and answer would be about {wanted}. Set llm.contextTokens to what it reads, or give the model a larger window there"
        ),
    ))
}

/// What an operator should know of a window that is smaller than the prompts that are made.
pub(crate) fn window_warning(model: &str, served: Served, context_tokens: u64) -> Option<ModelWarning> {
    let window = served.window.filter(|window| *window < context_tokens)?;
    let set = format!("llm.contextTokens is {context_tokens}");
    let larger = "give the model a larger window (num_ctx or OLLAMA_CONTEXT_LENGTH of Ollama, --ctx-size of llama.cpp, --max-model-len of vLLM)";
    let text = match served.window_from {
        WindowFrom::Server => format!(
            "the server reads {window} tokens of {model}, and {set}: prompts for it are made no longer than that. Set llm.contextTokens to {window}, or {larger}"
        ),
        WindowFrom::Usual => format!(
            "how many tokens Ollama reads of {model} is not known before it is loaded, and {set}: until then prompts for it are made no longer than {window}, which is what it usually reads. If it is more, set num_ctx of the model or OLLAMA_CONTEXT_LENGTH, which it then says"
        ),
        WindowFrom::Trial => format!(
            "{model} has refused a prompt for its length and does not say how many tokens it reads, and {set}: {window} are tried, which is a guess. Set llm.contextTokens to what it reads, or {larger}"
        ),
    };
    Some(ModelWarning { text, broken: false })
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
    // llama.cpp also answers as Ollama does, and says less then.
    let props = server.get("/props").await;
    if let Some(props) = props.filter(|props| props["default_generation_settings"].is_object()) {
        let listed = server.get("/v1/models").await;
        return Served {
            parameters_millions: listed.and_then(|listed| listed_millions(&listed, model)),
            ..of_llama_cpp(&props)
        };
    }
    let shown = server.post("/api/show", &json!({"model": model})).await;
    match shown.filter(is_of_ollama) {
        Some(shown) => server.of_ollama(model, &shown).await,
        None => Served::default(),
    }
}

/// Whether this is what Ollama shows of a model: some answer anything to any question.
fn is_of_ollama(shown: &Value) -> bool {
    let is_about_a_model = shown["details"].is_object() || shown["model_info"].is_object();
    is_about_a_model && shown["error"].is_null()
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
        let running = loaded.into_iter().flatten();
        let running = running
            .filter(|one| one["model"] == model || one["name"] == model)
            .find_map(|one| one["context_length"].as_u64());
        let told = running.or(about.window());
        // Who does not say what is loaded may be anybody, and read more.
        let usual = loaded.map(|_| OLLAMA_WINDOW);
        Served {
            tools: can("tools"),
            sees: can("vision"),
            thinks: can("thinking"),
            window: told.or(usual),
            window_from: match told {
                Some(_) => WindowFrom::Server,
                None => WindowFrom::Usual,
            },
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
        window_from: WindowFrom::Server,
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
