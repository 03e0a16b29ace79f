//! Long texts are found by their best part, hardly speak for their neighbours, and who asks about themselves is understood.

use vocabulary::RecordId;

use crate::Hit;
use crate::ranking_tests::{conversation, find, index};
use crate::testing::{search, turn};

#[test]
fn a_long_answer_is_found_by_its_best_part() {
    let filler = |word: &str| {
        format!("Then there is the {word}, which is another matter altogether and needs some thought. ")
            .repeat(6)
    };
    let scattered = format!(
        "Take the lighthouse road. {} {} Paint dries slowly. {} Ask for keys.",
        filler("garden"),
        filler("kettle"),
        filler("carpet")
    );
    let together = format!(
        "{} The paint of the lighthouse keys is blue. {} {}",
        filler("garden"),
        filler("kettle"),
        filler("carpet")
    );
    let index = index(
        vec![
            turn("scattered", "Ann", &scattered),
            turn("together", "Ann", &together),
        ],
        Vec::new(),
    );
    let hits = find(&index, &search("paint lighthouse keys"));
    assert_eq!(hits[0].id, RecordId::Turn("together".into()));
    assert!(
        hits[0].scores.total > 1.4 * hits[1].scores.total,
        "where the words stand together tells: {hits:#?}"
    );
}

#[test]
fn a_long_neighbour_does_not_speak_for_a_short_turn() {
    let more = "There is also much else to be seen there by people who like to walk. ".repeat(20);
    let lecture = format!("The harbour has cranes. {more}");
    let beside = |text: &str| {
        let turns = conversation(&[("Ann", text), ("Bob", "Good to know.")]);
        let index = index(turns, Vec::new());
        let hits = find(&index, &search("harbour"));
        let hit = hits.into_iter().find(|hit| hit.id == RecordId::Turn("t2".into()));
        hit.map_or(0.0, |hit| hit.scores.surroundings)
    };
    assert!(beside(&lecture) < beside("The harbour has cranes."));
}

#[test]
fn who_asks_about_themselves_finds_what_somebody_said_of_themselves() {
    let index = index(
        vec![
            turn(
                "advice",
                "Helper",
                "Shampoo brand reviews: every brand of shampoo has fans.",
            ),
            turn(
                "told",
                "Ann",
                "I bought my usual shampoo, the brand with lavender, yesterday.",
            ),
            turn("more", "Helper", "A brand is a promise."),
        ],
        Vec::new(),
    );
    let hits = find(&index, &search("Which brand of shampoo do I use?"));
    assert_eq!(hits[0].id, RecordId::Turn("told".into()));
    let other = find(&index, &search("Which brand of shampoo has fans?"));
    assert_eq!(other[0].id, RecordId::Turn("advice".into()));
    let sure = |hits: &[Hit]| hits[0].scores.confidence;
    let without = find(&index, &search("which brand of shampoo do they use?"));
    let told = without.iter().find(|hit| hit.id == RecordId::Turn("told".into()));
    let told = told.expect("it has the words");
    assert!(
        (sure(&hits) - told.scores.confidence).abs() < 1e-9,
        "saying I makes nothing surer"
    );
}
