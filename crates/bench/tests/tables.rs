//! Each bench in its smallest form: it runs to its end and prints its table. No figure is looked at.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// How often one reply may wait for the disk, with what follows it; few replies are measured, so each has all of that.
const WAITS_MAX: f64 = 10.0;

/// What a bench prints.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_denizen-bench"))
        .args(arguments)
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// A file of what people said, gone with its folder.
fn file(content: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("given.json");
    fs::write(&path, content).expect("the folder is ours");
    (folder, path)
}

/// One conversation of 70 turns in one session, with a question about its second turn.
fn conversation() -> String {
    let turn = |number: usize| {
        let text = match number {
            2 => "I adopted a hedgehog called Quill.",
            _ => "haha, nice",
        };
        let speaker = if number.is_multiple_of(2) { "Bob" } else { "Ann" };
        serde_json::json!({ "speaker": speaker, "dia_id": format!("D1:{number}"), "text": text })
    };
    let turns: Vec<serde_json::Value> = (1..=70).map(turn).collect();
    serde_json::json!([{
        "sample_id": "one",
        "conversation": {
            "speaker_a": "Ann", "speaker_b": "Bob",
            "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns,
        },
        "qa": [{
            "question": "What is the hedgehog of Bob called?", "answer": "Quill", "evidence": ["D1:2"], "category": 4,
        }],
    }])
    .to_string()
}

#[test]
fn a_turn_is_measured_with_one_row_a_history() {
    let table = printed(&["turn", "--histories", "10,20", "--rounds", "1"]);
    let rows = table.lines().skip_while(|line| !line.starts_with("history"));
    let rows: Vec<&str> = rows.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(&rows[..3], ["history", "10", "20"], "{table}");
}

#[test]
fn every_table_says_what_it_was_measured_on_and_a_debug_build_is_marked() {
    let table = printed(&["rooms", "--rooms", "1,3", "--rounds", "1", "--steps", "2"]);
    let first = table.lines().next().unwrap_or_default();
    assert!(
        first.contains(" build, 20") && first.contains("processors") && first.contains("load "),
        "{table}"
    );
    assert_eq!(
        table.contains("DEBUG BUILD"),
        cfg!(debug_assertions),
        "this program and the bench are built alike: {table}"
    );
    assert!(
        table.contains("a typing sign") && table.contains("\n      3 "),
        "{table}"
    );
}

/// No time is looked at: how often the disk is waited for is what a reply must not take more of.
#[test]
fn a_reply_through_the_program_is_measured_and_waits_for_the_disk_a_few_times() {
    let table = printed(&[
        "reply",
        "--histories",
        "3",
        "--rooms",
        "1,2",
        "--replies",
        "4",
        "--messages",
        "20",
    ]);
    let rows: Vec<Vec<f64>> = table
        .lines()
        .map(|line| {
            line.split_whitespace()
                .map_while(|word| word.parse().ok())
                .collect()
        })
        .filter(|row: &Vec<f64>| row.len() == 11)
        .collect();
    let which: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(which, [3.0, 1.0, 2.0], "{table}");
    for row in &rows {
        let (waits, written) = (row[3], row[6]);
        assert!(
            (1.0..=WAITS_MAX).contains(&waits),
            "{waits} waits for the disk: {table}"
        );
        assert!(written > 0.0, "{table}");
    }
    assert!(
        table.contains("memory idle: ") && table.contains("memory after 20 messages: "),
        "{table}"
    );
    let plain = table.lines().find(|line| line.starts_with(" plain "));
    let waits = plain.and_then(|line| line.split_whitespace().nth(3));
    assert_eq!(
        waits,
        Some("2.0"),
        "the smallest program waits once for each of both: {table}"
    );
    assert!(table.contains("a reply in the first row takes "), "{table}");
}

