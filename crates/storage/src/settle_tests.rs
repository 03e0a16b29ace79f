//! When inputs that nobody waits for count as on the disk, and what comes of it where the disk fails.

use std::time::Instant;

use rusqlite::Connection;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::{arriving, awaited, count, opened, places, reading, write};
use crate::disk::Disk;
use crate::job::{Job, Place, Task};
use crate::late::{AGAIN_AFTER, LATE_FOR};
use crate::pen::Pen;

/// A write that is waited for and changes nothing.
fn changing_nothing() -> Box<dyn Job> {
    Box::new(Task {
        doing: "testing",
        place: Place::InOrder,
        work: Some(|_: &Connection| Ok(())),
        outcome: None,
        answer: oneshot::channel().0,
    })
}

fn watched(connection: &mut Connection) -> Disk {
    let disk = Disk::default();
    disk.watch(connection).unwrap();
    disk
}

#[test]
fn a_commit_that_writes_nothing_has_no_inputs_on_the_disk() {
    let folder = TempDir::new().unwrap();
    let (mut connection, path) = opened(&folder);
    let disk = watched(&mut connection);
    let mut pen = Pen::new(&connection, &path, &disk);
    let work = || (disk.work().commits, disk.work().waits);
    pen.take_in(arriving(1), None);
    write(&mut pen, vec![reading()]);
    write(&mut pen, vec![changing_nothing()]);
    assert_eq!(
        work(),
        (1, 0),
        "SQLite waits for no disk where nothing was written"
    );
    pen.settle(Instant::now() + LATE_FOR);
    assert_eq!(work(), (1, 1), "they wait for it by themselves");
}

#[test]
fn the_log_is_found_where_the_file_of_the_database_is_a_link() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere/real.db", folder.path().join("denizen.db")).unwrap();
    let (mut connection, path) = opened(&folder);
    let disk = watched(&mut connection);
    let mut pen = Pen::new(&connection, &path, &disk);
    pen.take_in(arriving(1), None);
    write(&mut pen, vec![reading()]);
    assert!(folder.path().join("elsewhere/real.db-wal").exists());
    pen.settle(Instant::now() + LATE_FOR);
    assert_eq!(disk.work().waits, 1);
}

#[test]
fn after_the_disk_failed_nothing_counts_as_on_it_before_all_of_the_log_is_written_again() {
    let folder = TempDir::new().unwrap();
    let (mut connection, path) = opened(&folder);
    let disk = watched(&mut connection);
    let mut pen = Pen::new(&connection, &path, &disk);
    // Whoever reads for long keeps the log from being copied whole.
    let reader = Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    assert_eq!(count(&reader, "SELECT count(*) FROM messages"), 0);
    pen.take_in(arriving(1), None);
    write(&mut pen, vec![reading()]);
    // There is nothing to wait for by its name: as good as a disk that fails.
    let mut log = path.clone().into_os_string();
    log.push("-wal");
    let aside = folder.path().join("aside");
    std::fs::rename(&log, &aside).unwrap();
    let mut now = Instant::now() + LATE_FOR;
    pen.settle(now);
    std::fs::rename(&aside, &log).unwrap();
    let refused = |pen: &mut Pen<'_>| {
        let (next, told) = awaited(2);
        write(pen, vec![next]);
        let error = told.blocking_recv().unwrap().unwrap_err().to_string();
        assert!(error.contains("Check it and its free space"), "{error}");
    };
    refused(&mut pen);
    // Waiting would go well by now, and would mean nothing.
    now += AGAIN_AFTER;
    pen.settle(now);
    refused(&mut pen);
    reader.execute_batch("COMMIT").unwrap();
    now += AGAIN_AFTER;
    pen.settle(now);
    let (next, told) = awaited(2);
    write(&mut pen, vec![next]);
    assert_eq!(places(told), [Some(2)]);
    assert_eq!(count(&connection, "SELECT count(*) FROM inputs"), 2);
}
