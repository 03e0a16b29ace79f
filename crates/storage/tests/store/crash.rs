//! A process that is killed while it writes loses nothing that it was told is stored.

use std::path::Path;

use mind::Scope;
use runtime::ports::{Batch, Store};
use storage::Sqlite;
use tempfile::TempDir;

use crate::given::{added, assert_sound, community, count, entry, input, look_into, message};
use crate::killed::{ACKNOWLEDGED, go_on, kill_after};

/// Set for the process that writes until it is killed.
const THIS_TEST: &str = "crash::every_acknowledged_batch_survives_a_kill";
const WRITER_FOLDER: &str = "DENIZEN_CRASH_TEST_FOLDER";

#[test]
fn every_acknowledged_batch_survives_a_kill() {
    if let Some(folder) = std::env::var_os(WRITER_FOLDER) {
        write_until_killed(Path::new(&folder));
    }
    let folder = TempDir::new().unwrap();
    let mut before = 0;
    for acknowledgements in [1, 23, 4, 60, 9, 35, 2, 17] {
        let acknowledged = kill_after(acknowledgements, THIS_TEST, WRITER_FOLDER, folder.path());
        assert!(
            acknowledged >= before + acknowledgements,
            "{acknowledged} after {before}"
        );
        let killed = look_into(folder.path());
        assert_sound(&killed);
        let resumed = go_on(folder.path());
        let look = look_into(folder.path());
        assert_sound(&look);
        let last = count(&look, "SELECT max(seq) FROM inputs");
        assert!(
            last >= acknowledged,
            "{acknowledged} was acknowledged, {last} is stored"
        );
        // Each batch is whole, acknowledged or not: one input and two messages, which the next process has put in.
        assert_eq!(count(&look, "SELECT count(*) FROM due"), 0);
        assert_eq!(count(&look, "SELECT count(*) FROM inputs"), last);
        assert_eq!(count(&look, "SELECT count(*) FROM messages"), last * 2);
        assert_eq!(count(&look, "SELECT last_input FROM communities"), last);
        assert_eq!(resumed.last_input, u64::try_from(last).unwrap());
        // Lines may be missing at the end, three of each batch together: a mind decides those after the last again.
        assert_eq!(count(&look, "SELECT count(*) FROM journal") % 3, 0);
        let newest = count(&look, "SELECT ifnull(max(seq), 0) FROM journal");
        assert_eq!(count(&look, "SELECT last_journal FROM communities"), newest);
        assert!(newest <= last * 3 + 3);
        let before_it = format!("SELECT count(*) FROM inputs WHERE seq > {}", before);
        let lines_since = format!("SELECT count(*) FROM journal WHERE seq > {}", before * 3 + 3);
        assert!(count(&look, &lines_since) <= count(&look, &before_it) * 3);
        before = last;
    }
}

/// Some are not waited for: whatever is acknowledged after them holds for them, too.
fn comes_again(seq: u64) -> bool {
    seq % 5 == 3 || seq % 7 == 4
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
                comes_again: comes_again(seq),
                ..Batch::default()
            };
            store.commit(&community(), batch).await.unwrap();
            if !comes_again(seq) {
                println!("\n{ACKNOWLEDGED}{seq}");
            }
        }
    })
}
