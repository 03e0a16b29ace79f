//! From the settings to an embedder that works.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fetching::service::{ServiceClients, is_loopback};
use runtime::ports::{Embedder, MemoryFault};
use secrecy::SecretString;
use settings::{EmbeddingProvider, EmbeddingSettings};

use super::builtin::Builtin;
use super::exchange::Exchange;
use super::model_folder::ModelFolder;
use super::served::{Patience, Served};
use super::wire::Wire;
use crate::catalogue::Provider;
use crate::http::base_url;
use crate::keys::Keys;

const OPENAI_MODEL: &str = "text-embedding-3-small";
const OLLAMA_MODEL: &str = "nomic-embed-text";
const OLLAMA_HOME: &str = "http://127.0.0.1:11434";
/// A server on this machine shares it with a room, where a query must not wait for a hundred passages.
const LOCAL_TEXTS_MAX: usize = 32;
const REMOTE_TEXTS_MAX: usize = 128;

/// What is the same for every embedder of this process; tests make it small.
#[derive(Clone, Debug)]
pub struct EmbedderOptions {
    /// Wait before the second try; each further one waits twice as long.
    pub first_pause: Duration,
    /// How long a group of passages may take, all tries together.
    pub passage_patience: Duration,
    /// How long a query may take, all tries together.
    pub query_patience: Duration,
    /// The ONNX Runtime to load; without it, one is looked for.
    pub onnx_library: Option<PathBuf>,
}

impl Default for EmbedderOptions {
    fn default() -> Self {
        Self {
            first_pause: Duration::from_millis(500),
            passage_patience: Duration::from_secs(120),
            query_patience: Duration::from_secs(15),
            onnx_library: std::env::var_os("ORT_DYLIB_PATH")
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
        }
    }
}

/// Opens the embedder that the settings name. A server is asked once, so that a wrong key, a missing model or a
/// server that is down is told now, with what to do.
pub async fn open(settings: &EmbeddingSettings, keys: &Keys) -> Result<Arc<dyn Embedder>, MemoryFault> {
    open_with(settings, keys, EmbedderOptions::default()).await
}

/// As `open`, with other pauses.
pub async fn open_with(
    settings: &EmbeddingSettings,
    keys: &Keys,
    options: EmbedderOptions,
) -> Result<Arc<dyn Embedder>, MemoryFault> {
    Ok(match settings.provider {
        EmbeddingProvider::Builtin => Arc::new(Builtin),
        EmbeddingProvider::Onnx => Arc::new(ModelFolder::open(&settings.path, options.onnx_library).await?),
        EmbeddingProvider::OpenAi => Arc::new(open_openai(settings, keys, &options).await?),
        EmbeddingProvider::Ollama => Arc::new(open_ollama(settings, &options).await?),
    })
}

async fn open_openai(
    settings: &EmbeddingSettings,
    keys: &Keys,
    options: &EmbedderOptions,
) -> Result<Served, MemoryFault> {
    let home = Provider::OpenAi.home().expect("OpenAI has an address");
    let named = settings.url.trim();
    let (text, whence) = match keys.base_url(Provider::OpenAi) {
        _ if !named.is_empty() => (named, "memory.embedding.url"),
        Some(proxy) => (proxy, "OPENAI_BASE_URL"),
        None => (home, "memory.embedding.url"),
    };
    let base = address(text, whence, "/v1")?;
    // Without TLS it is not OpenAI's, whoever answers there.
    let is_home = origin(&base) == origin(home);
    // OpenAI's key goes to OpenAI, or where the environment says; whoever may change settings cannot send it elsewhere.
    let key_provider = if is_home || named.is_empty() {
        Provider::OpenAi
    } else {
        Provider::Compatible
    };
    let key_advice = format!(
        "{} or `{key_provider}` in keys.toml",
        key_provider.key_variables().join(" or ")
    );
    if is_home && !keys.has(Provider::OpenAi) {
        return Err(MemoryFault::Refused(format!(
            "memory.embedding.provider is openai, and there is no key. Set {key_advice}; or name a server that needs none in memory.embedding.url"
        )));
    }
    let model = or_usual(&settings.model, OPENAI_MODEL);
    let dimensions = asked(settings);
    let elsewhere = (!is_home).then(|| format!("@{}", host(&base)));
    let name = format!(
        "openai:{model}{}{}",
        elsewhere.unwrap_or_default(),
        length(dimensions)
    );
    let exchange = Exchange {
        clients: keys.clients(key_provider),
        wire: Wire::OpenAi,
        url: Wire::OpenAi.url(&base),
        place: base,
        model,
        is_home,
        dimensions,
        key: keys.expose(key_provider).map(SecretString::from),
        key_advice,
        first_pause: options.first_pause,
        text_chars_max: Exchange::usual_text_chars(),
    };
    serve(exchange, name, options).await
}

async fn open_ollama(settings: &EmbeddingSettings, options: &EmbedderOptions) -> Result<Served, MemoryFault> {
    let base = address(&or_usual(&settings.url, OLLAMA_HOME), "memory.embedding.url", "")?;
    // Its OpenAI-compatible side is what people have at hand.
    let base = base.strip_suffix("/v1").unwrap_or(&base).to_owned();
    let model = or_usual(&settings.model, OLLAMA_MODEL);
    let dimensions = asked(settings);
    let plain = model.strip_suffix(":latest").unwrap_or(&model);
    let name = format!("ollama:{plain}{}", length(dimensions));
    let exchange = Exchange {
        clients: ServiceClients::default(),
        wire: Wire::Ollama,
        url: Wire::Ollama.url(&base),
        place: base,
        model,
        is_home: false,
        dimensions,
        key: None,
        key_advice: "whether a proxy stands before it, and memory.embedding.url".to_owned(),
        first_pause: options.first_pause,
        text_chars_max: Exchange::usual_text_chars(),
    };
    serve(exchange, name, options).await
}

async fn serve(exchange: Exchange, name: String, options: &EmbedderOptions) -> Result<Served, MemoryFault> {
    let texts_max = if is_loopback(&exchange.url) {
        LOCAL_TEXTS_MAX
    } else {
        REMOTE_TEXTS_MAX
    };
    let patience = Patience {
        passages: options.passage_patience,
        queries: options.query_patience,
    };
    Served::open(exchange, name, patience, texts_max).await
}

fn address(text: &str, whence: &str, path_if_none: &str) -> Result<String, MemoryFault> {
    base_url(text, path_if_none).map_err(|problem| {
        MemoryFault::Refused(format!(
            "{whence} is {problem}. Write something like http://127.0.0.1:8080/v1"
        ))
    })
}

fn origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |place| place + 3);
    let end = url[start..].find('/').map_or(url.len(), |place| start + place);
    &url[..end]
}

/// Host and port, for the identity.
fn host(url: &str) -> &str {
    let origin = origin(url);
    origin.split_once("://").map_or(origin, |(_, host)| host)
}

fn or_usual(text: &str, usual: &str) -> String {
    match text.trim() {
        "" => usual.to_owned(),
        text => text.to_owned(),
    }
}

fn asked(settings: &EmbeddingSettings) -> Option<usize> {
    usize::try_from(settings.dimensions)
        .ok()
        .filter(|dimensions| *dimensions > 0)
}

fn length(dimensions: Option<usize>) -> String {
    dimensions.map_or_else(String::new, |dimensions| format!("/{dimensions}"))
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
