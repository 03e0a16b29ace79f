//! Services that give something else than what was wanted.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use runtime::ports::MediaMaker as _;
use serde_json::json;
use vocabulary::{MediaKind, Span};

use crate::bench::{GIF, MP4, PNG, Server, clip, order, picture, settings, studio};

async fn given(bytes: &[u8]) -> String {
    let server = Server::start().await;
    server.then_json(json!({"data": [{"b64_json": STANDARD.encode(bytes)}]}));
    picture(&server).await.unwrap_err().detail
}

#[tokio::test]
async fn what_is_no_picture_by_its_bytes_is_not_taken() {
    for bytes in [
        &b"<html>no</html>"[..],
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"",
        b"MZ\x90\0",
    ] {
        let told = given(bytes).await;
        assert!(
            told.contains("is not taken") || told.contains("otherwise than its API"),
            "{told}"
        );
    }
    assert!(
        given(MP4)
            .await
            .contains("video/mp4, which will not do for a picture")
    );
}

#[tokio::test]
async fn a_picture_for_a_clip_is_not_taken() {
    let server = Server::start().await;
    server
        .then_json(json!({"id": "v", "status": "completed"}))
        .then(([("content-type", "video/mp4")], GIF));
    assert!(
        clip(&server)
            .await
            .unwrap_err()
            .detail
            .contains("image/gif, which will not do for a clip")
    );
}

#[tokio::test]
async fn a_file_that_is_too_large_is_not_taken_in_any_way_it_comes() {
    let large = [PNG, &vec![0; 2 * 1024 * 1024]].concat();
    assert!(given(&large).await.contains("media.maxMegabytes"));
    let slightly = [PNG, &vec![0; 1024 * 1024]].concat();
    assert!(given(&slightly).await.contains("media.maxMegabytes"));
    let server = Server::start().await;
    server
        .then_json(json!({"data": [{"url": "/large.png"}]}))
        .then(([("content-type", "image/png")], large.clone()));
    assert!(
        picture(&server)
            .await
            .unwrap_err()
            .detail
            .contains("cannot be had")
    );
    server
        .then_json(json!({"id": "v", "status": "completed"}))
        .then(([("content-type", "video/mp4")], large));
    assert!(
        clip(&server)
            .await
            .unwrap_err()
            .detail
            .contains("media.maxMegabytes")
    );
}

#[tokio::test]
async fn a_page_instead_of_a_picture_is_not_taken() {
    let server = Server::start().await;
    server
        .then_json(json!({"data": [{"url": "/a.png"}]}))
        .then(([("content-type", "text/html")], "<html>sign in</html>"));
    assert!(
        picture(&server)
            .await
            .unwrap_err()
            .detail
            .contains("cannot be had")
    );
    server.then(([("content-type", "text/html")], "<html>sign in</html>"));
    assert!(picture(&server).await.unwrap_err().detail.contains("not JSON"));
}

#[tokio::test]
async fn an_address_on_a_private_network_is_not_fetched_unless_it_is_the_servers_own() {
    let server = Server::start().await;
    let inside = Server::start().await;
    inside.then(([("content-type", "image/png")], PNG));
    for address in [
        format!("{}/secret.png", inside.address),
        "http://169.254.169.254/latest".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        server.then_json(json!({"data": [{"url": address}]}));
        let fault = picture(&server).await.unwrap_err();
        assert!(fault.detail.contains("cannot be had"), "{fault}");
    }
    assert!(inside.asked().is_empty());
    server.then_json(json!({"data": [{"url": format!("{}/a.png", inside.address)}]}));
    let mut settings = settings(&server);
    settings.tools.allowed_private_hosts = vec![inside.address.trim_start_matches("http://").to_owned()];
    let order = order(MediaKind::Image, "sdxl", "a fox");
    assert!(
        studio().make(&order, &settings).await.is_ok(),
        "unless the operator allows it"
    );
}

#[tokio::test]
async fn a_redirect_into_a_private_network_is_not_followed() {
    let server = Server::start().await;
    let inside = Server::start().await;
    server.then_json(json!({"data": [{"url": "/a.png"}]})).then((
        axum::http::StatusCode::FOUND,
        [("location", format!("{}/secret", inside.address))],
    ));
    assert!(
        picture(&server)
            .await
            .unwrap_err()
            .detail
            .contains("cannot be had")
    );
    assert!(inside.asked().is_empty());
}

#[tokio::test]
async fn answers_of_another_shape_are_told_as_such() {
    let server = Server::start().await;
    for answer in [
        json!({}),
        json!({"data": []}),
        json!({"data": [{}]}),
        json!([1]),
        json!({"data": [{"b64_json": "?"}]}),
        json!({"data": [{"url": "data:text/plain,x"}]}),
    ] {
        server.then_json(answer);
        let fault = picture(&server).await.unwrap_err();
        assert!(fault.detail.contains("media.imageUrl"), "{fault}");
    }
    server.then_json(json!({"id": "v"}));
    assert!(clip(&server).await.unwrap_err().detail.contains("media.videoUrl"));
}

#[tokio::test]
async fn an_answer_that_never_ends_is_given_up() {
    let server = Server::start().await;
    server.then_silence();
    let mut order = order(MediaKind::Image, "sdxl", "a fox");
    order.deadline = Span(300);
    let fault = studio().make(&order, &settings(&server)).await.unwrap_err();
    assert!(fault.detail.contains("media.replyTimeoutSeconds"), "{fault}");
}

#[tokio::test]
async fn a_wish_without_words_and_a_model_that_is_missing_are_not_sent() {
    let server = Server::start().await;
    for (model, prompt, says) in [("sdxl", " \n ", "no words"), (" ", "a fox", "allowedImageModels")] {
        let order = order(MediaKind::Image, model, prompt);
        let fault = studio().make(&order, &settings(&server)).await.unwrap_err();
        assert!(fault.detail.contains(says), "{fault}");
    }
    assert!(server.asked().is_empty());
}
