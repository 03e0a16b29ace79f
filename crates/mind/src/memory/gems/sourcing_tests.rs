use vocabulary::CapturedTurn;

use super::super::test_gems::turn;
use super::{is_of_a_question, sources};

fn batch() -> Vec<CapturedTurn> {
    vec![
        turn(1, "Alice", "hi all"),
        turn(2, "Alice", "I'm allergic to peanuts, no satay please"),
        turn(3, "Bob", "did anybody see the match?"),
        turn(4, "Bob", "can you remember that I moved to Bergen?"),
    ]
}

fn found(content: &str, cited: usize) -> Vec<u64> {
    let batch = batch();
    let cited = [&batch[cited - 1]];
    let turns = sources(content, &cited, &cited[0].speaker, &batch);
    turns.iter().map(|turn| turn.number).collect()
}

#[test]
fn a_turn_that_has_nothing_of_the_gem_gives_way_to_the_speakers_that_has() {
    assert_eq!(found("Alice is allergic to peanuts.", 2), [2]);
    assert_eq!(found("Alice is allergic to peanuts.", 1), [2]);
    assert_eq!(
        found("Bob is allergic to peanuts.", 3),
        Vec::<u64>::new(),
        "Bob said nothing like it"
    );
    assert_eq!(
        found("アリスはピーナッツアレルギーです。", 1),
        [1],
        "nothing to go by"
    );
}

#[test]
fn what_was_only_asked_is_not_told_unless_somebody_tells_of_themselves() {
    let batch = batch();
    let asked = |content: &str, at: usize| is_of_a_question(content, &[&batch[at - 1]], &batch);
    assert!(asked("Bob saw the match.", 3));
    assert!(!asked("Bob moved to Bergen.", 4));
    assert!(!asked("Alice is allergic to peanuts.", 2));
}
