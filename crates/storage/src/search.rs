//! Searching a room: messages that share telling words with a text, best first.
//!
//! The work is bounded whatever is asked and however much was said: at most sixteen words are looked up, each
//! gives the places of its newest messages up to a limit, and only the most promising of these are read and ranked.
//! A rare word finds messages of any age; a word that is in everything only finds recent ones, and weighs nothing.

use std::collections::BTreeMap;

use runtime::ports::StoredMessage;
use rusqlite::{Connection, params};
use vocabulary::{Message, MessageId, RoomId};

use crate::community::Key;
use crate::fault::Fault;
use crate::number::bounded;
use crate::{messages, row, words};

/// Messages in one answer at most.
const FOUND_MAX: usize = 100;
/// Places that one word gives at most, the newest.
const PLACES_PER_WORD_MAX: usize = 1_000;
/// Words that count at most: the rarest.
const WORDS_MAX: usize = 12;
/// A word in more than this share of a room's messages tells nothing, if there are others.
const COMMON_SHARE: f64 = 0.25;
/// Candidates that are read and ranked for each message wanted, and beyond those excluded.
const READ_PER_WANTED: usize = 4;
const EXCLUDED_MAX: usize = 1_000;

pub(crate) fn search(
    connection: &Connection,
    community: Key,
    room: &RoomId,
    text: &str,
    exclude: &[MessageId],
    limit: usize,
) -> Result<Vec<Message>, Fault> {
    let Some(room) = messages::find_room(connection, community, room)? else {
        return Ok(Vec::new());
    };
    let hits = look_up(connection, room, &words::worth_searching(text))?;
    let wanted = limit.min(FOUND_MAX);
    let read_max = wanted * READ_PER_WANTED + exclude.len().min(EXCLUDED_MAX);
    let mut candidates = read(connection, &most_promising(&hits, read_max))?;
    candidates.retain(|StoredMessage { message, .. }| !message.sign && !exclude.contains(&message.id));
    let mut ranked = rank(&hits, candidates);
    ranked.truncate(wanted);
    Ok(ranked.into_iter().map(|stored| stored.message).collect())
}

/// A word, where it was said, and how much it tells.
struct Hit {
    word: String,
    places: Vec<i64>,
    weight: f64,
}

fn look_up(connection: &Connection, room: i64, words: &[String]) -> Result<Vec<Hit>, Fault> {
    let total = live_messages(connection, room)?;
    // Newest first, which the index gives without sorting, so that the limit ends the work.
    let mut find = connection.prepare_cached(
        "SELECT rowid FROM messages_index WHERE messages_index MATCH ?1 ORDER BY rowid DESC LIMIT ?2",
    )?;
    let mut hits = Vec::new();
    for word in words {
        let query = format!("room : r{room} AND text : {}", words::quoted(word));
        let places = find
            .query_map(params![query, bounded(PLACES_PER_WORD_MAX, usize::MAX)], |row| {
                row.get(0)
            })?
            .collect::<Result<Vec<i64>, _>>()?;
        if !places.is_empty() {
            let share = share_of(connection, room, &places, total)?;
            hits.push((share, word.clone(), places));
        }
    }
    // Rarest first; a word that is in everything only counts where there is no better one.
    hits.sort_by(|left, right| left.0.total_cmp(&right.0));
    let telling = hits.iter().filter(|(share, ..)| *share <= COMMON_SHARE).count();
    hits.truncate(telling.clamp(1, WORDS_MAX));
    Ok(hits
        .into_iter()
        .map(|(share, word, places)| Hit {
            word,
            places,
            weight: weight(share, total),
        })
        .collect())
}

