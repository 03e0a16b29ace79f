//! Listings, newest first, page by page. A page goes on after a place in time, so that what comes meanwhile neither
//! repeats nor hides anything.

use runtime::ports::{Listing, Page};
use rusqlite::{Connection, params};
use serde::de::DeserializeOwned;
use vocabulary::{CapturedTurn, Gem};

use super::records;
use crate::fault::Fault;
use crate::number::bounded;

/// Records on one page at most.
const PAGE_MAX: usize = 1_000;

/// A table that can be listed.
struct Shelf {
    table: &'static str,
    document: &'static str,
    at: &'static str,
    person: &'static str,
    /// What leaves out records that do not hold any more.
    current: &'static str,
    /// What leaves out records that age; an index holds exactly those.
    ageless: &'static str,
}

const GEMS: Shelf = Shelf {
    table: "memory_gems",
    document: "gem",
    at: "created_at",
    person: "person",
    current: "is_current",
    ageless: "(instr(gem, '\"standing\":true') OR instr(gem, '\"pinned\":true'))",
};
const TURNS: Shelf = Shelf {
    table: "memory_turns",
    document: "turn",
    at: "at",
    person: "speaker",
    current: "TRUE",
    ageless: "TRUE",
};

/// Where a page ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PagePosition {
    at: i64,
    key: i64,
}

impl PagePosition {
    /// Reads what the page before gave as `next`.
    pub fn read(after: &str) -> Option<Self> {
        let (at, key) = after.split_once('.')?;
        Some(Self {
            at: at.parse().ok()?,
            key: key.parse().ok()?,
        })
    }
}

pub(crate) fn gems(
    connection: &Connection,
    listing: &Listing,
    after: Option<PagePosition>,
) -> Result<Page<Gem>, Fault> {
    page(connection, &GEMS, listing, after)
}

pub(crate) fn turns(
    connection: &Connection,
    listing: &Listing,
    after: Option<PagePosition>,
) -> Result<Page<CapturedTurn>, Fault> {
    page(connection, &TURNS, listing, after)
}

fn every(wanted: bool, condition: &str) -> String {
    if wanted { condition } else { "TRUE" }.to_owned()
}

/// What reads a page, with seven values.
fn statement(shelf: &Shelf, listing: &Listing, after: Option<PagePosition>) -> String {
    let Shelf {
        table,
        document,
        at,
        person,
        ..
    } = shelf;
    // Only conditions that are asked for are in the statement, so that each finds its index.
    let only = |wanted: bool, condition: String, number: usize| match wanted {
        true => condition,
        false => format!("?{number} IS NULL"),
    };
    let conditions = [
        only(listing.community.is_some(), "community = ?1".to_owned(), 1),
        only(listing.room.is_some(), "room = ?2".to_owned(), 2),
        only(listing.person.is_some(), format!("{person} = ?3"), 3),
        only(listing.session.is_some(), "session = ?4".to_owned(), 4),
        only(after.is_some(), format!("({at}, key) < (?5, ?6)"), 5),
        every(listing.current_only, shelf.current),
        every(listing.ageless_only, shelf.ageless),
    ];
    let conditions = conditions.join(" AND ");
    format!(
        "SELECT {document}, {at}, key FROM {table} WHERE {conditions} ORDER BY {at} DESC, key DESC LIMIT ?7"
    )
}

fn page<T: DeserializeOwned>(
    connection: &Connection,
    shelf: &Shelf,
    listing: &Listing,
    after: Option<PagePosition>,
) -> Result<Page<T>, Fault> {
    let mut some = connection.prepare_cached(&statement(shelf, listing, after))?;
    let limit = listing.limit.clamp(1, PAGE_MAX);
    let mut rows = some.query(params![
        listing.community.as_ref().map(|it| it.as_str()),
        listing.room.as_ref().map(|it| it.as_str()),
        listing.person.as_ref().map(|it| it.as_str()),
        listing.session.as_ref().map(|it| it.as_str()),
        after.map(|place| place.at),
        after.map_or(0, |place| place.key),
        bounded(limit + 1, PAGE_MAX + 1),
    ])?;
    let mut items = Vec::new();
    let mut last = None;
    while let Some(row) = rows.next()? {
        if items.len() == limit {
            return Ok(Page { items, next: last });
        }
        items.push(records::parsed(row, 0, "a record")?);
        last = Some(format!("{}.{}", row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
    }
    Ok(Page { items, next: None })
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod listing_tests;
