//! `/denizen` on Discord.

use reqwest::Method;
use serde_json::{Value, json};

use crate::discord::Server;
use crate::support::{Answer, ModelServer, Process, eventually};

impl Server {
    /// Somebody uses a subcommand; what came of it.
    async fn uses(&self, who: &str, subcommand: &str, options: Value) -> Value {
        let wish = json!({"as": who, "application": "denizen", "channel": "general", "command": "denizen",
            "options": [{"type": 1, "name": subcommand, "options": options}]});
        let token = self.control("use", wish)["token"].clone();
        eventually("the command is answered", async || {
            let answer = self.control("answer", json!({"token": token}));
            let has_words =
                |message: &Value| message["content"].as_str().is_some_and(|text| !text.is_empty());
            let messages = answer["messages"].as_array().cloned().unwrap_or_default();
            messages.iter().any(has_words).then_some(answer)
        })
        .await
    }

    pub(crate) async fn words(&self, who: &str, subcommand: &str, options: Value) -> String {
        let answer = self.uses(who, subcommand, options).await;
        assert_eq!(answer["ephemeral"], json!(true), "{answer:#}");
        let words = answer["messages"][0]["content"].as_str();
        words.expect("words").to_owned()
    }

    /// Waits until the journal of the server's community has this in it.
    async fn journal_says(&self, process: &Process, what: &str) {
        let path = format!("/api/communities/discord-{}/journal?limit=200", self.guild());
        eventually("it was read", async || {
            // The community is not there before the server was told of.
            let (_, page) = process.call(Method::GET, &path, &Value::Null).await;
            page.to_string().contains(what).then_some(())
        })
        .await;
    }

    /// Waits until Discord knows the commands.
    pub(crate) async fn is_offered(&self) {
        eventually("the commands are there", async || {
            let put = self.control("requests", json!({"method": "PUT", "path": "/commands"}));
            put.as_array().is_some_and(|put| !put.is_empty()).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_tell_why_ask_and_keep_it_quiet_for_those_who_may() {
    let model = ModelServer::answering(|_| Answer::says("It is nine.")).await;
    let server = Server::start().await;
    let home = server.home(&model);
    let process = home.start().await;
    server.is_joined().await;
    server.is_offered().await;
    server.says("alice", "nobody is meant by this");
    server.journal_says(&process, "text_admission_decided").await;
    let why = server.words("owner", "why", json!([])).await;
    assert!(why.contains("(a message of alice)"), "{why}");
    let refused = server.words("alice", "why", json!([])).await;
    assert!(refused.contains("may manage"), "{refused}");
    let status = server.words("alice", "status", json!([])).await;
    assert!(status.contains("I am denizen."), "{status}");
    let join = server.words("alice", "join", json!([])).await;
    assert!(join.contains("Go into a voice channel first"), "{join}");
    // A question that all see is answered for all to see.
    let asked = server
        .uses(
            "alice",
            "ask",
            json!([{"type": 3, "name": "question", "value": "what time is it?"}]),
        )
        .await;
    assert_eq!(asked["ephemeral"], json!(false), "{asked:#}");
    eventually("it answers", async || {
        server
            .said()
            .iter()
            .any(|message| message["content"] == "It is nine.")
            .then_some(())
    })
    .await;
    // Whoever does not manage the server changes nothing in it.
    let set = json!([{"type": 3, "name": "key", "value": "identity.aliases"}, {"type": 3, "name": "value", "value": "Robin"}]);
    let refused = server.words("alice", "settings", set.clone()).await;
    assert!(refused.contains("manage the server"), "{refused}");
    let done = server.words("owner", "settings", set).await;
    assert!(done.starts_with("Done"), "{done}");
    let money = json!([{"type": 3, "name": "key", "value": "llm.model"}, {"type": 3, "name": "value", "value": "dear"}]);
    let refused = server.words("owner", "settings", money).await;
    assert!(refused.contains("whoever runs me"), "{refused}");
    let quiet = server.words("owner", "quiet", json!([])).await;
    assert!(quiet.contains("I say nothing here"), "{quiet}");
    let before = model.asked().len();
    server.says("alice", "@denizen are you there?");
    server.journal_says(&process, "channel_blocked").await;
    assert_eq!(model.asked().len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_wants_to_be_forgotten_says_so_twice() {
    let model = ModelServer::answering(|_| Answer::says("Noted.")).await;
    let server = Server::start().await;
    let home = server.home(&model);
    home.run(&["settings", "set", "memory.enabled", "true"])
        .succeeded();
    let process = home.start().await;
    server.is_joined().await;
    server.is_offered().await;
    server.says("alice", "@denizen my bicycle is red");
    server.answered(1).await;
    let what = json!({"type": 3, "name": "what", "value": "me"});
    let asked_back = server.words("alice", "forget", json!([what])).await;
    assert!(asked_back.contains("sure"), "{asked_back}");
    let sure = json!({"type": 5, "name": "sure", "value": true});
    let done = server.words("alice", "forget", json!([what, sure])).await;
    assert_eq!(done, "It is forgotten, for good.", "{}", process.log());
}
