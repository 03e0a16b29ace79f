//! Seen from Monday, 23 February 2026.

use super::super::test_gems::turn;
use super::dated;

fn of(said: &str, content: &str) -> Result<String, String> {
    let turn = turn(1, "Alice", said);
    dated(content, &[&turn])
}

fn becomes(said: &str, content: &str, expected: &str) {
    assert_eq!(of(said, content), Ok(expected.to_owned()), "{said}: {content}");
}

#[test]
fn a_relative_date_that_was_only_copied_becomes_absolute() {
    becomes(
        "I have to call mum next Tuesday",
        "Alice has to call mum next Tuesday.",
        "Alice has to call mum on 2026-03-03.",
    );
    becomes(
        "I moved to Bergen yesterday",
        "Alice moved to Bergen yesterday.",
        "Alice moved to Bergen on 2026-02-22.",
    );
    becomes(
        "we decided it: the release is on Thursday",
        "Alice and the others decided it: the release is on Thursday.",
        "Alice and the others decided it: the release is on 2026-02-26.",
    );
    becomes(
        "we met on Friday",
        "Alice and Bob met on Friday.",
        "Alice and Bob met on 2026-02-20.",
    );
}

#[test]
fn a_date_that_was_counted_wrongly_is_set_right() {
    becomes(
        "I moved to Bergen yesterday",
        "Alice moved to Bergen on 2026-02-23.",
        "Alice moved to Bergen on 2026-02-22.",
    );
    becomes(
        "my sister comes in two weeks",
        "Alice's sister comes on 2026-02-25.",
        "Alice's sister comes on 2026-03-09.",
    );
}

#[test]
fn a_date_that_follows_from_what_was_said_stays() {
    for (said, content) in [
        ("the demo is on Friday", "The demo is on 2026-02-27."),
        ("the demo was fun on Friday", "The demo is told of on 2026-02-20."),
        (
            "my birthday is the 4th of May, party on Friday",
            "Alice's birthday is on 2026-05-04.",
        ),
        (
            "the release is on 2026-04-01, not next week",
            "The release is on 2026-04-01.",
        ),
        ("I moved last month", "Alice moved on 2026-01-15."),
        (
            "mum visits in two weeks",
            "On 2026-02-23 Alice said that mum visits on 2026-03-09.",
        ),
        ("I like tea", "Alice likes tea since 2026-01-01."),
    ] {
        becomes(said, content, content);
    }
}

#[test]
fn of_several_dates_one_that_nobody_gave_is_named() {
    let said = "the demo is tomorrow, the release next Friday";
    assert_eq!(
        of(said, "The demo is on 2026-02-26."),
        Err("2026-02-26".to_owned())
    );
    becomes(said, "The demo is on 2026-02-24.", "The demo is on 2026-02-24.");
}

#[test]
fn a_day_of_the_past_is_never_one_to_come() {
    for (said, content, expected) in [
        (
            "we decided on Friday to use Postgres",
            "Alice and the others decided on 2026-02-27 to use Postgres.",
            "Alice and the others decided on 2026-02-20 to use Postgres.",
        ),
        (
            "we decided it on Friday",
            "On Friday, Alice and the others decided it.",
            "On 2026-02-20, Alice and the others decided it.",
        ),
    ] {
        assert_eq!(
            of(said, content).map(|told| told.to_lowercase()),
            Ok(expected.to_lowercase()),
            "{said}"
        );
    }
}
