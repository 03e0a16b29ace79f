use super::super::look::Look;
use super::super::slots::Slots;
use super::*;

const DENIZEN: &str = "0";

/// Lines a minute apart: by whom, whom it names, and to whom it goes.
fn trace(lines: &[(&str, &[&str], &[&str])]) -> Trace {
    let people = |names: &[&str]| names.iter().map(|name| PersonId::from(*name)).collect();
    let mut trace = Trace::default();
    for ((by, calls, to), minute) in lines.iter().zip(0..) {
        trace.observe(Traced {
            by: PersonId::from(*by),
            to: people(to),
            minute,
            asks: false,
            calls: people(calls),
            look: Look::default(),
            words: Slots::default(),
        });
    }
    trace
}

fn exchange(trace: &Trace) -> Exchange<'_> {
    let (ann, denizen) = (PersonId::from("ann"), PersonId::from(DENIZEN));
    Exchange::of(trace, &ann, &denizen)
}

fn minute(line: Option<&Traced>) -> Option<i64> {
    line.map(|line| line.minute)
}

#[test]
fn the_last_lines_between_two_are_found() {
    let trace = trace(&[
        ("ann", &[DENIZEN], &[DENIZEN]),
        (DENIZEN, &[], &["ann"]),
        (DENIZEN, &["bob"], &["bob"]),
        ("ann", &[], &[]),
        ("bob", &["ann"], &["ann"]),
    ]);
    let found = exchange(&trace);
    let lines = [
        found.own_last,
        found.own_to_author,
        found.author_last,
        found.before,
    ];
    assert_eq!(lines.map(minute), [2, 1, 3, 4].map(Some));
}

#[test]
fn names_are_told_apart_from_whom_a_line_is_taken_to_be_for() {
    let trace = trace(&[
        ("ann", &[DENIZEN], &[DENIZEN]),
        (DENIZEN, &[], &["ann"]),
        ("bob", &[DENIZEN, "ann"], &["ann"]),
        ("ann", &[], &["bob"]),
    ]);
    let found = exchange(&trace);
    assert_eq!((found.author_named_denizen, found.denizen_named_author), (1, 0));
    assert_eq!((found.author_named_others, found.others_named_author), (0, 1));
    assert_eq!((found.named_last, found.naming_lines), (4, 2));
    assert_eq!(found.others_named_denizen, 1);
}

#[test]
fn an_empty_room_has_no_exchange() {
    let empty = Trace::default();
    let found = exchange(&empty);
    assert!(found.own_last.is_none() && found.before.is_none());
    assert_eq!((found.named_last, found.naming_lines), (0, 0));
}
