//! Denizen on Discord: the whole program against a Discord of our own.

use std::time::Duration;

use discord_double::{Double, DoubleOptions};
use serde_json::{Value, json};

use crate::support::{Answer, Asked, Home, ModelServer, Process, eventually};

/// A Discord, and the bot's account on it.
pub(crate) struct Server {
    double: Double,
    bot: String,
}

impl Server {
    pub(crate) async fn start() -> Self {
        let double = Double::start(DoubleOptions::default())
            .await
            .expect("a free port");
        // Bots that are started again and again need not wait for their turn.
        let told = double.control("gateway", json!({"identify_spacing": 0}));
        told.expect("the gateway is told");
        let account = double.control("user", json!({"name": "denizen", "bot": true}));
        let bot = account.expect("an account")["id"]
            .as_str()
            .expect("an id")
            .to_owned();
        Self { double, bot }
    }

    /// A Discord, and a Denizen that listens there.
    pub(crate) async fn with_denizen(model: &ModelServer) -> (Self, Home, Process) {
        let server = Self::start().await;
        let home = server.home(model);
        let process = home.start().await;
        server.is_joined().await;
        (server, home, process)
    }

    #[track_caller]
    pub(crate) fn control(&self, verb: &str, wish: Value) -> Value {
        self.double.control(verb, wish).expect("the control API takes it")
    }

    /// The id of the server that is there.
    pub(crate) fn guild(&self) -> String {
        let state = self.control("state", json!({}));
        state["guilds"][0]["id"].as_str().expect("a server").to_owned()
    }

    /// Its owner gives the server another name.
    pub(crate) async fn is_renamed(&self, name: &str) {
        let url = format!("{}/guilds/{}", self.double.api(), self.guild());
        let request = reqwest::Client::new()
            .patch(url)
            .header("authorization", "user:owner");
        let body = json!({"name": name}).to_string();
        let request = request.header("content-type", "application/json").body(body);
        let answer = request.send().await.expect("the double answers");
        assert!(answer.status().is_success(), "{}", answer.status());
    }

    /// Somebody says something; its id.
    #[track_caller]
    pub(crate) fn says(&self, who: &str, text: &str) -> String {
        let content = text.replace("@denizen", &format!("<@{}>", self.bot));
        let said = self.control(
            "post",
            json!({"as": who, "channel": "general", "content": content}),
        );
        said["id"].as_str().expect("an id").to_owned()
    }

    /// What the bot has said in a channel, oldest first.
    fn said_in(&self, place: Value) -> Vec<Value> {
        let messages = self.control("messages", place);
        let messages = messages.as_array().expect("messages").clone();
        let own = messages
            .into_iter()
            .filter(|message| message["author"]["id"] == self.bot.as_str());
        own.collect()
    }

    pub(crate) fn said(&self) -> Vec<Value> {
        self.said_in(json!({"channel": "general"}))
    }

    /// Waits until the bot listens.
    pub(crate) async fn is_joined(&self) {
        eventually("the bot is on Discord", async || {
            let sessions = self.control("sessions", json!({}));
            let sessions = sessions.as_array().expect("sessions").clone();
            sessions
                .iter()
                .any(|session| session["connected"] == json!(true))
                .then_some(())
        })
        .await;
    }

    pub(crate) async fn answered(&self, times: usize) -> Vec<Value> {
        eventually("it has answered", async || {
            let said = self.said();
            (said.len() >= times).then_some(said)
        })
        .await
    }

    pub(crate) fn home(&self, model: &ModelServer) -> Home {
        let home = Home::quick(model)
            .with_env("DENIZEN_DISCORD_TOKEN", "bot:denizen")
            .with_env("DENIZEN_DISCORD_API", &self.double.api());
        for (key, value) in [
            ("permissions.allowInitiativeReplies", "false"),
            ("addressing.followupEnabled", "false"),
        ] {
            home.run(&["settings", "set", key, value]).succeeded();
        }
        home
    }
}

