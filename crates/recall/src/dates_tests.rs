//! Which dates a search names.

use DatePart::{DayOfMonth, Month, Year};

use super::*;
use crate::words::words;

fn check(text: &str, expected: &[DatePart]) {
    assert_eq!(date_parts(&words(text)), expected, "{text:?}");
}

#[test]
fn dates_are_read_as_people_write_them() {
    check(
        "What happened on 8 May 2023?",
        &[Year(2023), Month(5), DayOfMonth(8)],
    );
    check("on May 8th, 2023", &[Year(2023), Month(5), DayOfMonth(8)]);
    check("in Sept. 2022", &[Year(2022), Month(9)]);
    check("around 2023-05-08T10:30", &[Year(2023), Month(5), DayOfMonth(8)]);
    check("last December", &[Month(12)]);
    check("since 1999", &[Year(1999)]);
}

#[test]
fn numbers_and_verbs_are_not_dates() {
    check("may I have 8 dogs", &[]);
    check("12 people marched 5000 miles", &[]);
    check("in room 1234", &[]);
}

#[test]
fn a_day_has_its_parts() {
    let day = Day::of(rfc3339::parse("2023-05-08T23:59:00Z").expect("a date"));
    assert!(day.has(Year(2023)) && day.has(Month(5)) && day.has(DayOfMonth(8)));
    assert!(!day.has(Year(2024)) && !day.has(Month(6)) && !day.has(DayOfMonth(9)));
}
