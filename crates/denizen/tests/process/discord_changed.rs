//! What people take back or write anew on Discord while nobody tells Denizen of it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::discord::Server;
use crate::support::{Answer, ModelServer, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_or_changed_while_it_was_away_is_noticed() {
    let model = ModelServer::answering(|_| Answer::says("I see.")).await;
    let (server, home, mut process) = Server::with_denizen(&model).await;
    server.says("bob", "the first one stays");
    let code = server.says("bob", "the code of the door is 4711");
    let party = server.says("carol", "the party is on Sunday");
    server.says("alice", "@denizen hello");
    server.answered(1).await;
    assert!(process.terminate().await.success());
    let place =
        |message: &str, content: &str| json!({"channel": "general", "message": message, "content": content});
    server.control("delete", place(&code, ""));
    server.control("edit", place(&party, "the party is on Monday"));
    let process = home.start().await;
    server.is_joined().await;
    let community = format!("discord-{}", server.guild());
    let state = server.control("state", json!({}));
    let channels = state["guilds"][0]["channels"].as_array().expect("channels");
    let general = channels.iter().find(|channel| channel["name"] == "general");
    let room = general.expect("it is there")["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let path = format!("/api/communities/{community}/rooms/{room}/messages");
    eventually("it has noticed", async || {
        let (_, page) = process.call(Method::GET, &path, &Value::Null).await;
        let page = page.to_string();
        (page.contains("Monday") && !page.contains("Sunday") && !page.contains("4711")).then_some(())
    })
    .await;
    server.says("alice", "@denizen and now?");
    server.answered(2).await;
    let prompt = model.asked().last().expect("it was asked").body.clone();
    for (words, is_there) in [
        ("first one stays", true),
        ("Monday", true),
        ("Sunday", false),
        ("4711", false),
    ] {
        assert_eq!(prompt.contains(words), is_there, "{words}: {prompt}");
    }
}
