use std::net::IpAddr;

use vocabulary::ShareId;

use super::{
    KNOWN_MAX, SHARING_MAX, SHIELDED_FOR, STRANGERS_MAX, STRANGERS_OF_ONE_ADDRESS, Sockets, Stranger,
};

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

fn address(last: u8) -> IpAddr {
    IpAddr::from([192, 0, 2, last])
}

#[tokio::test(start_paused = true)]
async fn whoever_has_just_come_is_pushed_out_by_nobody_and_others_wait() {
    let sockets = Sockets::new();
    let sharer = sockets.for_stranger(address(1)).await.unwrap();
    let _others: Vec<_> = (1..STRANGERS_OF_ONE_ADDRESS)
        .map(|_| sockets.try_for_stranger(address(1)).unwrap())
        .collect();
    assert_eq!(sockets.try_for_stranger(address(1)).unwrap_err(), SHIELDED_FOR);
    assert!(!sharer.pushed_out.is_cancelled(), "it has the time to say hello");
    // Whoever comes gets in all the same, when it had that time.
    let late = sockets.for_stranger(address(1)).await.unwrap();
    assert!(sharer.pushed_out.is_cancelled() && !late.pushed_out.is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn a_browser_that_is_let_in_is_pushed_out_by_no_stranger() {
    let sockets = Sockets::new();
    let known = sockets.for_known().unwrap();
    let mut crowd = Vec::new();
    for _ in 0..3 * STRANGERS_MAX {
        crowd.push(sockets.for_stranger(address(1)).await.unwrap());
    }
    assert!(!known.pushed_out.is_cancelled());
    let more: Vec<_> = std::iter::from_fn(|| sockets.for_known()).collect();
    assert_eq!(more.len(), KNOWN_MAX - 1, "and there are only so many of them");
    drop((known, more, crowd));
    assert!(sockets.for_known().is_some() && *sockets.strangers.open.borrow() == 0);
}

#[tokio::test(start_paused = true)]
async fn a_stranger_pushes_out_the_oldest_of_their_address_or_of_all() {
    let sockets = Sockets::new();
    let come = |last: u8| {
        let sockets = &sockets;
        async move { sockets.for_stranger(address(last)).await.unwrap() }
    };
    let quiet = come(200).await;
    let mut many = Vec::new();
    for _ in 0..=STRANGERS_OF_ONE_ADDRESS {
        many.push(come(1).await);
    }
    let gone = |stranger: &Stranger| stranger.pushed_out.is_cancelled();
    assert!(
        gone(&many[0]) && !many[1..].iter().any(gone) && !gone(&quiet),
        "whoever opens many pushes out their own"
    );
    let mut others = Vec::new();
    for last in (2..).take(STRANGERS_MAX - STRANGERS_OF_ONE_ADDRESS) {
        others.push(come(last).await);
    }
    assert!(gone(&quiet) && !others.iter().any(gone), "the oldest of all goes");
    drop((quiet, many, others));
    assert!(sockets.strangers.waiting().is_empty() && *sockets.strangers.open.borrow() == 0);
}
