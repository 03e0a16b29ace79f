//! A long conversation: what is folded, what waits and what is word for word outlives the process.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{Home, ModelServer, eventually};

const SESSION: &str = "/api/rooms/lounge/session";

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_the_middle_keeps_summary_cursor_turns_and_notes() {
    let model = ModelServer::start().await;
    let home = Home::quick(&model);
    home.run(&["settings", "set", "context.compaction.summariser", "offline"])
        .succeeded();
    let mut process = home.start().await;
    for turn in 0..72 {
        process
            .say(
                "Alice",
                &format!("the ferry number {turn} leaves from pier {}", turn % 7),
            )
            .await;
    }
    process.say("Alice", "Denizen, which ferry is the first?").await;
    eventually(
        "the oldest turns are folded and the answer is there",
        async || {
            let view = process.get(SESSION).await;
            let answered = view["verbatim"].as_array()?.last()?["speaker"] == "Denizen";
            (answered && view["cursor"].as_u64()? >= 10).then_some(())
        },
    )
    .await;
    let note = json!({"sharedBy": "Bob", "text": "a map of the harbour"});
    let (status, _) = process.call(Method::POST, "/api/rooms/lounge/notes", &note).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let before = eventually("the note waits", async || {
        let view = process.get(SESSION).await;
        (!view["pendingNotes"].as_array()?.is_empty()).then_some(view)
    })
    .await;
    assert_eq!(before["pendingNotes"][0]["text"], "a map of the harbour");
    assert!(
        before["summary"]
            .as_str()
            .is_some_and(|summary| summary.contains("Alice")),
        "{before}"
    );
    process.kill();
    let process = home.start().await;
    assert_eq!(process.get(SESSION).await, before);
    let asked = model.asked().len();
    process.say("Alice", "Denizen, and the last one?").await;
    model.asked_times(asked + 1).await;
    let prompt = model.asked().last().expect("it was asked").body.to_string();
    assert!(prompt.contains("Earlier in this session: "), "{prompt}");
    assert!(
        prompt.contains("the ferry number 71 "),
        "what is not folded is word for word"
    );
    assert!(
        !prompt.contains("the ferry number 0 leaves"),
        "what is folded has left"
    );
}
