use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use mind::{Input, ShellEvent};
use runtime::ports::{Batch, Committed, MessageChange, RecordedInput, StoreError};
use rusqlite::Connection;
use tempfile::TempDir;
use tokio::sync::oneshot;
use vocabulary::{
    Author, AuthorKind, CommunityId, Message, MessageId, Moment, Now, PersonId, RoomId, WallTime,
};

use super::{Arriving, Awaited};
use crate::disk::Disk;
use crate::job::{Job, Place, Task};
use crate::late::{Counted, LATE_FOR};
use crate::pen::Pen;
use crate::pending::Pending;
use crate::{connection, due, folder};

fn local() -> CommunityId {
    CommunityId::new("local")
}

fn message(seq: u64) -> MessageChange {
    let message = Message {
        id: MessageId::new(format!("m{seq}")),
        room: RoomId::new("lobby"),
        author: Author {
            id: PersonId::new("alice"),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text: format!("the lighthouse {seq} {}", "stands there ".repeat(200)),
        at: WallTime(1),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    };
    MessageChange::Added {
        message,
        turn: None,
        ask: None,
    }
}

/// An input, and a message of the same number.
fn arriving(seq: u64) -> Arriving {
    arriving_with(seq..=seq, vec![message(seq)])
}

/// Inputs, and changes of messages because of them.
fn arriving_with(seqs: RangeInclusive<u64>, changes: Vec<MessageChange>) -> Arriving {
    let recorded = |seq| RecordedInput {
        seq,
        now: Now {
            moment: Moment(seq * 10),
            wall: WallTime(500),
        },
        stepped_before: None,
        input: Input::Shell(ShellEvent::SettingsChanged {
            version: seq,
            changed: Vec::new(),
        }),
    };
    let batch = Batch {
        inputs: seqs.map(recorded).collect(),
        changes,
        ..Batch::default()
    };
    Arriving {
        doing: "testing",
        community: local(),
        waits: Pending::default().note(&local(), &batch),
        counted: Counted::in_count(&Arc::default()),
        batch,
    }
}

type Told = oneshot::Receiver<Result<Committed, StoreError>>;

fn awaited(seq: u64) -> (Box<dyn Job>, Told) {
    awaiting(arriving(seq))
}

fn awaiting(arriving: Arriving) -> (Box<dyn Job>, Told) {
    let (answer, told) = oneshot::channel();
    (Box::new(Awaited::new(arriving, answer)), told)
}

fn reading() -> Box<dyn Job> {
    Box::new(Task {
        doing: "testing",
        place: Place::CatchUp,
        work: Some(|_: &Connection| Ok(())),
        outcome: None,
        answer: oneshot::channel().0,
    })
}

fn write(pen: &mut Pen<'_>, jobs: Vec<Box<dyn Job>>) {
    let mut group = jobs;
    while !group.is_empty() {
        let done = pen.write_group(&mut group);
        group.drain(..done).for_each(|job| job.answer());
    }
}

fn places(mut told: Told) -> Vec<Option<u64>> {
    told.try_recv().unwrap().unwrap().places
}

fn count(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn opened(folder: &TempDir) -> (Connection, std::path::PathBuf) {
    let path = folder::prepare(folder.path()).unwrap();
    (connection::open_to_write(&path).unwrap(), path)
}

fn with_pen(folder: &TempDir, work: impl FnOnce(&mut Pen<'_>, &Connection)) {
    let (connection, path) = opened(folder);
    let disk = Disk::default();
    let path: &Path = &path;
    work(&mut Pen::new(&connection, path, &disk), &connection);
}

#[test]
fn what_is_due_when_a_process_ends_is_done_by_the_next_before_anything_else() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        let (first, told) = awaited(1);
        write(pen, vec![first]);
        assert_eq!(places(told), [Some(1)]);
        pen.take_in(arriving(2), None);
        let (third, told) = awaited(3);
        write(pen, vec![third]);
        assert_eq!(places(told), [Some(3)], "the second has a place before it");
        pen.take_in(arriving(4), None);
        assert_eq!(count(connection, "SELECT count(*) FROM inputs"), 3);
        assert_eq!(count(connection, "SELECT count(*) FROM due"), 3);
        assert_eq!(count(connection, "SELECT count(*) FROM messages"), 0);
    });
    let (mut next, _) = opened(&folder);
    due::catch_up(&mut next).unwrap();
    assert_eq!(count(&next, "SELECT count(*) FROM due"), 0);
    assert_eq!(count(&next, "SELECT max(seq) FROM messages"), 3);
    assert_eq!(count(&next, "SELECT count(*) FROM messages"), 3);
    let numbers = "SELECT last_input * 10000 + last_moment * 100 + settings_version FROM communities";
    assert_eq!(count(&next, numbers), 33_003);
    let found = "SELECT count(*) FROM messages_index WHERE messages_index MATCH 'lighthouse'";
    assert_eq!(count(&next, found), 3);
}

