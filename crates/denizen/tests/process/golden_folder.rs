//! Writes the golden folder of the schema that this build writes: a process in the middle of everything is killed, and
//! what it leaves behind is packed. Run by hand before the schema is raised, see CONTRIBUTING.md.

use std::fs::File;
use std::io::copy;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::support::{
    Answer, FeedServer, Home, ModelServer, Process, Rememberer, envelope, eventually, holds, quick,
};
use crate::upgrade::{FILES, FORGOTTEN, HELD, KEPT};

const POSTED: &str = "Somebody built a lighthouse of glass: https://example.org/glass";
/// What is asked and never answered.
const OPEN: &str = "Denizen, hang on, how is the weather over there?";
/// Messages that are said so that old ones are folded.
const MESSAGES: usize = 70;

fn thought(action: &str, text: &str) -> Answer {
    let thought = json!({"action": action, "text": text, "channel": "lounge", "reason": "it is new"});
    Answer::says(&thought.to_string())
}

/// Posts a thought, holds the next, makes gems, answers everybody, and leaves one question open.
async fn model() -> ModelServer {
    ModelServer::reading(|_, asked| {
        if let Some(batch) = Rememberer::batch(asked) {
            return Rememberer::answer(&batch);
        }
        if asked.body.contains("AMBIENT TEXT MODE") {
            return match asked.body.contains(&format!("you: {POSTED}")) {
                true => thought("hold", HELD),
                false => thought("post_now", POSTED),
            };
        }
        if asked.body.contains(OPEN) {
            return Answer::half([]).then_nothing();
        }
        Answer::says(&envelope(
            "reply",
            "It is a fine evening, and I have read what you wrote.",
            "asked",
        ))
    })
    .await
}

fn settings(model: &ModelServer, feed: &FeedServer) -> Value {
    let mut settings = quick(model);
    for family in ["reddit", "hackerNews", "youtube"] {
        settings[format!("initiative.discovery.sources.{family}")] = json!(false);
    }
    let more = json!({
        "addressing.followupEnabled": false,
        "context.compaction.summariser": "offline",
        "initiative.discovery.rssFeeds": [feed.url],
        "initiative.text.eagerness": 100,
        "initiative.text.minMinutesBetweenPosts": 1,
        "memory.enabled": true,
        "memory.batchSize": 4,
        "permissions.allowInitiativeReplies": false,
        "permissions.replies.discoveryChannelIds": ["lounge"],
        "tools.allowedPrivateHosts": [feed.host],
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        settings[key] = value.clone();
    }
    settings
}

async fn thinks(process: &Process, what: &str, is_so: impl Fn(&Value) -> bool) {
    // Ticks are a minute apart.
    for _ in 0..4 {
        for _ in 0..60 {
            if is_so(&process.get("/api/ambient").await) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    }
    panic!("in four minutes no thought was {what}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes golden files into the folder $GOLDEN_FOLDER, and takes some minutes"]
async fn a_golden_folder_is_written() {
    let into = std::env::var("GOLDEN_FOLDER").expect("GOLDEN_FOLDER names the folder that is written");
    let (model, feed) = (
        model().await,
        FeedServer::with_one_item("A lighthouse of glass").await,
    );
    let home = Home::new();
    home.configure(&settings(&model, &feed));
    let mut process = home.start().await;
    thinks(&process, "posted", |view| view["postsPerDay"]["used"] == 1).await;
    thinks(&process, "held", |view| view["thought"]["text"] == HELD).await;
    for number in 0..MESSAGES {
        let author = ["Alice", "Bob", "Carol"][number % 3];
        let text = format!("the ferry number {number} leaves from pier {}", number % 7);
        process.say(author, &text).await;
    }
    process.ask("Bob", "Denizen, which ferry is the first?").await;
    process
        .say(
            "Alice",
            &format!("My garden is called {FORGOTTEN} because of its colours."),
        )
        .await;
    process
        .say("Bob", &format!("My boat is called {KEPT} because of its sail."))
        .await;
    process.ask("Carol", "Denizen, what do you think of boats?").await;
    eventually("old turns are folded", async || {
        let session = process.get("/api/rooms/lounge/session").await;
        (session["cursor"].as_u64() >= Some(20)).then_some(())
    })
    .await;
    // So that the newest state holds all that, and what follows has to be stepped again.
    process.terminate().await;
    process = home.start().await;
    process.say("Bob", OPEN).await;
    eventually("the question is asked", async || {
        let asked = model.asked();
        asked.iter().any(|asked| asked.body.contains(OPEN)).then_some(())
    })
    .await;
    let told: Value = process.get("/api/ambient").await;
    assert_eq!(
        told["thought"]["text"], HELD,
        "it came to a third look; run it again"
    );
    process.say("Alice", "/forget me").await;
    process.say("Alice", "/forget me yes").await;
    process.kill();
    assert!(
        holds(&home.data(), FORGOTTEN),
        "it was killed too late, the promise is kept already; run it again"
    );
    std::fs::create_dir_all(&into).expect("the folder can be made");
    for name in FILES {
        pack(
            &home.data().join(name),
            &Path::new(&into).join(format!("{name}.gz")),
        );
    }
}

fn pack(from: &Path, into: &Path) {
    let mut file = File::open(from).expect("a process leaves its database and its log");
    let packed = File::create_new(into).expect("golden files are never changed");
    let mut packing = GzEncoder::new(packed, Compression::best());
    copy(&mut file, &mut packing).expect("it can be packed");
    packing.finish().expect("it can be packed");
}
