use settings::{Document, Settings};
use vocabulary::{
    AskAllowance, AskFailure, AskFailureKind, AskId, ModelChoice, Moment, Now, Usage, WallTime,
};

use super::{Fare, MostWanted, SpendingBook};
use crate::reasons::{SpendingLimit, SpendingPurpose, SpendingRefusal, SpendingScope};
use crate::spending::foreseen::tests::unforeseen;

const NOON: i64 = 20_000 * 86_400_000 + 43_200_000;

fn at(wall: i64) -> Now {
    Now {
        moment: Moment(1_000),
        wall: WallTime(wall),
    }
}

fn settings(text: &str) -> Settings {
    let document = Document::from_json(text).expect("a document");
    Settings::read(&document).expect("good settings")
}

fn thrifty() -> Settings {
    settings(
        r#"{"spending": {"perDay": {"calls": 10, "tokens": 10000, "dollars": 1.0}, "percent": {"memory": 20, "background": 50}}}"#,
    )
}

fn book() -> SpendingBook {
    let mut book = SpendingBook::default();
    book.turn_page(at(NOON));
    book
}

fn wanted(characters: usize, output_tokens: u64) -> MostWanted {
    MostWanted {
        characters,
        output_tokens,
        ..MostWanted::default()
    }
}

fn chosen(provider: &str) -> ModelChoice {
    ModelChoice {
        provider: provider.to_owned(),
        model: String::new(),
    }
}

fn auto() -> ModelChoice {
    chosen("auto")
}

fn fare(book: &mut SpendingBook, purpose: SpendingPurpose, tokens: usize) -> Result<Fare, SpendingRefusal> {
    let fare = book.fare((purpose, &auto()), wanted(tokens * 4, 0), &thrifty());
    fare.map_err(|(refusal, _)| refusal)
}

fn used(input_tokens: u64, cost: Option<u64>) -> Usage {
    Usage {
        input_tokens,
        cost_micro_dollars: cost,
        ..Usage::default()
    }
}

#[test]
fn a_question_is_paid_before_it_is_asked() {
    let mut book = book();
    let first = fare(&mut book, SpendingPurpose::Memory, 1_500).expect("there is room");
    book.reserve(AskId(1), first);
    let refusal = fare(&mut book, SpendingPurpose::Memory, 1_500).expect_err("a fifth of the day is 2000");
    assert_eq!(
        (refusal.limit, refusal.scope, refusal.used, refusal.allowed),
        (SpendingLimit::Tokens, SpendingScope::Purpose, 1_500, 2_000)
    );
    assert!(
        refusal
            .words()
            .contains("spending.percent.memory of spending.perDay.tokens")
    );
}

#[test]
fn what_it_really_took_replaces_what_was_reserved() {
    let mut book = book();
    let first = fare(&mut book, SpendingPurpose::Memory, 1_500).expect("there is room");
    book.reserve(AskId(1), first);
    book.answered(AskId(1), 1, &used(200, None));
    assert!(fare(&mut book, SpendingPurpose::Memory, 1_700).is_ok());
    assert!(fare(&mut book, SpendingPurpose::Memory, 1_900).is_err());
    assert_eq!(book.spent_on(SpendingPurpose::Memory).unpriced, 1);
}

#[test]
fn background_work_leaves_the_rest_of_the_day_for_replies() {
    let mut book = book();
    for (ask, purpose) in [SpendingPurpose::ScreenNotes, SpendingPurpose::Thoughts]
        .into_iter()
        .enumerate()
    {
        let tokens = [3_000, 1_500][ask];
        let fare = fare(&mut book, purpose, tokens).expect("within its own share");
        book.reserve(AskId(ask as u64), fare);
    }
    let refusal = fare(&mut book, SpendingPurpose::Summaries, 600).expect_err("half of the day is used");
    assert_eq!(refusal.scope, SpendingScope::Background);
    assert!(fare(&mut book, SpendingPurpose::Replies, 5_000).is_ok());
}

