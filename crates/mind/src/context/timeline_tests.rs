//! Turns keep their numbers, whatever leaves the time line.

use vocabulary::{MessageId, TurnSeq, WallTime};

use super::timeline::{DROPPED_AT_ONCE, Dropped, Modality, TIMELINE_TURNS_MAX, Timeline};

fn say(timeline: &mut Timeline, count: u64, folding_until: u64) -> usize {
    let mut dropped = 0;
    for _ in 0..count {
        let number = timeline.next_seq().0;
        let id = MessageId::new(format!("m{number}"));
        let Dropped(gone) = timeline.push(
            "Alice",
            WallTime(number as i64),
            Modality::Typed,
            &format!("turn {number}"),
            Some(id),
            TurnSeq(folding_until),
        );
        dropped += gone;
    }
    dropped
}

fn numbers(timeline: &Timeline) -> Vec<u64> {
    timeline.turns().iter().map(|turn| turn.seq.0).collect()
}

#[test]
fn turns_are_numbered_from_zero_and_numbers_never_come_again() {
    let mut timeline = Timeline::default();
    assert_eq!(say(&mut timeline, 3, 0), 0);
    timeline.forget_before(TurnSeq(3));
    assert_eq!(
        (timeline.first_seq(), timeline.next_seq()),
        (TurnSeq(3), TurnSeq(3))
    );
    say(&mut timeline, 2, 0);
    assert_eq!(numbers(&timeline), [3, 4]);
}

#[test]
fn forgetting_takes_what_lies_before_the_cursor_and_nothing_else() {
    for (cursor, left) in [(0, &[0, 1, 2, 3][..]), (2, &[2, 3]), (4, &[]), (99, &[])] {
        let mut timeline = Timeline::default();
        say(&mut timeline, 4, 0);
        timeline.forget_before(TurnSeq(cursor));
        assert_eq!(numbers(&timeline), left);
    }
}

#[test]
fn edits_and_deletions_find_their_turn_by_its_message() {
    let mut timeline = Timeline::default();
    say(&mut timeline, 4, 0);
    timeline.edit(&"m1".into(), "other words");
    timeline.remove(&"m2".into());
    timeline.edit(&"m9".into(), "nobody's");
    timeline.remove(&"m9".into());
    assert_eq!(numbers(&timeline), [0, 1, 3]);
    assert_eq!(timeline.turns()[1].text, "other words");
}

#[test]
fn a_full_time_line_lets_the_oldest_go_and_says_how_many() {
    let mut timeline = Timeline::default();
    assert_eq!(say(&mut timeline, TIMELINE_TURNS_MAX as u64, 0), 0);
    assert_eq!(say(&mut timeline, 1, 0), DROPPED_AT_ONCE);
    assert_eq!(timeline.first_seq().0, DROPPED_AT_ONCE as u64);
    assert_eq!(say(&mut timeline, DROPPED_AT_ONCE as u64 - 1, 0), 0);
    assert_eq!(timeline.turns().len(), TIMELINE_TURNS_MAX);
}

#[test]
fn turns_that_are_being_folded_are_not_let_go() {
    let mut timeline = Timeline::default();
    say(&mut timeline, TIMELINE_TURNS_MAX as u64, 10);
    assert_eq!(say(&mut timeline, 10, 10), 0, "ten are on their way out anyway");
    assert_eq!(say(&mut timeline, 1, 10), DROPPED_AT_ONCE);
    let kept = numbers(&timeline);
    assert_eq!(kept[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(kept[10], 10 + DROPPED_AT_ONCE as u64);
}
