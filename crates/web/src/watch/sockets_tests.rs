use vocabulary::ShareId;

use super::{SHARING_MAX, Sockets, UNKNOWN_MAX};

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
fn there_are_only_so_many_places() {
    let sockets = Sockets::new();
    let unknown: Vec<_> = std::iter::from_fn(|| sockets.for_unknown()).collect();
    let sharing: Vec<_> = std::iter::from_fn(|| sockets.for_sharing()).collect();
    assert_eq!((unknown.len(), sharing.len()), (UNKNOWN_MAX, SHARING_MAX));
    drop(unknown);
    assert!(sockets.for_unknown().is_some() && sockets.for_sharing().is_none());
}
