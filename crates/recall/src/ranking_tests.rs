//! What ranking does, rule by rule, in worlds of a few records.

use vocabulary::{CapturedTurn, Gem, GemId, Kinds, Record, RecordId, Search, TurnKey, Viewpoint, WallTime};

use crate::testing::{DAY_MS, NOW, gem, place, search, turn};
use crate::{Hit, Index, RecallFault, Table};

pub fn index(turns: Vec<CapturedTurn>, gems: Vec<Gem>) -> Index {
    let mut index = Index::new();
    let gems = gems.into_iter().map(|gem| Record::Gem(Box::new(gem)));
    for record in turns.into_iter().map(Record::Turn).chain(gems) {
        let vector = Table::builtin().embed(record.text());
        index
            .put(&record, Some(&vector))
            .expect("the table's vectors are of one length");
    }
    index
}

fn by_words_and_meaning(words: &str) -> Search {
    Search {
        vector: Some(Table::builtin().embed(words)),
        ..search(words)
    }
}

pub fn find(index: &Index, search: &Search) -> Vec<Hit> {
    index
        .search(search)
        .expect("the table's vectors are of one length")
}

/// The ids of what is found, in order.
fn found(index: &Index, search: &Search) -> Vec<String> {
    let ids = find(index, search).into_iter().map(|hit| match hit.id {
        RecordId::Turn(id) => id.to_string(),
        RecordId::Gem(id) => id.to_string(),
    });
    ids.collect()
}

/// Turns of one conversation, one after the other.
pub fn conversation(said: &[(&str, &str)]) -> Vec<CapturedTurn> {
    let turns = said
        .iter()
        .enumerate()
        .map(|(place, (speaker, text))| CapturedTurn {
            number: place as u64 + 1,
            ..turn(&format!("t{}", place + 1), speaker, text)
        });
    turns.collect()
}

#[test]
fn a_question_leads_to_its_answer() {
    let index = index(
        conversation(&[
            ("Ann", "Morning!"),
            ("Ann", "Where did you spend the summer holidays?"),
            ("Bob", "Lisbon, mostly on a balcony."),
            ("Ann", "Lovely."),
            ("Bob", "Anyway, the printer is broken."),
        ]),
        Vec::new(),
    );
    let hits = find(&index, &by_words_and_meaning("summer holidays"));
    let ids: Vec<&RecordId> = hits.iter().map(|hit| &hit.id).take(2).collect();
    assert!(ids.contains(&&RecordId::Turn(TurnKey::from("t3"))), "{hits:#?}");
    let answer = hits
        .iter()
        .find(|hit| hit.id == RecordId::Turn("t3".into()))
        .expect("it was found");
    assert!(answer.matched.is_empty() && answer.scores.lexical == 0.0 && answer.scores.surroundings > 0.0);
}

#[test]
fn a_name_asks_for_who_spoke_and_not_for_who_was_named() {
    let index = index(
        vec![
            turn("named", "Ann", "Bob, did the parcel arrive?"),
            turn("spoke", "Bob", "The parcel arrived on Monday."),
            turn("other", "Ann", "The parcel arrived, I think."),
        ],
        Vec::new(),
    );
    let hits = find(&index, &search("What did Bob say about the parcel?"));
    assert_eq!(hits[0].id, RecordId::Turn("spoke".into()));
    assert_eq!(hits[0].matched, ["bob", "parcel"]);
}

#[test]
fn a_date_finds_what_was_said_then() {
    let on = |id: &str, day: &str| CapturedTurn {
        at: vocabulary::rfc3339::parse(day).expect("a day"),
        ..turn(id, "Ann", "We had a picnic")
    };
    let index = index(
        vec![
            on("may", "2023-05-08"),
            on("june", "2023-06-08"),
            on("other", "2022-05-01"),
        ],
        Vec::new(),
    );
    assert_eq!(found(&index, &search("picnic 8 May 2023"))[0], "may");
    assert_eq!(found(&index, &search("picnic in June"))[0], "june");
    assert_eq!(found(&index, &search("picnic 2022"))[0], "other");
}

#[test]
fn a_gem_lifts_the_turns_it_came_from_and_is_named_as_the_way_to_them() {
    let index = index(
        vec![
            turn("t1", "Bob", "Yes, a little one, she is called Quill"),
            turn("t2", "Bob", "Yes, a tall one, it is oak"),
        ],
        vec![
            gem("pet", "Bob keeps a hedgehog", &["t1"]),
            gem("other", "Bob likes rain", &["t2"]),
        ],
    );
    let turns = Search {
        kinds: Kinds::Turns,
        ..by_words_and_meaning("hedgehog")
    };
    let hits = find(&index, &turns);
    assert_eq!(hits[0].id, RecordId::Turn("t1".into()));
    assert_eq!(hits[0].through[0], GemId::from("pet"));
    assert!(hits[0].scores.keys > 0.0);
    assert!(hits.iter().all(|hit| matches!(hit.id, RecordId::Turn(_))));
}

