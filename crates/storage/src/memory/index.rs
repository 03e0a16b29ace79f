//! The index in memory: built from the tables, searched, and what it finds read from the tables.

use recall::{Hit, Index};
use rusqlite::Connection;
use vocabulary::{Found, Record, Search};

use super::records;
use crate::fault::Fault;

/// Building says how far it is every so many records.
const PROGRESS_EVERY: usize = 20_000;

/// Builds the index of everything in the tables.
pub(crate) fn build(connection: &Connection) -> Result<Index, Fault> {
    let mut index = Index::new();
    let mut taken = 0_usize;
    let unreadable = records::each(connection, |record, vector| {
        put(&mut index, &record, vector.as_deref().unwrap_or_default());
        taken += 1;
        if taken.is_multiple_of(PROGRESS_EVERY) {
            tracing::info!(records = taken, "building the index of memory");
        }
    })?;
    if taken > PROGRESS_EVERY {
        tracing::info!(
            records = taken,
            bytes = index.bytes(),
            "the index of memory is built"
        );
    }
    if unreadable > 0 {
        tracing::warn!(
            unreadable,
            "records of memory are of another version and cannot be found"
        );
    }
    Ok(index)
}

/// Takes a record in; one whose vector does not fit is found by its words alone.
pub(crate) fn put(index: &mut Index, record: &Record, vector: &[f32]) {
    let taken = match vector {
        [] => index.put(record, None),
        vector => index.put(record, Some(vector)).or_else(|error| {
            tracing::warn!(id = ?record.id(), %error, "a record of memory can be found by its words only");
            index.put(record, None)
        }),
    };
    if let Err(error) = taken {
        tracing::error!(id = ?record.id(), %error, "a record of memory cannot be found");
    }
}

/// What was found, as it is in the tables, best first.
pub(crate) fn read(connection: &Connection, search: &Search, hits: Vec<Hit>) -> Result<Vec<Found>, Fault> {
    let mut found = Vec::with_capacity(hits.len());
    for hit in hits {
        // It may have been forgotten, or have become private, since the index was asked.
        let record = records::get(connection, &[hit.id])?.pop();
        found.extend(
            record
                .filter(|record| may_be_seen(record, search))
                .map(|record| Found {
                    record,
                    scores: hit.scores,
                    matched: hit.matched,
                    through: hit.through,
                }),
        );
    }
    Ok(found)
}

fn may_be_seen(record: &Record, search: &Search) -> bool {
    match record {
        Record::Gem(gem) => search.view.sees(&gem.place, gem.person.as_ref()),
        Record::Turn(turn) => search.view.sees(&turn.place, Some(&turn.speaker.id)),
    }
}
