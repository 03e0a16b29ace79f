//! Seen from Sunday, 22 February 2026: the Tuesday before is the 17th, the next one the 24th.

use vocabulary::WallTime;

use super::super::dates::absolute;
use super::super::test_gems::NOON;
use super::Lean;

const SUNDAY_NOON: WallTime = WallTime(NOON.0 - 24 * 60 * 60 * 1_000);

#[test]
fn a_weekday_of_the_past_is_the_last_one_and_one_ahead_the_next() {
    let last = "2026-02-17";
    let next = "2026-02-24";
    for (text, date) in [
        ("we decided on Tuesday to use Postgres", last),
        ("we decided Tuesday", last),
        ("on Tuesday we decided to use Postgres", last),
        ("the meeting was on Tuesday", last),
        ("did you see it on Tuesday", last),
        ("I went there on Tuesday", last),
        ("it was agreed on Tuesday", last),
        ("Tuesday was fun", last),
        ("I need it, said Bob on Tuesday", last),
        ("we decided to meet on Tuesday", next),
        ("we decided that the release is on Tuesday", next),
        ("on Tuesday we will meet", next),
        ("we agreed: lunch on Tuesday", next),
        ("I need it on Tuesday", next),
        ("we'll ship it on Tuesday", next),
        ("it is due Tuesday", next),
        ("agreed, we ship on Tuesday", next),
        ("agreed we ship on Tuesday", next),
        ("I moved in last year. Lunch on Tuesday", next),
    ] {
        assert!(absolute(text, SUNDAY_NOON, Lean::Future).contains(date), "{text}");
    }
}

#[test]
fn a_sentence_that_does_not_tell_is_read_the_given_way() {
    assert_eq!(
        absolute("lunch on Tuesday", SUNDAY_NOON, Lean::Past),
        "lunch on 2026-02-17"
    );
    assert_eq!(
        absolute("lunch on Tuesday", SUNDAY_NOON, Lean::Future),
        "lunch on 2026-02-24"
    );
}
