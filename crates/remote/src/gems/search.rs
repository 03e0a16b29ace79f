//! A search: Qdrant offers what fits by words and what fits by meaning, with what was said around it; the ranking that
//! the embedded store has orders them.

use std::collections::BTreeMap;

use recall::RecallCandidate;
use runtime::ports::MemoryFault;
use serde_json::{Value, json};
use vocabulary::{Found, Kinds, Record, RecordId, Search};

use super::filter::{self, Filter};
use super::{QdrantGems, point};

const CANDIDATES_MIN: usize = 200;
const CANDIDATES_MAX: usize = 400;
/// Turns whose surroundings are looked at.
const SURROUNDED_MAX: usize = 48;
/// How far they reach, by turn number.
const REACH: u64 = 2;
/// Records that are looked up because of others, at most.
const FURTHER_MAX: usize = 600;

impl QdrantGems {
    pub(super) async fn find(&self, search: &Search) -> Result<Vec<Found>, MemoryFault> {
        if search.limit == 0 {
            return Ok(Vec::new());
        }
        let wanted = search
            .limit
            .saturating_mul(4)
            .saturating_add(search.exclude.len());
        let limit = wanted.clamp(CANDIDATES_MIN, CANDIDATES_MAX);
        let in_view = in_view(search);
        let asked = [
            by_meaning(search, &candidates(search, &in_view), limit),
            by_words(search, &candidates(search, &in_view), limit),
        ];
        let mut offered = Offered::default();
        self.offer(asked.into_iter().flatten().collect(), &mut offered)
            .await?;
        if let Some(further) = further(&offered, &in_view) {
            let asked = by_meaning(search, &further, FURTHER_MAX);
            // Without a vector nothing can be compared, and the records alone have to do.
            let asked = asked.unwrap_or_else(|| (Ask::Records, all_of(&further)));
            self.offer(vec![asked], &mut offered).await?;
        }
        let candidates = offered.0.values().cloned().collect();
        let hits = recall::rank_candidates(search, candidates);
        let found = hits.into_iter().filter_map(|hit| {
            Some(Found {
                record: offered.0.remove(&hit.id)?.record,
                scores: hit.scores,
                matched: hit.matched,
                through: hit.through,
            })
        });
        Ok(found.take(search.limit).collect())
    }

    async fn offer(&self, asked: Vec<(Ask, Value)>, offered: &mut Offered) -> Result<(), MemoryFault> {
        if asked.is_empty() {
            return Ok(());
        }
        let (kinds, searches): (Vec<Ask>, Vec<Value>) = asked.into_iter().unzip();
        let body = json!({"searches": searches});
        let answer = self
            .collection
            .ask("searching in Qdrant", "points/query/batch", &body)
            .await?;
        let answer = answer.unwrap_or_default();
        let lists = answer.as_array().map_or(&[][..], Vec::as_slice);
        for (kind, list) in kinds.into_iter().zip(lists) {
            for found in point::points(list) {
                let score = found["score"].as_f64().map(|score| score as f32);
                offered.take(kind, point::record(found)?, score);
            }
        }
        Ok(())
    }
}

/// What was asked, and so what a score says.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ask {
    Meaning,
    Words,
    Records,
}

#[derive(Debug, Default)]
struct Offered(BTreeMap<RecordId, RecallCandidate>);

impl Offered {
    fn take(&mut self, kind: Ask, record: Record, score: Option<f32>) {
        let candidate = self.0.entry(record.id()).or_insert(RecallCandidate {
            record,
            lexical: None,
            dense: None,
        });
        match kind {
            Ask::Meaning => candidate.dense = score,
            Ask::Words => candidate.lexical = score,
            Ask::Records => {}
        }
    }
}

/// Everything the search may look at.
fn in_view(search: &Search) -> Filter {
    let filter = Filter::records().seen_from(&search.view);
    filter.and_some((!search.superseded).then(|| filter::is("current", true)))
}

/// What it may bring up, or be led on by.
fn candidates(search: &Search, in_view: &Filter) -> Filter {
    let person = search.person.as_ref();
    let filter = in_view
        .clone()
        .and_some(person.map(|person| filter::is("person", person.as_str())));
    match search.kinds {
        Kinds::Gems => filter.and(filter::is("kind", "gem")),
        // Gems lead to the turns they were made of.
        Kinds::Turns | Kinds::Both => filter,
    }
}

fn by_meaning(search: &Search, filter: &Filter, limit: usize) -> Option<(Ask, Value)> {
    let vector = search.vector.as_ref().filter(|vector| !vector.is_empty())?;
    let asked = json!({"query": vector, "filter": filter.json(), "limit": limit, "with_payload": true});
    Some((Ask::Meaning, asked))
}

fn by_words(search: &Search, filter: &Filter, limit: usize) -> Option<(Ask, Value)> {
    let (indices, values): (Vec<u32>, Vec<f32>) = recall::query_terms(&search.words).into_iter().unzip();
    if indices.is_empty() {
        return None;
    }
    let query = json!({"indices": indices, "values": values});
    let asked = json!({
        "query": query, "using": point::WORDS, "filter": filter.json(), "limit": limit, "with_payload": true,
    });
    Some((Ask::Words, asked))
}

/// A query without a vector answers with whatever the filter leaves.
fn all_of(filter: &Filter) -> Value {
    json!({"filter": filter.json(), "limit": FURTHER_MAX, "with_payload": true})
}

/// What stands around the turns that were offered, the turns that gems were made of, and whatever was offered by its
/// words alone, for what it means.
fn further(offered: &Offered, in_view: &Filter) -> Option<Filter> {
    let greatest = |score: fn(&RecallCandidate) -> Option<f32>| {
        let scores = offered.0.values().filter_map(score);
        scores.fold(f32::EPSILON, f32::max)
    };
    let (lexical, dense) = (greatest(|it| it.lexical), greatest(|it| it.dense));
    let strength =
        |it: &RecallCandidate| it.lexical.unwrap_or(0.0) / lexical + it.dense.unwrap_or(0.0) / dense;
    let mut best: Vec<&RecallCandidate> = offered.0.values().collect();
    best.sort_by(|one, other| strength(other).total_cmp(&strength(one)));
    let mut filter = in_view.clone();
    let mut wanted = Vec::new();
    let mut surrounded = 0;
    for candidate in best {
        match &candidate.record {
            Record::Turn(turn) if turn.number > 0 && surrounded < SURROUNDED_MAX => {
                surrounded += 1;
                let numbers = json!({"gte": turn.number.saturating_sub(REACH), "lte": turn.number.saturating_add(REACH)});
                let around = [
                    filter::is("session", turn.session.as_str()),
                    json!({"key": "number", "range": numbers}),
                ];
                filter = filter.or(json!({"must": around}));
            }
            Record::Turn(_) => {}
            Record::Gem(gem) => wanted.extend(gem.source.turns.iter().cloned().map(RecordId::Turn)),
        }
        if candidate.dense.is_none() {
            wanted.push(candidate.record.id());
        }
    }
    wanted.truncate(FURTHER_MAX);
    if surrounded == 0 && wanted.is_empty() {
        return None;
    }
    Some(if wanted.is_empty() {
        filter
    } else {
        filter.or(filter::has_ids(&wanted))
    })
}
