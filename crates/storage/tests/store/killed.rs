//! A writer that is killed while it writes: the test runs itself once more as one, in a process of its own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use runtime::ports::{Resume, Store};
use storage::Sqlite;

use crate::given::community;

/// A writer says so with a number, on a line of its own, after each write that it was told is stored.
pub const ACKNOWLEDGED: &str = "acknowledged ";

/// Runs a test of this file as the writer, with its folder in that variable; kills it after so many
/// acknowledgements, and returns the last that came.
pub fn kill_after(acknowledgements: i64, test: &str, variable: &str, folder: &Path) -> i64 {
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(variable, folder)
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
    assert!(seen >= acknowledgements);
    last
}

/// Goes on where the writer was killed, as the next process does.
pub fn go_on(folder: &Path) -> Resume {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let store = Sqlite::open(folder).unwrap();
        store.resume(&community()).await.unwrap()
    })
}
