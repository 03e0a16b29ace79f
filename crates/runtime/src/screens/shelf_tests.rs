//! The shelf holds the newest pictures and no more than it may.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;
use vocabulary::{FrameId, PictureKind, ShareId, WallTime};

use super::{BYTES_MAX, PER_SHARE_MAX, Shelf};
use crate::screens::ShelvedPicture;

const MEGABYTE: usize = 1 << 20;
/// The largest picture, made once: all pictures of these tests are pieces of it.
static LARGEST: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(vec![1; 4 * MEGABYTE]));

fn picture(frame: u64, bytes: usize) -> ShelvedPicture {
    ShelvedPicture {
        frame: FrameId(frame),
        kind: PictureKind::Jpeg,
        bytes: LARGEST.slice(..bytes),
        at: WallTime(0),
    }
}

fn share(name: &str) -> ShareId {
    ShareId::new(name)
}

fn watched(names: &[&str]) -> BTreeSet<ShareId> {
    names.iter().map(|name| share(name)).collect()
}

fn frames(shelf: &Shelf) -> Vec<u64> {
    shelf.pictures.keys().map(|frame| frame.0).collect()
}

#[test]
fn of_each_share_the_newest_twelve_stay() {
    let mut shelf = Shelf::default();
    for frame in 1..=20 {
        shelf.put(&share("alice"), picture(frame, 10), &watched(&["alice"]));
    }
    shelf.put(&share("bob"), picture(21, 10), &watched(&["alice"]));
    assert_eq!(frames(&shelf), (9..=21).collect::<Vec<u64>>());
    assert_eq!(shelf.bytes, (PER_SHARE_MAX + 1) * 10);
    assert_eq!(shelf.newest_of(&share("alice")).unwrap().frame, FrameId(20));
    assert_eq!(shelf.newest_of(&share("bob")).unwrap().frame, FrameId(21));
}

#[test]
fn all_together_stay_within_their_bytes_and_the_oldest_go_first() {
    let mut shelf = Shelf::default();
    for frame in 1..=20 {
        let name = if frame % 2 == 0 { "alice" } else { "bob" };
        shelf.put(&share(name), picture(frame, 4 * MEGABYTE), &watched(&["alice"]));
        assert!(shelf.bytes <= BYTES_MAX);
    }
    assert_eq!(frames(&shelf), (13..=20).collect::<Vec<u64>>());
}

#[test]
fn the_newest_picture_of_a_watched_share_stays_whatever_comes() {
    let mut shelf = Shelf::default();
    let all = watched(&["alice"]);
    shelf.put(&share("alice"), picture(1, 4 * MEGABYTE), &all);
    shelf.put(&share("alice"), picture(2, 4 * MEGABYTE), &all);
    for frame in 3..=40 {
        shelf.put(&share("bob"), picture(frame, 4 * MEGABYTE), &all);
    }
    assert_eq!(frames(&shelf)[0], 2);
    assert_eq!(shelf.bytes, BYTES_MAX);
    // Once nobody watches it, it is a picture like any other.
    shelf.put(&share("bob"), picture(41, 4 * MEGABYTE), &watched(&["bob"]));
    assert_eq!(frames(&shelf)[0], 34);
}

#[test]
fn more_watched_shares_than_fit_keep_one_picture_each() {
    let mut shelf = Shelf::default();
    let names: Vec<String> = (0..20).map(|n| format!("share-{n:02}")).collect();
    let all = names.iter().map(|name| share(name)).collect();
    for frame in 0..60 {
        let name = &names[frame as usize % 20];
        shelf.put(&share(name), picture(frame, 4 * MEGABYTE), &all);
    }
    assert_eq!(frames(&shelf), (40..60).collect::<Vec<u64>>());
}

#[test]
fn what_is_taken_down_makes_room_and_ended_shares_leave_one_picture_for_a_while() {
    let mut shelf = Shelf::default();
    let now = Instant::now();
    for frame in 1..=3 {
        shelf.put(&share("alice"), picture(frame, 10), &watched(&[]));
    }
    shelf.take(FrameId(2));
    shelf.take(FrameId(2));
    assert_eq!((frames(&shelf), shelf.bytes), (vec![1, 3], 20));
    shelf.share_ended(&share("alice"), now);
    assert_eq!((frames(&shelf), shelf.bytes), (vec![3], 10));
    shelf.let_go(now + Duration::from_secs(59));
    assert_eq!(frames(&shelf), [3]);
    shelf.let_go(now + Duration::from_secs(60));
    assert_eq!((frames(&shelf), shelf.bytes), (vec![], 0));
}
