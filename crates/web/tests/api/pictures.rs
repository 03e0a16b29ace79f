//! Messages with pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::driver::open;

const LOUNGE: &str = "/api/rooms/lounge/messages";

fn png(bytes: usize) -> Vec<u8> {
    let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0".to_vec();
    picture.resize(bytes, 7);
    picture
}

fn picture(mime: &str, bytes: &[u8]) -> Value {
    json!({"name": "cat.png", "mime": mime, "dataBase64": STANDARD.encode(bytes)})
}

#[tokio::test]
async fn a_picture_comes_back_as_it_was_sent_and_cannot_run() {
    let house = open().await;
    let body = json!({"author": "Alice", "attachments": [picture("image/png", &png(100_000))]});
    let written = house.caller.post(LOUNGE, &body).await.ok(201);
    let attachment = &written["message"]["attachments"][0];
    assert_eq!(attachment["bytes"], 100_000);
    assert_eq!(
        (&attachment["mime"], &attachment["name"]),
        (&json!("image/png"), &json!("cat.png"))
    );

    let path = format!("/api/attachments/{}", attachment["id"].as_str().unwrap());
    let response = house
        .caller
        .request(reqwest::Method::GET, &path)
        .send()
        .await
        .unwrap();
    let headers = response.headers().clone();
    assert_eq!(response.bytes().await.unwrap(), png(100_000));
    assert_eq!(headers["content-type"], "image/png");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert!(
        headers["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("sandbox")
    );
    house
        .caller
        .get("/api/attachments/nothing")
        .await
        .refused(404, "unknown_attachment");
}

#[tokio::test]
async fn the_largest_allowed_message_is_taken() {
    let house = open().await;
    let five = picture("image/png", &png(5 * 1024 * 1024));
    let body = json!({"author": "Alice", "text": "look", "attachments": [five, five, five, five], "id": "alice-four"});
    let written = house.caller.post(LOUNGE, &body).await.ok(201);
    assert_eq!(written["message"]["attachments"].as_array().unwrap().len(), 4);
    house.caller.post(LOUNGE, &body).await.ok(200);
    assert_eq!(
        house.store.kept().attachments.len(),
        4,
        "a retry stores no picture twice"
    );
}

#[tokio::test]
async fn pictures_that_will_not_do_are_refused() {
    let house = open().await;
    let refused = async |attachments: Value, status, code| {
        let body = json!({"author": "Alice", "text": "look", "attachments": attachments});
        house.caller.post(LOUNGE, &body).await.refused(status, code)
    };
    let problem = refused(
        json!([picture("image/png", b"GIF89a")]),
        422,
        "invalid_attachment",
    )
    .await;
    assert!(problem.contains("image/gif"), "{problem}");
    refused(
        json!([picture("image/svg+xml", b"<svg/>")]),
        422,
        "invalid_attachment",
    )
    .await;
    refused(
        json!([{"name": "x", "mime": "image/png", "dataBase64": "%%%"}]),
        422,
        "invalid_attachment",
    )
    .await;
    refused(
        json!([picture("image/png", &png(5 * 1024 * 1024 + 1))]),
        413,
        "attachment_too_large",
    )
    .await;
    let one = picture("image/png", &png(30));
    refused(json!([one, one, one, one, one]), 422, "invalid_attachment").await;
    let problem = refused(json!([{"name": "x", "mime": "image/png"}]), 422, "invalid_field").await;
    assert!(problem.contains("dataBase64"), "{problem}");
    refused(
        json!([{"name": "x".repeat(29 * 1024 * 1024)}]),
        413,
        "body_too_large",
    )
    .await;
    let kept = house.store.kept();
    assert!(kept.attachments.is_empty() && kept.messages.is_empty());
}

#[tokio::test]
async fn clips_and_gifs_are_served_as_what_they_are_and_pages_never() {
    let house = open().await;
    for (id, mime) in [
        ("clip", "video/mp4"),
        ("gif", "image/gif"),
        ("drawing", "image/svg+xml"),
        ("page", "text/html"),
    ] {
        let kept = (mime.to_owned(), "0123456789".into());
        house.store.kept().attachments.insert(id.into(), kept);
    }
    for (id, mime) in [
        ("clip", "video/mp4"),
        ("gif", "image/gif"),
        ("drawing", "application/octet-stream"),
        ("page", "application/octet-stream"),
    ] {
        let served = house.caller.get(&format!("/api/attachments/{id}")).await;
        assert_eq!((served.status, served.header("content-type")), (200, mime));
        assert_eq!(served.header("x-content-type-options"), "nosniff");
        assert!(served.header("content-security-policy").contains("sandbox"));
    }
}

#[tokio::test]
async fn a_player_gets_the_part_it_asks_for() {
    let house = open().await;
    let kept = ("video/mp4".to_owned(), "0123456789".into());
    house.store.kept().attachments.insert("clip".into(), kept);
    let part = async |range: &str| {
        let request = house
            .caller
            .request(reqwest::Method::GET, "/api/attachments/clip");
        crate::caller::answer(request.header("range", range)).await
    };
    let middle = part("bytes=2-4").await;
    assert_eq!((middle.status, middle.text.as_str()), (206, "234"));
    assert_eq!(middle.header("content-range"), "bytes 2-4/10");
    assert_eq!(middle.header("content-type"), "video/mp4");
    assert_eq!(part("bytes=8-").await.text, "89");
    let beyond = part("bytes=10-").await;
    beyond.refused(416, "no_such_range");
    assert_eq!(beyond.header("content-range"), "bytes */10");
}

#[tokio::test]
async fn nobody_can_put_a_picture_where_denizen_keeps_its_own() {
    let house = open().await;
    let body =
        json!({"author": "Mallory", "id": "local-media", "attachments": [picture("image/png", &png(10))]});
    house.caller.post(LOUNGE, &body).await.refused(422, "invalid_id");
    assert!(house.store.kept().attachments.is_empty());
}
