use mind::Recollection;
use vocabulary::{Author, AuthorKind, CapturedTurn, Found, Place, Record, Scores, TurnKind, WallTime};

use super::{count_unsure, rounded};

fn turn(id: &str, confidence: f64) -> Found {
    let turn = CapturedTurn {
        id: id.into(),
        place: Place {
            community: "local".into(),
            room: "lounge".into(),
            private: false,
        },
        session: "s".into(),
        number: 1,
        speaker: Author {
            id: "alice".into(),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        kind: TurnKind::Typed,
        text: "words".to_owned(),
        at: WallTime(0),
    };
    Found {
        record: Record::Turn(turn),
        scores: Scores {
            confidence,
            ..Scores::default()
        },
        matched: Vec::new(),
        through: Vec::new(),
    }
}

#[test]
fn turns_that_are_not_sure_enough_are_counted_and_not_brought_back() {
    let mut found = Recollection {
        facts: vec![turn("a", 0.4), turn("b", 0.39), turn("c", 0.9), turn("d", 0.0)],
        ..Recollection::default()
    };
    count_unsure(&mut found, &"local".into(), 0.4);
    let confidences: Vec<f64> = found.facts.iter().map(|fact| fact.scores.confidence).collect();
    assert_eq!((confidences, found.unsure), (vec![0.4, 0.9], 2));
    count_unsure(&mut found, &"local".into(), 0.0);
    assert_eq!(found.facts.len(), 2, "who asks for all of them gets all");
}

#[test]
fn scores_are_kept_to_five_digits() {
    let score = Scores {
        total: 0.513_262_618_828_227,
        confidence: 0.399_999,
        ..Scores::default()
    };
    let rounded = rounded(&score);
    assert_eq!((rounded.total, rounded.confidence), (0.513_26, 0.4));
}
