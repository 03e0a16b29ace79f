//! No key in anything that is kept, shown or logged; no words of people in the log.

use std::path::Path;
use std::time::Duration;

use crate::support::{Answer, Home, ModelServer};

const KEY: &str = "cmp-K3Y7hatM0stN0tL3ak";
const WORDS: &str = "marmalade-orchestra";

#[tokio::test]
async fn a_key_is_nowhere_but_in_the_header() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model)
        .with_env("COMPATIBLE_API_KEY", KEY)
        .with_env("DENIZEN_LOG", "debug,hyper=info");
    let mut process = home.start().await;
    let echo = format!("data: {{\"error\": {{\"message\": \"you sent Authorization: Bearer {KEY}\"}}}}\n\n");
    // Proxies that repeat what they were sent, in every place an answer has.
    model.next([
        Answer::error(400, &format!("bad header Authorization: Bearer {KEY}")),
        Answer::error(
            401,
            &format!("Incorrect API key provided: {KEY}. Find yours at …"),
        ),
        Answer::raw(200, "text/html", &format!("<p>Authorization: Bearer {KEY}</p>")),
        Answer::raw(200, "text/event-stream", &echo),
        Answer::raw(200, "text/event-stream", &format!("data: {{{KEY}\n\n")),
    ]);
    let mut ids = Vec::new();
    for number in 0..5 {
        let message = process
            .say("Alice", &format!("Denizen, try number {number}?"))
            .await;
        process.settled(&message).await;
        ids.push(message);
    }
    assert!(model.asked().len() >= 5);
    for asked in model.asked() {
        assert_eq!(
            asked.headers["authorization"],
            format!("Bearer {KEY}"),
            "the key is used"
        );
        assert!(!asked.body.contains(KEY));
    }
    for path in [
        "/api/health",
        "/api/model",
        "/api/settings",
        "/api/recording",
        "/api/openapi.json",
    ] {
        assert!(!process.text(path).await.contains(KEY), "{path}");
    }
    assert!(!process.journal_lines().await.concat().contains(KEY));
    for id in &ids {
        let records = process.asks_about(id).await;
        assert!(!records.is_empty());
        for record in records {
            assert!(!record.to_string().contains(KEY), "{record:#}");
        }
        assert!(!process.text(&format!("/api/why/{id}")).await.contains(KEY));
    }
    let recording = home.recording("newest.ndjson", None);
    assert!(!holds(&recording, KEY));
    let doctor = home.run(&["doctor"]);
    assert!(
        !doctor.out.contains(KEY) && !doctor.err.contains(KEY),
        "{doctor:?}"
    );
    assert!(process.terminate().await.success());
    let log = process.log();
    assert!(log.contains("DEBUG"), "the log says much: {log}");
    assert!(!log.contains(KEY), "{log}");
    let files: Vec<_> = std::fs::read_dir(home.data()).expect("the data folder").collect();
    assert!(!files.is_empty());
    for file in files {
        let file = file.expect("an entry").path();
        assert!(!holds(&file, KEY), "{}", file.display());
    }
}

#[tokio::test]
async fn words_of_people_are_not_in_the_log() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let mut process = home.start().await;
    model.next([
        Answer::says(&format!("About {WORDS}: yes.")),
        Answer::half([&format!("{WORDS} "), "is"]),
        Answer::error(400, &format!("cannot say {WORDS}")),
    ]);
    for number in 0..3 {
        let message = process
            .say("Alice", &format!("Denizen, {WORDS} number {number}?"))
            .await;
        process.settled(&message).await;
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(process.terminate().await.success());
    let log = process.log();
    assert!(log.contains("INFO"), "{log}");
    assert!(!log.contains(WORDS), "{log}");
}

fn holds(file: &Path, text: &str) -> bool {
    let bytes = std::fs::read(file).expect("the file can be read");
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
