//! Power cuts: whatever the moment, nothing that was accepted is lost and nothing is said twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Answer, Home, ModelServer, Process, eventually};

/// When the process is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// So many milliseconds after the writers began.
    WhileAccepting(u64),
    /// … after the first message of the round was accepted: it is looked up, or asked about.
    AfterAccepting(u64),
    /// … after the model was asked: the answer is being streamed.
    WhileAnswering(u64),
    /// … after the model has said its last word: the answer is read, sent, confirmed.
    AfterAnswering(u64),
}

const WRITERS: [&str; 3] = ["Alice", "Bob", "Carol"];
const LONG: &str = "First of all, this is an answer of several sentences, which does not fit into one message of two \
    hundred characters. So it goes out in parts, one after the other. A process that ends between two of them has \
    to go on with the part that is missing. And nobody should see any part twice, whatever happens meanwhile.";

#[tokio::test(flavor = "multi_thread")]
async fn kill_at_any_moment_loses_no_accepted_message_and_repeats_no_reply() {
    let model = ModelServer::answering(|number| {
        let text = if number % 2 == 0 { LONG } else { "A short answer." };
        Answer::says(text).paced(Duration::from_millis(1))
    })
    .await;
    let home = Home::quick(&model);
    for (key, value) in [
        ("activity.maxMessageCharacters", "200"),
        ("permissions.allowInitiativeReplies", "false"),
        ("addressing.followupEnabled", "false"),
    ] {
        home.run(&["settings", "set", key, value]).succeeded();
    }
    let mut ledger = Ledger::default();
    for (round, moment) in moments().into_iter().enumerate() {
        let mut process = home.start().await;
        live_through(&mut process, &model, &mut ledger, round, moment).await;
    }
    let process = home.start().await;
    ledger.write_all(&process).await;
    ledger.check(&process).await;
    let recordings = home.recordings();
    // A stretch without any input makes way for the next.
    assert!(recordings.len() > moments().len() / 2, "starts begin a stretch");
    for recording in recordings {
        let replayed = home.run(&["replay", recording.to_str().expect("a plain name")]);
        // The newest is of a process that lives, and may be taken in the moment of a decision.
        let is_whole = ["are the recorded ones", "of the recording are the same"]
            .iter()
            .any(|told| replayed.err.contains(told));
        assert!(is_whole, "{replayed:#?}");
        replayed.succeeded();
    }
}

/// What a power cut leaves of a log is its beginning, up to some commit after the last one that was waited for.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_lost_its_end_in_a_power_cut_still_has_what_was_accepted_and_it_is_answered_once() {
    let model = ModelServer::answering(|_| Answer::says(ANSWER)).await;
    let home = Home::quick(&model);
    let mut process = home.start().await;
    let log = home.data().join("denizen.db-wal");
    let question = json!({"author": "Alice", "text": QUESTION, "id": "power-cut-0"});
    let id = post(&process.client, &process.url, question).await;
    let accepted = fs::metadata(&log).expect("there is a log").len();
    assert_eq!(id.as_deref(), Some("power-cut-0"));
    answered_once(&process, &[QUESTION, ANSWER]).await;
    eventually("the answer has its lines", async || {
        let sent = sent(&process.journal().await);
        (!sent.is_empty()).then_some(())
    })
    .await;
    process.kill();
    let whole: Vec<(PathBuf, Vec<u8>)> = files(&home.data());
    let cuts = commits(&fs::read(&log).expect("the log is ours"), accepted);
    assert!(cuts.len() > 2, "the answer took several commits: {cuts:?}");
    for cut in cuts {
        for (file, _) in files(&home.data()) {
            fs::remove_file(file).expect("the folder is ours");
        }
        for (file, bytes) in &whole {
            let is_log = *file == log;
            let bytes = if is_log { &bytes[..cut] } else { &bytes[..] };
            // What the processes shared of the log was memory.
            if !file.ends_with("denizen.db-shm") {
                fs::write(file, bytes).expect("the folder is ours");
            }
        }
        let mut process = home.start().await;
        answered_once(&process, &[QUESTION, ANSWER]).await;
        // What comes after it has had time to come a second time.
        let next = json!({"author": "Alice", "text": "Denizen, and now?", "id": "power-cut-1"});
        post(&process.client, &process.url, next).await;
        answered_once(&process, &[QUESTION, ANSWER, "Denizen, and now?", ANSWER]).await;
        process.kill();
    }
}