#[test]
fn a_gem_and_its_turn_are_told_once_unless_the_second_says_more() {
    let index = index(
        vec![
            turn("told", "Bob", "I keep a hedgehog"),
            turn("more", "Bob", "A hedgehog from the Lisbon shelter"),
        ],
        vec![
            gem("one", "Bob has a hedgehog", &["told"]),
            gem("two", "Bob adopted a hedgehog", &["more"]),
        ],
    );
    let ids = found(&index, &by_words_and_meaning("hedgehog"));
    assert_eq!(ids.len(), 2, "one of each pair: {ids:?}");
    let ids = found(&index, &by_words_and_meaning("hedgehog Lisbon"));
    assert!(ids.contains(&"more".to_owned()), "{ids:?}");
    assert_eq!(
        ids.iter()
            .filter(|id| ["one", "told"].contains(&id.as_str()))
            .count(),
        1,
        "{ids:?}"
    );
    let gems = Search {
        kinds: Kinds::Gems,
        ..by_words_and_meaning("hedgehog")
    };
    assert_eq!(found(&index, &gems).len(), 2);
}

#[test]
fn what_does_not_hold_any_more_is_found_only_when_asked_for() {
    let old = Gem {
        superseded_by: Some("new".into()),
        ..gem("old", "Bob lives in Porto", &[])
    };
    let index = index(Vec::new(), vec![old, gem("new", "Bob lives in Lisbon", &[])]);
    assert_eq!(found(&index, &search("where does bob live")), ["new"]);
    let all = Search {
        superseded: true,
        ..search("where does bob live")
    };
    assert_eq!(found(&index, &all).len(), 2);
}

#[test]
fn what_is_in_view_anyway_is_left_out() {
    let index = index(
        vec![
            turn("t1", "Bob", "a hedgehog"),
            turn("t2", "Bob", "the hedgehog again"),
        ],
        vec![
            gem("g1", "Bob keeps a hedgehog", &["t1"]),
            gem("g2", "hedgehog food is bought", &["t1", "t2"]),
        ],
    );
    let search = Search {
        exclude: vec!["t1".into()],
        ..search("hedgehog")
    };
    let ids = found(&index, &search);
    assert!(
        !ids.contains(&"t1".to_owned()) && !ids.contains(&"g1".to_owned()),
        "{ids:?}"
    );
    assert!(
        ids.contains(&"g2".to_owned()) || ids.contains(&"t2".to_owned()),
        "{ids:?}"
    );
}

#[test]
fn one_persons_records_can_be_asked_for() {
    let mut about = gem("about", "likes tea", &[]);
    about.person = Some("bob".into());
    let index = index(
        vec![turn("t1", "Bob", "tea please"), turn("t2", "Ann", "tea please")],
        vec![about],
    );
    let theirs = Search {
        person: Some("bob".into()),
        ..search("tea")
    };
    let mut ids = found(&index, &theirs);
    ids.sort();
    assert_eq!(ids, ["about", "t1"]);
    let nobody = Search {
        person: Some("zoe".into()),
        ..search("tea")
    };
    assert!(found(&index, &nobody).is_empty());
}

#[test]
fn of_equals_the_newer_the_more_important_and_the_pinned_come_first() {
    let aged = |id: &str, days: i64| Gem {
        last_seen_at: WallTime(NOW.0 - days * DAY_MS),
        ..gem(id, "Bob likes green tea", &[])
    };
    let old_and_pinned = Gem {
        pinned: true,
        ..aged("pinned", 700)
    };
    let repeated = Gem {
        strength: 4,
        ..aged("repeated", 10)
    };
    let important = Gem {
        importance: 1.0,
        ..aged("important", 10)
    };
    let index = index(
        Vec::new(),
        vec![
            aged("old", 700),
            aged("new", 10),
            important,
            repeated,
            old_and_pinned,
        ],
    );
    assert_eq!(
        found(&index, &search("green tea")),
        ["pinned", "important", "repeated", "new", "old"]
    );
    let hits = find(&index, &search("green tea"));
    assert_eq!(hits[0].scores.recency, 1.0, "what is pinned does not age");
    assert!(hits[4].scores.recency < hits[3].scores.recency);
}

