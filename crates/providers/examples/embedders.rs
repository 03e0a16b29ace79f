//! Real embedders under real conditions: a model folder (`DENIZEN_ONNX_MODEL`), a server (`E2E_EMBED_URL`), or both.
//! `make e2e-embed` runs it; it says `N passed, N failed`, and how long a text takes beside the built-in table.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use providers::Keys;
use providers::embedding::{CachedQueries, open};
use runtime::ports::{EmbedRole, Embedder};
use settings::{EmbeddingSettings, Settings};

/// What was said, and what somebody asks much later in other words.
const PAIRS: &[(&str, &str)] = &[
    ("My sister is getting married in June", "when is the wedding?"),
    (
        "I am allergic to peanuts, even a trace makes me ill",
        "what food must I avoid cooking for him",
    ),
    (
        "We moved the database to the new machine last night",
        "was the server migrated",
    ),
    (
        "The cat knocked over my coffee and the keyboard is dead",
        "what broke the computer",
    ),
    (
        "I finally beat the last boss after forty tries",
        "did anyone finish the game",
    ),
    (
        "Let's meet at the harbour on Saturday at noon",
        "where do we see each other this weekend",
    ),
    (
        "My new job at the hospital starts on Monday",
        "what does she do for a living",
    ),
    (
        "The flight to Lisbon was cancelled because of the storm",
        "trouble with the trip to Portugal",
    ),
    (
        "I have been learning the violin for two years",
        "which instrument does he play",
    ),
    (
        "The landlord raised our rent by ten percent",
        "housing got more expensive",
    ),
    (
        "She drives an old red Volvo that never starts in winter",
        "what kind of car",
    ),
    (
        "We decided to write the parser in Rust after all",
        "which programming language was chosen",
    ),
];

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
}

