//! A process that is killed while it writes loses nothing that it was told is stored.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use mind::Scope;
use runtime::ports::{Batch, Store};
use storage::Sqlite;
use tempfile::TempDir;

use crate::given::{added, assert_sound, community, count, entry, input, look_into, message};

/// Set for the process that writes until it is killed.
const WRITER_FOLDER: &str = "DENIZEN_CRASH_TEST_FOLDER";
const ACKNOWLEDGED: &str = "acknowledged ";

#[test]
fn every_acknowledged_batch_survives_a_kill() {
    if let Some(folder) = std::env::var_os(WRITER_FOLDER) {
        write_until_killed(Path::new(&folder));
    }
    let folder = TempDir::new().unwrap();
    let mut before = 0;
    for acknowledgements in [1, 23, 4, 60, 9, 35, 2, 17] {
        let acknowledged = kill_after(acknowledgements, folder.path());
        assert!(
            acknowledged >= before + acknowledgements,
            "{acknowledged} after {before}"
        );
        let look = look_into(folder.path());
        assert_sound(&look);
        let last = count(&look, "SELECT max(seq) FROM inputs");
        assert!(
            last >= acknowledged,
            "{acknowledged} was acknowledged, {last} is stored"
        );
        // Each batch is whole, acknowledged or not: one input, two messages and three lines.
        assert_eq!(count(&look, "SELECT count(*) FROM inputs"), last);
        assert_eq!(count(&look, "SELECT count(*) FROM messages"), last * 2);
        assert_eq!(count(&look, "SELECT count(*) FROM journal"), last * 3);
        assert_eq!(count(&look, "SELECT last_input FROM communities"), last);
        before = last;
    }
}

/// Runs this very test as the writer, kills it after so many acknowledgements, and returns the last that came.
fn kill_after(acknowledgements: i64, folder: &Path) -> i64 {
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "crash::every_acknowledged_batch_survives_a_kill",
            "--nocapture",
        ])
        .env(WRITER_FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut seen, mut last) = (0, 0);
    let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    // Read to the end: what was said before the kill came through counts.
    for line in lines.map_while(Result::ok) {
        let Some((_, number)) = line.split_once(ACKNOWLEDGED) else {
            continue;
        };
        last = number.parse().unwrap();
        seen += 1;
        if seen == acknowledgements {
            writer.kill().unwrap();
        }
    }
    assert!(!writer.wait().unwrap().success());
    last
}

fn write_until_killed(folder: &Path) -> ! {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let store = Sqlite::open(folder).unwrap();
        let mut seq = store.resume(&community()).await.unwrap().last_input;
        loop {
            seq += 1;
            let batch = Batch {
                inputs: vec![input(seq, 1)],
                changes: ["a", "b"]
                    .map(|half| added(message(&format!("{seq}{half}"), &format!("some words {seq}"))))
                    .to_vec(),
                journal: (1..=3)
                    .map(|line| entry(seq * 3 + line, Scope::default()))
                    .collect(),
                state: seq.is_multiple_of(5).then(|| (seq, "{}".to_owned())),
                ..Batch::default()
            };
            store.commit(&community(), batch).await.unwrap();
            println!("\n{ACKNOWLEDGED}{seq}");
        }
    })
}
