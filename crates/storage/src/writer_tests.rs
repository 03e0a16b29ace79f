use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::Writer;
use crate::community::Numbers;
use crate::disk::Disk;
use crate::fault::Fault;
use crate::job::{Job, Place, Task};
use crate::late::{Counted, LateWork};
use crate::pen::Pen;

fn database(folder: &TempDir) -> (Connection, PathBuf) {
    let path = folder.path().join("some.db");
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; CREATE TABLE notes (number INTEGER PRIMARY KEY, filler BLOB);
             CREATE TABLE due (number INTEGER PRIMARY KEY)",
        )
        .unwrap();
    (connection, path)
}

fn numbers(path: &Path) -> Vec<i64> {
    let connection = Connection::open(path).unwrap();
    let mut all = connection
        .prepare("SELECT number FROM notes ORDER BY number")
        .unwrap();
    all.query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

fn insert(connection: &Connection, number: i64, bytes: usize) -> Result<i64, Fault> {
    connection.execute(
        "INSERT INTO notes VALUES (?1, zeroblob(?2))",
        (number, bytes as i64),
    )?;
    Ok(number)
}

#[tokio::test]
async fn writes_that_come_at_once_are_each_whole_or_nothing() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let writer = Arc::new(Writer::start(connection, path.clone()).unwrap());
    let tasks: Vec<_> = (0..300_i64)
        .map(|number| {
            let writer = writer.clone();
            tokio::spawn(async move {
                writer
                    .write("testing", move |connection| {
                        insert(connection, number, 1)?;
                        // Every third one fails after it wrote something.
                        insert(
                            connection,
                            if number % 3 == 0 { number } else { number + 1_000 },
                            1,
                        )
                    })
                    .await
            })
        })
        .collect();
    let mut expected = Vec::new();
    for (number, task) in (0_i64..).zip(tasks) {
        assert_eq!(task.await.unwrap().is_ok(), number % 3 != 0);
        if number % 3 != 0 {
            expected.extend([number, number + 1_000]);
        }
    }
    expected.sort_unstable();
    assert_eq!(numbers(&path), expected);
}

#[test]
fn what_a_full_disk_takes_back_is_never_called_done() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let pages: i64 = connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    connection
        .pragma_update_and_check(None, "max_page_count", pages + 20, |_| Ok(()))
        .unwrap();
    let mut answers = Vec::new();
    let mut group: Vec<Box<dyn Job>> = Vec::new();
    for number in 0..4_i64 {
        let (answer, result) = oneshot::channel();
        // The third is larger than the disk.
        let bytes = if number == 2 { 1 << 20 } else { 100 };
        group.push(Box::new(Task {
            doing: "testing",
            place: Place::InOrder,
            work: Some(move |connection: &Connection| insert(connection, number, bytes)),
            outcome: None,
            answer,
        }));
        answers.push(result);
    }
    let disk = Disk::default();
    let mut pen = Pen::new(&connection, &path, &disk);
    while !group.is_empty() {
        let done = pen.write_group(&mut group);
        group.drain(..done).for_each(|job| job.answer());
    }
    let mut acknowledged = Vec::new();
    for (number, mut answer) in (0_i64..).zip(answers) {
        match answer.try_recv().unwrap() {
            Ok(written) => acknowledged.push(written),
            Err(error) if number == 2 => {
                assert!(error.to_string().contains("Free some space"), "{error}");
            }
            Err(_) => {}
        }
    }
    assert_eq!(numbers(&path), acknowledged);
    assert!(acknowledged.contains(&3) && !acknowledged.contains(&2));
}

#[tokio::test]
async fn a_commit_that_fails_fails_for_everybody_in_it() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    connection
        .execute_batch(
            "PRAGMA foreign_keys = ON;
             CREATE TABLE children (parent INTEGER REFERENCES notes (number) DEFERRABLE INITIALLY DEFERRED)",
        )
        .unwrap();
    let mut group: Vec<Box<dyn Job>> = Vec::new();
    let mut answers = Vec::new();
    for orphan in [false, true] {
        let (answer, result) = oneshot::channel();
        group.push(Box::new(Task {
            doing: "testing",
            place: Place::InOrder,
            // An orphan is noticed by the commit only.
            work: Some(move |connection: &Connection| {
                if orphan {
                    connection.execute("INSERT INTO children VALUES (77)", [])?;
                }
                insert(connection, i64::from(orphan), 1)
            }),
            outcome: None,
            answer,
        }));
        answers.push(result);
    }
    let disk = Disk::default();
    let mut pen = Pen::new(&connection, &path, &disk);
    assert_eq!(pen.write_group(&mut group), 2);
    group.into_iter().for_each(|job| job.answer());
    for answer in answers {
        assert!(answer.await.unwrap().is_err());
    }
    assert!(numbers(&path).is_empty() && connection.is_autocommit());
}