/// Whoever else is installed or not: none is on the machine that runs the tests, and each of its own lines has a figure.
#[test]
fn denizen_stands_beside_its_peers_and_says_who_is_not_installed() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/peers-table.py");
    let output = Command::new("python3")
        .args([table, env!("CARGO_BIN_EXE_denizen-bench"), "--quick"])
        .output()
        .expect("python3 is there, as the tools of this repository want it");
    let (table, said) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}");
    for row in [
        "a text turn, the model on loopback, ms of CPU",
        "a conversation of 1,000 turns to wire JSON, ms of CPU",
        "finding something among 6,000, ms at p50",
        "a frame of a shared screen, 1280 by 720, ms of CPU",
        "from the start of the process until it can be asked, ms",
        "memory then, MB",
    ] {
        let rows: Vec<&str> = table.lines().filter(|line| line.starts_with(row)).collect();
        let figure = rows.first().and_then(|line| {
            let after = line.strip_prefix(row)?;
            after.split_whitespace().next()?.parse::<f64>().ok()
        });
        assert!(
            rows.len() == 1 && figure.is_some_and(|it| it > 0.0),
            "{row}: {table}"
        );
    }
    assert!(table.contains("How each line is to be read"), "{table}");
}

#[test]
fn connections_are_measured() {
    let table = printed(&["connections", "--connections", "2", "--requests", "3"]);
    assert!(table.contains("connection"), "{table}");
}

#[test]
fn communities_are_measured_and_do_not_hear_each_other() {
    let table = printed(&["communities", "--communities", "2", "--messages", "1"]);
    assert!(table.contains("2 communities in one process"), "{table}");
}

#[test]
fn an_hour_of_talk_is_reckoned_beside_answering_everything() {
    let output = Command::new(env!("CARGO_BIN_EXE_denizen-bench"))
        .args(["hour", "--seconds", "16"])
        .env_remove("DENIZEN_EARS_MODEL")
        .env_remove("DENIZEN_VOICE_MODEL")
        .output()
        .expect("the program runs");
    let (table, problem) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{problem}");
    for row in [
        "turns heard",
        "calls of a model",
        "voice_reply",
        "tokens read",
        "dollars (1 and 5 a million)",
        "seconds of a processor",
        "kilobytes on disk",
        "answering every turn",
    ] {
        assert!(table.contains(row), "{row} is missing: {table}");
    }
}

#[test]
fn a_process_is_measured_before_and_after_messages() {
    let table = printed(&["process", "--messages", "20", "--starts", "1"]);
    for row in [
        "start-up to healthy",
        "memory idle",
        "memory after 20 messages",
        "accepted",
    ] {
        assert!(table.contains(row), "{row} is missing: {table}");
    }
}

#[test]
fn a_search_is_measured_beside_a_scan() {
    let table = printed(&["memory-scale", "--gems", "200"]);
    for row in ["200 gems of one community", "search: ", "naive scan", "ratio: "] {
        assert!(table.contains(row), "{row} is missing: {table}");
    }
}

#[test]
fn frames_are_measured_beside_a_naive_way() {
    let table = printed(&["frames", "--frames", "4", "--rounds", "1"]);
    for row in [
        "score a decoded frame",
        "pixel by pixel",
        "decode and score a frame",
    ] {
        assert!(table.contains(row), "{row} is missing: {table}");
    }
}

#[test]
fn listening_is_measured_for_every_number_of_speakers() {
    let table = printed(&["voice", "--speakers", "1,3", "--seconds", "2", "--rounds", "1"]);
    for row in [
        "one of them speaks at a time",
        "all of them speak all the time",
        "network on every block",
        "mixing for 3 listeners",
        "encoding a frame",
        "likeness of a clip",
        "a decoder per listener",
        "given to ears",
        "falling silent when it is spoken over, 200 frames queued",
        "sound that a listener is still given",
    ] {
        assert!(table.contains(row), "{row} is missing: {table}");
    }
    let rows = table
        .lines()
        .filter(|line| line.contains("decode, activity, clips"));
    assert_eq!(rows.count(), 4, "{table}");
}

