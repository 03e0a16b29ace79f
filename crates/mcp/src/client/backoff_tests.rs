use std::time::Duration;

use super::{Backoff, HEALTHY_AFTER};

fn backoff() -> Backoff {
    Backoff::new(Duration::from_secs(1), Duration::from_secs(300))
}

#[test]
fn waits_double_up_to_the_longest() {
    let mut backoff = backoff();
    let waits: Vec<u64> = (0..11).map(|_| backoff.after_failure().as_secs()).collect();
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
}

#[test]
fn the_first_loss_is_made_good_at_once_and_the_next_are_not() {
    let mut backoff = backoff();
    let waits: Vec<u64> = (0..4)
        .map(|_| backoff.after_loss(Duration::from_secs(1)).as_secs())
        .collect();
    assert_eq!(waits, [0, 1, 2, 4]);
}

#[test]
fn a_server_that_stood_for_long_is_forgiven() {
    let mut backoff = backoff();
    for _ in 0..8 {
        backoff.after_failure();
    }
    assert_eq!(backoff.after_loss(HEALTHY_AFTER), Duration::ZERO);
    assert_eq!(backoff.after_failure(), Duration::from_secs(1));
}
