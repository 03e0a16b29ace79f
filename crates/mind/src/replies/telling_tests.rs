use vocabulary::{Moment, Span};

use super::{ToldTroubles, TroubleOf};

#[test]
fn a_trouble_is_told_once_until_a_reply_was_said_and_never_twice_in_ten_minutes() {
    let mut told = ToldTroubles::default();
    let at = |minutes| Moment(0) + Span::minutes(minutes);
    assert!(told.is_news(TroubleOf::Outage, at(0)));
    assert!(!told.is_news(TroubleOf::Outage, at(1)));
    assert!(
        !told.is_news(TroubleOf::Outage, at(20 * 60)),
        "it is the same one"
    );
    assert!(told.is_news(TroubleOf::Setup, at(20 * 60)), "it is another one");
    told.reply_said();
    assert!(told.is_news(TroubleOf::Outage, at(21 * 60)));
    told.reply_said();
    assert!(
        !told.is_news(TroubleOf::Outage, at(21 * 60 + 9)),
        "it answers every other time"
    );
    assert!(told.is_news(TroubleOf::Outage, at(21 * 60 + 10)));
    assert!(
        told.is_news(TroubleOf::Outage, at(48 * 60)),
        "a day later nobody remembers"
    );
}
