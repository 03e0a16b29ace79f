//! Properties of every search, over random worlds, and against the definition.

use proptest::prelude::*;
use vocabulary::{Gem, Record, WallTime};

use super::*;
use crate::reference;
use crate::testing::{DAY_MS, DIMENSIONS, NOW, Put, any_put, any_search, gem, search, turn};

fn index_of(records: &[Put]) -> Index {
    let mut index = Index::new();
    for (record, vector) in records {
        index
            .put(record, vector.as_deref())
            .expect("all vectors are of one length");
    }
    index
}

fn records() -> impl Strategy<Value = Vec<Put>> {
    prop::collection::vec(any_put(), 0..40)
}

/// The last of each id, and so in no order that any of them was put in.
fn last_of_each(records: &[Put]) -> BTreeMap<RecordId, Put> {
    let put = records
        .iter()
        .map(|(record, vector)| (record.id(), (record.clone(), vector.clone())));
    put.collect()
}

fn found(index: &Index, search: &Search) -> Vec<Hit> {
    index.search(search).expect("all vectors are of one length")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_index_ranks_as_the_definition_says(records in records(), search in any_search()) {
        let search = Search { limit: 1_000, ..search };
        let totals = reference::totals(&records, &search);
        let hits = found(&index_of(&records), &search);
        for hit in &hits {
            let expected = totals.get(&hit.id).copied().unwrap_or(0.0);
            prop_assert!((hit.scores.total - expected).abs() < 1e-3, "{:?}: {} is not {expected}", hit.id, hit.scores.total);
        }
        prop_assert!(hits.is_sorted_by(|one, other| one.scores.total >= other.scores.total));
        if search.kinds != Kinds::Both {
            let missing = totals.iter().filter(|(id, total)| **total > 1e-3 && !hits.iter().any(|hit| hit.id == **id));
            prop_assert_eq!(missing.count(), 0);
        }
    }

    #[test]
    fn by_words_alone_it_does_so_exactly(records in records(), search in any_search()) {
        let search = Search { limit: 1_000, vector: None, ..search };
        let totals = reference::totals(&records, &search);
        for hit in found(&index_of(&records), &search) {
            let expected = totals.get(&hit.id).copied().unwrap_or(0.0);
            prop_assert!((hit.scores.total - expected).abs() < 1e-9, "{:?}: {} is not {expected}", hit.id, hit.scores.total);
        }
    }

    #[test]
    fn what_is_out_of_view_is_neither_found_nor_felt(records in records(), search in any_search()) {
        let sees = |record: &Record| match record {
            Record::Turn(turn) => search.view.sees(&turn.place, Some(&turn.speaker.id)),
            Record::Gem(gem) => search.view.sees(&gem.place, gem.person.as_ref()),
        };
        let all = last_of_each(&records);
        let in_view: Vec<Put> = all.values().filter(|(record, _)| sees(record)).cloned().collect();
        let hits = found(&index_of(&records), &search);
        prop_assert!(hits.iter().all(|hit| sees(&all[&hit.id].0)));
        prop_assert_eq!(hits, found(&index_of(&in_view), &search));
    }

    #[test]
    fn the_order_in_which_records_came_makes_no_difference(records in records(), search in any_search(), turned in any::<prop::sample::Index>()) {
        let each: Vec<Put> = last_of_each(&records).into_values().collect();
        let mut other: Vec<Put> = each.iter().rev().cloned().collect();
        if !other.is_empty() {
            let by = turned.index(other.len());
            other.rotate_left(by);
        }
        let expected = found(&index_of(&each), &search);
        prop_assert_eq!(&found(&index_of(&other), &search), &expected);
        prop_assert_eq!(&found(&index_of(&records), &search), &expected, "nor does what was replaced");
    }

    #[test]
    fn what_was_removed_is_neither_found_nor_felt(records in records(), removed in prop::collection::vec(any::<prop::sample::Index>(), 0..10), search in any_search(), tidied in any::<bool>()) {
        let mut index = index_of(&records);
        let mut left = last_of_each(&records);
        for removed in removed.iter().filter(|_| !records.is_empty()) {
            let id = records[removed.index(records.len())].0.id();
            prop_assert_eq!(index.remove(&id), left.remove(&id).is_some());
        }
        if tidied {
            index.tidy();
        }
        let left: Vec<Put> = left.into_values().collect();
        prop_assert_eq!(index.len(), left.len());
        prop_assert_eq!(found(&index, &search), found(&index_of(&left), &search));
    }

    #[test]
    fn a_smaller_limit_gives_the_beginning_of_the_same(records in records(), search in any_search()) {
        let all = found(&index_of(&records), &Search { limit: 1_000, ..search.clone() });
        let some = found(&index_of(&records), &search);
        prop_assert!(some.len() <= search.limit);
        prop_assert_eq!(&some[..], &all[..some.len()]);
        prop_assert_eq!(some.len(), all.len().min(search.limit));
    }

    #[test]
    fn scores_are_what_they_say(records in records(), search in any_search()) {
        for hit in found(&index_of(&records), &search) {
            let scores = hit.scores;
            let sum = scores.lexical + scores.surroundings + scores.dense + scores.keys;
            prop_assert!((sum * scores.recency * scores.importance - scores.total).abs() < 1e-9);
            prop_assert!((0.0..=1.0).contains(&scores.confidence));
            prop_assert!(FACTOR_RANGE.contains(&(scores.recency * scores.importance)));
            prop_assert!(hit.through.len() <= THROUGH_MAX && (hit.through.is_empty() || matches!(hit.id, RecordId::Turn(_))));
        }
    }
}