#[test]
fn every_try_of_a_failing_model_counts_and_what_nobody_read_costs_no_tokens() {
    let mut book = book();
    let paid = fare(&mut book, SpendingPurpose::ScreenNotes, 100).expect("there is room");
    book.reserve(AskId(1), paid);
    let failure = AskFailure {
        tries: 3,
        ..AskFailure::new(AskFailureKind::ServerError, "500")
    };
    book.failed(AskId(1), &failure);
    let spent = book.spent_on(SpendingPurpose::ScreenNotes);
    assert_eq!((spent.calls, spent.input_tokens), (3, 0));
    let refusal = fare(&mut book, SpendingPurpose::ScreenNotes, 1).expect_err("three of ten calls");
    assert_eq!(refusal.limit, SpendingLimit::Calls);
}

#[test]
fn an_answer_that_was_lost_on_its_way_was_read_all_the_same() {
    let mut book = book();
    let paid = fare(&mut book, SpendingPurpose::Replies, 700).expect("there is room");
    book.reserve(AskId(1), paid);
    book.failed(
        AskId(1),
        &AskFailure::new(AskFailureKind::StreamStalled, "it stands still"),
    );
    assert_eq!(book.spent_on(SpendingPurpose::Replies).input_tokens, 700);
    let paid = fare(&mut book, SpendingPurpose::Replies, 300).expect("there is room");
    book.reserve(AskId(2), paid);
    book.given_up(AskId(2));
    assert_eq!(book.spent_on(SpendingPurpose::Replies).input_tokens, 1_000);
}

#[test]
fn a_price_that_was_told_binds_the_next_question() {
    let mut book = book();
    let paid = fare(&mut book, SpendingPurpose::Memory, 100).expect("there is room");
    book.reserve(AskId(1), paid);
    // A dollar for ten thousand tokens.
    book.answered(AskId(1), 1, &used(1_000, Some(100_000)));
    let refusal = fare(&mut book, SpendingPurpose::Memory, 1_000).err();
    assert_eq!(refusal, None, "200,000 of 200,000");
    let refusal = fare(&mut book, SpendingPurpose::Memory, 1_001);
    assert!(refusal.is_err(), "{refusal:?}");
}

#[test]
fn what_is_free_binds_nothing() {
    let mut book = book();
    for ask in 0..100 {
        let paid = fare(&mut book, SpendingPurpose::Memory, 1_900).expect("it is free");
        book.reserve(AskId(ask), paid);
        book.answered(AskId(ask), 1, &used(5_000, Some(0)));
    }
    let spent = book.spent_on(SpendingPurpose::Memory);
    assert_eq!(
        (spent.calls, spent.free_calls, spent.free_tokens),
        (0, 100, 500_000)
    );
}

