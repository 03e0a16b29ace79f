//! `denizen watch`: a video is played as a shared screen, and what is made of it is printed.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::support::{Home, eventually, path};

/// A Denizen as far as its frame API goes, which writes down what it is told.
#[derive(Default)]
struct Told {
    shares: Vec<Value>,
    frames: usize,
    wrong: Vec<String>,
    ended: bool,
    /// Refuses frames so from then on.
    refusal: Option<(u16, &'static str)>,
}

type Shared = Arc<Mutex<Told>>;

async fn denizen() -> (String, Shared) {
    let told = Shared::default();
    let router = Router::new()
        .route("/api/health", get(async || Json(json!({"status": "ok"}))))
        .route("/api/settings", get(async || Json(settings())))
        .route("/api/rooms/lounge/shares", post(share))
        .route("/api/rooms/lounge/watch", get(watch))
        .route("/api/watch/{share}/frames", post(frame))
        .route("/api/watch/{share}", delete(end))
        .with_state(told.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, told)
}

fn settings() -> Value {
    let knob = |name: &str, value: Value| json!({"key": format!("voice.streamWatch.{name}"), "value": value});
    json!({"version": 1, "knobs": [
        knob("sharePageMaxWidthPx", 640.into()), knob("sharePageJpegQuality", 0.6.into()),
        knob("maxFrameBytes", 350_000.into()), knob("maxFramesPerMinute", 600.into()),
        knob("nativeDiscordMaxFramesPerSecond", 10.into()),
    ]})
}

async fn share(State(told): State<Shared>, Json(body): Json<Value>) -> (StatusCode, Json<Value>) {
    told.lock().expect("not poisoned").shares.push(body);
    let link = json!({"share": "s1", "token": "TOKEN", "expiresAt": 1, "url": "/share#TOKEN",
        "framesUrl": "/api/watch/s1/frames", "whipUrl": "/api/watch/s1/whip"});
    (StatusCode::CREATED, Json(link))
}

async fn frame(State(told): State<Shared>, headers: HeaderMap, body: Bytes) -> (StatusCode, Json<Value>) {
    let mut told = told.lock().expect("not poisoned");
    let header = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    };
    if header("authorization") != "Bearer TOKEN" || header("content-type") != "image/jpeg" {
        told.wrong.push(format!("{headers:?}"));
    }
    if !body.starts_with(&[0xff, 0xd8, 0xff]) {
        told.wrong.push("no JPEG".to_owned());
    }
    if let Some((status, code)) = told.refusal {
        let error = json!({"error": {"code": code, "message": "Not now."}});
        return (StatusCode::from_u16(status).expect("a status"), Json(error));
    }
    told.frames += 1;
    let taken = json!({"frame": told.frames, "width": 128, "height": 72, "score": 0.25, "ema": 0.1, "sceneCut": false});
    (StatusCode::OK, Json(taken))
}

/// After the second frame there is a note on it; there always was one from before.
async fn watch(State(told): State<Shared>) -> Json<Value> {
    let told = told.lock().expect("not poisoned");
    let mut marks =
        vec![json!({"at": 1, "kind": "note_added", "frame": null, "trigger": null, "text": "from before"})];
    if told.frames >= 2 {
        marks.push(
            json!({"at": 2, "kind": "note_added", "frame": 2, "trigger": "scene_cut", "text": "A page."}),
        );
        marks.push(
            json!({"at": 3, "kind": "commentary_spoken", "frame": 2, "trigger": null, "text": "Nice page."}),
        );
    }
    let cost = 100 * told.frames;
    Json(
        json!({"enabled": true, "marks": marks, "noteTaker": {"asking": null}, "commentary": {"asking": null},
        "calls": {"notes": told.frames, "commentary": 0, "failed": 0, "costMicroDollars": cost, "unpriced": 0}}),
    )
}

async fn end(State(told): State<Shared>, headers: HeaderMap) -> StatusCode {
    let mut told = told.lock().expect("not poisoned");
    if headers
        .get("authorization")
        .is_none_or(|token| token != "Bearer TOKEN")
    {
        told.wrong.push(format!("{headers:?}"));
    }
    told.ended = true;
    StatusCode::NO_CONTENT
}

/// So many frames at ten a second.
fn video(home: &Home, frames: usize) -> PathBuf {
    let mut bytes = b"YUV4MPEG2 W128 H72 F10:1\n".to_vec();
    for at in 0..frames {
        bytes.extend(b"FRAME\n");
        bytes.extend(vec![(at * 40 % 200 + 16) as u8; 128 * 72]);
        bytes.extend([128; 2 * 64 * 36]);
    }
    let file = home.file("clip.y4m");
    std::fs::write(&file, bytes).expect("the folder can be written to");
    file
}

