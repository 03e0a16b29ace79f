//! What the README says to do first, with no key and no model server.

use serde_json::json;

use crate::support::Home;

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_the_first_steps_are_answered() {
    let home = Home::new();
    home.configure(&json!({
        "llm.provider": "offline",
        "activity.replyCoalesceWindowSeconds": 0,
        "activity.minSecondsBetweenMessages": 0,
    }));
    let process = home.start().await;
    process
        .say("Bob", "The train leaves at 17:42 from platform 9.")
        .await;
    let asked = process.say("Alice", "Denizen, what can you do?").await;
    let told = process.answer_to(&asked).await;
    for words in ["offline model", "summarise", "ANTHROPIC_API_KEY"] {
        assert!(told.contains(words), "{told}");
    }
    // Naming nobody, she goes on with it.
    let followed = process.say("Alice", "and when does the train leave?").await;
    let told = process.answer_to(&followed).await;
    assert!(told.contains("17:42"), "{told}");
    let followed = process.say("Alice", "summarise please").await;
    let told = process.answer_to(&followed).await;
    assert!(told.contains("platform 9"), "{told}");
}
