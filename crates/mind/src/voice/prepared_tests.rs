use vocabulary::{Moment, PersonId, RecallId, Span};

use super::{GOOD_FOR, Prepared, Slot, letters};
use crate::input::Recollection;

fn looked_up(person: &str, words: &str) -> Slot {
    Slot {
        person: PersonId::from(person),
        recall: RecallId(7),
        started: Moment(1_000),
        letters: letters(words),
        found: None,
    }
}

fn prepared() -> Prepared {
    Prepared {
        slots: vec![
            looked_up("alice", "hey Denizen can you"),
            looked_up("bob", "Denizen, where is the car"),
        ],
        newest: Moment(1_000),
    }
}

#[test]
fn what_was_looked_up_for_the_beginning_of_a_question_is_not_taken_for_its_end() {
    let now = Moment(2_000);
    let mut prepared = prepared();
    let alice = PersonId::from("alice");
    let taken = prepared.take(&alice, "Hey Denizen, can you tell me where the keys are?", now);
    assert!(taken.is_none());
    let bob = PersonId::from("bob");
    let taken = prepared.take(&bob, "Denizen where is the car now?", now);
    assert_eq!(taken, Some(Err((RecallId(7), Moment(1_000)))));
}

#[test]
fn what_was_found_for_one_is_kept_while_another_speaks_and_goes_when_they_begin_anew() {
    let mut prepared = prepared();
    let (alice, bob) = (PersonId::from("alice"), PersonId::from("bob"));
    prepared.drop_for(&alice);
    assert!(
        prepared
            .take(&alice, "hey Denizen can you", Moment(2_000))
            .is_none()
    );
    prepared.recalled(RecallId(7), None);
    let found = prepared.take(&bob, "Denizen, where is the car?", Moment(2_000));
    assert_eq!(found, Some(Ok(Recollection::default())));
}

#[test]
fn what_was_looked_up_long_ago_is_not_taken() {
    let late = Moment(1_000) + GOOD_FOR + Span(1);
    let bob = PersonId::from("bob");
    assert!(prepared().take(&bob, "Denizen, where is the car", late).is_none());
}
