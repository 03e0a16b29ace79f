use std::collections::BTreeMap;

use settings::{Document, Settings};
use vocabulary::{AskAllowance, AskPurpose, Moment, Now, WallTime};

use super::Foreseen;
use crate::reasons::{Shortage, SpendingPurpose};
use crate::spending::view::{PurposeView, view};
use crate::spending::{ModelRests, MostWanted, SpendingBook};

static NOTHING: BTreeMap<AskPurpose, AskAllowance> = BTreeMap::new();

/// Nothing is known of questions to come.
pub fn unforeseen() -> Foreseen<'static> {
    Foreseen {
        allowances: &NOTHING,
        reply_tokens: 1,
    }
}

fn settings(dollars: f64) -> Settings {
    let text = format!(r#"{{"spending": {{"perDay": {{"dollars": {dollars}}}}}}}"#);
    Settings::read(&Document::from_json(&text).expect("a document")).expect("good settings")
}

/// A model whose replies cost 10 dollars a million tokens that it writes.
fn priced() -> BTreeMap<AskPurpose, AskAllowance> {
    let allowance = AskAllowance {
        input_price: Some(1_000_000),
        output_price: Some(10_000_000),
        ..AskAllowance::default()
    };
    BTreeMap::from([(AskPurpose::TextReply, allowance)])
}

fn free() -> BTreeMap<AskPurpose, AskAllowance> {
    let allowance = AskAllowance {
        free: true,
        ..AskAllowance::default()
    };
    BTreeMap::from([(AskPurpose::TextReply, allowance)])
}

fn replies(
    book: &SpendingBook,
    allowances: &BTreeMap<AskPurpose, AskAllowance>,
    settings: &Settings,
) -> PurposeView {
    let foreseen = Foreseen {
        allowances,
        reply_tokens: 600,
    };
    let now = Now {
        moment: Moment(1_000),
        wall: WallTime(43_200_000),
    };
    let shown = view(
        (book, &ModelRests::default()),
        &BTreeMap::new(),
        &foreseen,
        now,
        settings,
    );
    let mut purposes = shown.purposes.into_iter();
    let replies = purposes.find(|one| one.purpose == SpendingPurpose::Replies);
    replies.expect("replies are told")
}

#[test]
fn a_day_that_is_too_small_for_a_single_reply_is_told_before_anybody_asks() {
    let told = replies(&SpendingBook::default(), &priced(), &settings(0.001));
    let words = told.used_up.expect("it is told");
    assert!(
        words.starts_with("one question for replies may take up to 0.0061 dollars, and replies may take 0.0010 dollars a day"),
        "{words}"
    );
    assert!(!words.contains("used up"), "nothing was spent: {words}");
    assert!(told.for_good, "tomorrow it is the same");
    assert_eq!(
        told.remedy.expect("there is something to do"),
        "raise spending.percent.replies of spending.perDay.dollars, or choose a cheaper model with llm.model"
    );
    let enough = replies(&SpendingBook::default(), &priced(), &settings(0.01));
    assert_eq!((enough.used_up, enough.for_good), (None, false));
}

#[test]
fn a_cheaper_model_mends_it_at_once_though_a_question_was_refused() {
    let mut book = SpendingBook::default();
    let settings = settings(0.001);
    let choice = settings.choice_for(AskPurpose::TextReply);
    let wanted = MostWanted {
        characters: 4_000,
        output_tokens: 600,
        allowance: priced()[&AskPurpose::TextReply],
        ..MostWanted::default()
    };
    let refused = book.fare((SpendingPurpose::Replies, &choice), wanted, &settings);
    let (refusal, _) = refused.expect_err("it is too dear");
    assert_eq!(refusal.shortage(), Shortage::TooDear);
    assert!(
        refusal
            .told_in_room()
            .starts_with("One answer may take up to 0.0070 dollars, and I may take 0.0010 dollars a day"),
        "{}",
        refusal.told_in_room()
    );
    assert!(replies(&book, &priced(), &settings).for_good);
    let mut cheap = priced();
    for allowance in cheap.values_mut() {
        (allowance.input_price, allowance.output_price) = (Some(100_000), Some(500_000));
    }
    assert_eq!(replies(&book, &cheap, &settings).used_up, None);
}

#[test]
fn a_model_that_costs_no_money_is_asked_without_a_dollar() {
    let mut book = SpendingBook::default();
    let settings = settings(0.0);
    let choice = settings.choice_for(AskPurpose::TextReply);
    let told = replies(&book, &free(), &settings);
    assert_eq!((told.used_up, told.free), (None, true));
    let wanted = |allowance| MostWanted {
        characters: 400,
        output_tokens: 600,
        allowance,
        ..MostWanted::default()
    };
    let of = (SpendingPurpose::Replies, &choice);
    assert!(
        book.fare(of, wanted(free()[&AskPurpose::TextReply]), &settings)
            .is_ok()
    );
    let refused = book.fare(of, wanted(AskAllowance::default()), &settings);
    let (refusal, _) = refused.expect_err("who knows what it costs");
    assert_eq!(refusal.shortage(), Shortage::Nothing);
    assert_eq!(
        refusal.words(),
        "nothing may be spent on replies: spending.percent.replies of spending.perDay.dollars comes to 0.00 dollars"
    );
}