#[tokio::test]
async fn everything_that_waits_is_written_before_the_writer_is_gone() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let writer = Writer::start(connection, path.clone()).unwrap();
    for number in 0..50 {
        let mut writing = Box::pin(writer.write("testing", move |connection| insert(connection, number, 1)));
        // Polled once, so that it is queued; then nobody waits for it any more.
        poll_once(&mut writing).await;
    }
    drop(writer);
    assert_eq!(numbers(&path), (0..50).collect::<Vec<i64>>());
}

async fn poll_once<F: Future + Unpin>(future: &mut F) {
    std::future::poll_fn(|context| {
        let _ = std::pin::Pin::new(&mut *future).poll(context);
        std::task::Poll::Ready(())
    })
    .await;
}

#[tokio::test]
async fn a_write_that_panics_is_an_error_for_its_caller_and_those_after() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let writer = Writer::start(connection, path.clone()).unwrap();
    let first = writer
        .write("testing", |_| -> Result<(), Fault> { panic!("on purpose") })
        .await;
    assert!(first.unwrap_err().to_string().contains("Start Denizen again"));
    let second = writer
        .write("testing", |connection| insert(connection, 1, 1))
        .await;
    assert!(second.is_err());
    assert!(numbers(&path).is_empty());
}

#[tokio::test]
async fn tidying_among_writes_is_done_between_them_and_outside_a_transaction() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let writer = Arc::new(Writer::start(connection, path.clone()).unwrap());
    let tasks: Vec<_> = (0..60_i64)
        .map(|number| {
            let writer = writer.clone();
            tokio::spawn(async move {
                if number % 5 == 0 {
                    let tidied = writer.tidy("testing", |connection| Ok(connection.is_autocommit()));
                    assert!(tidied.await.unwrap());
                } else {
                    let written = writer.write("testing", move |connection| insert(connection, number, 1));
                    written.await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(numbers(&path).len(), 48);
}

/// Work that inserts a number late.
fn late(
    number: i64,
    bytes: usize,
) -> impl Fn(&Connection, &mut Numbers) -> Result<(), Fault> + Send + 'static {
    move |connection, _| insert(connection, number, bytes).map(|_| ())
}

#[tokio::test]
async fn what_is_late_is_written_in_its_order_before_whoever_wants_to_see_it() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let writer = Writer::start(connection, path.clone()).unwrap();
    let waits = writer.disk().work().waits;
    for number in 1..=3 {
        writer.write_late("testing", late(number, 1)).await.unwrap();
    }
    writer.catch_up("testing").await.unwrap();
    assert_eq!(numbers(&path), [1, 2, 3]);
    assert_eq!(writer.disk().work().waits, waits, "nobody waited for the disk");
    writer.write_late("testing", late(4, 1)).await.unwrap();
    let after = writer.write("testing", |connection| {
        Ok(connection.query_row("SELECT max(number) FROM notes", [], |row| row.get::<_, i64>(0))?)
    });
    assert_eq!(after.await.unwrap(), 4, "what is in order comes after it");
    assert_eq!(writer.disk().work().waits, waits + 1);
}

#[tokio::test]
async fn what_is_done_again_where_it_is_lost_is_in_the_file_at_once_and_waits_for_no_disk() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let writer = Writer::start(connection, path.clone()).unwrap();
    let before = writer.disk().work();
    let in_order = writer.write_unwaited("testing", |connection| insert(connection, 1, 1));
    in_order.await.unwrap();
    assert_eq!(numbers(&path), [1], "a killed process has it");
    let after = writer.disk().work();
    assert_eq!((after.commits - before.commits, after.waits), (1, before.waits));
    // With one that is waited for, all of it is on the disk.
    let waited = writer.write("testing", |connection| insert(connection, 2, 1));
    waited.await.unwrap();
    assert_eq!(writer.disk().work().waits, before.waits + 1);
}

#[tokio::test]
async fn what_is_late_is_there_in_the_end_and_what_can_never_be_written_holds_nothing_up() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let writer = Writer::start(connection, path.clone()).unwrap();
    for number in [1, 1, 2] {
        writer.write_late("testing", late(number, 1)).await.unwrap();
    }
    drop(writer);
    assert_eq!(numbers(&path), [1, 2]);
}

#[test]
fn what_is_late_is_tried_again_after_the_disk_took_nothing() {
    let folder = TempDir::new().unwrap();
    let (connection, path) = database(&folder);
    let disk = Disk::default();
    let mut pen = Pen::new(&connection, &path, &disk);
    let pages = |more: i64| {
        let pages: i64 = connection
            .pragma_query_value(None, "page_count", |row| row.get(0))
            .unwrap();
        connection
            .pragma_update_and_check(None, "max_page_count", pages + more, |_| Ok(()))
            .unwrap();
    };
    pages(2);
    for number in 1..=2 {
        let counted = Counted::in_count(&Arc::default());
        pen.late
            .add(LateWork::new("testing", counted, late(number, 100_000)));
    }
    pen.write_late();
    assert!(numbers(&path).is_empty() && !pen.late.is_empty());
    pages(1_000);
    pen.write_late();
    assert_eq!(numbers(&path), [1, 2]);
    assert!(pen.late.is_empty());
}
