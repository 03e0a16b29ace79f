//! Embedders behind servers: what is sent, and what is made of the answers.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use providers::Keys;
use providers::embedding::{EmbedderOptions, open_with};
use runtime::ports::{EmbedRole, Embedder, MemoryFault};
use serde_json::{Value, json};
use settings::{EmbeddingProvider, EmbeddingSettings, Settings};

use crate::requests::KEY;
use crate::server::{Answer, Server};

pub fn options() -> EmbedderOptions {
    EmbedderOptions {
        first_pause: Duration::from_millis(5),
        passage_patience: Duration::from_secs(20),
        query_patience: Duration::from_secs(20),
        onnx_library: None,
    }
}

/// Settings of an embedder, with nothing but these values.
pub fn embedder(provider: &str, url: &str) -> EmbeddingSettings {
    EmbeddingSettings {
        provider: EmbeddingProvider::named(provider).expect("a provider"),
        url: url.to_owned(),
        ..Settings::default().embedding
    }
}

pub fn keys(pairs: &[(&str, &str)]) -> Keys {
    let find = |name: &str| {
        let pair = pairs.iter().find(|(known, _)| *known == name);
        pair.map(|(_, value)| (*value).to_owned())
    };
    Keys::from_env_and_file(find, Path::new("/nonexistent/keys.toml")).expect("keys")
}

/// Opens an embedder that has a key for compatible servers.
pub async fn open(settings: &EmbeddingSettings) -> Result<Arc<dyn Embedder>, MemoryFault> {
    open_with(settings, &keys(&[("COMPATIBLE_API_KEY", KEY)]), options()).await
}

