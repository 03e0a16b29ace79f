use std::net::IpAddr;

use vocabulary::ShareId;

use super::{SHARING_MAX, STRANGERS_MAX, STRANGERS_OF_ONE_ADDRESS, Sockets, Stranger};

#[test]
fn whoever_comes_later_takes_the_seat_over_and_keeps_it_when_the_older_one_leaves() {
    let sockets = Sockets::new();
    let older = sockets.sit(ShareId::from("a"));
    let other = sockets.sit(ShareId::from("b"));
    assert!(!older.taken_over.is_cancelled());
    let newer = sockets.sit(ShareId::from("a"));
    assert!(older.taken_over.is_cancelled() && !other.taken_over.is_cancelled());
    drop(older);
    let newest = sockets.sit(ShareId::from("a"));
    assert!(newer.taken_over.is_cancelled(), "it had still been known");
    drop((newer, newest, other));
    assert!(super::lock(&sockets.seats).taken.is_empty(), "nobody is kept");
}

#[test]
fn there_are_only_so_many_places_to_share() {
    let sockets = Sockets::new();
    let sharing: Vec<_> = std::iter::from_fn(|| sockets.for_sharing()).collect();
    assert_eq!(sharing.len(), SHARING_MAX);
}

#[test]
fn a_stranger_always_comes_in_and_pushes_out_the_oldest_of_their_address_or_of_all() {
    let sockets = Sockets::new();
    let address = |last: u8| IpAddr::from([192, 0, 2, last]);
    let quiet = sockets.for_stranger(address(200));
    let many: Vec<_> = (0..=STRANGERS_OF_ONE_ADDRESS)
        .map(|_| sockets.for_stranger(address(1)))
        .collect();
    let gone = |stranger: &Stranger| stranger.pushed_out.is_cancelled();
    assert!(
        gone(&many[0]) && !many[1..].iter().any(gone) && !gone(&quiet),
        "whoever opens many pushes out their own"
    );
    let others: Vec<_> = (2..)
        .take(STRANGERS_MAX - STRANGERS_OF_ONE_ADDRESS)
        .map(|last| sockets.for_stranger(address(last)))
        .collect();
    assert!(gone(&quiet) && !others.iter().any(gone), "the oldest of all goes");
    drop((quiet, many, others));
    assert!(sockets.strangers.waiting().is_empty() && *sockets.strangers.open.borrow() == 0);
}
