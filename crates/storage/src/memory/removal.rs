//! Forgetting gems and turns: which ones go, and what becomes of gems that came from others as well.

use std::collections::BTreeSet;

use runtime::ports::{Embedded, Removed};
use rusqlite::{Connection, OptionalExtension, Params, params};
use vocabulary::{CommunityId, Forget, Gem, GemId, Record, TurnKey};

use super::{records, vector};
use crate::fault::Fault;

/// What was removed, and the gems that were changed because turns they came from went.
#[derive(Debug, Default)]
pub(crate) struct Removal {
    pub removed: Removed,
    pub changed: Vec<Embedded>,
}

/// Removes what is to be forgotten. Whenever turns go, gems that came from nothing else go with them, and others cite
/// only the turns that stay.
pub(crate) fn forget(connection: &Connection, what: &Forget) -> Result<Removal, Fault> {
    let (mut gems, turns) = meant(connection, what)?;
    let mut citing = BTreeSet::new();
    for turn in &turns {
        citing.extend(ids(
            connection,
            "SELECT g.id FROM memory_gem_turns t JOIN memory_gems g ON g.key = t.gem WHERE t.turn = ?1",
            [turn.as_str()],
        )?);
    }
    let mut removal = Removal::default();
    for id in citing.difference(&gems.clone()) {
        let Some(mut gem) = gem(connection, id)? else {
            continue;
        };
        if let Record::Gem(gem) = &mut gem.record {
            gem.source.turns.retain(|turn| !turns.contains(turn.as_str()));
            if gem.source.turns.is_empty() {
                gems.insert(id.clone());
                continue;
            }
        }
        records::put(connection, &gem)?;
        removal.changed.push(gem);
    }
    for id in gems {
        if delete(connection, "DELETE FROM memory_gems WHERE id = ?1", &id)? {
            removal.removed.gems.push(GemId::new(id));
        }
    }
    for id in turns {
        if delete(connection, "DELETE FROM memory_turns WHERE id = ?1", &id)? {
            removal.removed.turns.push(TurnKey::new(id));
        }
    }
    Ok(removal)
}

type Ids = BTreeSet<String>;

/// The gems and turns that a wish names.
fn meant(connection: &Connection, what: &Forget) -> Result<(Ids, Ids), Fault> {
    Ok(match what {
        Forget::Person {
            person,
            name,
            community,
        } => {
            let only = community.as_ref().map(CommunityId::as_str);
            let values = params![person.as_str(), only];
            let mut gems = ids(
                connection,
                "SELECT id FROM memory_gems WHERE person = ?1 AND (?2 IS NULL OR community = ?2)",
                values,
            )?;
            gems.extend(about_somebody_called(connection, name, only)?);
            let turns = ids(
                connection,
                "SELECT id FROM memory_turns WHERE speaker = ?1 AND (?2 IS NULL OR community = ?2)",
                values,
            )?;
            (gems, turns)
        }
        Forget::Gems(gems) => {
            let mut turns = Ids::new();
            for gem in gems {
                turns.extend(ids(
                    connection,
                    "SELECT t.turn FROM memory_gem_turns t JOIN memory_gems g ON g.key = t.gem WHERE g.id = ?1",
                    [gem.as_str()],
                )?);
            }
            (gems.iter().map(ToString::to_string).collect(), turns)
        }
        Forget::Turns(turns) => (Ids::new(), turns.iter().map(ToString::to_string).collect()),
        Forget::Session(session) => (
            ids(
                connection,
                "SELECT id FROM memory_gems WHERE session = ?1",
                [session.as_str()],
            )?,
            ids(
                connection,
                "SELECT id FROM memory_turns WHERE session = ?1",
                [session.as_str()],
            )?,
        ),
        Forget::Community(community) => (
            ids(
                connection,
                "SELECT id FROM memory_gems WHERE community = ?1",
                [community.as_str()],
            )?,
            ids(
                connection,
                "SELECT id FROM memory_turns WHERE community = ?1",
                [community.as_str()],
            )?,
        ),
        Forget::Room { community, room } => {
            let values = [community.as_str(), room.as_str()];
            (
                ids(
                    connection,
                    "SELECT id FROM memory_gems WHERE community = ?1 AND room = ?2",
                    values,
                )?,
                ids(
                    connection,
                    "SELECT id FROM memory_turns WHERE community = ?1 AND room = ?2",
                    values,
                )?,
            )
        }
    })
}

/// Gems about somebody who is known by name alone.
fn about_somebody_called(connection: &Connection, name: &str, community: Option<&str>) -> Result<Ids, Fault> {
    let name = name.trim().to_lowercase();
    let mut some = connection.prepare_cached(
        "SELECT gem FROM memory_gems WHERE person IS NULL AND (?1 IS NULL OR community = ?1)",
    )?;
    let mut rows = some.query([community])?;
    let mut found = Ids::new();
    while let Some(row) = rows.next()? {
        let gem: Gem = records::parsed(row, 0, "a gem")?;
        if !name.is_empty() && gem.person_name.trim().to_lowercase() == name {
            found.insert(gem.gem_id.to_string());
        }
    }
    Ok(found)
}

fn gem(connection: &Connection, id: &str) -> Result<Option<Embedded>, Fault> {
    let mut one = connection.prepare_cached("SELECT gem, vector FROM memory_gems WHERE id = ?1")?;
    let found = one.query_row([id], |row| {
        let bytes = row.get_ref(1)?.as_blob_or_null()?;
        let vector = bytes.map(vector::read).unwrap_or_default();
        Ok(records::read_gem(row, 0).map(|record| Embedded { record, vector }))
    });
    found.optional()?.transpose()
}

fn ids(connection: &Connection, sql: &str, values: impl Params) -> Result<Ids, Fault> {
    let mut some = connection.prepare_cached(sql)?;
    let rows = some.query_map(values, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn delete(connection: &Connection, sql: &str, id: &str) -> Result<bool, Fault> {
    Ok(connection.prepare_cached(sql)?.execute([id])? > 0)
}
