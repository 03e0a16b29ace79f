//! A data folder that an older version was killed on: this one starts on it, and goes on with everything in it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::copy;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use mind::snapshot::SCHEMA;
use rusqlite::Connection;
use serde_json::Value;

use crate::support::{Answer, Home, ModelServer, eventually, holds};

/// What Alice, who had asked to be forgotten, said last.
pub const FORGOTTEN: &str = "qzorblaxv";
pub const KEPT: &str = "wumperdinck";
/// The thought that is held.
pub const HELD: &str = "Lighthouses of glass must be warm in summer.";
/// What a process that is killed leaves behind.
pub const FILES: [&str; 2] = ["denizen.db", "denizen.db-wal"];

fn golden(schema: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/process/golden/schema{schema}"))
}

/// Every schema that there is a folder of; older ones than this version writes must all be there.
fn schemas() -> Vec<u32> {
    let schemas: Vec<u32> = (1..=SCHEMA)
        .filter(|schema| *schema < SCHEMA || golden(*schema).exists())
        .collect();
    for schema in &schemas {
        let folder = golden(*schema);
        assert!(
            folder.exists(),
            "{} is missing: see CONTRIBUTING.md",
            folder.display()
        );
    }
    schemas
}

/// Unpacks the folder, as if the older version had been killed a moment ago.
fn unpack(schema: u32, into: &Path) {
    let golden = golden(schema);
    std::fs::create_dir_all(into).expect("a folder can be made");
    for name in FILES {
        let packed = File::open(golden.join(format!("{name}.gz"))).expect("a golden file");
        let mut file = File::create(into.join(name)).expect("a file can be made");
        copy(&mut GzDecoder::new(packed), &mut file).expect("a golden file is gzip");
    }
    let database = Connection::open(into.join("denizen.db")).expect("the database opens");
    let now = runtime::wall().0 - 2_000;
    database
        .execute("UPDATE communities SET last_wall = ?1", [now])
        .expect("the clock of the folder can be set");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_every_schema_goes_on_with_everything_in_it() {
    for schema in schemas() {
        goes_on(schema).await;
    }
}

async fn goes_on(schema: u32) {
    let model = ModelServer::answering(|_| Answer::says("Sunny, as far as I can see.")).await;
    let home = Home::new();
    unpack(schema, &home.data());
    home.run(&["settings", "set", "llm.compatibleBaseUrl", &model.base_url])
        .succeeded();
    let process = home.start().await;
    let messages = process.messages().await;
    assert!(messages.len() >= 45, "{} messages", messages.len());
    let session = process.get("/api/rooms/lounge/session").await;
    assert!(session["cursor"].as_u64() >= Some(20), "{session}");
    assert!(
        session["summary"]
            .as_str()
            .is_some_and(|summary| !summary.is_empty()),
        "{session}"
    );
    let told = home
        .run(&["thoughts", "--json", "--url", &process.url])
        .succeeded();
    let thoughts: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(thoughts["thought"]["text"], HELD, "schema {schema}");
    assert_eq!(thoughts["budget"]["calls"]["used"], 2, "{}", thoughts["budget"]);
    assert_eq!(thoughts["postsPerDay"]["used"], 1, "{}", thoughts["postsPerDay"]);
    eventually("the question that was open is answered", async || {
        process
            .said()
            .await
            .iter()
            .any(|text| text.contains("Sunny"))
            .then_some(())
    })
    .await;
    // It was typed when nobody asked back; read again by this version, it is held until its author says yes.
    process.say("Alice", "/forget me yes").await;
    eventually("the promise to forget is kept", async || {
        (!holds(&home.data(), FORGOTTEN)).then_some(())
    })
    .await;
    assert!(holds(&home.data(), KEPT), "what others said stays");
    let journal = process.journal().await;
    assert!(journal.iter().all(|line| line["name"] != "state_salvaged"));
    let received = journal
        .iter()
        .filter(|line| line["name"] == "text_message_received");
    let received: Vec<String> = received.map(|line| line["messages"].to_string()).collect();
    let once: BTreeSet<&String> = received.iter().collect();
    assert!(
        !once.is_empty() && once.len() == received.len(),
        "no line is told twice: {received:?}"
    );
    process.say("Bob", "Denizen, are you still there?").await;
    eventually("it answers", async || {
        let answered = process
            .said()
            .await
            .iter()
            .filter(|text| text.contains("Sunny"))
            .count();
        (answered >= 2).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn states_that_cannot_be_read_empty_no_room_and_are_told() {
    for schema in schemas() {
        is_salvaged(schema).await;
    }
}

async fn is_salvaged(schema: u32) {
    let model = ModelServer::answering(|_| Answer::says("Sunny, as far as I can see.")).await;
    let home = Home::new();
    unpack(schema, &home.data());
    let database = Connection::open(home.data().join("denizen.db")).expect("the database opens");
    database
        .execute("UPDATE states SET state = '{\"half\": '", [])
        .expect("states can be damaged");
    drop(database);
    home.run(&["settings", "set", "llm.compatibleBaseUrl", &model.base_url])
        .succeeded();
    let process = home.start().await;
    let line = eventually("the journal tells what was lost", async || {
        let journal = process.journal().await;
        journal.into_iter().find(|line| line["name"] == "state_salvaged")
    })
    .await;
    assert!(line["data"]["messages"].as_u64() >= Some(45), "{line}");
    let session = process.get("/api/rooms/lounge/session").await;
    assert!(session["turns"].as_u64() >= Some(45), "{session}");
    process.say("Bob", "Denizen, which ferry is the last?").await;
    eventually("the model sees what was said before", async || {
        let asked = model.asked();
        let holds_it = asked
            .iter()
            .any(|asked| asked.body.contains("the ferry number 6"));
        holds_it.then_some(())
    })
    .await;
}