#[test]
fn a_command_that_does_what_is_due_meanwhile_has_nothing_done_twice() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        let (first, told) = awaited(1);
        write(pen, vec![first]);
        assert_eq!(places(told), [Some(1)]);
        let (mut command, _) = opened(&folder);
        due::catch_up(&mut command).unwrap();
        assert_eq!(count(&command, "SELECT count(*) FROM messages"), 1);
        let taken_back = "UPDATE messages SET text = '', deleted_at = 7 WHERE id = 'm1'";
        assert_eq!(command.execute(taken_back, []).unwrap(), 1);
        // A row of another number than the one that is gone.
        let (second, _told) = awaited(2);
        write(pen, vec![second]);
        pen.write_late();
        assert_eq!(count(connection, "SELECT count(*) FROM messages"), 2);
        assert_eq!(count(connection, "SELECT sum(deleted_at) FROM messages"), 7);
        assert_eq!(count(connection, "SELECT count(*) FROM due"), 0);
    });
}

#[test]
fn inputs_that_are_read_and_followed_in_one_commit_are_in_it_once() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        pen.take_in(arriving(1), None);
        let (second, told) = awaited(2);
        write(pen, vec![reading(), second, reading()]);
        assert_eq!(places(told), [Some(2)]);
        assert_eq!(count(connection, "SELECT count(*) FROM inputs"), 2);
        assert_eq!(count(connection, "SELECT count(*) FROM messages"), 2);
        assert_eq!(count(connection, "SELECT count(*) FROM due"), 0);
    });
}

#[test]
fn a_batch_that_is_refused_leaves_those_before_it_as_they_were() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        pen.take_in(arriving(1), None);
        for among_others in [false, true] {
            let (refused, mut told) = awaited(3);
            let mut group = vec![refused];
            if among_others {
                group.push(awaited(2).0);
            }
            write(pen, group);
            let error = told.try_recv().unwrap().unwrap_err().to_string();
            assert!(error.contains("input 3 does not follow input 1"), "{error}");
        }
        assert_eq!(count(connection, "SELECT count(*) FROM inputs"), 2);
        pen.write_late();
        assert_eq!(count(connection, "SELECT count(*) FROM messages"), 2);
    });
}

#[test]
fn a_message_that_waits_or_is_there_is_given_no_other_place() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, _| {
        let mut again = |seq: u64| {
            let mut same = arriving(seq);
            same.batch.changes = arriving(1).batch.changes;
            let (answer, told) = oneshot::channel();
            write(pen, vec![Box::new(Awaited::new(same, answer))]);
            let told = places(told);
            if seq == 2 {
                pen.write_late();
            }
            told
        };
        assert_eq!(again(1), [Some(1)]);
        assert_eq!(again(2), [None], "it waits");
        assert_eq!(again(3), [None], "it is there");
    });
}

#[test]
fn inputs_that_nobody_waits_for_are_on_the_disk_in_time_with_one_wait_for_all_of_them() {
    let folder = TempDir::new().unwrap();
    let (mut connection, path) = opened(&folder);
    let disk = Disk::default();
    disk.watch(&mut connection).unwrap();
    let mut pen = Pen::new(&connection, &path, &disk);
    let work = || (disk.work().commits, disk.work().waits);
    let begun = Instant::now();
    pen.take_in(arriving(1), None);
    write(&mut pen, vec![reading()]);
    assert_eq!(work(), (1, 0), "whoever reads it does not wait for the disk");
    pen.settle(begun);
    assert_eq!(work(), (1, 0), "it is not time");
    pen.take_in(arriving(2), None);
    let in_time = Instant::now() + LATE_FOR;
    pen.settle(in_time);
    assert_eq!(work(), (2, 1), "what is in memory goes with it");
    pen.settle(in_time + LATE_FOR);
    assert_eq!(work(), (2, 1), "it is on the disk");
    pen.take_in(arriving(3), None);
    pen.write_late();
    write(&mut pen, vec![awaited(4).0]);
    assert_eq!(work(), (4, 2));
    pen.settle(in_time + LATE_FOR);
    assert_eq!(work(), (4, 2), "one that is waited for has them on the disk, too");
}

#[test]
fn much_that_is_late_is_written_in_pieces_so_that_whoever_waits_gets_their_turn_in_between() {
    let folder = TempDir::new().unwrap();
    with_pen(&folder, |pen, connection| {
        for seq in 1..=200 {
            pen.take_in(arriving(seq), None);
        }
        pen.write_late();
        let written = count(connection, "SELECT count(*) FROM messages");
        assert!((1..200).contains(&written), "{written}");
        assert!(pen.late.due().is_some_and(|due| due <= std::time::Instant::now()));
        let (next, told) = awaited(201);
        write(pen, vec![next]);
        assert_eq!(places(told), [Some(201)]);
        assert_eq!(count(connection, "SELECT count(*) FROM inputs"), 201);
        assert_eq!(count(connection, "SELECT count(*) FROM messages"), written);
        write(pen, vec![reading()]);
        assert_eq!(count(connection, "SELECT count(*) FROM messages"), 201);
    });
}

#[path = "late_tests.rs"]
mod late_tests;
#[path = "settle_tests.rs"]
mod settle_tests;