impl Tally {
    fn check(&mut self, what: &str, holds: bool) {
        println!("  {} {what}", if holds { "ok  " } else { "FAIL" });
        if holds {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let folder = std::env::var("DENIZEN_ONNX_MODEL").ok();
    let server = std::env::var("E2E_EMBED_URL").ok();
    if folder.is_none() && server.is_none() {
        eprintln!(
            "make e2e-embed needs a real embedding model. Give it one of:
  DENIZEN_ONNX_MODEL=/path/to/folder          a sentence model: model.onnx and tokenizer.json; ORT_DYLIB_PATH names libonnxruntime.so
                                              unless it lies in that folder or is installed
  E2E_EMBED_URL=http://127.0.0.1:8080/v1      a server with OpenAI's embeddings API, such as `llama-server --embeddings`; E2E_EMBED_MODEL names its model"
        );
        return ExitCode::from(2);
    }
    let mut tally = Tally::default();
    if let Some(path) = folder {
        let settings = EmbeddingSettings {
            provider: settings::EmbeddingProvider::Onnx,
            path,
            ..Settings::default().embedding
        };
        examine(&settings, &mut tally).await;
        broken_weights(&mut tally).await;
    }
    if let Some(url) = server {
        let settings = EmbeddingSettings {
            provider: settings::EmbeddingProvider::OpenAi,
            model: std::env::var("E2E_EMBED_MODEL").unwrap_or_default(),
            url,
            ..Settings::default().embedding
        };
        examine(&settings, &mut tally).await;
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    ExitCode::from(u8::from(tally.failed > 0))
}

async fn examine(settings: &EmbeddingSettings, tally: &mut Tally) {
    println!("{}", settings.provider);
    let embedder = match open(settings, &keys()).await {
        Ok(embedder) => embedder,
        Err(fault) => {
            println!("  {fault}");
            return tally.check("it opens", false);
        }
    };
    let identity = embedder.identity();
    println!("  {} with {} dimensions", identity.name, identity.dimensions);
    tally.check(
        "it is known by its provider",
        identity.name.starts_with(settings.provider.name()),
    );

    let passages: Vec<String> = PAIRS.iter().map(|(passage, _)| (*passage).to_owned()).collect();
    let together = embed(&embedder, &passages, EmbedRole::Passage).await;
    let alone = embed(&embedder, &passages[3..4], EmbedRole::Passage).await;
    tally.check("one vector per text", together.len() == PAIRS.len());
    let of_length_one =
        |vector: &Vec<f32>| vector.len() == identity.dimensions && (dot(vector, vector) - 1.0).abs() < 1e-4;
    tally.check("of length one", together.iter().all(of_length_one));
    tally.check(
        "a text means the same alone and among others",
        dot(&alone[0], &together[3]) > 0.9999,
    );
    let odd = ["", &"boats and harbours ".repeat(20_000), "🚢 Привет 你好"].map(str::to_owned);
    let odd = embed(&embedder, &odd, EmbedRole::Passage).await;
    tally.check(
        "blank, endless and foreign texts are taken",
        odd.len() == 3 && odd[0].iter().all(|value| *value == 0.0) && odd[1..].iter().all(of_length_one),
    );

    let cached = CachedQueries::new(embedder.clone(), 64);
    let query = [PAIRS[0].1.to_owned()];
    let fresh = embed(&embedder, &query, EmbedRole::Query).await;
    let kept = cached.embed(&query, EmbedRole::Query).await.unwrap_or_default();
    let again = cached.embed(&query, EmbedRole::Query).await.unwrap_or_default();
    tally.check("a kept query is the same", fresh == kept && kept == again);

    let builtin = open(&Settings::default().embedding, &keys())
        .await
        .expect("the built-in table needs nothing");
    let (found, found_by_table) = (first_found(&embedder).await, first_found(&builtin).await);
    println!(
        "  found first of {}: {found}, by the built-in table {found_by_table}",
        PAIRS.len()
    );
    if settings.provider == settings::EmbeddingProvider::Onnx {
        tally.check(
            "it finds what was said in other words",
            found * 4 >= PAIRS.len() * 3,
        );
    }
    let (slow, quick) = (per_text(&embedder, 5).await, per_text(&builtin, 500).await);
    println!(
        "  {:.0} µs a text, the built-in table {:.1} µs: {:.0} times as long",
        slow * 1e6,
        quick * 1e6,
        slow / quick
    );
}

/// A file that is no model must be named by the real library's loader, too.
async fn broken_weights(tally: &mut Tally) {
    let folder = tempfile::tempdir().expect("a folder");
    let from = std::env::var("DENIZEN_ONNX_MODEL").expect("it was there before");
    std::fs::copy(
        Path::new(&from).join("tokenizer.json"),
        folder.path().join("tokenizer.json"),
    )
    .expect("the tokenizer");
    std::fs::write(folder.path().join("model.onnx"), "these are no weights").expect("a file");
    let settings = EmbeddingSettings {
        provider: settings::EmbeddingProvider::Onnx,
        path: folder.path().display().to_string(),
        ..Settings::default().embedding
    };
    let refused = open(&settings, &keys())
        .await
        .err()
        .map(|fault| fault.to_string());
    println!("  {}", refused.as_deref().unwrap_or("it was opened"));
    tally.check(
        "broken weights are refused by name",
        refused.is_some_and(|text| text.contains("model.onnx cannot be used")),
    );
}

/// How many questions find what they ask for before everything else.
async fn first_found(embedder: &Arc<dyn Embedder>) -> usize {
    let (passages, queries): (Vec<String>, Vec<String>) = PAIRS
        .iter()
        .map(|(passage, query)| ((*passage).to_owned(), (*query).to_owned()))
        .unzip();
    let passages = embed(embedder, &passages, EmbedRole::Passage).await;
    let queries = embed(embedder, &queries, EmbedRole::Query).await;
    let best = |query: &Vec<f32>| {
        let scores = passages.iter().map(|passage| dot(query, passage));
        scores
            .enumerate()
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(place, _)| place)
    };
    queries
        .iter()
        .enumerate()
        .filter(|(place, query)| best(query) == Some(*place))
        .count()
}

/// Seconds for a text, over all of them, so many times.
async fn per_text(embedder: &Arc<dyn Embedder>, times: usize) -> f64 {
    let passages: Vec<String> = PAIRS.iter().map(|(passage, _)| (*passage).to_owned()).collect();
    let started = Instant::now();
    for _ in 0..times {
        embed(embedder, &passages, EmbedRole::Passage).await;
    }
    started.elapsed().as_secs_f64() / (times * passages.len()) as f64
}

async fn embed(embedder: &Arc<dyn Embedder>, texts: &[String], role: EmbedRole) -> Vec<Vec<f32>> {
    embedder.embed(texts, role).await.expect("it is there")
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn keys() -> Keys {
    Keys::from_env_and_file(
        |name| std::env::var(name).ok(),
        Path::new("/nonexistent/keys.toml"),
    )
    .expect("keys")
}