/// An answer in OpenAI's shape, numbered in this order.
pub fn openai(vectors: &[(usize, &[f32])]) -> Answer {
    let data: Vec<Value> = vectors
        .iter()
        .map(|(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector}))
        .collect();
    let body = json!({"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 3, "total_tokens": 3}});
    Answer::json(200, &body.to_string())
}

pub fn ollama(vectors: &[&[f32]]) -> Answer {
    let body = json!({"model": "m", "embeddings": vectors, "total_duration": 14_143_917, "load_duration": 1_019_500, "prompt_eval_count": 8});
    Answer::json(200, &body.to_string())
}

pub fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[tokio::test]
async fn openai_gets_the_texts_and_its_vectors_are_ordered_and_of_length_one() {
    let server = Server::start([
        openai(&[(0, &[1.0, 0.0])]),
        openai(&[(1, &[0.0, 2.0]), (0, &[3.0, 4.0])]),
    ])
    .await;
    let mut settings = embedder("openai", &format!("{}/v1/", server.address));
    settings.model = "some-model".to_owned();
    let embedder = open(&settings).await.expect("it answers");
    let identity = embedder.identity();
    assert_eq!(
        identity.name,
        format!("openai:some-model@127.0.0.1:{}", server.port)
    );
    assert_eq!(identity.dimensions, 2);

    let vectors = embedder
        .embed(&texts(&["the boat", "", "the harbour"]), EmbedRole::Passage)
        .await
        .expect("vectors");
    assert_eq!(vectors, [vec![0.6, 0.8], vec![0.0, 0.0], vec![0.0, 1.0]]);

    let seen = &server.seen()[1];
    assert_eq!(
        (seen.method.as_str(), seen.path.as_str()),
        ("POST", "/v1/embeddings")
    );
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(
        seen.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(
        seen.json(),
        json!({"model": "some-model", "input": ["the boat", "the harbour"]})
    );
}

#[tokio::test]
async fn openais_own_key_does_not_go_to_a_server_named_in_the_settings() {
    let server = Server::start([openai(&[(0, &[1.0])])]).await;
    let held = keys(&[("OPENAI_API_KEY", KEY)]);
    let at_settings = embedder("openai", &server.address);
    open_with(&at_settings, &held, options())
        .await
        .expect("it answers");
    assert_eq!(server.seen()[0].header("authorization"), None);
    assert_eq!(
        server.seen()[0].path,
        "/v1/embeddings",
        "a bare address gets the usual path"
    );

    let proxy = format!("{}/proxy", server.address);
    let held = keys(&[("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", &proxy)]);
    let embedder = open_with(&embedder("openai", ""), &held, options())
        .await
        .expect("it answers");
    let seen = &server.seen()[1];
    assert_eq!(
        seen.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(seen.path, "/proxy/embeddings");
    assert_eq!(seen.json()["model"], "text-embedding-3-small");
    assert_eq!(
        embedder.identity().name,
        format!("openai:text-embedding-3-small@127.0.0.1:{}", server.port)
    );
}

#[tokio::test]
async fn dimensions_are_asked_for_and_part_of_the_identity() {
    let server = Server::start([openai(&[(0, &[1.0, 0.0])])]).await;
    let mut settings = embedder("openai", &server.address);
    settings.dimensions = 2;
    let embedder = open(&settings).await.expect("it answers");
    assert_eq!(server.seen()[0].json()["dimensions"], 2);
    assert!(embedder.identity().name.ends_with("/2"));

    settings.dimensions = 3;
    let fault = open(&settings).await.err().expect("it gives two all the same");
    assert_eq!(
        fault.to_string(),
        format!(
            "memory.embedding.dimensions is 3, and `text-embedding-3-small` at {}/v1 gives 2 all the same. Set memory.embedding.dimensions to 0, which takes the model's own",
            server.address
        )
    );
}

#[tokio::test]
async fn ollama_is_asked_in_its_own_way_and_told_queries_from_passages() {
    let server = Server::start([
        ollama(&[&[0.0, 5.0, 0.0]]),
        ollama(&[&[1.0, 0.0, 0.0]]),
        ollama(&[&[0.0, 0.0, 1.0]]),
    ])
    .await;
    // People have the address of its other side at hand.
    let embedder = open(&embedder("ollama", &format!("{}/v1", server.address)))
        .await
        .expect("it answers");
    assert_eq!(embedder.identity().name, "ollama:nomic-embed-text");
    assert_eq!(embedder.identity().dimensions, 3);
    for role in [EmbedRole::Query, EmbedRole::Passage] {
        embedder
            .embed(&texts(&[" boats? "]), role)
            .await
            .expect("vectors");
    }
    let seen = server.seen();
    assert!(seen.iter().all(|seen| seen.path == "/api/embed"));
    assert!(
        seen.iter().all(|seen| seen.header("authorization").is_none()),
        "Ollama is shown no key"
    );
    assert_eq!(
        seen[1].json(),
        json!({"model": "nomic-embed-text", "input": ["search_query: boats?"]})
    );
    assert_eq!(seen[2].json()["input"], json!(["search_document: boats?"]));
}

#[tokio::test]
async fn many_texts_go_in_several_requests() {
    let group = |count: usize, start: usize| {
        let vectors: Vec<Vec<f32>> = (0..count)
            .map(|place| vec![1.0, (start + place) as f32])
            .collect();
        let slices: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
        ollama(&slices)
    };
    let server = Server::start([group(1, 0), group(32, 0), group(32, 32), group(6, 64)]).await;
    let embedder = open(&embedder("ollama", &server.address))
        .await
        .expect("it answers");
    let many: Vec<String> = (0..70).map(|place| format!("text {place}")).collect();
    let vectors = embedder.embed(&many, EmbedRole::Passage).await.expect("vectors");
    let places: Vec<usize> = vectors
        .iter()
        .map(|vector| (vector[1] / vector[0]).round() as usize)
        .collect();
    assert_eq!(places, (0..70).collect::<Vec<_>>());
    let sizes: Vec<usize> = server.seen()[1..]
        .iter()
        .map(|seen| seen.json()["input"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(sizes, [32, 32, 6]);

    assert_eq!(embedder.embed(&[], EmbedRole::Passage).await, Ok(vec![]));
    assert_eq!(
        embedder.embed(&texts(&[" "]), EmbedRole::Passage).await,
        Ok(vec![vec![0.0, 0.0]])
    );
    assert_eq!(server.seen().len(), 4, "nothing to say, nothing to send");
}

#[tokio::test]
async fn a_text_that_is_too_long_is_shortened_until_it_fits_and_that_is_remembered() {
    let too_long = Answer::json(
        400,
        r#"{"error": {"message": "This model's maximum context length is 512 tokens", "type": "invalid_request_error"}}"#,
    );
    let one = openai(&[(0, &[1.0])]);
    let server = Server::start([one.clone(), too_long.clone(), too_long.clone(), one.clone()]).await;
    let embedder = open(&embedder("openai", &server.address))
        .await
        .expect("it answers");
    let long = texts(&["boats and harbours ".repeat(5_000).as_str()]);
    for _ in 0..2 {
        embedder.embed(&long, EmbedRole::Passage).await.expect("a vector");
    }
    let lengths: Vec<usize> = server
        .seen()
        .iter()
        .map(|seen| seen.json()["input"][0].as_str().map_or(0, str::len))
        .collect();
    assert_eq!(lengths.len(), 5);
    for (length, at_most) in lengths[1..].iter().zip([8_000, 4_000, 2_000, 2_000]) {
        assert!((at_most - 20..=at_most).contains(length), "{length} of {at_most}");
    }

    let server = Server::start([one, too_long]).await;
    let embedder = open(&self::embedder("openai", &server.address))
        .await
        .expect("it answers");
    let fault = embedder
        .embed(&long, EmbedRole::Passage)
        .await
        .expect_err("never");
    assert!(
        fault
            .to_string()
            .ends_with("Name a model that takes longer texts in memory.embedding.model"),
        "{fault}"
    );
    assert!(server.seen().len() < 10);
}

#[tokio::test]
async fn the_built_in_one_needs_nothing() {
    let embedder = open(&embedder("builtin", "")).await.expect("it is there");
    let identity = embedder.identity();
    assert!(identity.name.starts_with("builtin:"), "{}", identity.name);
    assert_eq!(identity.name.matches(':').count(), 1, "{}", identity.name);
    let vectors = embedder
        .embed(&texts(&["the boat is in the harbour", ""]), EmbedRole::Passage)
        .await
        .expect("vectors");
    assert!(vectors.iter().all(|vector| vector.len() == identity.dimensions));
    let length: f32 = vectors[0].iter().map(|value| value * value).sum();
    assert!((length - 1.0).abs() < 1e-3, "{length}");
    assert!(vectors[1].iter().all(|value| *value == 0.0));
}
