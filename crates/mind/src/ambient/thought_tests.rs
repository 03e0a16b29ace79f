//! How long a thought is held, and what of it is kept when it is held again.

use proptest::prelude::*;
use vocabulary::{AskId, MediaKind, MediaWish, Moment, RoomId, Span, WallTime};

use super::super::reading::ThoughtAction;
use super::super::view::Revision;
use super::{HELD_AT_MOST, HISTORY_MAX, HeldThought, Refined, expiry, rest, settle};

fn refined(text: &str, room: &str) -> Refined {
    Refined {
        text: text.to_owned(),
        room: RoomId::from(room),
        media: None,
        reason: "not yet".to_owned(),
        revision: Revision {
            at: WallTime(0),
            ask: AskId(1),
            action: ThoughtAction::Hold,
            text: text.to_owned(),
            room: Some(RoomId::from(room)),
            media: None,
            reason: "not yet".to_owned(),
        },
    }
}

fn held(before: Option<HeldThought>, text: &str, minute: u64, gap: Span) -> HeldThought {
    let now = Moment::default() + Span::minutes(minute);
    settle(before, refined(text, "lobby"), now, WallTime(now.0 as i64), gap)
}

const GAP: Span = Span::minutes(360);

#[test]
fn what_is_held_again_keeps_its_age_and_its_end() {
    let first = held(None, "one", 10, GAP);
    let again = held(Some(first.clone()), "two", 70, GAP);
    assert_eq!((again.created, again.expires), (first.created, first.expires));
    assert_eq!(again.text, "two");
    assert_eq!(again.revisions, 2);
    assert_eq!(again.looked_at, Moment::default() + Span::minutes(70));
    assert_eq!(again.messages_since, 0);
}

#[test]
fn a_picture_and_a_channel_are_those_of_the_newest_look() {
    let first = held(None, "one", 0, GAP);
    let wish = MediaWish {
        kind: MediaKind::Gif,
        prompt: "cat".to_owned(),
    };
    let newest = Refined {
        media: Some(wish.clone()),
        ..refined("two", "dev")
    };
    let again = settle(Some(first), newest, Moment(60_000), WallTime(60_000), GAP);
    assert_eq!((again.media, again.room), (Some(wish), RoomId::from("dev")));
}

#[test]
fn of_a_long_history_the_beginning_and_the_newest_looks_stay() {
    let mut thought = held(None, "first", 0, GAP);
    for minute in 1..40 {
        thought = held(Some(thought), &format!("look {minute}"), minute, GAP);
    }
    assert_eq!(thought.history.len(), HISTORY_MAX);
    assert_eq!(thought.history[0].text, "first");
    assert_eq!(thought.history[HISTORY_MAX - 1].text, "look 39");
    assert_eq!(thought.revisions, 40);
}

#[test]
fn with_a_short_gap_it_is_over_after_half_an_hour_unseen() {
    let thought = held(None, "one", 0, Span::minutes(1));
    assert_eq!(thought.expires, Moment::default() + Span::minutes(30));
}

proptest! {
    #[test]
    fn it_is_never_held_for_more_than_two_hours_and_never_longer_than_it_was_to_be(
        created in 0_u64..1_000_000_000,
        looks in proptest::collection::vec((0_u64..90, 1_u64..1_500), 1..12),
    ) {
        let created = Moment(created);
        let (mut now, mut end) = (created, None);
        for (minutes, gap) in looks {
            now = now + Span::minutes(minutes);
            let next = expiry(end, created, now, Span::minutes(gap));
            prop_assert!(next <= created + HELD_AT_MOST);
            prop_assert!(end.is_none_or(|end| next <= end));
            end = Some(next);
        }
    }
}

#[test]
fn the_longer_a_thought_is_held_the_longer_it_rests() {
    let seconds = |people_wrote| (1..=9).map(move |looks| rest(looks, people_wrote).0 / 1_000);
    let rests: Vec<u64> = seconds(false).collect();
    assert_eq!(rests, [30, 30, 60, 120, 240, 480, 900, 900, 900]);
    let rests: Vec<u64> = seconds(true).collect();
    assert_eq!(rests, [30, 30, 60, 120, 240, 300, 300, 300, 300]);
    assert_eq!(rest(u64::MAX, false), Span::minutes(15));
}