/// More records than a search looks at closely, of all ages and importances, many of which tell the same twice.
fn crowd() -> Vec<Put> {
    let mut records = Vec::new();
    for number in 0..600_u32 {
        let key = format!("turn-{number}");
        let text = ["dog", "dog lake", "lake", "paint dog", "the dog camping lake"][number as usize % 5];
        let days = i64::from(number * 7 % 500);
        records.push((Record::Turn(turn(&key, "Ann", text)), None));
        let gem = Gem {
            importance: f64::from(number * 13 % 100) / 100.0,
            pinned: number % 50 == 7,
            last_seen_at: WallTime(NOW.0 - days * DAY_MS),
            ..gem(&format!("gem-{number}"), text, &[&key])
        };
        records.push((Record::Gem(Box::new(gem)), None));
    }
    records
}

#[test]
fn in_a_crowd_as_well_a_smaller_limit_gives_the_beginning_of_the_same() {
    let records = crowd();
    let index = index_of(&records);
    for kinds in [Kinds::Both, Kinds::Gems, Kinds::Turns] {
        let search = Search {
            kinds,
            limit: 5_000,
            ..search("dog lake")
        };
        let all = found(&index, &search);
        for limit in [1, 2, 7, 40, 150] {
            let some = found(
                &index,
                &Search {
                    limit,
                    ..search.clone()
                },
            );
            assert_eq!(some, all[..limit], "{kinds:?} {limit}");
        }
    }
}

#[test]
fn a_lone_record_is_found_by_its_meaning_alone() {
    let mut vector = vec![0.0; DIMENSIONS];
    vector[0] = 1.0;
    let mut far = vec![0.0; DIMENSIONS];
    far[1] = 1.0;
    let records = [
        Record::Turn(turn("t1", "Ann", "dog")),
        Record::Gem(Box::new(gem("g1", "lake", &[]))),
    ];
    for record in &records {
        let mut index = Index::new();
        index.put(record, Some(&vector)).expect("it fits");
        let by = |vector: &[f32]| Search {
            vector: Some(vector.to_vec()),
            ..search("unheard")
        };
        let hits = found(&index, &by(&vector));
        assert_eq!(hits.len(), 1, "{:?}", record.id());
        assert!(hits[0].scores.dense > 0.0);
        assert!(found(&index, &by(&far)).is_empty(), "what is far off is no find");
    }
}

#[test]
fn in_a_memory_of_three_gems_an_exact_question_is_sure() {
    let mut index = Index::new();
    let gems = [
        ("g1", "Alice is allergic to walnuts."),
        ("g2", "Bob plays the cello."),
        ("g3", "Alice's favourite colour is green."),
    ];
    for (id, content) in gems {
        let gem = gem(id, content, &[]);
        let vector = crate::Table::builtin().embed(content);
        index
            .put(&Record::Gem(Box::new(gem)), Some(&vector))
            .expect("it fits");
    }
    let ask = |words: &str| {
        let vector = Some(crate::Table::builtin().embed(words));
        found(
            &index,
            &Search {
                vector,
                ..search(words)
            },
        )
    };
    let hits = ask("what is Alice allergic to?");
    assert_eq!(hits[0].id, RecordId::Gem("g1".into()));
    assert!(hits[0].scores.confidence >= 0.4, "{:?}", hits[0].scores);
    let strange = ask("when does the train to Vienna leave?");
    assert!(
        strange.iter().all(|hit| hit.scores.confidence < 0.4),
        "{strange:?}"
    );
}
