use futures_util::FutureExt;

use super::*;

#[tokio::test]
async fn a_turn_is_had_at_once_where_nobody_else_has_it() {
    let turns = Turns::new();
    for _ in 0..3 {
        let (turn, mut waiting) = turns.take().now_or_never().flatten().expect("it is free");
        assert!(!turn.is_given_up());
        drop(turn);
        waiting.over();
    }
}

#[tokio::test]
async fn whoever_comes_while_others_have_the_turn_waits_for_a_while() {
    let turns = Turns::new();
    let (turn, mut waiting) = turns.take().await.expect("it is free");
    assert!(turns.take().await.is_none(), "it never becomes free");
    let mut next = Box::pin(turns.take());
    assert!(next.as_mut().now_or_never().is_none(), "it waits");
    drop(turn);
    waiting.over();
    assert!(next.now_or_never().flatten().is_some(), "it is free again");
}

#[tokio::test]
async fn nobody_waits_behind_work_that_was_given_up() {
    let turns = Turns::new();
    let (turn, waiting) = turns.take().await.expect("it is free");
    drop(waiting);
    assert!(turn.is_given_up(), "the work is told");
    let skipped = turns.take().now_or_never();
    assert!(skipped.expect("it is known at once").is_none());
    drop(turn);
    let (turn, _waiting) = turns.take().now_or_never().flatten().expect("it is free again");
    assert!(!turn.is_given_up());
    assert!(turns.take().now_or_never().is_none(), "this work is waited for");
}
