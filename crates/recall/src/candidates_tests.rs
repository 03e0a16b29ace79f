//! Candidates of a remote store are ranked as the exact search would, as far as they go.

use vocabulary::{CapturedTurn, Kinds, Reach, Viewpoint};

use super::*;
use crate::Table;
use crate::lexical::rarity;
use crate::testing::{gem, place, search, turn};

fn records() -> Vec<Record> {
    let said = [
        ("Ann", "Where did you go last summer?"),
        ("Bob", "To Lisbon with my sister, the trams were lovely."),
        ("Ann", "I stayed home and painted the fence."),
        ("Bob", "The printer is broken again."),
        ("Ann", "My sister plays the trombone."),
        ("Bob", "We should paint the kitchen as well."),
    ];
    let turns = said.iter().enumerate().map(|(place, (speaker, text))| {
        Record::Turn(CapturedTurn {
            number: place as u64 + 1,
            ..turn(&format!("t{}", place + 1), speaker, text)
        })
    });
    turns
        .chain([Record::Gem(Box::new(gem(
            "g1",
            "Bob travelled to Portugal",
            &["t2"],
        )))])
        .collect()
}

/// What a store with sparse and dense vectors would answer for these records.
fn offered(records: &[Record], words: &str) -> Vec<RecallCandidate> {
    let asked = query_terms(words);
    let having = |term: u32| {
        records
            .iter()
            .filter(|record| terms(record.text()).iter().any(|(has, _)| *has == term))
            .count()
    };
    let query = Table::builtin().embed(words);
    let candidates = records.iter().map(|record| {
        let has: BTreeMap<u32, f32> = terms(record.text()).into_iter().collect();
        let score = asked.iter().map(|(term, weight)| {
            has.get(term).copied().unwrap_or(0.0) * weight * rarity(records.len(), having(*term)) as f32
        });
        let vector = Table::builtin().embed(record.text());
        RecallCandidate {
            record: record.clone(),
            lexical: Some(score.sum()),
            dense: Some(vector.iter().zip(&query).map(|(one, other)| one * other).sum()),
        }
    });
    candidates.collect()
}

fn asked(words: &str) -> Search {
    Search {
        vector: Some(Table::builtin().embed(words)),
        kinds: Kinds::Turns,
        ..search(words)
    }
}

#[test]
fn candidates_come_in_the_order_of_the_exact_search() {
    for words in [
        "Who has a sister?",
        "painted the fence",
        "What did Bob do last summer?",
        "trombone",
    ] {
        let mut index = Index::new();
        for record in records() {
            let vector = Table::builtin().embed(record.text());
            index.put(&record, Some(&vector)).expect("all are of one length");
        }
        let exact = index.search(&asked(words)).expect("it is of the same length");
        let ranked = rank_candidates(&asked(words), offered(&records(), words));
        assert_eq!(ranked[0].id, exact[0].id, "{words}");
        assert_eq!(ranked[0].matched, exact[0].matched, "{words}");
        assert_eq!(ranked[0].through, exact[0].through, "{words}");
    }
}

#[test]
fn how_rare_words_are_is_recovered_from_the_scores_of_the_store() {
    let words = "sister trombone unicorn";
    let offered = offered(&records(), words);
    let rarities = rarities(words, offered.iter());
    let of = |word: &str| rarities[&crate::terms::hash(word)];
    assert!((of("sister") - rarity(7, 2)).abs() < 1e-3);
    assert!((of("trombon") - rarity(7, 1)).abs() < 1e-3);
    assert!(
        (of("unicorn") - rarity(7, 1)).abs() < 1e-3,
        "no candidate has it: as rare as the rarest"
    );
}

#[test]
fn candidates_out_of_view_are_dropped_and_doubles_count_once() {
    let elsewhere = Record::Turn(CapturedTurn {
        place: place("city", "lounge"),
        ..turn("secret", "Ann", "the trombone is stolen")
    });
    let mut all = records();
    all.push(elsewhere);
    let words = "trombone";
    let mut candidates = offered(&all, words);
    let mut halves = candidates.clone();
    halves.iter_mut().for_each(|candidate| candidate.dense = None);
    candidates
        .iter_mut()
        .for_each(|candidate| candidate.lexical = None);
    candidates.extend(halves);
    let search = Search {
        view: Viewpoint::Room {
            community: "town".into(),
            room: "lounge".into(),
            reach: Reach::Community,
            people: Vec::new(),
        },
        ..asked(words)
    };
    let ranked = rank_candidates(&search, candidates);
    assert_eq!(ranked[0].id, RecordId::Turn("t5".into()));
    assert!(ranked.iter().all(|hit| hit.id != RecordId::Turn("secret".into())));
    let mut ids: Vec<&RecordId> = ranked.iter().map(|hit| &hit.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), ranked.len());
    assert_eq!(ranked, rank_candidates(&search, offered(&all, words)));
}

#[test]
fn a_store_that_only_compares_meaning_or_only_words_is_ranked_as_well() {
    let words = "painting a fence";
    let mut by_meaning = offered(&records(), words);
    by_meaning
        .iter_mut()
        .for_each(|candidate| candidate.lexical = None);
    assert_eq!(
        rank_candidates(&asked(words), by_meaning)[0].id,
        RecordId::Turn("t3".into())
    );
    let mut by_words = offered(&records(), words);
    by_words.iter_mut().for_each(|candidate| candidate.dense = None);
    assert_eq!(
        rank_candidates(&asked(words), by_words)[0].id,
        RecordId::Turn("t3".into())
    );
    assert!(rank_candidates(&asked(words), Vec::new()).is_empty());
}