#[test]
fn age_never_hides_an_old_answer() {
    let old = CapturedTurn {
        at: WallTime(NOW.0 - 3_000 * DAY_MS),
        ..turn("old", "Ann", "The door code is 4711")
    };
    let index = index(
        vec![old, turn("new", "Ann", "Somebody left the door open")],
        Vec::new(),
    );
    assert_eq!(found(&index, &search("what is the door code"))[0], "old");
}

#[test]
fn meaning_finds_what_shares_no_word() {
    let index = index(
        vec![
            turn("pet", "Ann", "We adopted a puppy"),
            turn("car", "Ann", "The engine needs oil"),
            turn("work", "Ann", "The meeting was moved"),
        ],
        Vec::new(),
    );
    assert_eq!(found(&index, &by_words_and_meaning("dogs"))[0], "pet");
    assert!(found(&index, &search("dogs")).is_empty(), "words alone do not");
}

#[test]
fn a_find_is_sure_when_rare_words_agree_and_unsure_when_only_common_ones_do() {
    let mut turns: Vec<CapturedTurn> = (0..200)
        .map(|number| turn(&format!("t{number}"), "Ann", "well that was nice and good"))
        .collect();
    turns.push(turn(
        "fact",
        "Ann",
        "The trombone rehearsal is in the Lisbon chapel",
    ));
    let index = index(turns, Vec::new());
    let confidence = |words: &str| find(&index, &by_words_and_meaning(words))[0].scores.confidence;
    assert!(confidence("where is the trombone rehearsal?") > 0.8);
    assert!(
        confidence("that was nice") < 0.4,
        "{}",
        confidence("that was nice")
    );
    assert!(confidence("that was nice") < confidence("chapel"));
}

#[test]
fn nothing_is_found_in_nothing_and_for_nothing() {
    assert!(found(&Index::new(), &by_words_and_meaning("hedgehog")).is_empty());
    let index = index(vec![turn("t1", "Ann", "a hedgehog")], Vec::new());
    for words in ["", "?", "of the", "zebra"] {
        assert!(found(&index, &search(words)).is_empty(), "{words}");
    }
    let nothing = Search {
        limit: 0,
        ..search("hedgehog")
    };
    assert!(found(&index, &nothing).is_empty());
}

#[test]
fn a_vector_of_another_embedder_is_refused_until_vectors_are_cleared() {
    let mut index = index(
        vec![turn("t1", "Ann", "a hedgehog")],
        vec![gem("g1", "a hedgehog", &["t1"])],
    );
    let held = Table::builtin().dimensions();
    let other = Search {
        vector: Some(vec![1.0, 0.0]),
        ..search("hedgehog")
    };
    let refused = RecallFault::Dimensions { held, given: 2 };
    assert_eq!(index.search(&other), Err(refused));
    let record = Record::Turn(turn("t2", "Ann", "a hedgehog"));
    assert_eq!(index.put(&record, Some(&[1.0, 0.0])), Err(refused));
    assert!(refused.to_string().contains("clear the vectors"));
    index.clear_vectors();
    assert_eq!(index.dimensions(), None);
    assert_eq!(
        found(&index, &search("hedgehog")).len(),
        1,
        "records stay and are found by their words"
    );
    index
        .put(&record, Some(&[1.0, 0.0]))
        .expect("there are no others now");
    assert_eq!(index.dimensions(), Some(2));
    assert!(found(&index, &other).contains(&"t2".to_owned()));
}

#[test]
fn the_index_tells_how_much_room_it_takes_and_gives_it_back() {
    let mut index = Index::new();
    let put = |index: &mut Index, number: usize| {
        let turn = CapturedTurn {
            place: place("town", &format!("room-{number}")),
            ..turn(
                &format!("t{number}"),
                &format!("Person{number}"),
                &format!("word{number} and more"),
            )
        };
        let vector = Table::builtin().embed(&turn.text);
        index
            .put(&Record::Turn(turn), Some(&vector))
            .expect("the table's vectors are of one length");
    };
    put(&mut index, 0);
    let small = index.bytes();
    (1..1_000).for_each(|number| put(&mut index, number));
    let large = index.bytes();
    assert!(large > small + 999 * Table::builtin().dimensions());
    assert!(large < 1_000 * 2_000, "{large} bytes for a thousand short turns");
    for number in 1..1_000 {
        assert!(index.remove(&RecordId::Turn(TurnKey::new(format!("t{number}")))));
    }
    index.tidy();
    assert_eq!(index.len(), 1);
    assert!(index.bytes() < small * 2, "{} of {small}", index.bytes());
    assert_eq!(found(&index, &search("word0")), ["t0"]);
    assert!(matches!(search("").view, Viewpoint::Operator));
}
