//! Screens without a model that sees: a program reads what stands on them, and that is what is noted.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Answer, Home, ModelServer, Process, Sharer, eventually, jpeg, path, quick};

const WATCH: &str = "/api/rooms/lounge/watch";

/// A folder with a `tesseract` that reads the same lines on every picture, in the real one's table.
struct Reader(TempDir);

impl Reader {
    fn new() -> Self {
        let reader = Self(tempfile::tempdir().expect("a folder"));
        let script = "#!/bin/sh\n/bin/cat > /dev/null\n/bin/cat \"$(/usr/bin/dirname \"$0\")/table\"\n";
        fs::write(reader.file("tesseract"), script).expect("a file");
        fs::set_permissions(reader.file("tesseract"), fs::Permissions::from_mode(0o755))
            .expect("it may be run");
        reader
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// From now on this stands on every picture.
    fn reads(&self, lines: &[&str]) {
        let mut table =
            "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
                .to_owned();
        for (number, line) in lines.iter().enumerate() {
            let top = 20 + number * 60;
            for (word, text) in line.split(' ').enumerate() {
                table.push_str(&format!(
                    "5\t1\t1\t1\t{number}\t{word}\t{}\t{top}\t60\t30\t95.2\t{text}\n",
                    20 + word * 70
                ));
            }
        }
        fs::write(self.file("table"), table).expect("a file");
    }
}

/// A room without a model.
fn offline(reader_path: &str) -> Home {
    let home = Home::new().with_env("PATH", reader_path);
    home.configure(&json!({
        "llm.provider": "offline",
        "memory.enabled": false,
        "activity.replyCoalesceWindowSeconds": 0,
        "voice.streamWatch.changeMinIntervalSeconds": 1,
    }));
    home
}

async fn noted(process: &Process, part: &str) -> Value {
    eventually(&format!("a note says: {part}"), async || {
        let view = process.get(WATCH).await;
        let notes = view["notes"].as_array().expect("notes");
        let says = |note: &&Value| note["text"].as_str().is_some_and(|text| text.contains(part));
        notes.iter().find(says).cloned()
    })
    .await
}

/// A room whose model takes no pictures.
async fn without_eyes(reader_path: &str) -> (ModelServer, Home) {
    let model = ModelServer::reading(|_, asked| match asked.body.contains("image_url") {
        true => Answer::error(400, "this model does not support images"),
        false => Answer::says("Understood."),
    })
    .await;
    let home = Home::new().with_env("PATH", reader_path);
    let mut settings = quick(&model);
    settings["voice.streamWatch.changeMinIntervalSeconds"] = json!(1);
    settings["voice.streamWatch.autonomousCommentaryEnabled"] = json!(false);
    home.configure(&settings);
    (model, home)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_read_is_noted_where_the_model_cannot_see() {
    let reader = Reader::new();
    reader.reads(&["Build failed: 3 errors", "src/main.rs"]);
    let (model, home) = without_eyes(path(reader.0.path())).await;
    let process = home.start().await;
    let alice = Sharer::of(&process, "Alice").await;
    alice.shows(&process, &jpeg(40, 3)).await;
    noted(&process, "Build failed: 3 errors").await;
    reader.reads(&["All tests passed"]);
    eventually("the next picture is read, too", async || {
        alice.shows(&process, &jpeg(200, 3)).await;
        let view = process.get(WATCH).await;
        view.to_string().contains("All tests passed").then_some(())
    })
    .await;
    let shown = model.asked();
    let shown: Vec<&str> = shown
        .iter()
        .map(|asked| asked.body.as_str())
        .filter(|body| body.contains("image_url"))
        .collect();
    assert_eq!(shown.len(), 1, "it is found out once: {shown:#?}");
    let journal = process.journal().await;
    assert!(
        journal
            .iter()
            .all(|line| line["name"] != "stream_watch_note_failed")
    );
    let doctor = home.run(&["doctor"]).out;
    assert!(
        doctor.contains("cannot see pictures; what can be read is noted"),
        "{doctor}"
    );
}

#[tokio::test]
async fn what_can_be_read_is_noted_and_told_to_whoever_asks() {
    let reader = Reader::new();
    reader.reads(&["Build failed: 3 errors", "src/main.rs"]);
    let home = offline(path(reader.0.path()));
    let process = home.start().await;
    let alice = Sharer::of(&process, "Alice").await;
    alice.shows(&process, &jpeg(40, 3)).await;
    let first = noted(&process, "Build failed").await;
    assert_eq!(
        first["text"],
        "Text on the screen: “Build failed: 3 errors” (top left), “src/main.rs” (top left)."
    );
    reader.reads(&["Build failed: 3 errors", "src/main.rs", "Tests are running"]);
    alice.shows(&process, &jpeg(210, 4)).await;
    let second = noted(&process, "Tests are running").await;
    let text = second["text"].as_str().expect("a text");
    assert!(
        text.starts_with("New on the screen: “Tests are running”"),
        "{text}"
    );

    let asked = process.say("Bob", "Denizen, what is on Alice's screen?").await;
    let reply = process.answer_to(&asked).await;
    assert!(
        reply.contains("Alice's screen") && reply.contains("Tests are running"),
        "{reply}"
    );
}

#[tokio::test]
async fn where_nobody_reads_that_is_said_once() {
    let home = offline("/nonexistent");
    let process = home.start().await;
    let alice = Sharer::of(&process, "Alice").await;
    alice.shows(&process, &jpeg(40, 3)).await;
    noted(
        &process,
        "nobody here can read it: set a model that sees, or install tesseract",
    )
    .await;
    alice.shows(&process, &jpeg(210, 4)).await;
    let later = noted(&process, "The screen changed").await;
    assert!(
        !later["text"].as_str().expect("a text").contains("install"),
        "{later}"
    );
}

#[tokio::test]
async fn a_reader_that_is_set_and_cannot_read_is_named_in_the_journal() {
    let home = offline("/nonexistent");
    home.run(&["settings", "set", "voice.streamWatch.textReader", "onnx"])
        .succeeded();
    home.run(&[
        "settings",
        "set",
        "voice.streamWatch.textReaderPath",
        "/nonexistent/models",
    ])
    .succeeded();
    let process = home.start().await;
    let alice = Sharer::of(&process, "Alice").await;
    alice.shows(&process, &jpeg(40, 3)).await;
    let line = eventually("the journal says why there is no note", async || {
        let journal = process.journal().await;
        journal
            .into_iter()
            .find(|line| line["name"] == "stream_watch_note_failed")
    })
    .await;
    assert!(line.to_string().contains("unavailable"), "{line}");
    let asks = process.get("/api/asks").await;
    let mut asks = asks["asks"].as_array().expect("asks").iter();
    let note = asks
        .find(|ask| ask["purpose"] == "screen_note")
        .expect("it was tried");
    let ask = note["ask"].as_u64().expect("a number");
    let record = process.get(&format!("/api/asks/{ask}")).await.to_string();
    assert!(
        record.contains("/nonexistent/models") && record.contains("unavailable"),
        "{record}"
    );
}

#[test]
fn the_doctor_says_who_reads_and_how_to_do_better() {
    let reader = Reader::new();
    let said = offline(path(reader.0.path())).run(&["doctor"]).out;
    assert!(
        said.contains("notes on screens") && said.contains("what can be read is noted"),
        "{said}"
    );
    assert!(
        said.contains(path(&reader.file("tesseract"))) && said.contains("textReaderPath"),
        "{said}"
    );
    let home = offline("/nonexistent");
    let said = home.run(&["doctor"]).out;
    assert!(said.contains("Install tesseract"), "{said}");
    home.run(&["settings", "set", "voice.streamWatch.textReader", "tesseract"])
        .succeeded();
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor:?}");
    assert!(doctor.out.contains("no tesseract on the PATH"), "{}", doctor.out);
}
