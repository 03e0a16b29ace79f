//! What is late beside inputs: how much of it one commit holds, and what comes of it where it cannot be written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use runtime::ports::{Forgetting, Store};
use rusqlite::Connection;
use tempfile::TempDir;
use tokio::sync::oneshot;
use vocabulary::Forget;

use super::{
    arriving, arriving_with, awaited, awaiting, count, local, message, opened, places, reading, with_pen,
    write,
};
use crate::disk::Disk;
use crate::late::{Counted, LateWork};
use crate::pen::Pen;
use crate::sqlite::Sqlite;
use crate::{due, folder};

#[test]
fn however_large_batches_are_a_commit_of_what_is_late_is_small() {
    let folder = TempDir::new().unwrap();
    let (mut connection, path) = opened(&folder);
    let disk = Disk::default();
    disk.watch(&mut connection).unwrap();
    let mut pen = Pen::new(&connection, &path, &disk);
    for first in (1..=640).step_by(64) {
        let seqs = first..=first + 63;
        pen.take_in(arriving_with(seqs.clone(), seqs.map(message).collect()), None);
    }
    assert!(pen.late.is_wanted(), "much of it waits");
    pen.write_late();
    assert_eq!(count(&connection, "SELECT count(*) FROM messages"), 64);
    let before = disk.work().commits;
    write(&mut pen, vec![reading()]);
    assert_eq!(count(&connection, "SELECT count(*) FROM messages"), 640);
    assert_eq!(disk.work().commits - before, 9, "one for each batch");
}

#[test]
fn a_reader_after_large_batches_shares_no_commit_with_them() {
    let folder = TempDir::new().unwrap();
    let (mut connection, path) = opened(&folder);
    let disk = Disk::default();
    disk.watch(&mut connection).unwrap();
    let mut pen = Pen::new(&connection, &path, &disk);
    let (many, _told) = awaiting(arriving_with(1..=64, (1..=64).map(message).collect()));
    write(&mut pen, vec![reading(), many, reading()]);
    assert_eq!(count(&connection, "SELECT count(*) FROM messages"), 64);
    assert_eq!(disk.work().commits, 2);
    write(&mut pen, vec![reading(), awaited(65).0, reading()]);
    assert_eq!(count(&connection, "SELECT count(*) FROM messages"), 65);
    assert_eq!(disk.work().commits, 3, "a small one does");
}

#[test]
fn inputs_that_are_in_the_file_are_not_kept_in_memory_and_weigh_nothing() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        let (many, told) = awaiting(arriving_with(1..=500, vec![message(1)]));
        write(pen, vec![many]);
        assert_eq!(places(told), [Some(1)]);
        assert!(!pen.late.is_empty() && !pen.late.is_more_than_a_slice());
        pen.write_late();
        assert_eq!(count(connection, "SELECT count(*) FROM messages"), 1);
    });
}

/// Has the table refuse a message.
fn refuse(connection: &Connection, id: &str) {
    let sql = format!(
        "CREATE TRIGGER refused BEFORE INSERT ON messages WHEN new.id = '{id}' BEGIN SELECT raise(ABORT, 'no'); END"
    );
    connection.execute_batch(&sql).unwrap();
}

#[test]
fn inputs_stay_although_what_they_lead_to_cannot_be_done() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        refuse(connection, "m2");
        pen.take_in(arriving_with(1..=2, (1..=3).map(message).collect()), None);
        assert!(pen.write_late() && pen.late.is_empty());
        assert_eq!(count(connection, "SELECT count(*) FROM inputs"), 2);
        assert_eq!(count(connection, "SELECT max(last_input) FROM communities"), 2);
        assert_eq!(
            count(connection, "SELECT count(*) FROM messages"),
            2,
            "the others stay"
        );
        let (next, told) = awaited(3);
        write(pen, vec![next]);
        assert!(told.blocking_recv().unwrap().is_ok(), "it follows them");
    });
}

#[test]
fn one_change_that_cannot_be_done_takes_no_other_along() {
    for by_the_next in [false, true] {
        let folder = TempDir::new().unwrap();
        with_pen(&folder, |pen, connection| {
            refuse(connection, "m2");
            let (three, told) = awaiting(arriving_with(1..=1, (1..=3).map(message).collect()));
            write(pen, vec![three]);
            assert_eq!(places(told).len(), 3);
            if !by_the_next {
                assert!(pen.write_late() && pen.late.is_empty());
            }
        });
        let (mut next, _) = opened(&folder);
        due::catch_up(&mut next).unwrap();
        assert_eq!(count(&next, "SELECT count(*) FROM messages"), 2);
        assert_eq!(count(&next, "SELECT count(*) FROM due"), 0);
    }
}

