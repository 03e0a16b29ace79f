//! The bench of answers in its smallest form, against a model server of ours that answers by rule: a wrong answer must
//! count as wrong, a missing one as silent, and a look-up must have been made.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::{fs, thread};

use serde_json::{Value, json};

const QUESTIONS: [&str; 6] = [
    r#"{"id":"r1","kind":"recent","before":["Olu: it is blue"],"author":"Mira","question":"Denizen, echo blue","right":["blue"]}"#,
    r#"{"id":"r2","kind":"recent","before":["Olu: it is blue"],"author":"Mira","question":"Denizen, echo green","right":["blue"]}"#,
    r#"{"id":"s1","kind":"summary","summary":"Olu painted the door red.","before":["Olu: done"],"author":"Mira","question":"Denizen, echo red","right":["red"]}"#,
    r#"{"id":"f1","kind":"facts","facts":["Mira: Mira has a cat called Pixel."],"before":["Olu: hi"],"author":"Mira","question":"Denizen, what is my cat called?","right":["pixel"]}"#,
    r#"{"id":"t1","kind":"tool","before":["Olu: hi"],"author":"Mira","question":"Denizen, look up the eclipse and echo 21:47","right":["21:47"],"tool":{"names":["web_search"],"asks":["eclipse"],"gives":"It begins at 21:47."}}"#,
    r#"{"id":"q1","kind":"silent","before":["Mira: Denizen, what day is it?","Denizen: Tuesday.","Mira: thanks"],"author":"Olu","question":"I echo SKIP when I am tired"}"#,
];

/// A server that says what follows the last `echo` of a prompt, or `Pixel` where the prompt has that.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it listens");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { return };
            thread::spawn(move || answer(stream));
        }
    });
    format!("http://{address}/v1")
}

fn answer(stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    let _ = reader.read_line(&mut first);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let (kind, text) = if first.contains("/models") {
        (
            "application/json",
            json!({"data": [{"id": "echo-1b"}]}).to_string(),
        )
    } else {
        let said = spoken(&body);
        let piece = json!({"choices": [{"index": 0, "delta": {"content": said}, "finish_reason": null}]});
        let end = json!({
            "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 3}
        });
        (
            "text/event-stream",
            format!("data: {piece}\n\ndata: {end}\n\ndata: [DONE]\n\n"),
        )
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    let mut stream = reader.into_inner();
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(text.as_bytes());
}

fn spoken(body: &[u8]) -> String {
    let request: Value = serde_json::from_slice(body).unwrap_or_default();
    let prompt = request["messages"].to_string();
    if prompt.contains("Pixel") {
        return "Pixel".to_owned();
    }
    let after = prompt.rsplit("echo ").next().unwrap_or_default();
    let word = after
        .split(|letter: char| !letter.is_alphanumeric() && letter != ':')
        .next();
    word.unwrap_or_default().to_owned()
}

fn run(more: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("questions.jsonl");
    fs::write(&file, QUESTIONS.join("\n")).expect("the folder is ours");
    let output = Command::new(env!("CARGO_BIN_EXE_denizen-bench"))
        .args(["chat", &file.to_string_lossy(), "--base-url", &server()])
        .args(more)
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn each_question_goes_through_a_real_room_and_is_judged() {
    let report: Value = serde_json::from_str(&run(&["--profile", "plain", "--json"])).expect("JSON");
    let verdicts: Vec<(&str, &str, u64)> = report["answers"]
        .as_array()
        .expect("answers")
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap_or_default();
            (
                text("id"),
                text("verdict"),
                row["calls"].as_u64().unwrap_or_default(),
            )
        })
        .collect();
    let expected = [
        ("r1", "right", 1),
        ("r2", "wrong", 1),
        ("s1", "right", 1),
        ("f1", "right", 1),
        ("t1", "right", 1),
        // Nobody said it to Denizen: a small model is not asked.
        ("q1", "right", 0),
    ];
    assert_eq!(verdicts, expected, "{report:#}");
}

#[test]
fn a_small_model_is_asked_plainly_by_itself_and_profiles_stand_beside_each_other() {
    let table = run(&[
        "--profile",
        "auto,full",
        "--kind",
        "recent,silent",
        "--limit",
        "1",
    ]);
    assert!(table.starts_with("echo-1b"), "{table}");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let tokens = |profile: &str| {
        let row = rows
            .iter()
            .find(|row| row.first() == Some(&"all") && row.get(1) == Some(&profile));
        row.unwrap_or_else(|| panic!("no row of {profile}: {table}"))
            .to_vec()
    };
    assert_eq!(tokens("auto")[2], "2");
    assert_eq!(tokens("full")[2], "2");
}

#[test]
fn what_is_kept_is_not_asked_again_and_can_be_printed_without_a_model() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let keep = folder.path().join("answers.jsonl");
    let keep = keep.to_string_lossy();
    let first = run(&["--profile", "plain", "--kind", "recent", "--keep", &keep]);
    let lines = || fs::read_to_string(&*keep).expect("kept").lines().count();
    assert_eq!(lines(), 2);
    let again = run(&["--profile", "plain", "--kind", "recent", "--keep", &keep]);
    assert_eq!((again, lines()), (first.clone(), 2));
    let printed = run(&["--profile", "plain,full", "--keep", &keep, "--kept"]);
    assert_eq!((printed, lines()), (first, 2));
}

#[test]
fn a_file_that_holds_no_question_is_refused_by_its_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("questions.jsonl");
    fs::write(&file, r#"{"id":"x","kind":"recent","author":"a","question":"b"}"#).expect("ours");
    let output = Command::new(env!("CARGO_BIN_EXE_denizen-bench"))
        .args(["chat", &file.to_string_lossy()])
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("line 1 of") && said.contains("`right`"),
        "{said}"
    );
}
