use runtime::ports::StoreError;
use rusqlite::Connection;
use tempfile::TempDir;

use super::{MIGRATIONS, bring_up_to_date, refuse_any_other, refuse_foreign};
use crate::fault::Fault;

const FIRST: &str =
    "PRAGMA application_id = 0x44454E5A; CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('kept');";
const SECOND: &str = "ALTER TABLE notes ADD COLUMN length INTEGER; UPDATE notes SET length = length(text);";
const BROKEN: &str = "CREATE TABLE half (a TEXT); INSERT INTO nowhere VALUES (1);";

fn database(folder: &TempDir) -> Connection {
    Connection::open(folder.path().join("some.db")).unwrap()
}

fn version(connection: &Connection) -> i64 {
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

#[test]
fn an_older_database_takes_only_the_steps_it_lacks() {
    let folder = TempDir::new().unwrap();
    bring_up_to_date(&mut database(&folder), &[FIRST]).unwrap();
    let mut later = database(&folder);
    bring_up_to_date(&mut later, &[FIRST, SECOND]).unwrap();
    let kept: (String, i64) = later
        .query_row("SELECT text, length FROM notes", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    assert_eq!((kept, version(&later)), (("kept".to_owned(), 4), 2));
}

#[test]
fn a_step_that_fails_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let mut connection = database(&folder);
    assert!(matches!(
        bring_up_to_date(&mut connection, &[FIRST, BROKEN]),
        Err(Fault::Sql(_))
    ));
    let half: i64 = connection
        .query_row(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'half'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!((half, version(&connection)), (0, 1));
}

#[test]
fn a_newer_schema_is_refused_untouched() {
    let folder = TempDir::new().unwrap();
    bring_up_to_date(&mut database(&folder), &[FIRST, SECOND]).unwrap();
    let mut connection = database(&folder);
    for refused in [
        bring_up_to_date(&mut connection, &[FIRST]),
        refuse_any_other(&connection, &[FIRST]),
    ] {
        assert!(matches!(
            refused,
            Err(Fault::Refused(StoreError::TooNew { found: 2, known: 1 }))
        ));
    }
    assert_eq!(version(&connection), 2);
}

#[test]
fn a_reader_asks_for_the_server_when_the_schema_is_old() {
    let folder = TempDir::new().unwrap();
    let mut connection = database(&folder);
    bring_up_to_date(&mut connection, &[FIRST]).unwrap();
    let Err(Fault::Told(detail)) = refuse_any_other(&connection, &[FIRST, SECOND]) else {
        panic!("an old schema was taken for a new one");
    };
    assert!(
        detail.contains("schema 1") && detail.contains("Start the server once"),
        "{detail}"
    );
}

#[test]
fn two_that_open_at_once_take_each_step_once() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("some.db");
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| {
                let mut connection = Connection::open(&path).unwrap();
                connection
                    .busy_timeout(std::time::Duration::from_secs(20))
                    .unwrap();
                bring_up_to_date(&mut connection, &[FIRST, SECOND]).unwrap();
            });
        }
    });
    let rows: i64 = database(&folder)
        .query_row("SELECT count(*) FROM notes", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 1);
}

#[test]
fn another_programs_database_is_refused() {
    let folder = TempDir::new().unwrap();
    let connection = database(&folder);
    connection.execute_batch("CREATE TABLE theirs (a TEXT)").unwrap();
    assert!(matches!(refuse_foreign(&connection), Err(Fault::Told(_))));
    connection.pragma_update(None, "user_version", 7).unwrap();
    assert!(matches!(refuse_foreign(&connection), Err(Fault::Told(_))));
}

#[test]
fn the_schema_of_today_holds_together() {
    let folder = TempDir::new().unwrap();
    let mut connection = database(&folder);
    bring_up_to_date(&mut connection, MIGRATIONS).unwrap();
    refuse_any_other(&connection, MIGRATIONS).unwrap();
    let verdict: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(verdict, "ok");
}
