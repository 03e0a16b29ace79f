//! Turns keep their numbers, whatever leaves the log; what lies before the cursor stays only for look-ups.

use vocabulary::{Author, AuthorKind, Message, MessageId, PersonId, RoomId, TurnSeq, WallTime};

use super::{DROPPED_AT_ONCE, Dropped, LOOK_BACK_MAX, Log, Retention, VERBATIM_TURNS_MAX};

fn message(number: u64) -> Message {
    Message {
        id: MessageId::new(format!("m{number}")),
        room: RoomId::from("lounge"),
        author: Author {
            id: PersonId::from("alice"),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text: format!("turn {number}"),
        at: WallTime(number as i64),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

fn say_needing(log: &mut Log, count: u64, folding_until: u64, needed: &[&str]) -> usize {
    let mut dropped = 0;
    for _ in 0..count {
        let Dropped(gone) = log.push(
            message(log.next_seq().0),
            &Retention {
                folding_until: TurnSeq(folding_until),
                verbatim_max: VERBATIM_TURNS_MAX,
                is_needed: |id: &MessageId| needed.contains(&id.as_str()),
            },
        );
        dropped += gone;
    }
    dropped
}

fn say(log: &mut Log, count: u64, folding_until: u64) -> usize {
    say_needing(log, count, folding_until, &[])
}

fn numbers(log: &Log) -> Vec<u64> {
    log.verbatim().map(|said| said.seq.0).collect()
}

#[test]
fn turns_are_numbered_from_zero_and_numbers_never_come_again() {
    let mut log = Log::default();
    assert_eq!(say(&mut log, 3, 0), 0);
    log.fold_until(TurnSeq(3));
    assert_eq!((log.cursor(), log.next_seq()), (TurnSeq(3), TurnSeq(3)));
    say(&mut log, 2, 0);
    assert_eq!(numbers(&log), [3, 4]);
}

#[test]
fn what_stands_word_for_word_is_everything_from_the_cursor_on() {
    for (cursor, left) in [(0, &[0, 1, 2, 3][..]), (2, &[2, 3]), (4, &[]), (99, &[])] {
        let mut log = Log::default();
        say(&mut log, 4, 0);
        log.fold_until(TurnSeq(cursor));
        assert_eq!(numbers(&log), left);
        assert_eq!(log.newest(9).count(), 4, "look-ups still find all of it");
    }
}

#[test]
fn edits_and_deletions_find_their_turn_by_its_message() {
    let mut log = Log::default();
    say(&mut log, 4, 0);
    assert!(log.edit(&"m1".into(), "other words".to_owned()));
    assert!(log.delete(&"m2".into()));
    assert!(!log.edit(&"m9".into(), "nobody's".to_owned()));
    assert!(!log.delete(&"m9".into()));
    assert_eq!(numbers(&log), [0, 1, 3]);
    assert_eq!(log.verbatim().nth(1).map(|said| said.text()), Some("other words"));
}

#[test]
fn what_is_summarised_stays_for_look_ups_as_far_as_the_look_back_goes() {
    let mut log = Log::default();
    say(&mut log, 150, 0);
    log.fold_until(TurnSeq(150));
    say_needing(&mut log, 100, 0, &["m3"]);
    assert_eq!(log.newest(usize::MAX).count(), LOOK_BACK_MAX);
    assert!(log.find(&"m3".into()).is_some(), "it waits for an answer");
    assert!(log.find(&"m50".into()).is_none());
    assert!(log.find(&"m51".into()).is_some());
}

#[test]
fn nothing_from_the_cursor_on_is_let_go_for_the_look_back() {
    let mut log = Log::default();
    say(&mut log, 500, 0);
    assert_eq!(log.verbatim().len(), 500);
}

#[test]
fn a_full_log_lets_the_oldest_go_and_says_how_many() {
    let mut log = Log::default();
    assert_eq!(say(&mut log, VERBATIM_TURNS_MAX as u64, 0), 0);
    assert_eq!(say(&mut log, 1, 0), DROPPED_AT_ONCE);
    assert_eq!(log.cursor().0, DROPPED_AT_ONCE as u64);
    assert_eq!(say(&mut log, DROPPED_AT_ONCE as u64 - 1, 0), 0);
    assert_eq!(log.verbatim().len(), VERBATIM_TURNS_MAX);
}

#[test]
fn turns_that_are_being_folded_are_not_let_go() {
    let mut log = Log::default();
    say(&mut log, VERBATIM_TURNS_MAX as u64, 10);
    assert_eq!(say(&mut log, 10, 10), 0, "ten are on their way out anyway");
    assert_eq!(say(&mut log, 1, 10), DROPPED_AT_ONCE);
    let kept = numbers(&log);
    assert_eq!(kept[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(kept[10], 10 + DROPPED_AT_ONCE as u64);
}
