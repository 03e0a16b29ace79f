//! Seen from Monday, 23 February 2026.

use proptest::prelude::*;
use vocabulary::WallTime;

use super::super::test_gems::NOON;
use super::{Lean, absolute};

#[test]
fn relative_dates_become_absolute() {
    for (text, expected) in [
        ("the meeting is today.", "the meeting is on 2026-02-23."),
        ("tonight, at 8", "on the evening of 2026-02-23, at 8"),
        ("call mum tomorrow", "call mum on 2026-02-24"),
        ("tomorrow morning", "on the morning of 2026-02-24"),
        ("by tomorrow", "by 2026-02-24"),
        ("call mum (tomorrow)", "call mum (on 2026-02-24)"),
        ("the day after tomorrow", "on 2026-02-25"),
        ("on Friday!", "on 2026-02-27!"),
        ("until friday", "until 2026-02-27"),
        ("this Friday", "on 2026-02-27"),
        ("next Friday", "on 2026-03-06"),
        ("next Monday at 5", "on 2026-03-02 at 5"),
        ("on Monday", "on 2026-03-02"),
        ("in two weeks", "on 2026-03-09"),
        ("in 3 days", "on 2026-02-26"),
        ("in a month", "on 2026-03-23"),
        ("two weeks from now", "on 2026-03-09"),
        ("next week", "in the week of 2026-03-02"),
        ("next month", "in March 2026"),
        ("next year", "in 2027"),
        ("this weekend", "on the weekend of 2026-02-28"),
        ("in two weeks and on Friday", "on 2026-03-09 and on 2026-02-27"),
    ] {
        assert_eq!(absolute(text, NOON, Lean::Future), expected, "{text}");
    }
    for (text, expected) in [
        ("moved here yesterday", "moved here on 2026-02-22"),
        ("last night", "on the evening of 2026-02-22"),
        ("last Friday", "on 2026-02-20"),
        ("last Monday", "on 2026-02-16"),
        ("on Friday", "on 2026-02-20"),
        ("3 days ago", "on 2026-02-20"),
        ("a year ago", "on 2025-02-23"),
        ("since last month", "since January 2026"),
        ("last year", "in 2025"),
        ("this weekend", "on the weekend of 2026-02-21"),
        ("about five years ago", "about 2021-02-23"),
        ("this past month", "in January 2026"),
    ] {
        assert_eq!(absolute(text, NOON, Lean::Past), expected, "{text}");
    }
}

#[test]
fn other_words_stay_as_they_are() {
    for text in [
        "in two minds",
        "a day in the life",
        "on 3 May",
        "last but not least",
        "next door",
        "in 2019",
        "in 99999 years",
        "the weekly, next: week",
        "Fridays are fun",
        "every Friday at 5",
    ] {
        assert_eq!(absolute(text, NOON, Lean::Future), text);
    }
}

proptest! {
    #[test]
    fn any_text_at_any_time_is_taken(text in any::<String>(), at in any::<i64>()) {
        absolute(&text, WallTime(at), Lean::Past);
        absolute("in 1000 years, last year, next friday", WallTime(at), Lean::Future);
    }
}