#[test]
fn conversations_at_a_realtime_service_are_measured_beside_a_plain_client() {
    let table = printed(&["realtime", "--sessions", "3", "--turns", "1"]);
    for (sessions, way) in [("1", "denizen"), ("1", "plain"), ("3", "denizen"), ("3", "plain")] {
        let is_row = |line: &&str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.first() == Some(&sessions) && words.get(1) == Some(&way)
        };
        let row = table.lines().find(is_row);
        let row = row.unwrap_or_else(|| panic!("no row for {sessions} {way}:\n{table}"));
        assert!(row.ends_with("all whole"), "{table}");
    }
}

#[test]
fn where_there_are_no_ears_an_answer_aloud_is_not_measured_and_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_denizen-bench"))
        .args(["talk", "--questions", "1"])
        .env_remove("DENIZEN_EARS_MODEL")
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("no ears are installed"),
        "{said}"
    );
}

#[test]
fn where_there_are_no_ears_nothing_is_read_aloud() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(env!("CARGO_BIN_EXE_denizen-bench"))
        .args(["read-aloud", "heard.jsonl", "--kokoro", "nowhere"])
        .current_dir(folder.path())
        .env_remove("DENIZEN_EARS_MODEL")
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("DENIZEN_EARS_MODEL"),
        "{said}"
    );
    let written = fs::read_dir(folder.path()).expect("it is there").count();
    assert_eq!(written, 0, "nothing is begun that cannot be done");
}

#[test]
fn who_is_meant_is_told_from_what_was_said_and_from_what_was_heard() {
    let transcripts = concat!(env!("CARGO_MANIFEST_DIR"), "/spoken/heard.jsonl");
    let table = printed(&["spoken", transcripts]);
    for row in [
        "rooms for tuning",
        "rooms for judging",
        "text gate, as it was heard",
        "voice gate, as it was said",
        "a classifier that goes by the sound",
        "the name: said in",
        "words understood wrongly: builtin",
    ] {
        assert!(table.contains(row), "{row} is missing: {table}");
    }
    // By the very words everybody who calls is heard, whoever else is missed.
    let said = table
        .lines()
        .filter(|line| line.contains("voice gate, as it was said"));
    assert!(
        said.clone().count() == 2 && said.clone().all(|line| line.contains(" 1.000 ")),
        "{table}"
    );
}

#[test]
fn every_kind_of_screen_has_its_rows() {
    let table = printed(&["watch", "--sessions", "1", "--minutes", "1", "--fps", "2"]);
    for kind in ["editor", "fight", "slides", "terminal"] {
        assert!(table.contains(kind), "{kind} is missing: {table}");
    }
}

#[test]
fn memory_is_measured_on_a_file_of_conversations() {
    let (_folder, file) = file(&conversation());
    let table = printed(&["memory", file.to_str().expect("a plain path")]);
    assert!(
        table.contains("1 questions") || table.contains("questions"),
        "{table}"
    );
}

#[test]
fn summaries_are_measured_on_a_file_of_conversations() {
    let (_folder, file) = file(&conversation());
    let table = printed(&[
        "compaction",
        file.to_str().expect("a plain path"),
        "--turns",
        "70",
    ]);
    assert!(table.contains("70"), "{table}");
}

#[test]
fn admission_is_measured_on_a_room() {
    let line = |at: u64, author: &str, text: &str, addressee: &str| {
        serde_json::json!({
            "room": "r", "seq": 0, "at": at, "author": author, "text": text, "annotated": true,
            "addressees": [addressee],
        })
    };
    let lines = [
        line(1, "ann", "bob: tea?", "bob"),
        line(2, "bob", "please", "ann"),
        line(3, "ann", "bob: milk?", "bob"),
        line(4, "cid", "what about me", "bob"),
    ];
    let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let (_folder, file) = file(&text.join("\n"));
    let table = printed(&["admission", file.to_str().expect("a plain path")]);
    assert!(table.contains("precision"), "{table}");
    assert!(table.contains("given"), "{table}");
}

#[test]
fn servers_are_measured_and_hear_nothing_of_each_other() {
    let table = printed(&["servers", "--servers", "20", "--questions", "2", "--pace", "0"]);
    assert!(
        table.contains("20 servers in one process")
            && table.contains("160 messages, 40 answers")
            && table.contains("second start")
            && table.contains("showed in another: 0"),
        "{table}"
    );
}
