//! `/denizen` on Discord.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::discord::Server;
use crate::support::{Answer, ModelServer, Process, eventually, jpeg};

impl Server {
    /// Somebody uses a subcommand; what came of it.
    async fn uses(&self, who: &str, subcommand: &str, options: Value) -> Value {
        self.uses_in("general", who, subcommand, options).await
    }

    async fn uses_in(&self, channel: &str, who: &str, subcommand: &str, options: Value) -> Value {
        let wish = json!({"as": who, "application": "denizen", "channel": channel, "command": "denizen",
            "options": [{"type": 1, "name": subcommand, "options": options}]});
        let token = self.control("use", wish)["token"].clone();
        self.answer_to(&token).await
    }

    /// What came of a command.
    async fn answer_to(&self, token: &Value) -> Value {
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
    let (server, home, mut process) = Server::with_denizen(&model).await;
    server.is_offered().await;
    server.says("alice", "nobody is meant by this");
    server.journal_says(&process, "text_admission_decided").await;
    let why = server.words("owner", "why", json!([])).await;
    assert!(why.contains("(a message of alice)"), "{why}");
    // Another bot's message is one, too.
    server.control("user", json!({"name": "robot", "bot": true}));
    server.says("robot", "beep");
    eventually("it is told of the bot", async || {
        let why = server.words("owner", "why", json!([])).await;
        why.contains("(a message of robot").then_some(())
    })
    .await;
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
    let refused = server.words("alice", "quiet", json!([])).await;
    assert!(refused.contains("may manage"), "{refused}");
    let quiet = server.words("owner", "quiet", json!([])).await;
    assert!(quiet.contains("I say nothing here until <t:"), "{quiet}");
    let before = model.asked().len();
    server.says("alice", "@denizen are you there?");
    server.journal_says(&process, "\"reason\":\"quiet\"").await;
    let status = server.words("alice", "status", json!([])).await;
    assert!(status.contains("I say nothing here until <t:"), "{status}");
    let why = server.words("owner", "why", json!([])).await;
    assert!(why.contains("wants nothing said in this room"), "{why}");
    let question = json!([{"type": 3, "name": "question", "value": "and now?"}]);
    let asked = server.words("alice", "ask", question).await;
    assert!(asked.contains("I say nothing here until"), "{asked}");
    assert_eq!(model.asked().len(), before);
    // It holds through a restart, and ends when somebody wants it.
    process.kill();
    let _process = home.start().await;
    server.is_joined().await;
    let status = server.words("alice", "status", json!([])).await;
    assert!(status.contains("I say nothing here until <t:"), "{status}");
    let off = json!([{"type": 3, "name": "for", "value": "off"}]);
    let over = server.words("owner", "quiet", off).await;
    assert_eq!(over, "I may speak here again.");
    let said = server.said().len();
    server.says("alice", "@denizen and now?");
    server.answered(said + 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_answered_in_the_language_of_their_app() {
    let model = ModelServer::answering(|_| Answer::says("Hello.")).await;
    let (server, _home, process) = Server::with_denizen(&model).await;
    server.is_offered().await;
    server.says("alice", "nobody is meant by this");
    server.journal_says(&process, "text_admission_decided").await;
    for (locale, expected) in [
        ("de", "Ich bin denizen."),
        ("es-419", "Soy denizen."),
        ("fr", "Je suis denizen."),
        ("pt-BR", "I am denizen."),
    ] {
        let wish = json!({"as": "alice", "application": "denizen", "channel": "general", "command": "denizen",
            "locale": locale, "options": [{"type": 1, "name": "status"}]});
        let token = server.control("use", wish)["token"].clone();
        let words = server.answer_to(&token).await["messages"][0]["content"].clone();
        let words = words.as_str().expect("words");
        assert!(words.starts_with(expected), "{locale}: {words}");
    }
    let put = server.control("requests", json!({"method": "PUT", "path": "/commands"}));
    let offered = put[0]["body"].to_string();
    for word in ["einstellungen", "ajustes", "réglages", "bis morgen (8 Stunden)"] {
        assert!(offered.contains(word), "{word}: {offered}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_wants_to_show_a_screen_gets_a_link_where_pages_can_be_opened_from_outside() {
    let model = ModelServer::answering(|_| Answer::says("Hello.")).await;
    let (server, home, mut process) = Server::with_denizen(&model).await;
    server.is_offered().await;
    server.says("alice", "nobody is meant by this");
    server.journal_says(&process, "text_admission_decided").await;
    let refused = server.words("alice", "watch", json!([])).await;
    assert!(
        refused.contains("does not let bots see") && refused.contains("--public-url"),
        "{refused}"
    );
    process.kill();
    let home = home.with_env("DENIZEN_PUBLIC_URL", "https://talk.example");
    let process = home.start().await;
    server.is_joined().await;
    server.says("alice", "nor by this");
    server.journal_says(&process, "process_restarted").await;
    let shown = server.words("alice", "watch", json!([])).await;
    let page = format!(
        "<https://talk.example/share?community=discord-{}#",
        server.guild()
    );
    let (_, rest) = shown.split_once(&page).expect(&shown);
    let token = rest.split('>').next().expect("a token");
    assert!(token.len() > 20, "{shown}");
    is_opened(&server, &process, token).await;
    // A direct conversation in which nothing was said yet is private from the first frame on.
    let wish = json!({"as": "bob", "application": "denizen", "to": "denizen", "command": "denizen",
        "options": [{"type": 1, "name": "watch"}]});
    let used = server.control("use", wish);
    let shown = server.answer_to(&used["token"]).await.to_string();
    assert!(
        shown.contains("talk.example/share?community=discord-direct#"),
        "{shown}"
    );
    let rooms = process.get("/api/communities/discord-direct/rooms").await;
    let rooms = rooms["rooms"].as_array().expect("rooms").clone();
    assert!(
        rooms
            .iter()
            .any(|room| room["name"] == "direct messages with bob" && room["private"] == json!(true)),
        "{rooms:#?}"
    );
}

/// Somebody who has nothing but the link opens it, and shows something.
async fn is_opened(server: &Server, process: &Process, token: &str) {
    let community = format!("discord-{}", server.guild());
    let stranger = reqwest::Client::new();
    let page = stranger.get(format!("{}/share?community={community}", process.url));
    let page = page.send().await.expect("the page is there");
    assert!(page.status().is_success(), "{}", page.status());
    assert!(page.text().await.expect("a page").contains("<script"));
    let address = process.url.replacen("http", "ws", 1);
    let address = format!("{address}/api/communities/{community}/watch/socket");
    let (mut socket, _) = connect_async(address).await.expect("it is let in");
    let hello = json!({"type": "hello", "token": token}).to_string();
    socket.send(Message::text(hello)).await.expect("it is heard");
    socket
        .send(Message::binary(jpeg(60, 1)))
        .await
        .expect("it is taken");
    let mut said = Vec::new();
    while !said.iter().any(|word: &Value| word["type"] == "taken") {
        let word = tokio::time::timeout(Duration::from_secs(30), socket.next()).await;
        let word = word.expect("it answers in time").expect("it goes on");
        if let Message::Text(text) = word.expect("it is whole") {
            said.push(text.parse().expect("JSON"));
        }
        assert!(said.iter().all(|word| word["type"] != "refused"), "{said:?}");
    }
    // It is in the channel in which the command was used, under the name of whoever used it.
    let state = server.control("state", json!({}));
    let channels = state["guilds"][0]["channels"].as_array().expect("channels");
    let general = channels.iter().find(|channel| channel["name"] == "general");
    let path = format!("/api/communities/{community}/journal?limit=200&name=stream_watch_share_started");
    let begun = process.get(&path).await["entries"][0].clone();
    assert_eq!(begun["room"], general.expect("it is there")["id"], "{begun:#}");
    assert!(begun.to_string().contains("alice"), "{begun:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_wants_to_be_forgotten_says_so_twice() {
    let model = ModelServer::answering(|_| Answer::says("Noted.")).await;
    let server = Server::start().await;
    let home = server.home(&model);
    home.run(&["settings", "set", "memory.enabled", "true"])
        .succeeded();
    let mut process = home.start().await;
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
    // It still stands on Discord, and is not taken in from there again.
    assert!(process.terminate().await.success());
    let mut process = home.start().await;
    server.is_joined().await;
    server.says("bob", "@denizen what is it like?");
    server.answered(2).await;
    assert!(process.terminate().await.success());
    let kept = std::fs::read_dir(home.data()).expect("a folder");
    for file in kept
        .map(|file| file.expect("a file").path())
        .filter(|path| path.is_file())
    {
        let bytes = std::fs::read(&file).expect("it is ours");
        assert!(
            !bytes.windows(7).any(|window| window == b"bicycle"),
            "{}",
            file.display()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_where_it_cannot_see_or_write_is_refused_and_kept_nowhere() {
    let model = ModelServer::answering(|_| Answer::says("It is nine.")).await;
    let server = Server::start().await;
    let guild = server.guild();
    // The owner sees everything; the bot has what everybody has.
    for (name, denied) in [("hidden", 1_u64 << 10), ("news", 1 << 11)] {
        let closed = json!([{"id": guild, "type": 0, "allow": "0", "deny": denied.to_string()}]);
        server.control(
            "channel",
            json!({"guild": guild, "name": name, "permission_overwrites": closed}),
        );
    }
    let home = server
        .home(&model)
        .with_env("DENIZEN_PUBLIC_URL", "https://talk.example");
    let process = home.start().await;
    server.is_joined().await;
    server.is_offered().await;
    server.says("alice", "nobody is meant by this");
    server.journal_says(&process, "text_admission_decided").await;
    let words = async |channel: &str, subcommand: &str, options: Value| {
        let answer = server.uses_in(channel, "owner", subcommand, options).await;
        assert_eq!(answer["ephemeral"], json!(true), "{answer:#}");
        answer["messages"][0]["content"].to_string()
    };
    let question = json!([{"type": 3, "name": "question", "value": "what is the marzipan plan?"}]);
    for (channel, why) in [
        ("hidden", "I do not see this channel"),
        ("news", "I may not write"),
    ] {
        let asked = words(channel, "ask", question.clone()).await;
        assert!(asked.contains(why), "{asked}");
        let status = words(channel, "status", json!([])).await;
        assert!(
            status.contains(why) && !status.contains("I answer here"),
            "{status}"
        );
    }
    for subcommand in ["quiet", "watch"] {
        let refused = words("hidden", subcommand, json!([])).await;
        assert!(
            refused.contains("I do not see this channel"),
            "{subcommand}: {refused}"
        );
    }
    let path = format!("/api/communities/discord-{guild}/journal?limit=500");
    let journal = process.get(&path).await.to_string();
    assert!(
        !journal.contains("marzipan") && !journal.contains("quiet_chosen"),
        "{journal}"
    );
    assert_eq!(model.asked().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_setting_that_is_taken_back_is_what_a_server_has_by_itself() {
    let model = ModelServer::answering(|_| Answer::says("It is nine.")).await;
    let (server, _home, process) = Server::with_denizen(&model).await;
    server.is_offered().await;
    server.says("alice", "nobody is meant by this");
    server.journal_says(&process, "text_admission_decided").await;
    for (key, other, usual) in [
        ("permissions.quieting", "everyone", "operator"),
        ("voice.joinPolicy", "with_people", "on_request"),
        ("identity.name", "Robin", "denizen"),
    ] {
        let set = |value: &str| json!([{"type": 3, "name": "key", "value": key}, {"type": 3, "name": "value", "value": value}]);
        let done = server.words("owner", "settings", set(other)).await;
        assert!(done.starts_with("Done") && done.contains(other), "{done}");
        let done = server.words("owner", "settings", set("default")).await;
        assert!(done.starts_with("Done") && done.contains(usual), "{done}");
        let asked = json!([{"type": 3, "name": "key", "value": key}]);
        let is = server.words("owner", "settings", asked).await;
        assert!(is.contains(&format!("\"{usual}\"")), "{is}");
    }
}
