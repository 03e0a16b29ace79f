use rusqlite::types::Value;
use rusqlite::{Connection, StatementStatus};
use tempfile::TempDir;

use super::{open_to_read, open_to_write};

fn pragma(connection: &Connection, name: &str) -> Value {
    connection
        .pragma_query_value(None, name, |row| row.get(0))
        .unwrap()
}

#[test]
fn commits_wait_for_the_disk_and_keys_are_checked() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("some.db");
    std::fs::write(&path, "").unwrap();
    let connection = open_to_write(&path).unwrap();
    for (name, expected) in [
        // What no test here can see is a power cut; 2 is FULL, which syncs at every commit.
        ("synchronous", Value::Integer(2)),
        ("journal_mode", Value::Text("wal".to_owned())),
        ("foreign_keys", Value::Integer(1)),
        ("auto_vacuum", Value::Integer(2)),
        ("page_size", Value::Integer(1_024)),
        ("busy_timeout", Value::Integer(5_000)),
        ("trusted_schema", Value::Integer(0)),
    ] {
        assert_eq!(pragma(&connection, name), expected, "{name}");
    }
}

#[test]
fn a_reader_cannot_write() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("some.db");
    std::fs::write(&path, "").unwrap();
    let _writer = open_to_write(&path).unwrap();
    let reader = open_to_read(&path).unwrap();
    let refused = reader.execute("DELETE FROM settings_versions", []).unwrap_err();
    assert_eq!(refused.sqlite_error_code(), Some(rusqlite::ErrorCode::ReadOnly));
}

#[test]
fn a_statement_that_is_used_again_with_other_values_is_not_compiled_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("some.db");
    std::fs::write(&path, "").unwrap();
    let writer = open_to_write(&path).unwrap();
    let reader = open_to_read(&path).unwrap();
    for connection in [&writer, &reader] {
        for (room, limit) in [(1, 5), (2, 7), (0, 1)] {
            let mut some = connection
                .prepare_cached("SELECT seq FROM messages WHERE room = ?1 AND seq > 4 ORDER BY seq LIMIT ?2")
                .unwrap();
            assert!(!some.exists([room, limit]).unwrap());
            assert_eq!(some.get_status(StatementStatus::RePrepare), 0);
        }
    }
}
