use rusqlite::{Connection, StatementStatus};
use vocabulary::PersonId;

use super::{NEXT_NAME, NEXT_PERSON, people};
use crate::community::Key;
use crate::migrate::{MIGRATIONS, bring_up_to_date};

#[test]
fn who_has_written_is_found_by_steps_in_an_index_and_without_what_they_wrote() {
    let mut connection = Connection::open_in_memory().unwrap();
    bring_up_to_date(&mut connection, MIGRATIONS).unwrap();
    let authors = "('local:alice', 'Alice', 'person'), ('local:alice', 'ALICE', 'person'),
        ('denizen', 'Denizen', 'denizen'), ('local:bob', 'Bob', 'person')";
    let written = format!(
        "INSERT INTO communities (key, id) VALUES (1, 'local'), (2, 'club');
        INSERT INTO rooms (key, community, id) VALUES (1, 1, 'lounge'), (2, 2, 'lounge');
        WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500),
             author (id, name, kind) AS (VALUES {authors})
        INSERT INTO messages (community, id, room, author_id, author_name, author_kind, text, at, mentions, attachments)
        SELECT 1, author.id || author.name || n, 1, author.id, author.name, author.kind, 'hello', n, '[]', '[]'
        FROM n, author;
        INSERT INTO messages (community, id, room, author_id, author_name, author_kind, text, at, mentions, attachments)
        VALUES (2, 'x', 2, 'club:zoe', 'Zoe', 'person', 'hello', 1, '[]', '[]');"
    );
    connection.execute_batch(&written).unwrap();
    let found: Vec<(PersonId, String)> = people(&connection, Key(1))
        .unwrap()
        .into_iter()
        .map(|author| (author.id, author.name))
        .collect();
    let expected = [
        ("local:alice", "ALICE"),
        ("local:alice", "Alice"),
        ("local:bob", "Bob"),
    ];
    assert_eq!(
        found,
        expected.map(|(id, name)| (PersonId::from(id), name.to_owned()))
    );
    let steps: i32 = [NEXT_NAME, NEXT_PERSON]
        .map(|next| {
            let next = connection.prepare_cached(next).unwrap();
            next.get_status(StatementStatus::VmStep)
        })
        .iter()
        .sum();
    assert!(
        (1..400).contains(&steps),
        "{steps} steps for 2,000 messages of four names"
    );
}
