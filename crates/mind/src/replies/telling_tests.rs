use vocabulary::{AskFailureKind as Kind, Moment, Span};

use super::ToldTroubles;

fn at(minutes: u64) -> Moment {
    Moment(0) + Span::minutes(minutes)
}

#[test]
fn a_trouble_is_told_once_until_a_reply_was_said_and_never_twice_in_ten_minutes() {
    let mut told = ToldTroubles::default();
    assert!(told.is_news(Kind::TimedOut, at(0)));
    assert!(!told.is_news(Kind::TimedOut, at(1)));
    assert!(
        !told.is_news(Kind::StreamStalled, at(20 * 60)),
        "it is the same one, in the same words"
    );
    assert!(told.is_news(Kind::KeyRefused, at(20 * 60)), "it is another one");
    told.reply_said();
    assert!(told.is_news(Kind::TimedOut, at(21 * 60)));
    told.reply_said();
    assert!(
        !told.is_news(Kind::TimedOut, at(21 * 60 + 9)),
        "it answers every other time"
    );
    assert!(told.is_news(Kind::TimedOut, at(21 * 60 + 10)));
    assert!(
        told.is_news(Kind::TimedOut, at(48 * 60)),
        "a day later nobody remembers"
    );
}

#[test]
fn another_trouble_is_told_at_once_and_three_of_them_are_enough_for_ten_minutes() {
    let mut told = ToldTroubles::default();
    assert!(told.is_news(Kind::Rejected, at(0)));
    assert!(told.is_news(Kind::KeyRefused, at(1)));
    assert!(told.is_news(Kind::ServerError, at(2)));
    assert!(!told.is_news(Kind::Malformed, at(9)));
    assert!(
        told.is_news(Kind::Malformed, at(10)),
        "what was not told is still news"
    );
}

#[test]
fn what_was_told_by_an_older_version_counts_as_a_line_and_as_no_kind() {
    let old = r#"[{"of": "setup", "at": 0, "over": false}]"#;
    let mut told: ToldTroubles = serde_json::from_str(old).expect("it is read");
    assert!(told.is_news(Kind::KeyRefused, at(1)));
    assert!(!told.is_news(Kind::KeyRefused, at(2)));
}
