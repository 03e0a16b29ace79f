//! The bytes that are shown are the bytes that were sent.

use serde_json::{Value, json};

use crate::support::{Answer, Gate, Home, ModelServer, eventually, quick};

/// A local server is asked for a typed answer only where no tools go along.
fn without_tools(model: &ModelServer) -> Home {
    let home = Home::new();
    let mut settings = quick(model);
    settings["replyFollowupLlm.maxToolSteps"] = json!(0);
    home.configure(&settings);
    home
}

#[tokio::test]
async fn what_the_inspector_shows_is_what_the_server_received() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    let process = home.start().await;
    let words = "Denizen, \"quotes\", \\ back\u{2028}slashes, 🎈 and\ttabs?";
    model.next([Answer::error(500, "once"), Answer::says("Fine — \u{1f388}.")]);
    let message = process.say("Zoë", words).await;
    assert_eq!(process.answer_to(&message).await, "Fine — \u{1f388}.");
    let asked = model.asked();
    let records = process.asks_about(&message).await;
    assert_eq!((asked.len(), records.len()), (2, 2), "each try is on record");
    for (request, record) in asked.iter().zip(&records) {
        assert_eq!(record["rawRequest"], json!(request.body));
    }
    let response = |index: usize| records[index]["rawResponse"].as_str().expect("text");
    assert!(response(0).contains("once"), "{}", response(0));
    assert!(response(1).contains("[DONE]"), "{}", response(1));
    assert_eq!(asked[0].headers["content-type"], "application/json");
}

#[tokio::test]
async fn a_plainer_body_that_a_server_made_do_with_is_the_one_shown() {
    let model = ModelServer::start().await;
    let home = without_tools(&model);
    let process = home.start().await;
    model.next([Answer::error(400, "Unsupported parameter: response_format")]);
    let message = process.say("Alice", "Denizen, can you do without?").await;
    assert_eq!(process.answer_to(&message).await, "Understood.");
    assert_eq!(
        process.lines_about(&message, "ask_failed").await,
        Vec::<Value>::new()
    );
    let asked = model.asked();
    let records = process.asks_about(&message).await;
    assert_eq!((asked.len(), records.len()), (2, 1), "one ask, two tries");
    assert!(asked[0].body.contains("response_format") && !asked[1].body.contains("response_format"));
    assert_eq!(records[0]["rawRequest"], json!(asked[1].body));
    assert_eq!(records[0]["outcome"]["answered"]["tries"], 2);

    let message = process.say("Alice", "Denizen, and from now on?").await;
    process.answer_to(&message).await;
    let records = process.asks_about(&message).await;
    assert_eq!(model.asked().len(), 3, "it is remembered");
    assert_eq!(records[0]["rawRequest"], json!(model.asked()[2].body));
}

#[tokio::test]
async fn an_ask_that_was_given_up_shows_what_had_been_sent_and_come() {
    let model = ModelServer::start().await;
    let home = without_tools(&model);
    let process = home.start().await;
    let gate = Gate::closed();
    model.next([
        Answer::error(400, "Unsupported parameter: response_format"),
        Answer::says("Half of a ").held_after(2, &gate),
    ]);
    let message = process.say("Alice", "Denizen, tell me.").await;
    model.asked_times(2).await;
    eventually("a piece of the answer has come", async || {
        let drafts = process.lines_about(&message, "ask_started").await;
        drafts.first().map(|_| ())
    })
    .await;
    // Let the first words arrive before the message is changed.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let edit = json!({"author": "Alice", "text": "Denizen, tell me something else."});
    let (status, _) = process
        .call(
            reqwest::Method::PATCH,
            &format!("/api/rooms/lounge/messages/{message}"),
            &edit,
        )
        .await;
    assert!(status.is_success());
    process.answer_to(&message).await;
    let records = process.asks_about(&message).await;
    let asked = model.asked();
    assert_eq!(records[0]["outcome"]["failed"]["kind"], "interrupted");
    assert_eq!(records[0]["rawRequest"], json!(asked[1].body));
    assert!(
        records[0]["rawResponse"].as_str().expect("text").contains("Half"),
        "{}",
        records[0]["rawResponse"]
    );
    assert_eq!(records[1]["rawRequest"], json!(asked[2].body));
    gate.open();
}