#[test]
fn what_is_due_and_cannot_be_read_stops_no_start_and_is_left() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        write(pen, vec![awaited(1).0, awaited(2).0, awaited(3).0]);
        let damaged = "UPDATE due SET due = CAST(x'7bff7d' AS TEXT), packed = NULL WHERE number = 1";
        assert_eq!(connection.execute(damaged, []).unwrap(), 1);
        let another =
            r#"UPDATE due SET due = '{"changes":[[1,{"sung":{}}]]}', packed = NULL WHERE number = 2"#;
        assert_eq!(connection.execute(another, []).unwrap(), 1);
    });
    let (mut next, _) = opened(&folder);
    for _ in 0..2 {
        due::catch_up(&mut next).unwrap();
        assert_eq!(count(&next, "SELECT count(*) FROM messages"), 1);
        assert_eq!(count(&next, "SELECT sum(number) FROM due"), 3);
    }
}

#[tokio::test]
async fn what_is_due_and_cannot_be_read_goes_with_a_wish_to_forget() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        write(pen, vec![awaited(1).0]);
        let another = "UPDATE due SET due = 'words of another version', packed = NULL";
        assert_eq!(connection.execute(another, []).unwrap(), 1);
    });
    let store = Sqlite::open(folder.path()).unwrap();
    let (looking, _) = opened(&folder);
    assert_eq!(count(&looking, "SELECT count(*) FROM due"), 1);
    let wish = Forgetting {
        what: Forget::Turns(Vec::new()),
        turns: Vec::new(),
        texts: Vec::new(),
        first_kept: None,
    };
    store.forget(&local(), wish).await.unwrap();
    assert_eq!(count(&looking, "SELECT count(*) FROM due"), 0);
}

#[test]
fn what_a_damaged_file_does_not_take_stops_no_start_and_waits_for_a_mended_one() {
    let folder = TempDir::new().unwrap();
    let (mut root, mut size) = (0, 0);
    with_pen(&folder, |pen, connection| {
        write(pen, vec![awaited(1).0]);
        let of_messages = "SELECT rootpage FROM sqlite_schema WHERE name = 'messages'";
        root = usize::try_from(count(connection, of_messages)).unwrap();
        size = usize::try_from(count(connection, "PRAGMA page_size")).unwrap();
    });
    let path = folder::database(folder.path());
    let whole = std::fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[(root - 1) * size..root * size].fill(0xff);
    for (file, left) in [(damaged, 1), (whole, 0)] {
        std::fs::write(&path, file).unwrap();
        let (mut next, _) = opened(&folder);
        due::catch_up(&mut next).unwrap();
        assert_eq!(count(&next, "SELECT count(*) FROM due"), left);
    }
    let (next, _) = opened(&folder);
    assert_eq!(count(&next, "SELECT count(*) FROM messages"), 1);
}

/// Work that finds the disk full for as long as it is.
fn work_on_a_disk(is_full: &Arc<AtomicBool>) -> LateWork {
    let is_full = is_full.clone();
    LateWork::new("testing", Counted::in_count(&Arc::default()), move |_, _| {
        let full =
            rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL), None);
        match is_full.load(Ordering::Relaxed) {
            true => Err(full.into()),
            false => Ok(()),
        }
    })
}

#[test]
fn nothing_more_is_taken_in_where_what_is_late_cannot_be_written_again_and_again() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        let is_full = Arc::new(AtomicBool::new(true));
        pen.late.add(work_on_a_disk(&is_full));
        let mut accepted = 0;
        let error = loop {
            assert!(!pen.write_late() && accepted < 100);
            let (next, told) = awaited(accepted + 1);
            write(pen, vec![next]);
            match told.blocking_recv().unwrap() {
                Ok(_) => accepted += 1,
                Err(error) => break error.to_string(),
            }
        };
        assert!(accepted > 0 && error.contains("Free some space"), "{error}");
        let due = pen.late.due();
        write(pen, vec![awaited(accepted + 1).0]);
        assert_eq!(
            pen.late.due(),
            due,
            "who is refused puts the next try off no further"
        );
        let (answer, told) = oneshot::channel();
        pen.take_in(arriving(accepted + 1), Some(answer));
        assert!(told.blocking_recv().unwrap().is_err());
        is_full.store(false, Ordering::Relaxed);
        assert!(pen.write_late());
        let (next, told) = awaited(accepted + 1);
        write(pen, vec![next]);
        assert_eq!(places(told), [Some(accepted + 1)]);
        pen.write_late();
        let written = count(connection, "SELECT count(*) FROM messages");
        assert_eq!(written, i64::try_from(accepted).unwrap() + 1);
    });
}

#[test]
fn whoever_is_accepted_does_not_fail_with_a_reader_that_comes_after() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        pen.late.add(work_on_a_disk(&Arc::new(AtomicBool::new(true))));
        assert!(!pen.write_late());
        let (first, told) = awaited(1);
        write(pen, vec![first, reading()]);
        assert_eq!(places(told), [Some(1)]);
        assert_eq!(count(connection, "SELECT count(*) FROM inputs"), 1);
    });
}
