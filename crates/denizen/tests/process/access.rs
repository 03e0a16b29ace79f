//! Ways in, on the real program: links, tokens, names, and what no credential can do.

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Home, Process, knowing};

async fn send(
    client: &Client,
    process: &Process,
    method: Method,
    path: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let request = client
        .request(method, format!("{}{path}", process.url))
        .header("content-type", "application/json")
        .body(body.to_string());
    let response = request.send().await.expect("the process answers");
    let status = response.status();
    let text = response.text().await.expect("the answer is whole");
    (status, serde_json::from_str(&text).unwrap_or_default())
}

#[tokio::test]
async fn without_a_credential_nothing_is_answered_on_loopback_either() {
    let home = Home::new();
    let process = home.start().await;
    let description = process.get("/api/openapi.json").await;
    let stranger = Client::new();
    let mut tried = 0;
    for (path, operations) in description["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            if ["nobody", "sharer"].contains(&operation["x-least-role"].as_str().expect("a role")) {
                continue;
            }
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
            let (status, _) = send(&stranger, &process, method, path, &json!({})).await;
            assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
            tried += 1;
        }
    }
    assert!(tried > 60);
}

#[tokio::test]
async fn the_link_of_the_start_lets_one_browser_in() {
    let home = Home::new();
    let mut process = home.start().await;
    let (address, code) = process.link.split_once("/?enter=").expect("a link");
    assert_eq!(address, process.url);
    let (code, stranger) = (json!({ "code": code }), Client::new());
    let entered = stranger
        .post(format!("{}/api/enter", process.url))
        .header("content-type", "application/json")
        .body(code.to_string());
    let entered = entered.send().await.expect("an answer");
    assert_eq!(entered.status(), StatusCode::OK);
    let cookie = entered.headers()["set-cookie"].to_str().expect("text").to_owned();
    let cookie = cookie.split(';').next().expect("a pair").to_owned();
    let (status, refused) = send(&stranger, &process, Method::POST, "/api/enter", &code).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (StatusCode::FORBIDDEN, &json!("link_over"))
    );
    let me = async |process: &Process| {
        let request = stranger
            .get(format!("{}/api/me", process.url))
            .header("cookie", &cookie);
        request.send().await.expect("an answer").status()
    };
    assert_eq!(me(&process).await, StatusCode::OK);
    process.kill();
    let again = home.start().await;
    assert_eq!(
        me(&again).await,
        StatusCode::OK,
        "a browser stays in after a restart"
    );
}

#[tokio::test]
async fn links_and_tokens_are_made_on_the_command_line() {
    let home = Home::new();
    let token = |role: &str| {
        let made = home
            .run(&["access", "add", "--role", role, "--label", role])
            .succeeded();
        made.trim().to_owned()
    };
    let missing = home.run(&["access", "list"]).failed();
    assert!(missing.contains("--data"), "{missing}");
    let process = home.start().await;
    let (reader, guest) = (knowing(&token("reader")), knowing(&token("participant")));
    let link = home
        .run(&["link", "--role", "participant", "--uses", "2", "--valid", "1h"])
        .succeeded();
    assert!(link.starts_with(&format!("{}/?enter=", process.url)), "{link}");
    let hello = |author: &str| json!({"author": author, "text": "hello", "id": format!("{author}-0001")});
    let messages = "/api/rooms/lounge/messages";
    let (status, _) = send(&reader, &process, Method::GET, messages, &Value::Null).await;
    assert_eq!(status, StatusCode::OK);
    let (status, refused) = send(&reader, &process, Method::POST, messages, &hello("Reader")).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (StatusCode::FORBIDDEN, &json!("not_allowed"))
    );
    let (status, _) = send(&guest, &process, Method::POST, messages, &hello("Guest")).await;
    assert_eq!(status, StatusCode::CREATED);
    let (status, refused) = send(&guest, &process, Method::GET, "/api/settings", &Value::Null).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (StatusCode::FORBIDDEN, &json!("not_allowed"))
    );
    process.say("Alice", "This is mine.").await;
    let id = process.say("Alice", "And this.").await;
    let edit = json!({"author": "Alice", "text": "changed"});
    let (status, refused) = send(
        &guest,
        &process,
        Method::PATCH,
        &format!("{messages}/{id}"),
        &edit,
    )
    .await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (StatusCode::CONFLICT, &json!("name_taken"))
    );
    let listed = home.run(&["access", "list"]).succeeded();
    let row = listed
        .lines()
        .find(|line| line.contains("participant"))
        .expect("listed");
    let id = row.split_whitespace().next().expect("an id");
    let names = home.run(&["access", "names"]).succeeded();
    assert!(names.contains("Guest") && names.contains(id), "{names}");
    home.run(&["access", "names", "--release", "guest"]).succeeded();
    home.run(&["access", "revoke", id]).succeeded();
    let (status, _) = send(&guest, &process, Method::GET, messages, &Value::Null).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn what_cannot_be_written_is_not_reported_as_done() {
    let home = Home::new();
    let process = home.start().await;
    let add = ["access", "add", "--role", "reader", "--label", "monitor"];
    let reader = knowing(home.run(&add).succeeded().trim());
    let rooms = async || {
        send(&reader, &process, Method::GET, "/api/rooms", &Value::Null)
            .await
            .0
    };
    let listed = home.run(&["access", "list"]).succeeded();
    let row = listed
        .lines()
        .find(|line| line.contains("monitor"))
        .expect("listed");
    let id = row.split_whitespace().next().expect("an id");
    // As on a full disk: the file cannot be written beside the old one.
    let in_the_way = home.data().join("access.json.new");
    std::fs::create_dir_all(in_the_way.join("full")).expect("a folder");
    let refusal = home.run(&add).failed();
    assert!(
        refusal.contains("Nothing was changed") && refusal.contains("disk"),
        "{refusal}"
    );
    assert_eq!(rooms().await, StatusCode::OK);
    let refusal = home.run(&["access", "revoke", id]).failed();
    assert!(
        refusal.contains("a restart before it is written would open it again"),
        "{refusal}"
    );
    assert_eq!(rooms().await, StatusCode::UNAUTHORIZED);
    std::fs::remove_dir_all(&in_the_way).expect("room on the disk");
    home.run(&["access", "revoke", id]).succeeded();
    let kept = std::fs::read_to_string(home.data().join("access.json")).expect("it is there");
    assert!(!kept.contains(id), "{kept}");
}

