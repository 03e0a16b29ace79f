use std::time::{Duration, Instant};

use vocabulary::CommunityId;

use super::{APART, CROWD, Crowd, LATELY};

/// So many communities that wrote, and a wait that is just over.
fn written_by(communities: usize, now: Instant) -> Crowd {
    let mut crowd = Crowd::default();
    for number in 0..4 * communities {
        crowd.note(&CommunityId::new(format!("c{}", number % communities)), now);
    }
    crowd.is_written(now);
    crowd
}

#[test]
fn few_wait_for_nobody_however_much_they_write() {
    let now = Instant::now();
    assert_eq!(written_by(1, now).gathers_until(now), None);
    assert_eq!(written_by(CROWD - 1, now).gathers_until(now), None);
}

#[test]
fn a_crowd_shares_a_wait_and_waits_no_longer_than_a_moment() {
    let now = Instant::now();
    let mut crowd = written_by(CROWD, now);
    assert_eq!(crowd.gathers_until(now), Some(now + APART));
    assert_eq!(crowd.gathers_until(now + APART), None, "the moment is over");
    assert_eq!(crowd.gathers_until(now), Some(now + APART), "they are many still");
}

#[test]
fn who_wrote_some_time_ago_is_no_part_of_a_crowd() {
    let now = Instant::now();
    let mut crowd = written_by(CROWD, now);
    let later = now + LATELY + Duration::from_millis(1);
    crowd.is_written(later);
    assert_eq!(crowd.gathers_until(later), None);
}
