//! Who may run, and who may come in.

use reqwest::StatusCode;

use crate::support::{Home, path};

const TOKEN: &str = "a-token-that-is-long-enough-3f9a";

#[tokio::test]
async fn a_second_process_on_a_data_folder_is_refused() {
    let home = Home::new();
    let first = home.start().await;
    let refusal = home.run(&["run", "--port", "0"]).failed();
    assert!(refusal.contains("is in use by another process"), "{refusal}");
    assert!(refusal.contains(path(&home.data())), "{refusal}");
    assert!(refusal.contains("--data"), "{refusal}");
    assert_eq!(
        first.get("/api/health").await["status"],
        "ok",
        "the first goes on"
    );
}

#[tokio::test]
async fn a_folder_is_free_again_after_a_kill() {
    let home = Home::new();
    home.start().await.kill();
    let second = home.start().await;
    assert_eq!(second.get("/api/health").await["status"], "ok");
}

#[tokio::test]
async fn a_port_in_use_is_named_with_the_remedy() {
    let home = Home::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let refusal = home.run(&["run", "--port", &port]).failed();
    assert!(refusal.contains(&format!("127.0.0.1:{port}")), "{refusal}");
    assert!(refusal.contains("--port"), "{refusal}");
}

#[tokio::test]
async fn where_a_proxy_stands_before_it_links_lead_there_and_commands_do_not() {
    let home = Home::new();
    let process = home.start_with(&["--public-url", "https://talk.example/"]).await;
    assert!(process.url.starts_with("http://127.0.0.1:"), "{}", process.url);
    let link = home.run(&["link"]).succeeded();
    assert!(link.contains("https://talk.example/?enter="), "{link}");
}

#[test]
fn an_address_of_a_proxy_that_nobody_could_open_is_refused() {
    let home = Home::new();
    let refused = home.run(&["run", "--port", "0", "--public-url", "talk.example"]);
    let names_it = refused.err.contains("--public-url") && refused.err.contains("https://talk.example");
    assert!(refused.code == Some(2) && names_it, "{refused:#?}");
}

#[test]
fn a_weak_token_is_refused() {
    let home = Home::new().with_env("DENIZEN_TOKEN", "short");
    let refusal = home.run(&["run", "--port", "0", "--bind", "0.0.0.0"]).failed();
    assert!(
        refusal.contains("DENIZEN_TOKEN") && refusal.contains("16"),
        "{refusal}"
    );
    assert!(!refusal.contains("short"), "{refusal}");
    assert!(!home.data().exists(), "nothing was begun");
}

#[tokio::test]
async fn with_a_token_only_those_who_know_it_come_in() {
    let home = Home::new().with_env("DENIZEN_TOKEN", TOKEN);
    let process = home.start_with(&["--bind", "0.0.0.0"]).await;
    assert!(process.url.starts_with("http://127.0.0.1:"), "{}", process.url);
    let rooms = format!("{}/api/rooms", process.url);
    let status =
        |request: reqwest::RequestBuilder| async { request.send().await.expect("an answer").status() };
    let client = &reqwest::Client::new();
    assert_eq!(status(client.get(&rooms)).await, StatusCode::UNAUTHORIZED);
    assert_eq!(
        status(client.get(&rooms).bearer_auth("another-token-of-some-length")).await,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        status(client.get(&rooms).bearer_auth(TOKEN)).await,
        StatusCode::OK
    );
    assert_eq!(
        status(client.get(format!("{rooms}?token={TOKEN}"))).await,
        StatusCode::OK
    );
    let body = r#"{"author": "Alice", "text": "hello"}"#;
    let post = || {
        client
            .post(format!("{rooms}/lounge/messages"))
            .header("content-type", "application/json")
            .body(body)
    };
    assert_eq!(status(post()).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(post().bearer_auth(TOKEN)).await, StatusCode::CREATED);
    assert!(!process.log().contains(TOKEN), "{}", process.log());
}
