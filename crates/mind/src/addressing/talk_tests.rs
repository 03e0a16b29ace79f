use super::super::look::Look;
use super::super::slots::Slots;
use super::*;

const DENIZEN: &str = "0";

fn trace(lines: &[(&str, &[&str], bool)]) -> Trace {
    let mut trace = Trace::default();
    for ((by, to, asks), minute) in lines.iter().zip(0..) {
        trace.observe(Traced {
            by: PersonId::from(*by),
            to: to.iter().map(|to| PersonId::from(*to)).collect(),
            minute,
            asks: *asks,
            calls: Vec::new(),
            look: Look::default(),
            words: Slots::default(),
        });
    }
    trace
}

fn talk(trace: &Trace, minute: i64) -> Talk<'_> {
    let (ann, denizen) = (PersonId::from("ann"), PersonId::from(DENIZEN));
    Talk::of(trace, &ann, &denizen, WallTime(minute * 60_000))
}

fn ago(lines: u64, minutes: u64) -> Option<Ago> {
    Some(Ago { lines, minutes })
}

#[test]
fn who_spoke_to_whom_is_told_in_lines_and_minutes() {
    let trace = trace(&[
        ("ann", &[DENIZEN], true),
        (DENIZEN, &["ann"], false),
        ("bob", &["ann"], false),
        ("ann", &["bob"], false),
        ("cid", &[], true),
    ]);
    let talk = talk(&trace, 6);
    assert_eq!(talk.to_denizen, ago(5, 6));
    assert_eq!(talk.from_denizen, ago(4, 5));
    assert_eq!((talk.from_others, talk.to_others), (ago(3, 4), ago(2, 3)));
    assert_eq!((talk.author_last, talk.author_last_to), (ago(2, 3), 2));
    assert_eq!((talk.own_last, talk.own_last_to), (ago(4, 5), 4));
    assert!(!talk.from_denizen_unanswered);
    assert_eq!(
        (talk.since_lines, talk.since_people.len(), talk.since_author),
        (2, 2, true)
    );
    assert_eq!((talk.room_question, talk.room_askers.len()), (ago(1, 2), 1));
    assert_eq!((talk.before_by, talk.before_to), ([1, 2], 8));
}

#[test]
fn a_question_of_denizens_is_open_until_its_author_has_spoken() {
    let asked = [(DENIZEN, &["ann"][..], true), ("bob", &[][..], false)];
    assert!(talk(&trace(&asked), 3).own_question);
    let answered = [asked[0], ("ann", &[DENIZEN][..], false)];
    assert!(!talk(&trace(&answered), 3).own_question);
    let of_bob = [(DENIZEN, &["bob"][..], true)];
    assert!(!talk(&trace(&of_bob), 3).own_question);
}

#[test]
fn an_empty_room_tells_nothing() {
    let empty = Trace::default();
    let talk = talk(&empty, 3);
    assert_eq!(
        (talk.author_last, talk.own_last, talk.before_by),
        (None, None, [0, 0])
    );
}
