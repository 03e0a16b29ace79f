//! The ranking as it is defined, written for reading: no index, no interning, everything looked up anew. Tests hold the
//! real one against it.

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::{Kinds, PersonId, Place, Record, RecordId, Search, WallTime};

use crate::dates::Day;
use crate::fuse::{Evidence, fit, importance, recency};
use crate::query::Query;
use crate::terms::{Count, Counted, counted, parts};
use crate::testing::Put;
use crate::weights::{
    ASKED_HUNDREDTHS, BM25_LENGTH, BM25_SATURATION, DATE, FIRST_PERSON, NEIGHBOUR_WORDS, SPEAKER,
    STATED_HUNDREDTHS,
};

/// A record with everything that can be said of it.
struct Known {
    id: RecordId,
    place: Place,
    person: Option<PersonId>,
    name: BTreeSet<u64>,
    day: Day,
    standing: Option<(String, u64)>,
    parts: Vec<Counted>,
    vector: Option<Vec<f64>>,
    record: Record,
}

/// Every record for which anything speaks, with its total. Nothing is told apart that says the same twice.
pub fn totals(records: &[Put], search: &Search) -> BTreeMap<RecordId, f64> {
    let mut latest: BTreeMap<RecordId, Known> = BTreeMap::new();
    for (record, vector) in records {
        latest.insert(record.id(), known(record, vector.as_deref()));
    }
    let seen = latest
        .into_values()
        .filter(|known| search.view.sees(&known.place, known.person.as_ref()));
    let (turns, gems): (Vec<Known>, Vec<Known>) =
        seen.partition(|known| matches!(known.record, Record::Turn(_)));
    let gems: Vec<Known> = gems
        .into_iter()
        .filter(|gem| search.superseded || is_current(&gem.record))
        .collect();
    let turn_fits = fits(&turns, search);
    let gem_fits = fits(&gems, search);
    let mut totals = BTreeMap::new();
    let may_return = |known: &Known| {
        let cited = cited(&known.record);
        let in_view = !cited.is_empty() && cited.iter().all(|turn| search.exclude.contains(turn));
        !in_view && search.person.is_none_or_is(known.person.as_ref())
    };
    if search.kinds != Kinds::Gems {
        for (turn, own) in turns.iter().zip(&turn_fits).filter(|(turn, _)| may_return(turn)) {
            let leading = gems.iter().zip(&gem_fits).filter(|(gem, _)| {
                cited(&gem.record)
                    .iter()
                    .any(|cited| RecordId::Turn(cited.clone()) == turn.id)
            });
            let keys = leading.map(|(_, fit)| *fit).fold(0.0, f64::max);
            totals.insert(turn.id.clone(), total(turn, *own, keys, search.now));
        }
    }
    if search.kinds != Kinds::Turns {
        for (gem, own) in gems.iter().zip(&gem_fits).filter(|(gem, _)| may_return(gem)) {
            totals.insert(gem.id.clone(), total(gem, *own, 0.0, search.now));
        }
    }
    totals.retain(|_, total| *total > 0.0);
    totals
}

trait Wanted {
    fn is_none_or_is(&self, person: Option<&PersonId>) -> bool;
}

impl Wanted for Option<PersonId> {
    fn is_none_or_is(&self, person: Option<&PersonId>) -> bool {
        self.is_none() || self.as_ref() == person
    }
}

fn known(record: &Record, vector: Option<&[f32]>) -> Known {
    let parts = parts(record.text());
    let names = |name: &str| counted(name).counts.into_keys().collect();
    let vector = vector.and_then(|vector| stepped(vector, 127.0));
    match record {
        Record::Turn(turn) => Known {
            id: record.id(),
            place: turn.place.clone(),
            person: Some(turn.speaker.id.clone()),
            name: names(&turn.speaker.name),
            day: Day::of(turn.at),
            standing: (turn.number > 0).then(|| (turn.session.to_string(), turn.number)),
            parts,
            vector,
            record: record.clone(),
        },
        Record::Gem(gem) => Known {
            id: record.id(),
            place: gem.place.clone(),
            person: gem.person.clone(),
            name: names(&gem.person_name),
            day: Day::of(gem.valid_from),
            standing: None,
            parts: parts.into_iter().map(Counted::noted).collect(),
            vector,
            record: record.clone(),
        },
    }
}

