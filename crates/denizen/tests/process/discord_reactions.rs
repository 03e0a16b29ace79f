//! Denizen puts an emoji under a message on Discord, and people put theirs under its posts.

use serde_json::{Value, json};

use crate::discord::Server;
use crate::support::{Answer, ModelServer, envelope, eventually};

impl Server {
    /// The emoji under a message that the bot has put there.
    fn reactions_of_the_bot(&self, message: &str) -> Vec<Value> {
        let messages = self.control("messages", json!({"channel": "general"}));
        let messages = messages.as_array().expect("messages").clone();
        let found = messages.into_iter().find(|found| found["id"] == message);
        let reactions = found.expect("the message")["reactions"].clone();
        let reactions = reactions.as_array().cloned().unwrap_or_default();
        reactions.into_iter().map(|it| it["emoji"].clone()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emoji_is_its_whole_answer_and_why_tells_of_it() {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("it works at last") {
        true => Answer::in_pieces([envelope("react", "🎉", "he is glad").as_str()]),
        false => Answer::says("Hello, Alice."),
    })
    .await;
    let server = Server::start().await;
    let home = server.home(&model);
    home.run(&["settings", "set", "permissions.allowInitiativeReplies", "true"])
        .succeeded();
    let _process = home.start().await;
    server.is_joined().await;
    server.is_offered().await;
    server.says("alice", "@denizen hello");
    server.answered(1).await;
    let glad = server.says("bob", "it works at last!");
    eventually("it reacts", async || {
        let there = server.reactions_of_the_bot(&glad);
        there.iter().any(|emoji| emoji["name"] == "🎉").then_some(())
    })
    .await;
    // What commands are answered with stands among the messages, too.
    assert_eq!(server.said().len(), 1, "it says nothing besides");
    let why = eventually("it is known why", async || {
        let why = server.words("owner", "why", json!([])).await;
        why.contains("🎉").then_some(why)
    })
    .await;
    assert!(why.contains("He is glad"), "{why}");
}