const QUESTION: &str = "Denizen, where is it?";
const ANSWER: &str = "In the third box.";

/// Waits for so many messages; there are no others.
async fn answered_once(process: &Process, expected: &[&str]) {
    eventually("it is answered", async || {
        (process.messages().await.len() >= expected.len()).then_some(())
    })
    .await;
    let messages = process.messages().await;
    let said: Vec<&str> = messages.iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(said, expected);
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("the folder is ours");
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(&path).expect("the folder is ours")))
        .collect()
}

/// Where the commits of SQLite's log end, from a length on: each frame has a header of 24 bytes, the log one of 32.
fn commits(log: &[u8], from: u64) -> Vec<usize> {
    let number = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().expect("four bytes"));
    let frame = 24 + number(8) as usize;
    let ends = (32 + frame..=log.len()).step_by(frame);
    let is_commit = |end: &usize| number(end - frame + 4) > 0 && *end as u64 >= from;
    ends.filter(is_commit).collect()
}

fn moments() -> Vec<Moment> {
    let mut moments = Vec::new();
    for step in [0, 2, 5, 11] {
        moments.push(Moment::WhileAccepting(step));
        moments.push(Moment::AfterAccepting(step));
        moments.push(Moment::WhileAnswering(step * 3));
        moments.push(Moment::AfterAnswering(step));
    }
    for fine in [1, 3, 4, 7] {
        moments.push(Moment::AfterAnswering(fine));
        moments.push(Moment::AfterAccepting(fine));
    }
    moments
}

/// One life of the process: people write, and at the given moment it is over.
async fn live_through(
    process: &mut Process,
    model: &ModelServer,
    ledger: &mut Ledger,
    round: usize,
    moment: Moment,
) {
    model.forget_finished();
    let asked_before = model.asked().len();
    let mut writers = JoinSet::new();
    for (number, writer) in WRITERS.into_iter().enumerate() {
        // The second message of a round is for nobody in particular.
        let texts = [
            format!("Denizen, what about {round} and {number}?"),
            format!("Never mind {round}."),
        ];
        for (index, text) in texts.into_iter().enumerate() {
            let id = format!("crash-{round:03}-{number}-{index}");
            let body = json!({"author": writer, "text": text, "id": id});
            ledger.written.insert(id, body.clone());
            let (client, url) = (process.client.clone(), process.url.clone());
            writers.spawn(async move { post(&client, &url, body).await });
        }
    }
    let wait = match moment {
        Moment::WhileAccepting(wait) => wait,
        Moment::AfterAccepting(wait) => {
            if let Some(first) = writers.join_next().await {
                ledger.accepted.extend(first.expect("a writer"));
            }
            wait
        }
        Moment::WhileAnswering(wait) => {
            model.asked_times(asked_before + 1).await;
            wait
        }
        Moment::AfterAnswering(wait) => {
            model.finished_one().await;
            wait
        }
    };
    tokio::time::sleep(Duration::from_millis(wait)).await;
    process.kill();
    while let Some(writer) = writers.join_next().await {
        ledger.accepted.extend(writer.expect("a writer"));
    }
}

/// Writes a message; its id once it is known to be taken.
async fn post(client: &reqwest::Client, url: &str, body: Value) -> Option<String> {
    let request = client
        .post(format!("{url}/api/rooms/lounge/messages"))
        .header("content-type", "application/json")
        .body(body.to_string());
    // A connection that breaks says nothing about whether the message was taken.
    let status = request.send().await.ok()?.status();
    match status {
        StatusCode::CREATED | StatusCode::OK => Some(body["id"].as_str()?.to_owned()),
        StatusCode::SERVICE_UNAVAILABLE => None,
        other => panic!("{body} was answered with {other}"),
    }
}