#[test]
fn nothing_may_cost_money_where_no_dollars_are_allowed() {
    let settings = settings(r#"{"spending": {"perDay": {"dollars": 0}}}"#);
    let refusal = book().fare((SpendingPurpose::Replies, &auto()), wanted(4, 0), &settings);
    assert!(matches!(refusal, Err((refusal, true)) if refusal.limit == SpendingLimit::Dollars));
}

#[test]
fn another_day_is_another_budget() {
    let mut book = book();
    let paid = fare(&mut book, SpendingPurpose::Memory, 1_900).expect("there is room");
    book.reserve(AskId(1), paid);
    book.answered(AskId(1), 1, &used(1_900, None));
    assert!(fare(&mut book, SpendingPurpose::Memory, 1_900).is_err());
    book.turn_page(at(NOON + 43_200_000));
    assert!(fare(&mut book, SpendingPurpose::Memory, 1_900).is_ok());
}

#[test]
fn absurd_numbers_of_a_provider_break_nothing() {
    let mut book = book();
    for ask in 0..3 {
        let paid = book.fare(
            (SpendingPurpose::Replies, &auto()),
            wanted(4, 1),
            &Settings::default(),
        );
        if let Ok(paid) = paid {
            book.reserve(AskId(ask), paid);
        }
        book.answered(AskId(ask), u32::MAX, &used(u64::MAX, Some(u64::MAX)));
    }
    assert!(fare(&mut book, SpendingPurpose::Replies, 1).is_err());
}

#[test]
fn a_model_whose_price_nobody_knows_is_not_as_free_as_the_one_before_it() {
    let mut book = book();
    for ask in 1..=12 {
        let Ok(question) = fare(&mut book, SpendingPurpose::Replies, 10) else {
            assert_eq!(ask, 12, "the first was free, and ten are allowed");
            return;
        };
        book.reserve(AskId(ask), question);
        let cost = (ask == 1).then_some(0);
        book.answered(AskId(ask), 1, &used(10, cost));
    }
    panic!("nothing binds it");
}

#[test]
fn another_model_is_not_as_free_as_the_one_before_it() {
    let mut book = book();
    let first = fare(&mut book, SpendingPurpose::Replies, 10).expect("there is room");
    book.reserve(AskId(1), first);
    book.answered(AskId(1), 1, &used(10, Some(0)));
    let ask = |book: &mut SpendingBook, settings: &Settings| {
        let fare = book.fare((SpendingPurpose::Replies, &auto()), wanted(40, 0), settings);
        fare.map_err(|(refusal, _)| refusal.limit)
    };
    let none = settings(r#"{"spending": {"perDay": {"calls": 0}}}"#);
    assert!(
        ask(&mut book, &none).is_ok(),
        "what is known to be free binds nothing"
    );
    let other = settings(r#"{"llm": {"model": "dear"}, "spending": {"perDay": {"calls": 0}}}"#);
    assert_eq!(ask(&mut book, &other), Err(SpendingLimit::Calls));
}

#[test]
fn what_is_used_up_is_told_until_there_is_more_again() {
    let mut book = book();
    let replies = SpendingPurpose::Replies;
    let used_up = |book: &SpendingBook, settings: &Settings| {
        Some(book.used_up(replies, &unforeseen(), settings)?.limit)
    };
    assert_eq!(used_up(&book, &thrifty()), None);
    let most = fare(&mut book, replies, 9_000).expect("there is room");
    book.reserve(AskId(1), most);
    book.answered(AskId(1), 1, &used(9_000, None));
    assert_eq!(used_up(&book, &thrifty()), None, "small questions are asked");
    fare(&mut book, replies, 2_000).expect_err("too much for what is left");
    assert_eq!(used_up(&book, &thrifty()), Some(SpendingLimit::Tokens));
    let generous = settings(r#"{"spending": {"perDay": {"calls": 10, "tokens": 20000, "dollars": 1.0}}}"#);
    assert_eq!(used_up(&book, &generous), None, "somebody raised it");
    book.turn_page(at(NOON + 86_400_000));
    assert_eq!(used_up(&book, &thrifty()), None, "another day");
}

#[test]
fn a_price_that_is_assumed_binds_and_is_counted() {
    let mut book = book();
    let first = fare(&mut book, SpendingPurpose::Memory, 100).expect("there is room");
    book.reserve(AskId(1), first);
    let usage = Usage {
        cost_assumed: true,
        ..used(100, Some(190_000))
    };
    book.answered(AskId(1), 1, &usage);
    let spent = book.spent_on(SpendingPurpose::Memory);
    assert_eq!(
        (spent.assumed, spent.unpriced, spent.micro_dollars),
        (1, 0, 190_000)
    );
    let refusal = fare(&mut book, SpendingPurpose::Memory, 100).expect_err("a fifth of a dollar is 200000");
    assert_eq!(refusal.limit, SpendingLimit::Dollars);
}

#[test]
fn room_for_thought_and_for_asking_again_is_paid_in_advance_and_given_back() {
    let settings = thrifty();
    let thinking = |thought_tokens, asked_twice| MostWanted {
        allowance: AskAllowance {
            thought_tokens,
            asked_twice,
            ..AskAllowance::default()
        },
        ..wanted(400, 500)
    };
    let mut book = book();
    let paid = book.fare(
        (SpendingPurpose::Replies, &auto()),
        thinking(2_000, true),
        &settings,
    );
    let paid = paid.expect("there is room");
    assert_eq!(paid.tokens(), 2 * (100 + 500) + 2_000, "all that can be charged");
    book.reserve(AskId(1), paid);
    let (refusal, _) = book
        .fare(
            (SpendingPurpose::Replies, &auto()),
            thinking(6_500, true),
            &settings,
        )
        .expect_err("with thoughts it is too much");
    assert_eq!((refusal.limit, refusal.wanted), (SpendingLimit::Tokens, 7_700));
    // What it did not take is there for others.
    book.answered(AskId(1), 1, &used(100, None));
    assert!(
        book.fare(
            (SpendingPurpose::Replies, &auto()),
            thinking(6_500, true),
            &settings
        )
        .is_ok()
    );
    // Whoever does not count is not charged for thoughts that nobody has seen.
    let paid = book.fare(
        (SpendingPurpose::Replies, &auto()),
        thinking(2_000, true),
        &settings,
    );
    book.reserve(AskId(2), paid.expect("there is room"));
    book.answered(AskId(2), 1, &Usage::default());
    let spent = book.spent_on(SpendingPurpose::Replies);
    assert_eq!((spent.input_tokens, spent.output_tokens), (200, 500));
}

#[test]
fn dollars_are_reserved_at_the_price_of_what_is_written_and_before_the_first_answer() {
    let mut book = book();
    let wanted = MostWanted {
        allowance: AskAllowance {
            thought_tokens: 2_000,
            input_price: Some(3_000_000),
            output_price: Some(15_000_000),
            ..AskAllowance::default()
        },
        ..wanted(4_000, 1_000)
    };
    let paid = book.fare((SpendingPurpose::Replies, &auto()), wanted, &thrifty());
    let paid = paid.expect("there is room");
    assert_eq!(paid.micro_dollars(), 3_000 + 45_000);
    book.reserve(AskId(1), paid);
    book.given_up(AskId(1));
    assert_eq!(
        book.spent_on(SpendingPurpose::Replies).micro_dollars,
        3_000,
        "it was only read"
    );
}

#[test]
fn a_question_that_came_to_nothing_costs_what_reading_it_costs() {
    let replies = SpendingPurpose::Replies;
    let mut book = book();
    let priced = fare(&mut book, replies, 100).expect("there is room");
    book.reserve(AskId(1), priced);
    book.answered(AskId(1), 1, &used(100, Some(1_000)));
    let given_up = fare(&mut book, replies, 200).expect("there is room");
    book.reserve(AskId(2), given_up);
    book.given_up(AskId(2));
    assert_eq!(book.spent_on(replies).micro_dollars, 3_000);
    let late = fare(&mut book, replies, 300).expect("there is room");
    book.reserve(AskId(3), late);
    book.failed(
        AskId(3),
        &AskFailure::new(AskFailureKind::TimedOut, "it took too long".to_owned()),
    );
    assert_eq!(book.spent_on(replies).micro_dollars, 6_000);
    let unread = fare(&mut book, replies, 300).expect("there is room");
    book.reserve(AskId(4), unread);
    book.failed(
        AskId(4),
        &AskFailure::new(AskFailureKind::Unreachable, "nobody is there".to_owned()),
    );
    let spent = book.spent_on(replies);
    assert_eq!((spent.micro_dollars, spent.unpriced), (6_000, 0));
}

#[test]
fn of_two_models_for_one_purpose_each_is_paid_at_its_own_price() {
    let replies = SpendingPurpose::Replies;
    let mut book = book();
    let settings = thrifty();
    let mut ask = |number, provider: &str, cost| {
        let fare = book.fare((replies, &chosen(provider)), wanted(400, 0), &settings);
        let fare = fare.map_err(|(refusal, _)| refusal)?;
        book.reserve(AskId(number), fare);
        book.answered(AskId(number), 1, &used(100, Some(cost)));
        Ok::<(), SpendingRefusal>(())
    };
    ask(1, "compatible", 0).expect("it is free");
    ask(2, "anthropic", 990_000).expect("nobody knows yet what it costs");
    ask(3, "compatible", 0).expect("what is free binds nothing");
    ask(4, "anthropic", 990_000).expect_err("the dollar of the day is used");
    ask(5, "compatible", 0).expect("what is free binds nothing");
}
