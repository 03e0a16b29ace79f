use vocabulary::CapturedTurn;

use super::super::rejection::RejectReason;
use super::super::test_gems::turn;
use super::{sources, untold};

fn batch() -> Vec<CapturedTurn> {
    vec![
        turn(1, "Alice", "hi all"),
        turn(2, "Alice", "I'm allergic to peanuts, no satay please"),
        turn(3, "Bob", "did anybody see the match?"),
        turn(4, "Bob", "can you remember that I moved to Bergen?"),
        turn(
            5,
            "Bob",
            "if I ever won the lottery I would buy a boat. If it rains, we meet inside",
        ),
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
fn what_was_only_asked_or_supposed_is_not_told() {
    let batch = batch();
    let told = |content: &str, at: usize| untold(content, &[&batch[at - 1]], &batch);
    assert_eq!(told("Bob saw the match.", 3), Some(RejectReason::Question));
    assert_eq!(told("Bob buys a boat.", 5), Some(RejectReason::Hypothetical));
    assert_eq!(told("If it rains, Bob and the others meet inside.", 5), None);
    assert_eq!(told("Bob moved to Bergen.", 4), None);
    assert_eq!(told("Alice is allergic to peanuts.", 2), None);
}