fn start(mut command: Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

async fn output(child: Child) -> (Option<i32>, String, String) {
    let output = tokio::task::spawn_blocking(move || child.wait_with_output());
    let output = output.await.expect("it is waited for").expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[tokio::test]
async fn a_video_is_played_and_what_is_made_of_it_is_told() {
    let home = Home::new();
    let (url, told) = denizen().await;
    let file = video(&home, 6);
    let arguments = [
        "watch",
        path(&file),
        "--url",
        &url,
        "--name",
        "Alice",
        "--speed",
        "1",
    ];
    let (code, out, err) = output(start(home.command(&arguments))).await;
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    {
        let told = told.lock().expect("not poisoned");
        assert_eq!(told.shares, [json!({"name": "Alice", "source": "file"})]);
        assert!(told.wrong.is_empty(), "{:?}", told.wrong);
        assert!(told.ended);
        // 600 a minute are allowed, and a little less is sent.
        assert!((5..=6).contains(&told.frames), "{} frames", told.frames);
    }
    assert!(out.contains("note       scene_cut     0.2500  A page."), "{out}");
    assert!(
        out.contains("comment    -             0.2500  Nice page."),
        "{out}"
    );
    assert!(!out.contains("from before"), "{out}");
    assert_eq!(out.matches("A page.").count(), 1, "{out}");
    assert!(out.contains("frames taken, 0 refused"), "{out}");
    assert!(out.contains("1 note and 1 comment"), "{out}");
    assert!(out.contains("cost $0.000"), "{out}");
    assert!(!out.contains("TOKEN"), "{out}");
}

#[tokio::test]
async fn an_interrupted_video_ends_its_share() {
    let home = Home::new();
    let (url, told) = denizen().await;
    let file = video(&home, 600);
    let child = start(home.command(&["watch", path(&file), "--url", &url]));
    let pid = child.id().to_string();
    eventually("a frame has come", async || {
        (told.lock().expect("not poisoned").frames > 0).then_some(())
    })
    .await;
    let asked = Command::new("sh").args(["-c", "kill -INT \"$0\"", &pid]).status();
    assert!(asked.expect("there is a shell").success());
    let (code, out, err) = output(child).await;
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(told.lock().expect("not poisoned").ended);
    assert!(out.contains("frames taken"), "{out}");
}

#[tokio::test]
async fn refused_frames_are_told_once_and_counted() {
    let home = Home::new();
    let (url, told) = denizen().await;
    told.lock().expect("not poisoned").refusal = Some((409, "watch_not_active"));
    let file = video(&home, 5);
    let (code, out, err) = output(start(home.command(&["watch", path(&file), "--url", &url]))).await;
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(err.matches("a frame was refused: Not now").count(), 1, "{err}");
    assert!(out.contains("0 frames taken"), "{out}");
    assert!(out.contains("(watch_not_active "), "{out}");
}

#[tokio::test]
async fn a_share_that_was_ended_from_the_room_ends_the_video() {
    let home = Home::new();
    let (url, told) = denizen().await;
    told.lock().expect("not poisoned").refusal = Some((404, "session_not_found"));
    let file = video(&home, 600);
    let (code, _, err) = output(start(home.command(&["watch", path(&file), "--url", &url]))).await;
    assert_eq!(code, Some(1));
    assert!(err.contains("the share was ended from the room"), "{err}");
}

#[tokio::test]
async fn nobody_there_no_file_and_no_address_are_said() {
    let home = Home::new();
    let file = video(&home, 2);
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", free.local_addr().expect("an address"));
    drop(free);
    let error = home.run(&["watch", path(&file), "--url", &address]).failed();
    assert!(error.contains("nothing listens there"), "{error}");
    assert!(error.contains("denizen run"), "{error}");
    let error = home.run(&["watch", path(&file), "--url", "nowhere"]).failed();
    assert!(error.contains("--url nowhere is no address"), "{error}");
    let (url, told) = denizen().await;
    let child = start(home.command(&["watch", "gone.mp4", "--url", &url]));
    let (code, _, err) = output(child).await;
    assert_eq!(code, Some(1));
    assert!(err.contains("gone.mp4"), "{err}");
    assert!(
        told.lock().expect("not poisoned").shares.is_empty(),
        "nothing was shared"
    );
}
