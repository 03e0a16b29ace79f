//! Carries orders out: one set of models per session, which keeps what it learns from one order to the next.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use providers::{Keys, Models, Options, try_purposes};
use runtime::ports::{Delta, Language, RawResponse};
use runtime::questions::Surroundings;
use serde::Deserialize;
use serde_json::{Value, json};
use settings::{Document, Settings};
use tokio::sync::mpsc;
use vocabulary::{AskOutcome, AttachmentId, ModelRequest};

/// What to do, and as whom.
#[derive(Deserialize)]
struct Order {
    /// Orders of one session share keys, addresses and what was learnt.
    session: String,
    /// The environment, read at the first order of a session.
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    settings: BTreeMap<String, Value>,
    /// `ask`, `configure` (look for servers and models), `examine` (what `doctor --deep` does), or `knobs` (tell what can be
    /// set).
    r#do: String,
    #[serde(default)]
    request: Option<ModelRequest>,
    /// By id, in base64.
    #[serde(default)]
    pictures: BTreeMap<String, String>,
}

/// Until the input ends.
pub async fn run() -> Result<(), String> {
    let mut sessions: BTreeMap<String, Models> = BTreeMap::new();
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let order: Order =
            serde_json::from_str(&line).map_err(|error| format!("an order cannot be read: {error}"))?;
        if !sessions.contains_key(&order.session) {
            sessions.insert(order.session.clone(), models(&order)?);
        }
        let result = carry_out(&sessions[&order.session], &order).await?;
        writeln!(output, "{result}").map_err(|error| error.to_string())?;
        output.flush().map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn models(order: &Order) -> Result<Models, String> {
    let env = |name: &str| order.env.get(name).cloned();
    let keys = Keys::from_env_and_file(env, Path::new("/nonexistent/keys.toml"));
    let options = Options {
        loopback_ports: Vec::new(),
        probe_patience: Duration::from_secs(10),
    };
    Ok(Models::with_options(
        keys.map_err(|error| error.to_string())?,
        options,
    ))
}

async fn carry_out(models: &Models, order: &Order) -> Result<Value, String> {
    let mut document = Document::default();
    for (key, value) in &order.settings {
        document.set(key.as_str(), value.clone());
    }
    let settings = Settings::read(&document).map_err(|errors| format!("{errors:?}"))?;
    match (order.r#do.as_str(), &order.request) {
        ("ask", Some(request)) => ask(models, request, &order.pictures, &settings).await,
        ("configure", _) => {
            models.configure(&settings).await;
            let status = models.status(&settings);
            Ok(json!({"provider": status.provider, "model": status.model, "because": status.because}))
        }
        ("examine", _) => {
            let findings = models.examine(&settings).await;
            let told = findings
                .iter()
                .map(|finding| json!({"what": finding.what, "ok": finding.ok, "detail": finding.detail}));
            let trials = try_purposes(models, &settings, Surroundings::default()).await;
            let tried = trials.iter().map(|trial| {
                json!({"what": format!("trial: {}", trial.purpose), "ok": trial.works,
                    "detail": format!("{} {} {}", trial.provider, trial.model,
                        trial.remedy.as_deref().unwrap_or_default())})
            });
            Ok(json!({"findings": told.chain(tried).collect::<Vec<_>>()}))
        }
        ("knobs", _) => Ok(json!(
            Settings::knobs()
                .into_iter()
                .map(|knob| knob.key)
                .collect::<Vec<_>>()
        )),
        (other, _) => Err(format!("`{other}` is no order, or its request is missing")),
    }
}

async fn ask(
    models: &Models,
    request: &ModelRequest,
    pictures: &BTreeMap<String, String>,
    settings: &Settings,
) -> Result<Value, String> {
    let mut images = BTreeMap::new();
    for (id, text) in pictures {
        let bytes = STANDARD.decode(text).map_err(|error| error.to_string())?;
        images.insert(AttachmentId::from(id.as_str()), Bytes::from(bytes));
    }
    let prepared = match models.prepare(request, &images, settings) {
        Ok(prepared) => prepared,
        Err(failure) => {
            return Ok(json!({"outcome": AskOutcome::Failed(failure), "pieces": [], "prepared": false}));
        }
    };
    let (sender, mut receiver) = mpsc::channel::<Delta>(16);
    let listening = tokio::spawn(async move {
        let mut pieces = Vec::new();
        while let Some(Delta(text)) = receiver.recv().await {
            pieces.push(text);
        }
        pieces
    });
    let outcome = models
        .send(request, &prepared, sender, RawResponse::default())
        .await;
    let pieces = listening.await.map_err(|error| error.to_string())?;
    Ok(json!({"outcome": outcome, "pieces": pieces, "prepared": true}))
}
