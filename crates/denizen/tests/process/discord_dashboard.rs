//! What whoever runs it sees of its servers on Discord.

use serde_json::{Value, json};

use crate::discord::Server;
use crate::support::{Answer, ModelServer, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn administrators_read_the_rooms_of_a_server_by_name_with_why() {
    let model = ModelServer::answering(|_| Answer::says("At eight.")).await;
    let (server, _home, process) = Server::with_denizen(&model).await;
    let question = server.says("alice", "@denizen when do we meet?");
    server.answered(1).await;
    let community = format!("/api/communities/discord-{}", server.guild());

    let rooms = process.get(&format!("{community}/rooms")).await;
    let rooms = rooms["rooms"].as_array().expect("rooms").clone();
    let general = rooms.iter().find(|room| room["name"] == "general");
    let general = general.expect("the channel by its name");
    assert_eq!(general["platform"], "Discord");
    assert!(rooms.iter().all(|room| room["name"] != room["id"]), "{rooms:#?}");

    let room = general["id"].as_str().expect("an id");
    let said = eventually("both are there", async || {
        let page = process.get(&format!("{community}/rooms/{room}/messages")).await;
        let messages = page["messages"].as_array().expect("messages").clone();
        (messages.len() >= 2).then_some(messages)
    })
    .await;
    let words: Vec<&Value> = said.iter().map(|message| &message["text"]).collect();
    assert!(words.contains(&&json!("At eight.")), "{words:?}");
    let why = process.get(&format!("{community}/why/{question}")).await;
    assert_eq!(why["verdict"]["outcome"], "answered", "{why:#}");
    assert_ne!(
        why["asks"],
        json!([]),
        "administrators see what the model was given"
    );

    let seen = process.get("/api/overview").await;
    let platform = &seen["platforms"][0];
    assert_eq!(platform["state"], "connected", "{platform:#}");
    assert_eq!(platform["account"], "denizen");
    assert_eq!(platform["shards"][0]["connected"], true);
    assert_eq!(platform["intents"][0]["granted"], true);
    let invite = platform["invite"].as_str().expect("a link");
    assert!(invite.contains("/oauth2/authorize?client_id="), "{invite}");
    assert!(!platform.to_string().contains("bot:denizen"), "no token is told");
    let communities = seen["communities"].as_array().expect("communities");
    let there = communities.iter().find(|one| one["platform"] == "Discord");
    let there = there.expect("the server is among them");
    assert_eq!(there["rooms"], json!(rooms.len()));

    server.is_renamed("The harbour").await;
    eventually("it goes by its new name", async || {
        let seen = process.get("/api/overview").await;
        let communities = seen["communities"].as_array().expect("communities").clone();
        communities
            .iter()
            .any(|one| one["name"] == "The harbour")
            .then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_without_a_token_says_that_it_is_not_on_discord() {
    let home = crate::support::Home::new();
    let process = home.start().await;
    let seen = process.get("/api/overview").await;
    assert_eq!(seen["platforms"][0]["state"], "off", "{seen:#}");
}