/// What was written, and what of it was answered with 201.
#[derive(Default)]
struct Ledger {
    written: BTreeMap<String, Value>,
    accepted: Vec<String>,
}

impl Ledger {
    /// People repeat what they got no answer to, under the same id.
    async fn write_all(&mut self, process: &Process) {
        let before: Vec<String> = ids(&process.messages().await);
        for id in &self.accepted {
            assert!(before.contains(id), "{id} was answered with 201 and is gone");
        }
        for body in self.written.values() {
            let id = post(&process.client, &process.url, body.clone()).await;
            self.accepted.push(id.expect("a process that lives takes it"));
        }
    }

    async fn check(&self, process: &Process) {
        let addressed: Vec<&String> = self.written.keys().filter(|id| id.ends_with("-0")).collect();
        eventually("every question is answered", async || {
            let sent = sent(&process.journal().await);
            let answered = |id: &&String| {
                sent.values()
                    .any(|sent| sent.triggers.contains(id) && sent.is_whole())
            };
            let open: Vec<_> = addressed.iter().filter(|id| !answered(id)).collect();
            let given_up = process
                .journal()
                .await
                .into_iter()
                .find(|line| line["name"] == "reply_skipped" && line["data"]["reason"] != "not_admitted");
            assert_eq!(given_up, None, "a reply was given up");
            open.is_empty().then_some(())
        })
        .await;
        let journal = process.journal().await;
        let messages = process.messages().await;
        let sent = sent(&journal);

        let people: Vec<String> = ids(&messages)
            .into_iter()
            .filter(|id| id.starts_with("crash-"))
            .collect();
        let mut once = people.clone();
        once.sort();
        let written: Vec<String> = self.written.keys().cloned().collect();
        assert_eq!(once, written, "every message is in the room exactly once");

        for id in addressed {
            let turns = sent.values().filter(|sent| sent.triggers.contains(id)).count();
            assert_eq!(turns, 1, "{id} is answered in exactly one turn");
        }
        let own = messages
            .iter()
            .filter(|message| message["author"]["kind"] == "denizen");
        let parts: usize = sent.values().map(|sent| sent.parts).sum();
        assert_eq!(
            own.count(),
            parts,
            "what was said is what the turns that were sent say"
        );

        let seqs: Vec<u64> = journal.iter().filter_map(|line| line["seq"].as_u64()).collect();
        let whole: Vec<u64> = (1..=seqs.len() as u64).collect();
        assert_eq!(seqs, whole, "no journal line is missing");
        let cuts = journal.iter().filter(|line| line["name"] == "process_restarted");
        assert!(cuts.count() > 0, "the process was killed and came back");
    }
}

#[derive(Debug, Default)]
struct Sent {
    triggers: Vec<String>,
    parts: usize,
    seen: Vec<u64>,
}

impl Sent {
    fn is_whole(&self) -> bool {
        self.seen.len() == self.parts
    }
}

/// What was sent, by turn. No part may be there twice.
fn sent(journal: &[Value]) -> BTreeMap<u64, Sent> {
    let mut turns: BTreeMap<u64, Sent> = BTreeMap::new();
    let lines = journal
        .iter()
        .filter(|line| line["name"] == "sent_reply" || line["name"] == "sent_message");
    for line in lines {
        let data = &line["data"];
        let turn = turns.entry(line["turn"].as_u64().expect("a turn")).or_default();
        let triggers = data["triggerMessageIds"].as_array().expect("triggers");
        turn.triggers = triggers
            .iter()
            .filter_map(|id| Some(id.as_str()?.to_owned()))
            .collect();
        turn.parts = data["parts"].as_u64().expect("parts") as usize;
        let part = data["part"].as_u64().expect("a part");
        assert!(
            !turn.seen.contains(&part),
            "part {part} of turn {line} was sent twice"
        );
        turn.seen.push(part);
    }
    turns
}

fn ids(messages: &[Value]) -> Vec<String> {
    messages
        .iter()
        .filter_map(|message| Some(message["id"].as_str()?.to_owned()))
        .collect()
}
