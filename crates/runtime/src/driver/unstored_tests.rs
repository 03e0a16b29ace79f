//! What waits keeps its order, and is bounded by whoever looks whether there is room.

use mind::{Answer, Input, ShellEvent};
use vocabulary::AskId;

use super::{Unstored, WAITING_MAX};
use crate::handle::Arrival;
use crate::ports::StoreError;

fn piece(number: u64) -> Input {
    Input::Answer(Answer::AskProgressed {
        ask: AskId(1),
        text: number.to_string(),
    })
}

fn inputs(batch: Vec<Arrival>) -> Vec<Input> {
    batch.into_iter().map(|arrival| arrival.input).collect()
}

fn gone() -> StoreError {
    StoreError::Failed {
        doing: "writing",
        detail: "the disk is full".to_owned(),
    }
}

#[test]
fn what_waits_goes_first_and_in_its_order_however_often_it_fails() {
    let mut unstored = Unstored::default();
    unstored.put_back([piece(1), piece(2)].into_iter());
    unstored.failed(&gone());
    let both = inputs(unstored.next_batch(vec![Arrival::of(piece(3))]));
    assert_eq!(both, [piece(1), piece(2), piece(3)]);
    unstored.put_back(both.into_iter());
    unstored.failed(&gone());
    let first = inputs(unstored.next_batch(vec![Arrival::of(piece(4))]));
    assert_eq!(first, [piece(1)], "one by one after that");
    unstored.moved_on();
    unstored.wrote();
    assert!(unstored.again_at().is_some(), "the rest goes at once");
    assert_eq!(
        inputs(unstored.next_batch(Vec::new())),
        [piece(2), piece(3), piece(4)]
    );
    unstored.wrote();
    assert_eq!(unstored.again_at(), None);
}

#[test]
fn a_wake_does_not_wait_for_it_comes_by_itself() {
    let mut unstored = Unstored::default();
    unstored.put_back([Input::Shell(ShellEvent::WakeReached)].into_iter());
    assert!(unstored.next_batch(Vec::new()).is_empty());
}

#[test]
fn there_is_no_room_for_more_than_so_many() {
    let mut unstored = Unstored::default();
    unstored.put_back((1..WAITING_MAX as u64).map(piece));
    assert!(unstored.has_room());
    unstored.put_back([piece(0)].into_iter());
    assert!(!unstored.has_room());
}
