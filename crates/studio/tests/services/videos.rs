//! Clips.

use runtime::ports::MediaMaker as _;
use serde_json::json;
use vocabulary::{MediaKind, Span};

use crate::bench::{KEY, MP4, Server, clip, order, settings, studio};

#[tokio::test]
async fn a_clip_is_started_watched_and_fetched() {
    let server = Server::start().await;
    server
        .then_json(json!({"id": "video_1", "object": "video", "status": "queued", "progress": 0}))
        .then_json(json!({"id": "video_1", "status": "in_progress", "progress": 50}))
        .then_json(json!({"id": "video_1", "status": "completed", "progress": 100}))
        .then(([("content-type", "video/mp4")], MP4));
    let made = clip(&server).await.unwrap();
    assert_eq!(
        (made.mime.as_str(), made.name.as_str(), &made.bytes[..]),
        ("video/mp4", "denizen-video.mp4", MP4)
    );
    let asked = server.asked();
    let steps: Vec<(&str, &str)> = asked
        .iter()
        .map(|asked| (asked.method.as_str(), asked.path.as_str()))
        .collect();
    assert_eq!(
        steps,
        [
            ("POST", "/v1/videos"),
            ("GET", "/v1/videos/video_1"),
            ("GET", "/v1/videos/video_1"),
            ("GET", "/v1/videos/video_1/content")
        ]
    );
    assert_eq!(
        asked[0].body,
        json!({"model": "sora-2", "prompt": "a fox runs", "seconds": "4", "size": "1280x720"})
    );
    assert!(
        asked
            .iter()
            .all(|asked| asked.authorization.as_deref() == Some(&format!("Bearer {KEY}")))
    );
}

#[tokio::test]
async fn a_clip_that_lies_elsewhere_is_fetched_without_the_key() {
    let server = Server::start().await;
    server
        .then_json(json!({"id": "v", "status": "completed"}))
        .then((axum::http::StatusCode::FOUND, [("location", "/files/v.mp4")]))
        .then(([("content-type", "video/mp4")], MP4));
    assert!(clip(&server).await.is_ok());
    let last = server.asked().pop().unwrap();
    assert_eq!((last.path.as_str(), last.authorization), ("/files/v.mp4", None));
}

#[tokio::test]
async fn a_clip_that_fails_is_told_with_the_reason() {
    let server = Server::start().await;
    let failed = |code: &str, message: &str| json!({"id": "v", "status": "failed", "error": {"code": code, "message": message}});
    server.then_json(failed("moderation_blocked", "not that"));
    let fault = clip(&server).await.unwrap_err();
    assert!(fault.refused && fault.detail.contains("not that"), "{fault}");
    server.then_json(failed("internal_error", "the render broke"));
    let fault = clip(&server).await.unwrap_err();
    assert!(
        !fault.refused && fault.detail.contains("the render broke"),
        "{fault}"
    );
}

#[tokio::test]
async fn a_clip_that_is_never_finished_ends_with_the_deadline() {
    let server = Server::start().await;
    server.then_json(json!({"id": "v", "status": "queued"}));
    for _ in 0..10_000 {
        server.then_json(json!({"id": "v", "status": "in_progress"}));
    }
    let mut order = order(MediaKind::Video, "sora-2", "a fox");
    order.deadline = Span(300);
    let fault = studio().make(&order, &settings(&server)).await.unwrap_err();
    assert!(fault.detail.contains("media.timeoutSeconds"), "{fault}");
}

#[tokio::test]
async fn a_job_without_a_proper_name_is_not_followed() {
    let server = Server::start().await;
    server.then_json(json!({"id": "../../admin", "status": "completed"}));
    let fault = clip(&server).await.unwrap_err();
    assert!(fault.detail.contains("media.videoUrl"), "{fault}");
    assert_eq!(server.asked().len(), 1);
}