/// The share of a room's messages that hold a word; judged by the newest ones where there are many.
fn share_of(connection: &Connection, room: i64, places: &[i64], total: f64) -> Result<f64, Fault> {
    let among = match places.last() {
        Some(oldest) if places.len() == PLACES_PER_WORD_MAX => connection
            .prepare_cached(
                "SELECT count(*) FROM (SELECT 1 FROM messages
                 WHERE room = ?1 AND deleted_at IS NULL AND seq >= ?2 ORDER BY seq DESC LIMIT ?3)",
            )?
            .query_row(
                params![room, oldest, bounded(PLACES_PER_WORD_MAX * 8, usize::MAX)],
                |row| row.get::<_, f64>(0),
            )?,
        _ => total,
    };
    Ok(places.len() as f64 / among.max(places.len() as f64))
}

/// The inverse document frequency of BM25, never below zero.
fn weight(share: f64, total: f64) -> f64 {
    let holding = share * total;
    (1.0 + (total - holding + 0.5) / (holding + 0.5)).ln()
}

fn live_messages(connection: &Connection, room: i64) -> Result<f64, Fault> {
    Ok(connection
        .prepare_cached("SELECT CAST(live AS REAL) FROM rooms WHERE key = ?1")?
        .query_row([room], |row| row.get(0))?)
}

/// Places by the weight of the words they share, ties to newer ones.
fn most_promising(hits: &[Hit], most: usize) -> Vec<i64> {
    let mut weights: BTreeMap<i64, f64> = BTreeMap::new();
    for hit in hits {
        for place in &hit.places {
            *weights.entry(*place).or_default() += hit.weight;
        }
    }
    let mut places: Vec<(i64, f64)> = weights.into_iter().collect();
    places.sort_by(|left, right| right.1.total_cmp(&left.1).then(right.0.cmp(&left.0)));
    places.truncate(most);
    places.into_iter().map(|(place, _)| place).collect()
}

fn read(connection: &Connection, places: &[i64]) -> Result<Vec<StoredMessage>, Fault> {
    let columns = row::COLUMNS;
    let mut one = connection.prepare_cached(&format!(
        "SELECT {columns} FROM messages m JOIN rooms r ON r.key = m.room WHERE m.seq = ?1 AND m.deleted_at IS NULL"
    ))?;
    let mut found = Vec::with_capacity(places.len());
    for place in places {
        let mut rows = one.query([place])?;
        if let Some(row) = rows.next()? {
            found.push(row::read(row)?);
        }
    }
    Ok(found)
}

/// Orders by BM25: rare words weigh more, repetition helps ever less, and so does a word among many others.
fn rank(hits: &[Hit], candidates: Vec<StoredMessage>) -> Vec<StoredMessage> {
    const SATURATION: f64 = 1.2;
    const LENGTH_INFLUENCE: f64 = 0.75;
    let counted: Vec<(StoredMessage, BTreeMap<String, f64>, f64)> = candidates
        .into_iter()
        .map(|candidate| {
            let mut counts = BTreeMap::new();
            for word in words::split(&candidate.message.text) {
                *counts.entry(word).or_insert(0.0) += 1.0;
            }
            let length: f64 = counts.values().sum();
            (candidate, counts, length)
        })
        .collect();
    let mean = counted.iter().map(|(.., length)| length).sum::<f64>() / counted.len().max(1) as f64;
    let mut scored: Vec<(f64, StoredMessage)> = counted
        .into_iter()
        .map(|(candidate, counts, length)| {
            let damping = SATURATION * (1.0 - LENGTH_INFLUENCE + LENGTH_INFLUENCE * length / mean.max(1.0));
            let place = i64::try_from(candidate.seq).unwrap_or(i64::MAX);
            let score = hits
                .iter()
                .filter(|hit| hit.places.binary_search_by(|other| place.cmp(other)).is_ok())
                // The index also folds accents away, so a word it found may not be found in the text: it is there once.
                .map(|hit| (hit.weight, counts.get(&hit.word).copied().unwrap_or(1.0)))
                .map(|(weight, count)| weight * count * (SATURATION + 1.0) / (count + damping))
                .sum();
            (score, candidate)
        })
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0).then(right.1.seq.cmp(&left.1.seq)));
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}
