//! An orderly end, and what comes after it.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::discord::Server;
use crate::support::{Answer, Gate, Home, Live, ModelServer, eventually, path};
use crate::voice::{room, say, spoken};

#[tokio::test]
async fn a_process_that_is_asked_to_end_does_so_and_its_successor_answers_once() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    // A reply that is owed does not depend on how often a failing model is tried.
    home.run(&["settings", "set", "activity.maxRetries", "0"])
        .succeeded();
    let mut process = home.start().await;
    let live = Live::open(&process).await;
    let gate = Gate::closed();
    model.next([Answer::says("I was just about to").held_after(2, &gate)]);
    let message = process.say("Alice", "Denizen, are you busy?").await;
    live.wait_for("the answer has begun", |kind, _| kind == "draft")
        .await;
    let status = process.terminate().await;
    assert_eq!(status.code(), Some(0), "{}", process.log());
    gate.open();

    let process = home.start().await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    assert_eq!(process.said().await, ["Understood."]);
    let journal = process.journal().await;
    let place = |name: &str| {
        journal
            .iter()
            .position(|line| line["name"] == name)
            .expect("a line")
    };
    assert!(place("process_shutdown_requested") < place("process_restarted"));
    assert_eq!(journal[place("process_restarted")]["data"]["asksLost"], 1);
    let failed = process.lines_about(&message, "ask_failed").await;
    assert_eq!(failed[0]["data"]["kind"], "interrupted");
    assert_eq!(failed[0]["data"]["retryIn"], json!(0));
}

#[tokio::test]
async fn a_quiet_process_ends_with_pages_open_and_nothing_lost() {
    let home = Home::new();
    let mut process = home.start().await;
    let _page = Live::open(&process).await;
    let _other = Live::open(&process).await;
    let message = process.say("Alice", "Good night, everyone.").await;
    assert_eq!(process.terminate().await.code(), Some(0), "{}", process.log());
    let process = home.start().await;
    assert_eq!(process.messages().await[0]["id"], json!(message));
    assert!(!process.log().contains("WARN"), "{}", process.log());
}

#[tokio::test]
async fn a_question_the_classifier_was_asked_survives_a_kill() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    home.run(&["settings", "set", "addressClassifierLlm.enabled", "true"])
        .succeeded();
    let mut process = home.start().await;
    let gate = Gate::closed();
    model.next([Answer::says("0.9").held_after(0, &gate)]);
    let message = process.say("Alice", "Is anybody artificial here?").await;
    model.asked_times(1).await;
    process.kill();
    gate.open();
    model.next([Answer::in_pieces([r#"{"confidence": 0.9}"#])]);
    let process = home.start().await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    let classified = process.lines_about(&message, "text_address_classified").await;
    assert_eq!(classified.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_being_sent_to_discord_is_sent_before_the_process_ends() {
    let model = ModelServer::answering(|_| Answer::says("At eight.")).await;
    let server = Server::start().await;
    let home = server.home(&model);
    let mut process = home.start().await;
    server.is_joined().await;
    let slow = json!({"kind": "slow", "route": "POST /channels/*/messages", "ms": 2_500});
    server.control("fault", slow);
    server.says("alice", "@denizen when do we meet?");
    eventually("the answer is on its way", async || {
        let journal = journal_of(&process, &server).await;
        journal.contains("text_delivery_started").then_some(())
    })
    .await;
    let status = process.terminate().await;
    assert_eq!(status.code(), Some(0), "{}", process.log());
    assert_eq!(server.said().len(), 1, "it was sent");
    assert!(!process.log().contains("cut off"), "{}", process.log());

    // It is known to have been sent, so that nothing is sent again.
    let process = home.start().await;
    server.is_joined().await;
    let journal = journal_of(&process, &server).await;
    let restarted = journal.rsplit("process_restarted").next().unwrap_or_default();
    assert!(
        journal.contains("sent_reply") && !restarted.contains("text_delivery_started"),
        "{journal}"
    );
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(server.said().len(), 1);
}

/// The journal of the server's community, which comes up a moment after the bot is on Discord.
async fn journal_of(process: &crate::support::Process, server: &Server) -> String {
    let path = format!("/api/communities/discord-{}/journal?limit=200", server.guild());
    eventually("the server is a community", async || {
        let (status, journal) = process.call_raw(Method::GET, &path, String::new()).await;
        status.is_success().then_some(journal)
    })
    .await
}

#[tokio::test]
async fn what_is_being_spoken_is_spoken_to_its_end() {
    let (model, _ears, home, mut process) = room("Denizen, where does tea come from?").await;
    let words =
        "Tea comes from a bush that grows in the mountains, and its leaves are picked by hand in the spring.";
    model.next([Answer::says(words)]);
    let question = spoken(&home, "question.wav", "Denizen, where does tea come from?").await;
    let live = Live::open(&process).await;
    let arguments = ["say", path(&question), "--as", "Alice", "--silence", "20"];
    let asking = say(&home, &arguments);
    let ending = async {
        live.wait_for("its first words are heard", |kind, event| {
            kind == "journal" && event["entry"]["name"] == "voice_answer_heard"
        })
        .await;
        process.terminate().await
    };
    let (_, status) = tokio::join!(asking, ending);
    assert_eq!(status.code(), Some(0), "{}", process.log());
    let process = home.start().await;
    let journal = process.journal().await;
    let spoken = journal
        .iter()
        .find(|line| line["name"] == "stt_pipeline_reply_spoken");
    let spoken = spoken.expect("it was written down how much was heard");
    assert_eq!(spoken["data"]["cut"], false, "{spoken:#}");
    assert_eq!(
        spoken["data"]["heardCharacters"],
        spoken["data"]["writtenCharacters"]
    );
}

#[tokio::test]
async fn a_log_for_programs_is_an_object_a_line() {
    let home = Home::new();
    let mut process = home.start_with(&["--log-format", "json"]).await;
    assert!(process.terminate().await.success());
    let log = process.log();
    let lines: Vec<serde_json::Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let chosen = lines
        .iter()
        .find(|line| line["message"] == "the language model is chosen")
        .expect("a line of the start");
    assert_eq!(chosen["level"], "INFO");
    assert_eq!(chosen["provider"], "offline");
    assert!(
        chosen["time"].as_str().is_some_and(|time| time.ends_with('Z')),
        "{chosen}"
    );
}