/// Answers the newest question, so that it can be told which one was meant.
pub(crate) fn to_the_point(asked: &Asked) -> Answer {
    let number = asked.body.rsplit("question ").next().unwrap_or_default();
    let number: String = number.chars().take_while(char::is_ascii_digit).collect();
    Answer::says(&format!("Answer {number}.")).paced(Duration::from_millis(1))
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_mentions_it_in_a_channel_is_answered_there() {
    let model = ModelServer::answering(|_| Answer::says("8787, @alice, and not @everyone.")).await;
    let (server, _home, process) = Server::with_denizen(&model).await;
    server.says("bob", "nobody is meant by this");
    let question = server.says("alice", "@denizen which port does the room listen on?");
    let answers = server.answered(1).await;
    assert_eq!(answers.len(), 1, "{answers:#?}");
    let answer = &answers[0];
    assert_eq!(
        answer["message_reference"]["message_id"],
        question.as_str(),
        "{answer:#}"
    );
    assert_eq!(answer["mention_everyone"], json!(false));
    let sent = server.control("requests", json!({"method": "POST", "path": "/messages"}));
    let body = &sent[0]["body"];
    assert_eq!(body["allowed_mentions"]["parse"], json!([]), "{body:#}");
    assert_eq!(body["enforce_nonce"], json!(true));
    let typing = server.control("requests", json!({"path": "/typing"}));
    assert_ne!(typing, json!([]), "it is shown that it writes");
    // Models read names, and no numbers.
    let prompt = &model.asked()[0].body;
    assert!(
        prompt.contains("which port does the room listen on?") && prompt.contains("nobody is meant by this")
    );
    assert!(
        !prompt.contains(&server.bot) && !prompt.contains(&question),
        "{prompt}"
    );
    // The server is a community of its own, with its name.
    let communities = process.get("/api/communities").await;
    let names: Vec<&str> = communities["communities"]
        .as_array()
        .expect("communities")
        .iter()
        .filter_map(|community| community["name"].as_str())
        .collect();
    assert!(names.contains(&"Guild 1"), "{communities:#}");
    let log = process.log();
    assert!(
        !log.contains("bot:denizen") && !log.contains("which port"),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_direct_message_is_meant_for_it_and_stays_where_it_is() {
    let model = ModelServer::answering(|_| Answer::says("Nine in the evening.")).await;
    let (server, _home, _process) = Server::with_denizen(&model).await;
    let asked = json!({"as": "alice", "to": "denizen", "content": "what time is it in Tokyo?"});
    let channel = server.control("post", asked)["channel_id"].clone();
    eventually("it answers", async || {
        let said = server.said_in(json!({"channel": channel}));
        said.iter()
            .any(|message| message["content"] == "Nine in the evening.")
            .then_some(())
    })
    .await;
    assert!(server.said().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_while_it_was_away_is_answered_when_it_is_back() {
    let model = ModelServer::reading(|_, asked| to_the_point(asked)).await;
    let (server, home, mut process) = Server::with_denizen(&model).await;
    server.says("alice", "@denizen question 1?");
    server.answered(1).await;
    assert!(process.terminate().await.success());
    server.says("alice", "@denizen question 2?");
    server.says("bob", "that is for nobody");
    let _process = home.start().await;
    let answers = server.answered(2).await;
    assert_eq!(answers[1]["content"], "Answer 2.", "{answers:#?}");
    // And what comes now is answered after it.
    server.says("bob", "@denizen question 3?");
    let answers = server.answered(3).await;
    let said: Vec<&str> = answers
        .iter()
        .filter_map(|answer| answer["content"].as_str())
        .collect();
    assert_eq!(said, ["Answer 1.", "Answer 2.", "Answer 3."]);
}

/// When the process is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    AfterAsking(u64),
    WhileAnswering(u64),
    AfterAnswering(u64),
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_at_any_moment_loses_no_question_and_answers_none_twice() {
    let model = ModelServer::reading(|_, asked| to_the_point(asked)).await;
    let server = Server::start().await;
    let home = server.home(&model);
    let moments = [
        Moment::AfterAsking(0),
        Moment::AfterAsking(40),
        Moment::WhileAnswering(0),
        Moment::AfterAnswering(0),
        Moment::AfterAnswering(4),
        Moment::AfterAnswering(15),
        Moment::AfterAnswering(60),
    ];
    for (round, moment) in moments.into_iter().enumerate() {
        let mut process = home.start().await;
        server.is_joined().await;
        // Whatever the last life left over is done with.
        server.answered(round).await;
        model.forget_finished();
        let asked = model.asked().len();
        server.says("alice", &format!("@denizen question {round}?"));
        let wait = match moment {
            Moment::AfterAsking(wait) => wait,
            Moment::WhileAnswering(wait) => {
                model.asked_times(asked + 1).await;
                wait
            }
            Moment::AfterAnswering(wait) => {
                model.finished_one().await;
                wait
            }
        };
        tokio::time::sleep(Duration::from_millis(wait)).await;
        process.kill();
    }
    let process = home.start().await;
    server.answered(moments.len()).await;
    server.says("alice", "@denizen question 100?");
    let answers = server.answered(moments.len() + 1).await;
    let mut said: Vec<&str> = answers
        .iter()
        .filter_map(|answer| answer["content"].as_str())
        .collect();
    said.sort_unstable();
    let mut wanted: Vec<String> = (0..moments.len())
        .map(|round| format!("Answer {round}."))
        .collect();
    wanted.push("Answer 100.".to_owned());
    wanted.sort_unstable();
    assert_eq!(said, wanted, "{}", process.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_not_taken_is_told_with_what_to_do_and_the_local_room_is_open() {
    let model = ModelServer::answering(|_| Answer::says("Hello.")).await;
    let server = Server::start().await;
    let home = server.home(&model);
    server.control("revoke", json!({"token": "bot:denizen"}));
    let process = home.start().await;
    eventually("it says so", async || {
        let log = process.log();
        (log.contains("Denizen is not on Discord") && log.contains("setup discord")).then_some(())
    })
    .await;
    process.say("Alice", "Denizen, hello").await;
    eventually("the local room answers", async || {
        (!process.said().await.is_empty()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_intent_is_told_by_its_name_in_the_portal() {
    let model = ModelServer::answering(|_| Answer::says("Hello.")).await;
    let server = Server::start().await;
    server.control("user", json!({"name": "denizen", "privileged": false}));
    let home = server.home(&model);
    let process = home.start().await;
    eventually("it says so", async || {
        process.log().contains("Message Content Intent").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_of_a_server_goes_a_day_after_the_bot_was_made_to_leave() {
    let model = ModelServer::answering(|_| Answer::says("Hello.")).await;
    let server = Server::start().await;
    let home = server.home(&model);
    let community = format!("discord-{}", server.guild());
    let there = async |process: &Process| {
        process
            .get("/api/communities")
            .await
            .to_string()
            .contains(&community)
    };
    let mut process = home.start().await;
    server.is_joined().await;
    server.says("alice", "@denizen hello");
    server.answered(1).await;
    assert!(process.terminate().await.success());
    server.control("member", json!({"user": "denizen", "out": true}));
    let mut process = home.start().await;
    assert!(there(&process).await, "it may be invited again");
    let kept = home.data().join("discord.json");
    eventually("it has seen that it is gone", async || {
        let text = std::fs::read_to_string(&kept).expect("it is kept");
        text.contains(&server.guild()).then_some(())
    })
    .await;
    assert!(process.terminate().await.success());
    // A day goes by.
    let text = std::fs::read_to_string(&kept).expect("it is kept");
    let mut known: Value = serde_json::from_str(&text).expect("JSON");
    let left = known["left"][server.guild()].as_i64().expect("a time");
    known["left"][server.guild()] = json!(left - 25 * 60 * 60 * 1_000);
    std::fs::write(&kept, known.to_string()).expect("it is ours");
    let process = home.start().await;
    eventually("it is gone", async || (!there(&process).await).then_some(())).await;
    eventually("nothing of it is kept", async || {
        let text = std::fs::read_to_string(&kept).expect("it is kept");
        (!text.contains(&server.guild())).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_bots_token_is_told_and_lets_the_first_ones_servers_stay() {
    let model = ModelServer::answering(|_| Answer::says("Hello.")).await;
    let (server, home, mut process) = Server::with_denizen(&model).await;
    server.says("alice", "@denizen hello");
    server.answered(1).await;
    assert!(process.terminate().await.success());
    server.control("user", json!({"name": "robin", "bot": true}));
    server.control("member", json!({"user": "robin", "out": true}));
    let home = home.with_env("DENIZEN_DISCORD_TOKEN", "bot:robin");
    let process = home.start().await;
    eventually("it is on Discord as the other one", async || {
        process.log().contains("on Discord bot=\"robin\"").then_some(())
    })
    .await;
    let log = process.log();
    assert!(
        log.contains("another bot's token") && log.contains("--data"),
        "{log}"
    );
    let kept = std::fs::read_to_string(home.data().join("discord.json")).expect("it is kept");
    assert!(!kept.contains(&server.guild()), "{kept}");
}
