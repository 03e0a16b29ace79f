use runtime::ports::Listing;
use rusqlite::{Connection, params};
use vocabulary::CommunityId;

use super::{GEMS, gems, statement};
use crate::migrate::{MIGRATIONS, bring_up_to_date};

#[test]
fn gems_that_do_not_age_are_found_without_reading_the_others() {
    let mut connection = Connection::open_in_memory().unwrap();
    bring_up_to_date(&mut connection, MIGRATIONS).unwrap();
    let listing = Listing {
        community: Some(CommunityId::home()),
        current_only: true,
        ageless_only: true,
        limit: 100,
        ..Listing::default()
    };
    let sql = format!("EXPLAIN QUERY PLAN {}", statement(&GEMS, &listing, None));
    let nothing = rusqlite::types::Null;
    let plan: String = connection
        .query_row(
            &sql,
            params![nothing, nothing, nothing, nothing, nothing, nothing, nothing],
            |row| row.get(3),
        )
        .unwrap();
    assert!(plan.contains("memory_gems_lasting (community=?)"), "{plan}");
    // A row that is no JSON is no reason to stop, nor is one that only speaks of it.
    let damaged = r#"{"content": "{\"standing\":true}"#;
    for (id, gem) in [("g1", damaged), ("g2", "{}")] {
        connection
            .execute(
                "INSERT INTO memory_gems (id, community, room, session, created_at, is_current, gem)
                 VALUES (?1, 'local', 'lounge', 's', 1, 1, ?2)",
                [id, gem],
            )
            .unwrap();
    }
    assert!(gems(&connection, &listing, None).unwrap().items.is_empty());
}
