//! A server's community that is removed while the bot is in the server.

use serde_json::json;

use crate::discord::{Server, to_the_point};
use crate::support::{ModelServer, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn what_was_removed_begins_anew_with_the_next_message_and_answers_nothing_of_before() {
    let model = ModelServer::reading(|_, asked| to_the_point(asked)).await;
    let (server, home, mut process) = Server::with_denizen(&model).await;
    server.says("alice", "@denizen question 1?");
    server.answered(1).await;
    let community = format!("discord-{}", server.guild());
    let removed = home.run(&["community", "remove", &community, "--yes"]);
    assert!(removed.succeeded().contains("begins anew"));
    server.says("alice", "@denizen question 2?");
    let answers = server.answered(2).await;
    assert_eq!(answers[1]["content"], "Answer 2.", "{answers:#?}");
    let asked = model.asked();
    let prompt = &asked.last().expect("it was asked").body;
    assert!(!prompt.contains("question 1"), "{prompt}");
    // Removed once more, and nothing happens before the process ends: what it had answered is not missed.
    home.run(&["community", "remove", &community, "--yes"])
        .succeeded();
    eventually("it is noticed", async || {
        let kept = std::fs::read_to_string(home.data().join("discord.json")).unwrap_or_default();
        (process.log().matches("it was removed").count() == 2 && kept.contains(&community)).then_some(())
    })
    .await;
    assert!(process.terminate().await.success());
    let mut process = home.start().await;
    server.is_joined().await;
    server.says("alice", "@denizen question 3?");
    server.answered(3).await;
    assert!(process.terminate().await.success());
    // And while nobody is connected.
    home.run(&["community", "remove", &community, "--yes"])
        .succeeded();
    server.says("alice", "@denizen question 4?");
    let process = home.start().await;
    server.is_joined().await;
    server.answered(4).await;
    server.says("alice", "@denizen question 5?");
    let answers = server.answered(5).await;
    let said: Vec<&str> = answers
        .iter()
        .filter_map(|answer| answer["content"].as_str())
        .collect();
    let wanted = ["Answer 1.", "Answer 2.", "Answer 3.", "Answer 4.", "Answer 5."];
    assert_eq!(said, wanted, "{}", process.log());
    // A command brings it back, too.
    home.run(&["community", "remove", &community, "--yes"])
        .succeeded();
    server.is_offered().await;
    eventually("it is there again", async || {
        let status = server.words("alice", "status", json!([])).await;
        status.contains("I am denizen.").then_some(())
    })
    .await;
}
