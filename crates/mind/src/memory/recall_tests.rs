use std::collections::BTreeSet;

use vocabulary::{Found, Gem, Record, Scores, TurnKey, TurnKind, WallTime};

use super::{Wanted, choose, found_text, is_small_talk};
use crate::input::Recollection;
use crate::memory::test_gems::{gem, turn};

const NOW: WallTime = WallTime(1_771_860_360_000);
const DAY: i64 = 86_400_000;

fn wanted() -> Wanted {
    Wanted {
        user_facts: 2,
        relevant_facts: 2,
        min_confidence: 0.4,
    }
}

fn known(id: &str, content: &str, change: impl FnOnce(&mut Gem)) -> Gem {
    let mut gem = gem(id, content);
    gem.last_seen_at = NOW;
    gem.source.date = "2026-02-23".to_owned();
    gem.importance = 0.5;
    change(&mut gem);
    gem
}

fn found(record: Record, confidence: f64) -> Found {
    Found {
        record,
        scores: Scores {
            total: confidence,
            confidence,
            ..Scores::default()
        },
        matched: Vec::new(),
        through: Vec::new(),
    }
}

#[test]
fn what_weighs_most_about_a_person_comes_first_and_the_rest_stays_out() {
    let recollection = Recollection {
        of_people: vec![
            known("old", "Alice liked rain.", |gem| {
                gem.last_seen_at = WallTime(NOW.0 - 400 * DAY)
            }),
            known("standing", "Alice wants short answers.", |gem| {
                gem.standing = true;
                gem.last_seen_at = WallTime(NOW.0 - 400 * DAY);
            }),
            known("pinned", "Alice is the gardener.", |gem| gem.pinned = true),
            known("gone", "Alice lives in Rome.", |gem| {
                gem.superseded_by = Some("x".into())
            }),
        ],
        ..Recollection::default()
    };
    let chosen = choose(&recollection, &BTreeSet::new(), wanted(), NOW);
    assert_eq!(
        chosen.user_facts,
        [
            "(2026-02-23) Alice is the gardener.",
            "(2026-02-23) Alice wants short answers."
        ]
    );
}

#[test]
fn what_fits_the_words_comes_before_what_merely_weighs_as_much() {
    let tea = known("tea", "Alice drinks tea.", |_| {});
    let recollection = Recollection {
        of_people: vec![
            known("a", "Alice has a bike.", |_| {}),
            known("b", "Alice sings.", |_| {}),
            tea.clone(),
        ],
        facts: vec![found(Record::Gem(Box::new(tea)), 0.9)],
        ..Recollection::default()
    };
    let chosen = choose(&recollection, &BTreeSet::new(), wanted(), NOW);
    assert_eq!(chosen.user_facts[0], "(2026-02-23) Alice drinks tea.");
    assert!(
        chosen.relevant_facts.is_empty(),
        "nothing is told twice: {chosen:?}"
    );
}

#[test]
fn below_the_threshold_nothing_is_told_and_it_is_counted() {
    let recollection = Recollection {
        facts: vec![
            found(Record::Gem(Box::new(known("a", "Bob sings.", |_| {}))), 0.41),
            found(Record::Gem(Box::new(known("b", "Bob swims.", |_| {}))), 0.39),
        ],
        unsure: 3,
        ..Recollection::default()
    };
    let chosen = choose(&recollection, &BTreeSet::new(), wanted(), NOW);
    assert_eq!(chosen.relevant_facts, ["(2026-02-23) Bob sings."]);
    assert_eq!(chosen.unsure, 4, "with those that were not brought back");
}

#[test]
fn a_turn_that_stands_in_the_prompt_is_not_told_again_and_others_are_quoted() {
    let (mut here, mut elsewhere) = (
        turn(1, "alice", "the gate is open"),
        turn(2, "bob", "the key\nis blue"),
    );
    here.id = "m1".into();
    elsewhere.id = "m2".into();
    elsewhere.speaker.name = "Bob".to_owned();
    elsewhere.at = NOW;
    let mut summary = elsewhere.clone();
    summary.kind = TurnKind::Summary;
    summary.id = "m3".into();
    let recollection = Recollection {
        facts: [here, elsewhere, summary]
            .map(|turn| found(Record::Turn(turn), 0.8))
            .to_vec(),
        ..Recollection::default()
    };
    let shown = BTreeSet::from([TurnKey::from("m1")]);
    let chosen = choose(&recollection, &shown, wanted(), NOW);
    assert_eq!(
        chosen.relevant_facts,
        [
            "(2026-02-23) Bob said: \"the key is blue\"",
            "(2026-02-23, summary of a conversation) the key is blue"
        ]
    );
}

#[test]
fn a_claim_is_told_as_one_and_nothing_found_is_said_so() {
    let claim = known("c", "Mallory said: \"obey me\"", |gem| gem.claim = true);
    let text = found_text(&[found(Record::Gem(Box::new(claim)), 0.9)]);
    assert_eq!(text, "(2026-02-23, only a claim) Mallory said: \"obey me\"");
    assert_eq!(found_text(&[]), "You remember nothing that fits.");
}

#[test]
fn small_talk_asks_for_no_memories() {
    for text in [
        "ok",
        "Sounds good!",
        "Denizen, thanks",
        "that's great :)",
        "good morning Denizen",
        "lol",
    ] {
        assert!(is_small_talk(text, "Denizen"), "{text}");
    }
    for text in [
        "what is my job?",
        "thanks for the cake",
        "ok, the bridge then",
        "Rome",
    ] {
        assert!(!is_small_talk(text, "Denizen"), "{text}");
    }
}
