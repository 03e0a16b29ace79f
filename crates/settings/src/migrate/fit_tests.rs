use serde_json::{Value, json};

use super::fit::{Fitted, fit};
use crate::knob::Limits;

const WHOLE: Limits = Limits::Whole { min: 3, max: 120 };
const FROM_ZERO: Limits = Limits::Whole { min: 0, max: 8 };
const FRACTION: Limits = Limits::Fraction { min: 0.005, max: 1.0 };

#[test]
fn a_number_goes_to_the_nearest_that_is_allowed() {
    let cases: &[(Limits, Value, Fitted)] = &[
        (WHOLE, json!(3), Fitted::AsItIs),
        (WHOLE, json!(120), Fitted::AsItIs),
        (WHOLE, json!(2), Fitted::Moved(json!(3))),
        (WHOLE, json!(0), Fitted::Moved(json!(3))),
        (WHOLE, json!(-5), Fitted::Moved(json!(3))),
        (WHOLE, json!(121), Fitted::Moved(json!(120))),
        (WHOLE, json!(1e300), Fitted::Moved(json!(120))),
        (WHOLE, json!(-1e300), Fitted::Moved(json!(3))),
        (WHOLE, json!(7.6), Fitted::Moved(json!(8))),
        (WHOLE, json!(8.0), Fitted::Moved(json!(8))),
        (FROM_ZERO, json!(0), Fitted::AsItIs),
        (FROM_ZERO, json!(-1), Fitted::Moved(json!(0))),
        (FRACTION, json!(0.02), Fitted::AsItIs),
        (FRACTION, json!(1), Fitted::AsItIs),
        (FRACTION, json!(0), Fitted::Moved(json!(0.005))),
        (FRACTION, json!(1.5), Fitted::Moved(json!(1.0))),
    ];
    for (limits, old, wanted) in cases {
        assert_eq!(fit(limits, old), *wanted, "{old} in {limits:?}");
    }
}

#[test]
fn what_is_not_a_number_has_no_nearest() {
    for old in [json!("8"), json!(null), json!(true), json!([8])] {
        assert_eq!(fit(&WHOLE, &old), Fitted::NotANumber, "{old}");
        assert_eq!(fit(&FRACTION, &old), Fitted::NotANumber, "{old}");
    }
}

#[test]
fn several_texts_become_one() {
    let text = Limits::Text { min: 0, max: 20 };
    assert_eq!(fit(&text, &json!("one")), Fitted::AsItIs);
    assert_eq!(
        fit(&text, &json!(["one", "two"])),
        Fitted::Moved(json!("one\ntwo"))
    );
    assert_eq!(fit(&text, &json!(["one", 2])), Fitted::AsItIs);
}

#[test]
fn texts_lists_and_switches_are_judged_by_whoever_reads_the_settings() {
    assert_eq!(fit(&Limits::List { max: 2 }, &json!("room")), Fitted::AsItIs);
    assert_eq!(fit(&Limits::Switch, &json!(1)), Fitted::AsItIs);
}
