//! Care for what is kept: closed to others, checked by the doctor, and not deleted by a wrong clock.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rusqlite::Connection;

use crate::support::{Home, ModelServer, eventually, path};

fn mode(path: &Path) -> u32 {
    let about = fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    about.permissions().mode() & 0o777
}

/// A home in which something was said and answered.
async fn lived_in() -> (Home, ModelServer) {
    let model = ModelServer::start().await;
    let home = Home::remembering(&model);
    let mut process = home.start().await;
    process.say("Alice", "Denizen, good morning").await;
    eventually("it has answered", async || {
        let page = process.get("/api/rooms/lounge/messages").await;
        (page["messages"].as_array()?.len() > 1).then_some(())
    })
    .await;
    process.terminate().await;
    (home, model)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_people_said_is_closed_to_others_wherever_it_is_written() {
    let (home, _model) = lived_in().await;
    assert_eq!(mode(&home.data()), 0o700);
    assert_eq!(mode(&home.data().join("denizen.db")), 0o600);
    let (recording, memory, copy) = (
        home.file("it.ndjson"),
        home.file("memory.ndjson"),
        home.file("it.db"),
    );
    // One that is there already, and open to all.
    fs::write(&recording, "old").expect("written");
    fs::set_permissions(&recording, fs::Permissions::from_mode(0o644)).expect("opened");
    home.run(&["recording", "--out", path(&recording)]).succeeded();
    home.run(&["memory", "export", path(&memory)]).succeeded();
    home.run(&["export", path(&copy)]).succeeded();
    for file in [recording, memory, copy] {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_finds_flipped_bytes_and_the_next_start_goes_on_from_the_state_before() {
    let (home, _model) = lived_in().await;
    let healthy = home.run(&["doctor"]);
    assert!(healthy.out.contains("its pages fit together"), "{healthy:?}");
    assert!(!healthy.out.contains("state of local"), "{healthy:?}");
    let database = Connection::open(home.data().join("denizen.db")).expect("a database");
    let flipped = database.execute(
        "UPDATE states SET packed = substr(packed, 1, octet_length(packed) / 2)
         WHERE input = (SELECT max(input) FROM states)",
        [],
    );
    assert_eq!(flipped.expect("changed"), 1);
    drop(database);
    let sick = home.run(&["doctor"]);
    assert!(sick.out.contains("!   state of local"), "{sick:?}");
    assert!(
        sick.out.contains("The next start goes on from the one after"),
        "{sick:?}"
    );

    let process = home.start().await;
    let health = process.get("/api/health").await;
    let lost = health["salvaged"]["lost"].to_string();
    assert!(lost.contains("the state after input"), "{health}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_not_believed_is_told_by_health_and_doctor_until_somebody_says_it_is_right() {
    let (home, _model) = lived_in().await;
    let database = Connection::open(home.data().join("denizen.db")).expect("a database");
    let since = "UPDATE known_time SET at = at - 60 * 86400000";
    assert_eq!(database.execute(since, []).expect("changed"), 1);
    drop(database);
    let mut process = home.start().await;
    let told = eventually("health tells of it", async || {
        let health = process.get("/api/health").await;
        (health["status"] == "degraded").then(|| health["reasons"][0].to_string())
    })
    .await;
    assert!(told.contains("forward by 60 days"), "{told}");
    process.terminate().await;
    let doctor = home.run(&["doctor"]);
    assert!(doctor.out.contains("!   retention"), "{doctor:?}");
    let trusting = home.run(&["doctor", "--trust-clock"]);
    assert!(!trusting.out.contains("retention"), "{trusting:?}");
    let process = home.start().await;
    assert_eq!(process.get("/api/health").await["status"], "ok");
}