/// A unit vector after rounding to so many steps, as the index keeps them.
fn stepped(vector: &[f32], steps: f32) -> Option<Vec<f64>> {
    let largest = vector
        .iter()
        .fold(0.0_f32, |largest, value| largest.max(value.abs()));
    let row: Vec<f64> = vector
        .iter()
        .map(|value| f64::from((value / largest * steps).round()))
        .collect();
    let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
    (largest > 0.0).then(|| row.iter().map(|value| value / length).collect())
}

fn fits(records: &[Known], search: &Search) -> Vec<f64> {
    let query = Query::read(&search.words);
    let query_vector = search
        .vector
        .as_deref()
        .and_then(|vector| stepped(vector, 2_047.0));
    let count = records.len();
    let around: Vec<Vec<(usize, usize)>> = records.iter().map(|one| members(one, records)).collect();
    let counting = |distance: usize, stated: u32, asked: u32| {
        f64::from(STATED_HUNDREDTHS[distance] * stated + ASKED_HUNDREDTHS[distance] * asked) / 100.0
    };
    // What stands around a record counts for it, by what each neighbour is heard with.
    let beside = |members: &[(usize, usize)], count: &dyn Fn(&Known) -> Count| {
        let parts = members.iter().filter(|(distance, _)| *distance != 2);
        let parts = parts.map(|(distance, member)| {
            let count = count(&records[*member]);
            heard(&records[*member]) * counting(*distance, count.stated, count.asked)
        });
        parts.sum::<f64>()
    };
    let own = |count: Count| counting(2, count.stated, count.asked);
    // Every part of every record, with its length.
    let mut all: Vec<(usize, &Counted, f64)> = Vec::new();
    for (place, members) in around.iter().enumerate() {
        let around = beside(members, &length);
        for part in &records[place].parts {
            all.push((place, part, own(part.length) + around));
        }
    }
    let lengths = all.iter().map(|(_, _, length)| length);
    let average = (lengths.sum::<f64>() / all.len().max(1) as f64).max(0.01);
    let saturated = |count: f64, length: f64| {
        let damping = BM25_SATURATION * (1.0 - BM25_LENGTH + BM25_LENGTH * length / average);
        count * (BM25_SATURATION + 1.0) / (count + damping)
    };
    let mut worth = vec![0.0; all.len()];
    let mut covered = vec![0.0; count];
    let mut mass = 0.0_f64;
    for term in &query.terms {
        let called: Vec<usize> = (0..count)
            .filter(|place| records[*place].name.contains(&term.hash))
            .collect();
        if !called.is_empty() {
            called
                .iter()
                .for_each(|place| covered[*place] += SPEAKER * rarity(count, called.len()));
            continue;
        }
        let of_part = |part: &Counted| {
            let count = part.counts.get(&term.hash).copied().unwrap_or_default();
            Count {
                stated: count.stated.min(15),
                asked: count.asked.min(15),
            }
        };
        let of_record = |record: &Known| {
            let parts = record.parts.iter().map(of_part);
            parts.fold(Count::default(), |sum, part| sum + part)
        };
        let having = records
            .iter()
            .filter(|record| of_record(record).all() > 0)
            .count();
        let weight = rarity(count, having);
        mass += weight;
        for ((place, part, length), worth) in all.iter().zip(&mut worth) {
            let count = own(of_part(part)) + beside(&around[*place], &of_record);
            *worth += weight * saturated(count, *length);
        }
    }
    if query.is_first_person && !all.is_empty() {
        let silent = all.iter().filter(|(_, part, _)| part.first_person == 0).count();
        let weight = FIRST_PERSON * silent as f64 / all.len() as f64;
        for ((_, part, length), worth) in all.iter().zip(&mut worth) {
            *worth += weight * saturated(part.first_person.min(15).into(), *length);
        }
    }
    for (place, covered) in covered.iter_mut().enumerate() {
        let of_record = all.iter().zip(&worth).filter(|((of, _, _), _)| *of == place);
        *covered += of_record.map(|(_, worth)| *worth).fold(0.0, f64::max);
    }
    for part in &query.dates {
        let on_day: Vec<usize> = (0..count)
            .filter(|place| records[*place].day.has(*part))
            .collect();
        on_day
            .iter()
            .for_each(|place| covered[*place] += DATE * rarity(count, on_day.len()));
    }
    let cosines: Vec<Option<f64>> = around
        .iter()
        .map(|members| compared(members, records, query_vector.as_deref()?))
        .collect();
    let known: Vec<f64> = cosines.iter().copied().flatten().collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let mean = crate::meaning::usual_of(mean, known.len());
    let closeness =
        |cosine: Option<f64>| cosine.map_or(0.0, |cosine| (cosine - mean) / (1.0 - mean).max(f64::EPSILON));
    let covered = covered.iter().map(|covered| covered / mass.max(1.0));
    covered
        .zip(cosines)
        .map(|(covered, cosine)| fit(covered, closeness(cosine)))
        .collect()
}