#[tokio::test]
async fn commands_act_on_the_denizen_of_their_folder_and_on_no_other() {
    let homes = [Home::new(), Home::new()];
    let running = [homes[0].start().await, homes[1].start().await];
    for process in &running {
        let fact = json!({"content": "Alice keeps bees.", "person": "local:alice"});
        let (status, answer) = process.call(Method::POST, "/api/memory/gems", &fact).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
    }
    let gems = async |process: &Process| {
        process.get("/api/memory/gems").await["items"]
            .as_array()
            .map(Vec::len)
    };
    let forget = ["memory", "forget", "--person", "local:alice", "--yes"];
    // With the other one's address, by option or by the environment, nothing is done.
    let elsewhere = [&forget[..], &["--url", &running[1].url]].concat();
    let refusal = homes[0].run(&elsewhere).failed();
    for named in [&running[0].url, &running[1].url] {
        assert!(refusal.contains(named), "{refusal}");
    }
    let mut command = homes[0].command(&["memory", "stats"]);
    let output = command
        .env("DENIZEN_URL", &running[1].url)
        .output()
        .expect("it starts");
    assert!(!output.status.success());
    assert_eq!(
        [gems(&running[0]).await, gems(&running[1]).await],
        [Some(1), Some(1)]
    );
    // Without an address the folder says where its Denizen is.
    homes[0].run(&forget).succeeded();
    assert_eq!(
        [gems(&running[0]).await, gems(&running[1]).await],
        [Some(0), Some(1)]
    );
}

#[tokio::test]
async fn the_key_of_the_command_line_stays_in_the_folder() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let process = home.start().await;
    let lock = home.data().join("denizen.lock");
    let mode = std::fs::metadata(&lock).expect("a lock").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let held: Value = serde_json::from_slice(&std::fs::read(&lock).expect("a lock")).expect("JSON");
    let key = held["door"]["key"].as_str().expect("a key").to_owned();
    assert_eq!(
        held["door"]["instance"],
        process.get("/api/health").await["instance"]
    );
    assert!(!process.log().contains(&key));
    let refusal = home.run(&["run", "--port", "0"]).failed();
    assert!(
        refusal.contains(&process.url) && !refusal.contains(&key),
        "{refusal}"
    );
}

#[tokio::test]
async fn a_token_whose_time_is_over_is_told_apart_from_a_wrong_one() {
    let home = Home::new();
    home.configure(&json!({"llm.provider": "offline"}));
    let made = home
        .run(&[
            "access", "add", "--role", "reader", "--label", "screen", "--valid", "1h",
        ])
        .succeeded();
    let is_secret = |word: &&str| word.len() == 48 && word.bytes().all(|letter| letter.is_ascii_hexdigit());
    let known = made.split_whitespace().find(is_secret).expect("the token");
    let file = home.data().join("access.json");
    let mut kept: Value = serde_json::from_slice(&std::fs::read(&file).expect("a file")).expect("JSON");
    kept["credentials"][0]["expiresAt"] = json!(1_767_225_600_000_i64);
    std::fs::write(&file, kept.to_string()).expect("written");
    let process = home.start().await;
    let (status, said) = send(
        &knowing(known),
        &process,
        Method::GET,
        "/api/communities",
        &json!({}),
    )
    .await;
    assert_eq!(
        (status, &said["error"]["code"]),
        (StatusCode::UNAUTHORIZED, &json!("token_over")),
        "{said}"
    );
    let words = said["error"]["message"].as_str().expect("words");
    assert!(words.contains("was over at 2026-01-01"), "{words}");
    let (status, said) = send(
        &Client::new(),
        &process,
        Method::POST,
        "/api/enter",
        &json!({"token": known}),
    )
    .await;
    assert_eq!(
        (status, &said["error"]["code"]),
        (StatusCode::FORBIDDEN, &json!("token_over")),
        "{said}"
    );
    let (_, said) = send(
        &knowing("another-that-nobody-ever-made"),
        &process,
        Method::GET,
        "/api/communities",
        &json!({}),
    )
    .await;
    assert_eq!(said["error"]["code"], "unauthorized");
}
