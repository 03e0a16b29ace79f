//! Pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use runtime::ports::MediaMaker as _;
use serde_json::json;
use vocabulary::MediaKind;

use crate::bench::{KEY, PNG, Server, order, picture, settings, studio};

#[tokio::test]
async fn a_picture_is_asked_for_and_taken_out_of_the_answer() {
    let server = Server::start().await;
    server.then_json(json!({"created": 1, "data": [{"b64_json": STANDARD.encode(PNG)}]}));
    let made = picture(&server).await.unwrap();
    assert_eq!(
        (made.mime.as_str(), made.name.as_str(), &made.bytes[..]),
        ("image/png", "denizen-image.png", PNG)
    );
    assert_eq!(
        (made.provider.as_str(), made.cost_micro_dollars),
        ("openai", None)
    );
    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        (asked[0].method.as_str(), asked[0].path.as_str()),
        ("POST", "/v1/images/generations")
    );
    assert_eq!(
        asked[0].authorization.as_deref(),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(asked[0].content_type.as_deref(), Some("application/json"));
    assert_eq!(
        asked[0].body,
        json!({"model": "gpt-image-1", "prompt": "a fox", "n": 1, "size": "1024x1024"})
    );
}

#[tokio::test]
async fn older_models_are_asked_for_base64_and_long_wishes_are_cut() {
    let server = Server::start().await;
    server.then_json(json!({"data": [{"b64_json": STANDARD.encode(PNG)}]}));
    let order = order(
        MediaKind::Image,
        "dall-e-3",
        &format!("line\none {}", "x".repeat(2_000)),
    );
    studio().make(&order, &settings(&server)).await.unwrap();
    let body = &server.asked()[0].body;
    assert_eq!(body["response_format"], "b64_json");
    let prompt = body["prompt"].as_str().unwrap();
    assert!(prompt.starts_with("line one xxx") && prompt.chars().count() == 900);
}

#[tokio::test]
async fn a_picture_may_be_given_as_an_address_on_the_same_server() {
    let server = Server::start().await;
    for address in [format!("{}/out/1.png", server.address), "/out/1.png".to_owned()] {
        server
            .then_json(json!({"data": [{"url": address}]}))
            .then(([("content-type", "image/png")], PNG));
        assert_eq!(&picture(&server).await.unwrap().bytes[..], PNG);
        let fetched = server.asked().pop().unwrap();
        assert_eq!(fetched.path, "/out/1.png");
        assert_eq!(
            fetched.authorization, None,
            "the key is for the service, not for files"
        );
    }
}

#[tokio::test]
async fn a_picture_may_be_given_as_a_data_address() {
    let server = Server::start().await;
    let address = format!("data:image/png;base64,{}", STANDARD.encode(PNG));
    server.then_json(json!({"data": [{"url": address}]}));
    assert_eq!(&picture(&server).await.unwrap().bytes[..], PNG);
}

#[tokio::test]
async fn trouble_on_the_other_side_is_met_with_one_more_try() {
    let server = Server::start().await;
    server
        .then_status(503, json!({}))
        .then_json(json!({"data": [{"b64_json": STANDARD.encode(PNG)}]}));
    assert!(picture(&server).await.is_ok());
    server
        .then_status(500, json!({}))
        .then_status(502, json!({"error": {"message": "the GPU is on fire"}}));
    let fault = picture(&server).await.unwrap_err();
    assert!(
        fault.detail.contains("502") && fault.detail.contains("the GPU is on fire"),
        "{fault}"
    );
    assert!(!fault.refused);
    assert_eq!(server.asked().len(), 4);
}

#[tokio::test]
async fn what_can_be_made_follows_providers_and_keys() {
    let server = Server::start().await;
    let mut settings = settings(&server);
    assert_eq!(
        studio().can_make(&settings),
        [MediaKind::Image, MediaKind::Video, MediaKind::Gif]
    );
    settings.media.video_provider = settings::MediaProvider::None;
    settings.media.image_url = String::new();
    let keyless = studio::Studio::new(studio::StudioKeys::default(), fetching::Fetcher::new());
    assert_eq!(
        keyless.can_make(&settings),
        [MediaKind::Gif],
        "an own server needs no key"
    );
    let status = keyless.status(&settings);
    assert_eq!(
        status.iter().map(|status| status.ready).collect::<Vec<_>>(),
        [false, false, true]
    );
    assert!(
        status[0].detail.contains("IMAGE_API_KEY or OPENAI_API_KEY"),
        "{}",
        status[0].detail
    );
    assert!(
        status[1].detail.contains("media.videoProvider"),
        "{}",
        status[1].detail
    );
    let order = order(MediaKind::Video, "sora-2", "a fox");
    assert!(
        keyless
            .make(&order, &settings)
            .await
            .unwrap_err()
            .detail
            .contains("media.videoProvider")
    );
}

#[tokio::test]
async fn the_status_says_where_the_key_is_from_and_that_no_model_is_allowed() {
    let server = Server::start().await;
    let mut settings = settings(&server);
    let told = studio().status(&settings)[0].detail.clone();
    assert!(
        told.contains("IMAGE_API_KEY") && told.contains("allowedImageModels is empty"),
        "{told}"
    );
    settings.discovery.allowed_image_models = vec!["gpt-image-1".to_owned()];
    assert!(studio().status(&settings)[0].detail.contains("model gpt-image-1"));
    assert!(!format!("{:?}", studio()).contains(KEY));
}