/// Places of those that count for a record, with their distance: 0 is two before, 4 two after.
fn members(one: &Known, records: &[Known]) -> Vec<(usize, usize)> {
    let hash = |known: &Known| match &known.id {
        RecordId::Turn(id) => crate::terms::hash(id.as_str()),
        RecordId::Gem(_) => 0,
    };
    let same = records
        .iter()
        .filter(|other| one.standing.is_some() && other.standing == one.standing && other.place == one.place);
    let is_first = same
        .min_by_key(|other| hash(other))
        .is_some_and(|first| first.id == one.id);
    let mut members = Vec::new();
    for distance in (0..5_usize).filter(|distance| is_first || *distance == 2) {
        let at = records
            .iter()
            .enumerate()
            .filter(|(_, other)| match (&one.standing, &other.standing) {
                _ if distance == 2 => other.id == one.id,
                (Some((session, number)), Some((other_session, other_number))) => {
                    session == other_session
                        && one.place == other.place
                        && number + distance as u64 == other_number + 2
                }
                _ => false,
            });
        members.extend(
            at.min_by_key(|(_, other)| hash(other))
                .map(|(place, _)| (distance, place)),
        );
    }
    members
}

fn length(record: &Known) -> Count {
    let parts = record.parts.iter().map(|part| part.length);
    parts.fold(Count::default(), |sum, part| sum + part)
}

/// How much of what a record says its neighbours hear, in thousandths.
fn heard(record: &Known) -> f64 {
    let words = length(record).all().max(NEIGHBOUR_WORDS);
    f64::from(1_000 * NEIGHBOUR_WORDS / words) / 1_000.0
}

fn compared(members: &[(usize, usize)], records: &[Known], query: &[f64]) -> Option<f64> {
    let mut sum = vec![0.0; query.len()];
    let mut is_known = false;
    for (distance, member) in members {
        let Some(vector) = &records[*member].vector else {
            continue;
        };
        let length = length(&records[*member]);
        let asked = f64::from(length.asked) / f64::from(length.all().max(1));
        let share = (1.0 - asked) * f64::from(STATED_HUNDREDTHS[*distance])
            + asked * f64::from(ASKED_HUNDREDTHS[*distance]);
        let share = if *distance == 2 {
            share
        } else {
            share * heard(&records[*member])
        };
        sum.iter_mut()
            .zip(vector)
            .for_each(|(sum, value)| *sum += share * value);
        is_known = true;
    }
    let length = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
    let dot: f64 = sum.iter().zip(query).map(|(sum, value)| sum * value).sum();
    (is_known && length > 0.0).then(|| dot / length)
}

fn total(known: &Known, fit: f64, keys: f64, now: WallTime) -> f64 {
    let (at, is_ageless, factor) = match &known.record {
        Record::Turn(turn) => (turn.at, false, 1.0),
        Record::Gem(gem) => {
            let factor = importance(Some(gem.importance as f32), gem.strength, gem.pinned);
            (gem.last_seen_at, gem.is_ageless(), factor)
        }
    };
    let evidence = Evidence {
        fit,
        keys,
        recency: recency(at, now, is_ageless),
        importance: factor,
    };
    evidence.total()
}

fn rarity(records: usize, having: usize) -> f64 {
    let records = records.max(crate::weights::RARITY_RECORDS_MIN);
    (1.0 + (records as f64 - having as f64 + 0.5) / (having as f64 + 0.5)).ln()
}

fn is_current(record: &Record) -> bool {
    match record {
        Record::Gem(gem) => gem.is_current(),
        Record::Turn(_) => true,
    }
}

fn cited(record: &Record) -> Vec<vocabulary::TurnKey> {
    match record {
        Record::Gem(gem) => gem.source.turns.clone(),
        Record::Turn(turn) => vec![turn.id.clone()],
    }
}
