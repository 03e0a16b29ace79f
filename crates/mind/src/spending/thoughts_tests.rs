//! Budgets to the edge of the window, and models that say absurd things.

use settings::InitiativeBudgetSettings;
use vocabulary::{AskId, Moment, Span, TurnId, Usage};

use super::{DAY, PRICE_LASTS, Reservation, ThoughtSpending};
use crate::reasons::AmbientGate;
use crate::spending::MostWanted;

const QUESTION: Reservation = Reservation { tokens: 1_000 };

fn limits(calls: u64, tokens: u64, dollars: f64) -> InitiativeBudgetSettings {
    InitiativeBudgetSettings {
        max_calls_per_day: calls,
        max_tokens_per_day: tokens,
        max_dollars_per_day: dollars,
    }
}

fn usage(tokens: u64, cost: Option<u64>) -> Usage {
    Usage {
        input_tokens: tokens,
        cost_micro_dollars: cost,
        ..Usage::default()
    }
}

fn spent(ask: u64, at: Moment, took: Usage) -> ThoughtSpending {
    let mut spending = ThoughtSpending::default();
    spending.reserve(AskId(ask), TurnId(1), QUESTION, at);
    spending.settle(AskId(ask), &took);
    spending
}

#[test]
fn zero_of_any_takes_no_question() {
    let spending = ThoughtSpending::default();
    let refuses = |limits: &InitiativeBudgetSettings| spending.refuses(QUESTION, limits, Moment(0));
    assert_eq!(refuses(&limits(0, 9_999, 1.0)), Some(AmbientGate::BudgetCalls));
    assert_eq!(refuses(&limits(9, 0, 1.0)), Some(AmbientGate::BudgetTokens));
    assert_eq!(refuses(&limits(9, 9_999, 0.0)), Some(AmbientGate::BudgetCost));
    assert_eq!(refuses(&limits(9, 9_999, 1.0)), None);
}

#[test]
fn a_question_fits_to_the_last_token() {
    let spending = spent(1, Moment(0), usage(500, None));
    assert_eq!(
        spending.refuses(QUESTION, &limits(9, 1_500, 1.0), Moment(1)),
        None
    );
    let one_less = spending.refuses(QUESTION, &limits(9, 1_499, 1.0), Moment(1));
    assert_eq!(one_less, Some(AmbientGate::BudgetTokens));
}

#[test]
fn a_call_counts_for_a_day_to_the_millisecond() {
    let mut spending = spent(1, Moment(5), usage(500, None));
    let one = limits(1, 9_999, 1.0);
    let last = Moment(5 + DAY.0 - 1);
    assert_eq!(
        spending.refuses(QUESTION, &one, last),
        Some(AmbientGate::BudgetCalls)
    );
    assert_eq!(spending.meters(&one, last).0.frees_in, Some(Span(1)));
    let over = Moment(5 + DAY.0);
    assert_eq!(spending.refuses(QUESTION, &one, over), None);
    spending.prune(over);
    assert_eq!(spending, ThoughtSpending::default());
}

#[test]
fn until_it_is_answered_a_question_costs_what_it_may_take() {
    let mut spending = ThoughtSpending::default();
    spending.reserve(AskId(1), TurnId(1), QUESTION, Moment(0));
    assert_eq!(spending.of(TurnId(1)), (1, 1_000, None));
    spending.settle(AskId(1), &usage(300, Some(7)));
    assert_eq!(spending.of(TurnId(1)), (1, 300, Some(7)));
}

#[test]
fn a_provider_that_does_not_say_keeps_what_was_reserved() {
    let spending = spent(1, Moment(0), Usage::default());
    assert_eq!(spending.of(TurnId(1)), (1, 1_000, None));
}

#[test]
fn a_question_that_reached_nobody_took_nothing_but_its_place() {
    let mut spending = ThoughtSpending::default();
    spending.reserve(AskId(1), TurnId(1), QUESTION, Moment(0));
    spending.unused(AskId(1));
    assert_eq!(spending.of(TurnId(1)), (1, 0, None));
    let one = limits(1, 9_999, 1.0);
    assert_eq!(
        spending.refuses(QUESTION, &one, Moment(1)),
        Some(AmbientGate::BudgetCalls)
    );
}

#[test]
fn once_a_price_is_known_the_next_question_is_taken_to_be_as_dear() {
    // 1,000 tokens for 60,000 millionths: another thousand would cost as much.
    let spending = spent(1, Moment(0), usage(1_000, Some(60_000)));
    assert_eq!(
        spending.refuses(QUESTION, &limits(9, 99_999, 0.12), Moment(1)),
        None
    );
    let less = spending.refuses(QUESTION, &limits(9, 99_999, 0.119_999), Moment(1));
    assert_eq!(less, Some(AmbientGate::BudgetCost));
}

#[test]
fn pictures_cost_money_and_are_no_calls() {
    let mut spending = ThoughtSpending::default();
    spending.paid(TurnId(1), 90_000, Moment(0));
    assert_eq!(spending.of(TurnId(1)), (0, 0, Some(90_000)));
    let little = spending.refuses(QUESTION, &limits(9, 9_999, 0.08), Moment(1));
    assert_eq!(little, Some(AmbientGate::BudgetCost));
}

#[test]
fn absurd_figures_shut_the_gate_and_break_nothing() {
    let most = usage(u64::MAX, Some(u64::MAX));
    let absurd = Usage {
        output_tokens: u64::MAX,
        ..most
    };
    let mut spending = spent(1, Moment(0), absurd);
    spending.reserve(AskId(2), TurnId(1), QUESTION, Moment(1));
    spending.settle(AskId(2), &absurd);
    assert_eq!(spending.of(TurnId(1)), (2, u64::MAX, Some(u64::MAX)));
    let refused = spending.refuses(QUESTION, &limits(9, 9_999, 1.0), Moment(2));
    assert_eq!(refused, Some(AmbientGate::BudgetTokens));
    assert_eq!(spending.mean(Moment(2)), (Some(u64::MAX), Some(u64::MAX)));
}

#[test]
fn an_absurd_price_is_not_believed_for_ever() {
    let mut spending = spent(1, Moment(0), usage(1, Some(u64::MAX)));
    let refuses = |spending: &mut ThoughtSpending, at: Moment| {
        spending.prune(at);
        spending.refuses(QUESTION, &limits(9, 9_999, 1.0), at)
    };
    assert_eq!(
        refuses(&mut spending, Moment(DAY.0)),
        Some(AmbientGate::BudgetCost)
    );
    assert_eq!(refuses(&mut spending, Moment(PRICE_LASTS.0)), None);
}

#[test]
fn a_question_is_reserved_by_what_is_read_and_what_may_be_written() {
    let mut wanted = MostWanted {
        characters: 3_001,
        output_tokens: 500,
        ..MostWanted::default()
    };
    assert_eq!(Reservation::of(&wanted).tokens, 1_501);
    wanted.allowance.thought_tokens = 2_000;
    assert_eq!(
        Reservation::of(&wanted).tokens,
        3_501,
        "thoughts are paid for like words"
    );
    wanted.allowance.asked_twice = true;
    assert_eq!(Reservation::of(&wanted).tokens, 5_002);
    wanted.pictures = 1;
    assert!(Reservation::of(&wanted).tokens > 5_002);
}
