//! Frames that a program posts: who may, what is refused by which name, and what becomes of a token.

use futures_util::stream;
use reqwest::{Body, Method};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::caller::answer;
use crate::driver::TOKEN;
use crate::watching::{Link, Watching, With, watching, watching_with};

#[tokio::test]
async fn a_frame_is_answered_with_what_was_seen_of_it() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let first = house.frame(&link, 10).await;
    assert_eq!(
        first,
        json!({"frame": first["frame"], "width": 640, "height": 360, "score": 0.0, "ema": 0.0, "sceneCut": false})
    );
    let second = house.frame(&link, 240).await;
    assert_eq!(second["sceneCut"], true);
    assert!(second["frame"].as_u64() > first["frame"].as_u64());
}

#[tokio::test]
async fn a_flash_between_two_frames_is_told_with_the_second() {
    let house = watching().await;
    let link = house.link("Alice").await;
    house.frame(&link, 10).await;
    let with_peak = |peak: &str| Link {
        frames: format!("{}?peak={peak}", link.frames),
        ..link.clone()
    };
    let flash = house.frame(&with_peak("0.5"), 10).await;
    assert_eq!(flash["sceneCut"], true, "{flash}");
    assert!(flash["score"].as_f64() > Some(0.49), "{flash}");
    assert_eq!(house.frame(&link, 10).await["score"], 0.0);
    for wrong in ["much", ""] {
        let refused = house.post(&with_peak(wrong), "image/jpeg", vec![1]).await;
        refused.refused(400, "bad_query");
    }
}

#[tokio::test]
async fn only_the_token_of_the_share_opens_its_door_and_only_as_a_bearer() {
    let house = watching_with(With {
        token: true,
        ..With::default()
    })
    .await;
    let (link, other) = (house.link("Alice").await, house.link("Bob").await);
    let refused = async |path: &str, header: Option<(&'static str, String)>| {
        let mut request = house.caller.request(Method::POST, path);
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        let request = request.header("content-type", "image/jpeg").body("x");
        answer(request).await.refused(404, "session_not_found");
    };
    let frames = link.frames.as_str();
    refused(frames, None).await;
    for wrong in ["", "x", TOKEN, &link.token[1..], &other.token] {
        refused(frames, Some(("authorization", format!("Bearer {wrong}")))).await;
    }
    refused(frames, Some(("authorization", format!("Basic {}", link.token)))).await;
    refused(frames, Some(("cookie", format!("denizen_token={}", link.token)))).await;
    refused(&format!("{frames}?token={}", link.token), None).await;
    refused(&format!("/api/watch/{}/frames", link.token), None).await;
    refused(
        &other.frames,
        Some(("authorization", format!("Bearer {}", link.token))),
    )
    .await;
    // The site's own token is not needed, and the token of a share opens nothing else.
    house.frame(&link, 10).await;
    let request = house.caller.request(Method::GET, "/api/rooms/lounge/watch");
    answer(request.bearer_auth(&link.token))
        .await
        .refused(401, "unauthorized");
    for path in ["/api/watch", "/api/watching/x", "/api/rooms/lounge/shares"] {
        let request = house.caller.request(Method::POST, path);
        answer(request.bearer_auth(&link.token))
            .await
            .refused(401, "unauthorized");
    }
}

#[tokio::test]
async fn frames_that_will_not_do_are_refused_by_name() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let post = async |mime: &str, body: Vec<u8>| house.post(&link, mime, body).await;
    for mime in ["text/plain", "image/gif", "image/svg+xml", ""] {
        let problem = post(mime, vec![1]).await.refused(415, "invalid_mime_type");
        assert!(problem.contains("image/webp"), "{problem}");
    }
    let request = house.caller.request(Method::POST, &link.frames);
    answer(request.bearer_auth(&link.token).body("x"))
        .await
        .refused(415, "invalid_mime_type");
    post("image/jpeg", Vec::new())
        .await
        .refused(422, "frame_data_required");
    post("image/png", vec![0; 20])
        .await
        .refused(422, "frame_undecodable");
    let problem = post("image/jpeg", vec![1; 350_001])
        .await
        .refused(413, "frame_too_large");
    assert!(
        problem.contains("350000") && problem.contains("voice.streamWatch.maxFrameBytes"),
        "{problem}"
    );
    post("image/jpeg; charset=binary", vec![1; 350_000]).await.ok(200);
    post("image/gif", vec![1; 400_000])
        .await
        .refused(415, "invalid_mime_type");
}

#[tokio::test]
async fn only_so_many_frames_are_taken_in_a_minute() {
    let house = watching_with(With {
        settings: vec![("voice.streamWatch.maxFramesPerMinute", json!(6))],
        ..With::default()
    })
    .await;
    let link = house.link("Alice").await;
    for _ in 0..6 {
        house.frame(&link, 10).await;
    }
    let refused = house.post(&link, "image/jpeg", vec![10]).await;
    let problem = refused.refused(429, "frame_rate_limited");
    assert!(
        problem.contains("voice.streamWatch.maxFramesPerMinute"),
        "{problem}"
    );
    assert_eq!(refused.header("retry-after"), "1");
}

#[tokio::test]
async fn switched_off_in_the_middle_frames_are_refused() {
    let house = watching().await;
    let link = house.link("Alice").await;
    house.frame(&link, 10).await;
    house.set(&[("voice.streamWatch.enabled", json!(false))]).await;
    house
        .post(&link, "image/jpeg", vec![10])
        .await
        .refused(409, "stream_watch_disabled");
}

