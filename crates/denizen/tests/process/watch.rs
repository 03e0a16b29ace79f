//! Shared screens: pictures come in over HTTP, a model that sees notes what is on them, and no picture is kept.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Answer, Home, ModelServer, Process, Sharer, eventually, holds, jpeg, path, png_bomb};

const WATCH: &str = "/api/rooms/lounge/watch";
const KETTLE: &str = "A red kettle steams on a stove.";
const GARDEN: &str = "A garden with a blue bench.";

/// A model that says what it sees: the pictures it is shown are known by their first note.
async fn seeing(pictures: [(&Vec<u8>, &'static str); 2]) -> ModelServer {
    let known = pictures.map(|(picture, note)| (STANDARD.encode(picture), note));
    ModelServer::reading(move |_, asked| {
        let seen = known.iter().find(|(picture, _)| asked.body.contains(picture));
        Answer::says(seen.map_or("Understood.", |(_, note)| note))
    })
    .await
}

/// A room that watches, and does not comment by itself.
fn quiet(model: &ModelServer) -> Value {
    json!({
        "llm.provider": "compatible",
        "llm.compatibleBaseUrl": model.base_url,
        "llm.model": "test-model",
        "memory.enabled": false,
        "voice.streamWatch.autonomousCommentaryEnabled": false,
        "voice.streamWatch.changeMinIntervalSeconds": 1,
    })
}

async fn noted(process: &Process, text: &str) -> Value {
    eventually(&format!("this is noted: {text}"), async || {
        let view = process.get(WATCH).await;
        let notes = view["notes"].as_array().expect("notes");
        notes.iter().find(|note| note["text"] == text).cloned()
    })
    .await
}

#[tokio::test]
async fn frames_are_taken_or_refused_by_name_and_the_token_dies_with_the_share() {
    let home = Home::new();
    let process = home.start().await;
    let alice = Sharer::of(&process, "Alice").await;
    let good = jpeg(60, 1);
    let refused: [(&str, Vec<u8>, u16, &str); 7] = [
        ("text/plain", good.clone(), 415, "invalid_mime_type"),
        ("image/jpeg", Vec::new(), 422, "frame_data_required"),
        ("image/jpeg", vec![7; 50_000_000], 413, "frame_too_large"),
        ("image/png", png_bomb(), 422, "frame_undecodable"),
        ("image/png", good.clone(), 422, "frame_undecodable"),
        (
            "image/webp",
            b"RIFF....WEBPnothing".to_vec(),
            422,
            "frame_undecodable",
        ),
        (
            "image/jpeg",
            good[..good.len() / 8].to_vec(),
            422,
            "frame_undecodable",
        ),
    ];
    for (mime, body, status, code) in refused {
        let (answered, said) = alice.post(&process, mime, body).await;
        assert_eq!(answered.as_u16(), status, "{said}");
        assert_eq!(said["error"]["code"], code, "{said}");
    }
    let (_, said) = alice.post(&process, "image/png", png_bomb()).await;
    let message = said["error"]["message"].as_str().expect("a sentence");
    assert!(message.contains("30000 by 30000"), "{message}");
    let first = alice.shows(&process, &good).await;
    assert_eq!(
        (&first["width"], &first["height"], &first["score"]),
        (&json!(320), &json!(180), &json!(0.0)),
        "nothing that was refused counts"
    );
    let cut = alice.shows(&process, &jpeg(200, 2)).await;
    assert_eq!(cut["sceneCut"], true, "{cut}");
    let journal = process.journal().await;
    let of_frames = journal
        .iter()
        .filter(|line| line["name"] == "stream_watch_frame_refused");
    let mut reasons: Vec<&Value> = of_frames.map(|line| &line["data"]["reason"]).collect();
    reasons.dedup();
    assert_eq!(
        reasons,
        [
            "invalid_mime_type",
            "frame_data_required",
            "frame_too_large",
            "frame_undecodable"
        ]
    );

    assert_eq!(alice.stops(&process).await.0, StatusCode::NO_CONTENT);
    let (status, said) = alice.post(&process, "image/jpeg", good.clone()).await;
    assert_eq!(
        (status, &said["error"]["code"]),
        (StatusCode::NOT_FOUND, &json!("session_not_found"))
    );
    assert_eq!(alice.stops(&process).await.0, StatusCode::NOT_FOUND);
    assert_eq!(process.get(WATCH).await["shares"], json!([]));
    assert!(!process.journal_lines().await.concat().contains(&alice.token));
}

#[tokio::test]
async fn what_a_model_saw_is_noted_and_the_picture_is_kept_nowhere() {
    let (kettle, garden) = (jpeg(40, 3), jpeg(210, 4));
    let model = seeing([(&kettle, KETTLE), (&garden, GARDEN)]).await;
    let home = Home::new().with_env("DENIZEN_LOG", "debug,hyper=info");
    home.configure(&quiet(&model));
    let mut process = home.start().await;
    let alice = Sharer::of(&process, "Alice").await;
    alice.shows(&process, &kettle).await;
    let note = noted(&process, KETTLE).await;
    assert_eq!(
        (&note["sharedBy"], &note["trigger"]),
        (&json!("Alice"), &json!("first_frame"))
    );
    let cut = alice.shows(&process, &garden).await;
    assert_eq!(cut["sceneCut"], true, "{cut}");
    assert_eq!(noted(&process, GARDEN).await["trigger"], "scene_cut");

    let asks = process.get("/api/asks").await;
    let asks = asks["asks"].as_array().expect("asks").clone();
    assert_eq!(asks.len(), 2, "one for each note: {asks:#?}");
    let pictures = [STANDARD.encode(&kettle), STANDARD.encode(&garden)];
    for picture in &pictures {
        let shown = model
            .asked()
            .iter()
            .filter(|asked| asked.body.contains(picture))
            .count();
        assert_eq!(shown, 1, "the model has seen it");
    }
    let mut kept = process.text("/api/asks").await;
    for ask in &asks {
        kept.push_str(&process.text(&format!("/api/asks/{}", ask["ask"])).await);
    }
    kept.push_str(&process.journal_lines().await.concat());
    kept.push_str(&process.text("/api/recording").await);
    assert!(kept.contains(GARDEN));
    let newest = process.client.get(format!("{}{WATCH}/frame", process.url));
    let newest = newest.send().await.expect("the process answers");
    assert_eq!(
        newest.bytes().await.expect("a picture"),
        garden,
        "the page sees it"
    );

    assert!(process.terminate().await.success());
    let log = process.log();
    for (picture, encoded) in [&kettle, &garden].into_iter().zip(&pictures) {
        // From the middle: every JPEG begins alike.
        let middle = &picture[picture.len() / 2..][..48];
        let encoded = &encoded[encoded.len() / 2..][..64];
        assert!(!kept.contains(encoded) && !log.contains(encoded));
        assert!(!holds(&home.data(), middle) && !holds(&home.data(), encoded));
    }
    for place in [&kept, &log] {
        assert!(!place.contains(&alice.token));
    }
    assert!(!holds(&home.data(), &alice.token));
    assert!(
        holds(&home.data(), "SQLite format 3"),
        "and the files were looked through"
    );
}

#[tokio::test]
async fn a_link_does_not_outlive_the_process_and_what_was_seen_can_be_replayed() {
    let (kettle, garden) = (jpeg(40, 5), jpeg(210, 6));
    let model = seeing([(&kettle, KETTLE), (&garden, GARDEN)]).await;
    let home = Home::new();
    home.configure(&quiet(&model));
    let mut process = home.start().await;
    let alice = Sharer::of(&process, "Alice").await;
    alice.shows(&process, &kettle).await;
    noted(&process, KETTLE).await;
    process.kill();

    let mut process = home.start().await;
    let (status, said) = alice.post(&process, "image/jpeg", garden.clone()).await;
    assert_eq!(
        (status, &said["error"]["code"]),
        (StatusCode::NOT_FOUND, &json!("session_not_found"))
    );
    let view = process.get(WATCH).await;
    assert_eq!((&view["watched"], &view["shares"]), (&Value::Null, &json!([])));
    let (status, _) = process
        .call(Method::PUT, WATCH, &json!({"share": alice.share}))
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let journal = process.journal().await;
    let ended = journal
        .iter()
        .rfind(|line| line["name"] == "stream_watch_share_ended");
    assert_eq!(ended.expect("it ended")["data"]["reason"], "restarted");
    assert!(process.terminate().await.success());
    for recording in home.recordings() {
        home.run(&["replay", path(&recording)]).succeeded();
    }
}
