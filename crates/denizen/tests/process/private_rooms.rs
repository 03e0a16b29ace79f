//! What is said in a private room stays there.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Home, ModelServer, Process, Rememberer};

const SECRET: &str = "qzorblaxv";

fn home(model: &ModelServer, private: Value) -> Home {
    let home = Home::remembering(model);
    for (key, value) in [
        ("memory.enabled", "true"),
        ("permissions.allowInitiativeReplies", "false"),
        ("addressing.followupEnabled", "false"),
        ("memory.batchSize", "1"),
        ("memory.privateRoomIds", &private.to_string()),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    home
}

async fn tell(process: &Process, room: &str, speaker: &str, text: &str) {
    let turns = json!({
        "session": format!("helper/{room}"), "scope": {"community": "local", "room": room},
        "turns": [{"speaker": {"name": speaker}, "text": text}]
    });
    let (status, answer) = process.call(Method::POST, "/v1/turns", &turns).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
}

fn from(room: &str) -> Value {
    json!({"community": "local", "room": room})
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_in_a_private_room_comes_up_nowhere_else() {
    let model = Rememberer::start().await;
    let home = home(&model, json!(["den"]));
    let process = home.start().await;
    tell(
        &process,
        "den",
        "Alice",
        &format!("My garden is called {SECRET}."),
    )
    .await;
    tell(&process, "porch", "Alice", "My boat is called Wumper.").await;
    process.memory_is_made().await;

    let question = "what is the garden of Alice called";
    assert!(process.recall(question, from("den")).await.contains(SECRET));
    let reaches = [json!("community"), json!("everywhere")];
    for room in ["porch", "lounge", "attic"] {
        for reach in &reaches {
            let scope = json!({"community": "local", "room": room, "reach": reach, "people": ["Alice"]});
            let found = process.recall(question, scope).await;
            assert!(!found.contains(SECRET), "{room}: {found}");
        }
    }
    let nowhere = process.recall(question, json!({"community": "local"})).await;
    assert!(!nowhere.contains(SECRET), "{nowhere}");
    let found = process.recall("boat of Alice", from("lounge")).await;
    assert!(
        found.contains("Wumper"),
        "what is told in the open is known: {found}"
    );

    let call = process.ask("Alice", "Denizen, what is my garden called?").await;
    assert!(!call.to_string().contains(SECRET), "{call}");
    let call = process.ask("Alice", "Denizen, what is my boat called?").await;
    assert!(call.to_string().contains("Wumper"), "{call}");
    // Nor in what another room's gems are made with.
    process.memory_is_made().await;
    let asked = model.asked();
    let with_known = asked.iter().filter(|asked| asked.body.contains("Known gems"));
    let of_others =
        with_known.filter(|asked| Rememberer::batch(asked).is_some_and(|batch| !batch.contains(SECRET)));
    for asked in of_others {
        assert!(!asked.body.contains(SECRET), "{}", asked.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_in_a_private_room_of_denizens_own_is_seen_there_alone() {
    let model = Rememberer::start().await;
    let home = home(&model, json!(["lounge"]));
    let process = home.start().await;
    process
        .say("Alice", &format!("My garden is called {SECRET}."))
        .await;
    process.memory_is_made().await;
    let call = process.ask("Alice", "Denizen, what is my garden called?").await;
    let sections = call["request"]["sections"].as_array().expect("sections");
    let facts = sections.iter().find(|section| section["name"] == "user_facts");
    assert!(
        facts.expect("a section")["text"].to_string().contains(SECRET),
        "{call}"
    );
    let found = process.recall("garden of Alice", from("porch")).await;
    assert!(!found.contains(SECRET), "{found}");
    let seen = "/api/memory/search?q=garden&room=porch";
    assert!(!process.text(seen).await.contains(SECRET));
}