#[tokio::test]
async fn a_body_without_end_is_refused_as_soon_as_it_is_too_large() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let piece = || Ok::<_, std::io::Error>(vec![1_u8; 64 * 1024]);
    let endless = Body::wrap_stream(stream::repeat_with(piece));
    let problem = house
        .post(&link, "image/jpeg", endless)
        .await
        .refused(413, "frame_too_large");
    assert!(problem.contains("350000"), "{problem}");
    house
        .post(&link, "image/jpeg", vec![1; 50_000_000])
        .await
        .refused(413, "frame_too_large");
    house.frame(&link, 10).await;
}

#[tokio::test]
async fn a_body_that_is_announced_too_large_is_refused_before_it_is_sent() {
    let house = watching().await;
    let link = house.link("Alice").await;
    for more in ["", "Expect: 100-continue\r\n"] {
        let head = head(&house, &link, &format!("Content-Length: 50000000\r\n{more}"));
        let answered = send_raw(&house, &head).await;
        assert!(answered.starts_with("HTTP/1.1 413 "), "{answered}");
        assert!(
            answered.contains("frame_too_large") && answered.contains("350000"),
            "{answered}"
        );
    }
    house.frame(&link, 10).await;
}

#[tokio::test]
async fn a_body_that_breaks_off_is_no_frame() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let mut head = head(&house, &link, "Content-Length: 1000\r\n");
    head.push_str("only this");
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answered = String::new();
    stream.read_to_string(&mut answered).await.unwrap();
    assert!(!answered.starts_with("HTTP/1.1 200"), "{answered}");
    assert_eq!(house.view().await["samples"], json!([]));
}

#[tokio::test]
async fn whoever_shares_can_stop_and_the_token_is_worth_nothing_then() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    house.frame(&link, 10).await;
    let path = format!("/api/watch/{}", link.share);
    let stop = || house.caller.request(Method::DELETE, &path);
    answer(stop()).await.refused(404, "session_not_found");
    assert_eq!(answer(stop().bearer_auth(&link.token)).await.status, 204);
    answer(stop().bearer_auth(&link.token))
        .await
        .refused(404, "session_not_found");
    house
        .post(&link, "image/jpeg", vec![10])
        .await
        .refused(404, "session_not_found");
    let ended = house.journaled("stream_watch_share_ended").await;
    assert_eq!(data(&ended)["reason"], "stopped");
}

#[tokio::test]
async fn a_link_that_nobody_used_can_be_given_back() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let path = format!("/api/watch/{}", link.share);
    let stop = house
        .caller
        .request(Method::DELETE, &path)
        .bearer_auth(&link.token);
    assert_eq!(answer(stop).await.status, 204);
    house
        .post(&link, "image/jpeg", vec![10])
        .await
        .refused(404, "session_not_found");
    assert_eq!(house.view().await["shares"], json!([]));
}

#[tokio::test]
async fn refused_frames_are_journaled_once_and_no_token_ever_is() {
    let mut house = watching().await;
    let link = house.link("Alice").await;
    house
        .post(&link, "text/plain", vec![1])
        .await
        .refused(415, "invalid_mime_type");
    let refused = house.journaled("stream_watch_frame_refused").await;
    assert_eq!(data(&refused)["reason"], "invalid_mime_type");

    // Tokens where they do not belong.
    let mislaid = [
        (Method::POST, format!("/api/watch/{}/frames", link.token)),
        (Method::POST, format!("/api/watch/{}/frames/x", link.token)),
        (Method::PUT, format!("/api/watch/{}", link.token)),
        (Method::DELETE, format!("/api/rooms/lounge/shares/{}", link.token)),
    ];
    let mut refused = Value::Null;
    for (method, path) in mislaid {
        let request = house
            .caller
            .request(method, &format!("{path}?token={}", link.token));
        let shown = match path.starts_with("/api/rooms") {
            true => TOKEN,
            false => &link.token,
        };
        let status = answer(request.bearer_auth(shown)).await.status;
        assert!((404..=405).contains(&status), "{path}: {status}");
        refused = data(&house.journaled("web_request_refused").await);
    }
    assert_eq!(
        (&refused["path"], &refused["code"]),
        (
            &json!("/api/rooms/lounge/shares/{share}"),
            &json!("session_not_found")
        )
    );
    house.frame(&link, 10).await;
    let journal = house.journal_text();
    assert!(journal.contains(&link.share) && !journal.contains(&link.token));
    let codes: Vec<Value> = house
        .journal_of("web_request_refused")
        .iter()
        .map(|entry| data(entry)["code"].clone())
        .collect();
    assert!(!codes.contains(&json!("invalid_mime_type")), "{codes:?}");
}

fn data(entry: &mind::JournalEntry) -> Value {
    serde_json::to_value(entry).unwrap()["data"].clone()
}

fn head(house: &Watching, link: &Link, more: &str) -> String {
    format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: image/jpeg\r\n{more}\r\n",
        link.frames, house.address, link.token
    )
}

/// Sends nothing but this, and reads what is answered to it.
async fn send_raw(house: &Watching, request: &str) -> String {
    let mut stream = TcpStream::connect(house.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answered = Vec::new();
    while !String::from_utf8_lossy(&answered).ends_with("}}") {
        let mut buffer = [0; 4096];
        let count = stream.read(&mut buffer).await.unwrap();
        assert_ne!(count, 0, "cut off after {}", String::from_utf8_lossy(&answered));
        answered.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8(answered).unwrap()
}
