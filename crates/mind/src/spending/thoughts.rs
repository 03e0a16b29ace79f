//! What thoughts of its own cost in any 24 hours, written or said aloud. A question is paid for before it is asked, as dear as it may get; what it really
//! cost replaces that when it is known.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use settings::InitiativeBudgetSettings;
use vocabulary::{AskId, Moment, Span, TurnId, Usage};

use super::MostWanted;
use super::view::Meter;
use crate::reasons::AmbientGate;

/// Characters a token has at least, on average: fewer than the usual four, so that no prompt is dearer than thought.
const CHARS_PER_TOKEN_MIN: usize = 3;
/// Tokens a picture may take.
const PICTURE_TOKENS: u64 = 1_600;
/// Prompts are taken to be this long before the first was made.
const USUAL_PROMPT_TOKENS: u64 = 3_000;
/// A price is believed for so long: an absurd one must not keep it from thinking for ever.
const PRICE_LASTS: Span = Span::hours(7 * 24);
/// How long an allowance lasts.
const DAY: Span = Span::hours(24);
const DOLLAR: f64 = 1_000_000.0;

/// Calls of the last 24 hours, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ThoughtSpending {
    calls: VecDeque<Call>,
    /// None: no price was told lately.
    #[serde(default)]
    dearest: Option<Price>,
}

/// What a token cost at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Price {
    /// Millionths of a dollar a million tokens.
    rate: u64,
    told: Moment,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Call {
    at: Moment,
    ask: AskId,
    turn: TurnId,
    tokens: u64,
    /// Millionths of a dollar.
    cost: u64,
    priced: bool,
}

/// What a question may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reservation {
    pub tokens: u64,
}

impl Reservation {
    /// The most that a question can be charged for.
    pub fn of(wanted: &MostWanted) -> Self {
        Self {
            tokens: wanted.tokens(CHARS_PER_TOKEN_MIN, PICTURE_TOKENS),
        }
    }
}

impl ThoughtSpending {
    /// Lets go of what is older than a day, and of a price that is older than a week.
    pub fn prune(&mut self, now: Moment) {
        self.dearest = self.dearest.filter(|price| now.since(price.told) < PRICE_LASTS);
        while self.calls.front().is_some_and(|call| now.since(call.at) >= DAY) {
            self.calls.pop_front();
        }
    }

    /// What a thought is likely to take, before its prompt is made.
    pub fn expected(&self, max_output_tokens: u64) -> Reservation {
        let usual = self.calls.back().map_or(USUAL_PROMPT_TOKENS, |call| call.tokens);
        Reservation {
            tokens: usual.max(max_output_tokens),
        }
    }

    /// Why a question of that size is not to be asked.
    pub fn refuses(
        &self,
        reservation: Reservation,
        limits: &InitiativeBudgetSettings,
        now: Moment,
    ) -> Option<AmbientGate> {
        let (calls, tokens, cost) = self.used(now);
        let limit = micro_dollars(limits.max_dollars_per_day);
        if calls >= limits.max_calls_per_day {
            Some(AmbientGate::BudgetCalls)
        } else if tokens.saturating_add(reservation.tokens) > limits.max_tokens_per_day {
            Some(AmbientGate::BudgetTokens)
        } else if limit == 0 || cost.saturating_add(self.price(reservation.tokens)) > limit {
            Some(AmbientGate::BudgetCost)
        } else {
            None
        }
    }

    /// Questions that are left.
    pub fn calls_left(&self, limits: &InitiativeBudgetSettings, now: Moment) -> u64 {
        let (calls, ..) = self.used(now);
        limits.max_calls_per_day.saturating_sub(calls)
    }

    /// Pays for a question that is asked now.
    pub fn reserve(&mut self, ask: AskId, turn: TurnId, reservation: Reservation, now: Moment) {
        let cost = self.price(reservation.tokens);
        self.calls.push_back(Call {
            at: now,
            ask,
            turn,
            tokens: reservation.tokens,
            cost,
            priced: false,
        });
    }

    /// What a question really took. A provider that does not say keeps what was reserved.
    pub fn settle(&mut self, ask: AskId, usage: &Usage) {
        let Some(call) = self.calls.iter_mut().rev().find(|call| call.ask == ask) else {
            return;
        };
        // Whoever lies about it must not break anything else.
        let told = usage.input_tokens.saturating_add(usage.output_tokens);
        if told > 0 {
            call.tokens = told;
        }
        match usage.cost_micro_dollars {
            Some(cost) => {
                call.cost = cost;
                call.priced = true;
                let rate = cost.saturating_mul(1_000_000) / call.tokens.max(1);
                if self.dearest.is_none_or(|dearest| rate >= dearest.rate) {
                    self.dearest = Some(Price { rate, told: call.at });
                }
            }
            None => call.cost = 0,
        }
    }

    /// A question that reached nobody took nothing but its turn.
    pub fn unused(&mut self, ask: AskId) {
        if let Some(call) = self.calls.iter_mut().rev().find(|call| call.ask == ask) {
            call.tokens = 0;
            call.cost = 0;
        }
    }

    /// Something else than a question was paid for, such as a picture.
    pub fn paid(&mut self, turn: TurnId, cost: u64, now: Moment) {
        self.calls.push_back(Call {
            at: now,
            ask: AskId(0),
            turn,
            tokens: 0,
            cost,
            priced: true,
        });
    }

    /// What one run took: calls, tokens, and money where prices are known.
    pub fn of(&self, turn: TurnId) -> (u64, u64, Option<u64>) {
        let own = || self.calls.iter().filter(|call| call.turn == turn);
        let questions = own().filter(|call| call.ask != AskId(0)).count() as u64;
        let tokens = total(own().map(|call| call.tokens));
        let priced = own().any(|call| call.priced);
        (
            questions,
            tokens,
            priced.then(|| total(own().map(|call| call.cost))),
        )
    }

    /// Meters for calls, tokens and cost, and the calls without a price.
    pub fn meters(&self, limits: &InitiativeBudgetSettings, now: Moment) -> (Meter, Meter, Meter, u64) {
        let (calls, tokens, cost) = self.used(now);
        let frees_in = self
            .recent(now)
            .next()
            .map(|call| Span(DAY.0 - now.since(call.at).0));
        let meter = |used, limit| Meter {
            used,
            limit,
            frees_in,
        };
        let unpriced = self.recent(now).filter(|call| !call.priced).count() as u64;
        (
            meter(calls, limits.max_calls_per_day),
            meter(tokens, limits.max_tokens_per_day),
            meter(cost, micro_dollars(limits.max_dollars_per_day)),
            unpriced,
        )
    }

    /// What a thought took on average: tokens, and money where every price is known.
    pub fn mean(&self, now: Moment) -> (Option<u64>, Option<u64>) {
        let mut turns: Vec<TurnId> = self.recent(now).map(|call| call.turn).collect();
        turns.dedup();
        let thoughts = turns.len() as u64;
        if thoughts == 0 {
            return (None, None);
        }
        let (_, tokens, cost) = self.used(now);
        let priced = self.recent(now).any(|call| call.priced);
        (Some(tokens / thoughts), priced.then_some(cost / thoughts))
    }

    fn used(&self, now: Moment) -> (u64, u64, u64) {
        let questions = self.recent(now).filter(|call| call.ask != AskId(0)).count() as u64;
        let tokens = total(self.recent(now).map(|call| call.tokens));
        let cost = total(self.recent(now).map(|call| call.cost));
        (questions, tokens, cost)
    }

    fn recent(&self, now: Moment) -> impl Iterator<Item = &Call> {
        self.calls.iter().filter(move |call| now.since(call.at) < DAY)
    }

    fn price(&self, tokens: u64) -> u64 {
        let price = |dearest: Price| tokens.saturating_mul(dearest.rate).div_ceil(1_000_000);
        self.dearest.map_or(0, price)
    }
}

fn total(amounts: impl Iterator<Item = u64>) -> u64 {
    amounts.fold(0, u64::saturating_add)
}

fn micro_dollars(dollars: f64) -> u64 {
    (dollars * DOLLAR).round() as u64
}

#[cfg(test)]
#[path = "thoughts_tests.rs"]
mod thoughts_tests;
