//! The book: what was spent today, what is reserved, what was refused, and what prices were told.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskFailure, AskId, MediaKind, ModelChoice, Moment, Now, RoomId, Span, Usage};

use super::fare::{Fare, MostWanted, is_zero};
use super::foreseen::Foreseen;
use super::limits::{allowed, refused_by};
use super::media::ReservedMedia;
use crate::reasons::{SpendingGate, SpendingPurpose, SpendingRefusal, SpendingScope};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// Prices that are remembered; a community has few models.
const PRICES_MAX: usize = 32;
/// Rooms that are remembered as told; more than that are told again.
const ROOMS_TOLD_MAX: usize = 5_000;

/// What was spent in one day.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SpendingBook {
    /// Days since 1970, UTC.
    day: i64,
    spent: BTreeMap<SpendingPurpose, Spent>,
    /// What is reserved for questions under way.
    open: Vec<Reserved>,
    /// What prices were told, the newest last.
    prices: Vec<Price>,
    /// The model that was chosen when they were told: another one has other prices.
    priced_for: String,
    /// What is reserved for pictures and clips in the making, and what the last of each kind cost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) open_media: Vec<ReservedMedia>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) media_prices: BTreeMap<MediaKind, u64>,
    saved: BTreeMap<SpendingGate, u64>,
    /// Rooms in which somebody was told today that there is nothing left.
    told: BTreeSet<RoomId>,
}

/// What one purpose took. What is free stands beside the rest and binds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Spent {
    pub calls: u64,
    pub input_tokens: u64,
    pub cached_tokens: u64,
    pub output_tokens: u64,
    pub micro_dollars: u64,
    /// Calls whose price nobody knows.
    pub unpriced: u64,
    /// Calls whose price was assumed.
    #[serde(skip_serializing_if = "is_zero")]
    pub assumed: u64,
    /// What was saved by what providers had read before.
    pub cache_saved: i64,
    pub free_calls: u64,
    pub free_tokens: u64,
    pub refused: u64,
    /// What the question that was refused last has to read, and its longest answer; nothing once another was asked.
    #[serde(skip_serializing_if = "is_zero")]
    pub refused_input: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub refused_output: u64,
}

/// What a model cost for a purpose when a price was last told. A purpose may have two models, such as one for replies
/// and one for what follows a look-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Price {
    purpose: SpendingPurpose,
    choice: ModelChoice,
    /// For a million tokens, in millionths of a dollar.
    rate: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reserved {
    ask: AskId,
    fare: Fare,
}

/// Calls, tokens and millionths of a dollar that bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub calls: u64,
    pub tokens: u64,
    pub micro_dollars: u64,
}

impl Used {
    fn max() -> Self {
        Self {
            calls: u64::MAX,
            tokens: u64::MAX,
            micro_dollars: u64::MAX,
        }
    }

    fn add(&mut self, other: Used) {
        self.calls = self.calls.saturating_add(other.calls);
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.micro_dollars = self.micro_dollars.saturating_add(other.micro_dollars);
    }
}

impl SpendingBook {
    /// Another day is another budget.
    pub fn turn_page(&mut self, now: Now) {
        let day = now.wall.0.div_euclid(DAY_MS);
        if day != self.day {
            self.day = day;
            self.spent.clear();
            self.saved.clear();
            self.told.clear();
        }
    }

    /// What a question may take, or why it is not asked. The first refusal of a purpose today says so.
    pub fn fare(
        &mut self,
        (purpose, choice): (SpendingPurpose, &ModelChoice),
        wanted: MostWanted,
        settings: &Settings,
    ) -> Result<Fare, (SpendingRefusal, bool)> {
        let chosen = priced_as(settings);
        if self.priced_for != chosen {
            self.prices.clear();
            self.priced_for = chosen;
        }
        let told = self.prices.iter();
        let mut its = told.filter(|price| price.purpose == purpose && price.choice == *choice);
        let rate = its.next().map(|price| price.rate);
        let fare = Fare {
            choice: Some(choice.clone()),
            ..Fare::of(purpose, &wanted, rate)
        };
        let Some(refusal) = self.refusal(&fare, settings) else {
            if let Some(spent) = self.spent.get_mut(&purpose) {
                (spent.refused_input, spent.refused_output) = (0, 0);
            }
            return Ok(fare);
        };
        let is_first = self.count_refused(purpose);
        let spent = self.spent.entry(purpose).or_default();
        (spent.refused_input, spent.refused_output) = (fare.input_tokens, fare.output_tokens);
        Err((refusal, is_first))
    }

    /// Something was refused; whether it is the first of a purpose today.
    pub(super) fn count_refused(&mut self, purpose: SpendingPurpose) -> bool {
        let spent = self.spent.entry(purpose).or_default();
        spent.refused += 1;
        spent.refused == 1
    }

    /// Why a question is too dear for what is left, if it is.
    fn refusal(&self, fare: &Fare, settings: &Settings) -> Option<SpendingRefusal> {
        if fare.free {
            return None;
        }
        SpendingScope::ALL.into_iter().find_map(|scope| {
            let share = allowed(fare.purpose, scope, settings)?;
            let used = self.used(fare.purpose, scope, settings);
            refused_by(fare, fare.purpose, scope, share, used)
        })
    }

    /// What nothing is left of for a purpose: a question like the one that was refused last, or else the smallest there
    /// is, would not be asked now.
    pub(super) fn used_up(
        &self,
        purpose: SpendingPurpose,
        foreseen: &Foreseen<'_>,
        settings: &Settings,
    ) -> Option<SpendingRefusal> {
        let newest = self.prices.iter().rev().find(|price| price.purpose == purpose);
        let newest = newest.filter(|_| self.priced_for == priced_as(settings));
        let rate = newest.map(|price| price.rate);
        let fare = Fare::of(purpose, &foreseen.least(purpose, self.spent_on(purpose)), rate);
        self.refusal(&fare, settings)
    }

    /// Pays for a question that is asked now.
    pub fn reserve(&mut self, ask: AskId, fare: Fare) {
        self.open.push(Reserved { ask, fare });
    }

    /// A question was answered, after so many tries.
    pub fn answered(&mut self, ask: AskId, tries: u32, usage: &Usage) {
        if let Some(fare) = self.close(ask) {
            let told = usage.input_tokens.saturating_add(usage.output_tokens) > 0;
            // A provider that does not count keeps what was reserved.
            let usage = match told {
                true => *usage,
                false => Usage {
                    input_tokens: fare.input_tokens,
                    output_tokens: fare.output_tokens,
                    ..*usage
                },
            };
            self.settle(&fare, tries, &usage);
        }
    }

    /// A question came to nothing. What nobody read costs nothing but its calls; what was lost on the way may have been
    /// read.
    pub fn failed(&mut self, ask: AskId, failure: &AskFailure) {
        let Some(fare) = self.close(ask) else { return };
        match failure.usage {
            Some(usage) => self.settle(&fare, failure.tries, &usage),
            None if fare.free => {
                self.forget_price(&fare);
                self.free(fare.purpose, failure.tries, 0);
            }
            None if failure.kind.was_not_read() => self.lose(&fare, failure.tries, 0, 0),
            None => self.lose(&fare, failure.tries, fare.input_tokens, fare.reading()),
        }
    }

    /// A question was given up: what it had to read was paid for.
    pub fn given_up(&mut self, ask: AskId) {
        if let Some(fare) = self.close(ask) {
            if fare.free {
                return self.free(fare.purpose, 1, fare.input_tokens);
            }
            self.lose(&fare, 1, fare.input_tokens, fare.reading());
        }
    }

    /// Counts a question that brought nothing, and what reading it took.
    fn lose(&mut self, fare: &Fare, tries: u32, input_tokens: u64, micro_dollars: u64) {
        let spent = self.spent.entry(fare.purpose).or_default();
        spent.calls = spent.calls.saturating_add(u64::from(tries.max(1)));
        spent.input_tokens = spent.input_tokens.saturating_add(input_tokens);
        spent.micro_dollars = spent.micro_dollars.saturating_add(micro_dollars);
        spent.unpriced += u64::from(input_tokens > 0 && micro_dollars == 0);
    }

    fn forget_price(&mut self, fare: &Fare) {
        let is_its =
            |price: &Price| price.purpose == fare.purpose && fare.choice.as_ref() == Some(&price.choice);
        self.prices.retain(|price| !is_its(price));
    }

    /// Something else than a question was paid for, such as a picture.
    pub fn paid(&mut self, purpose: SpendingPurpose, micro_dollars: u64) {
        let spent = self.spent.entry(purpose).or_default();
        spent.micro_dollars = spent.micro_dollars.saturating_add(micro_dollars);
    }

    /// Ears or a voice were used, for so much where that is known.
    pub fn paid_for_speech(&mut self, cost: Option<u64>) {
        let spent = self.spent.entry(SpendingPurpose::Replies).or_default();
        spent.micro_dollars = spent.micro_dollars.saturating_add(cost.unwrap_or_default());
        spent.unpriced = spent.unpriced.saturating_add(u64::from(cost.is_none()));
    }

    /// Whether no dollars are left today for a purpose.
    pub fn has_no_dollars(&self, purpose: SpendingPurpose, settings: &Settings) -> bool {
        SpendingScope::ALL.into_iter().any(|scope| {
            let share = allowed(purpose, scope, settings).unwrap_or_else(Used::max);
            self.used(purpose, scope, settings).micro_dollars >= share.micro_dollars
        })
    }

    /// Something kept a model from being asked.
    pub fn save(&mut self, gate: SpendingGate, times: u64) {
        if times > 0 {
            let saved = self.saved.entry(gate).or_default();
            *saved = saved.saturating_add(times);
        }
    }

    /// Whether somebody in a room is to be told that there is nothing left: once a day.
    pub fn is_to_be_told(&mut self, room: &RoomId) -> bool {
        if self.told.len() >= ROOMS_TOLD_MAX {
            self.told.clear();
        }
        self.told.insert(room.clone())
    }

    fn settle(&mut self, fare: &Fare, tries: u32, usage: &Usage) {
        let purpose = fare.purpose;
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        // Without a price, whoever answered is not the one whose price was known.
        self.forget_price(fare);
        if let Some(cost) = usage.cost_micro_dollars {
            if let Some(choice) = fare.choice.clone() {
                let rate = cost.saturating_mul(1_000_000) / tokens.max(1);
                self.prices.push(Price {
                    purpose,
                    choice,
                    rate,
                });
            }
            if self.prices.len() > PRICES_MAX {
                self.prices.remove(0);
            }
            if cost == 0 {
                return self.free(purpose, tries, tokens);
            }
        }
        let spent = self.spent.entry(purpose).or_default();
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut spent.calls, u64::from(tries.max(1)));
        add(&mut spent.input_tokens, usage.input_tokens);
        add(&mut spent.cached_tokens, usage.cached_input_tokens);
        add(&mut spent.output_tokens, usage.output_tokens);
        let cost = usage.cost_micro_dollars;
        add(&mut spent.micro_dollars, cost.unwrap_or_default());
        add(&mut spent.unpriced, u64::from(cost.is_none()));
        add(&mut spent.assumed, u64::from(usage.cost_assumed));
        spent.cache_saved = spent.cache_saved.saturating_add(usage.cache_saved_micro_dollars);
    }

    fn free(&mut self, purpose: SpendingPurpose, tries: u32, tokens: u64) {
        let spent = self.spent.entry(purpose).or_default();
        spent.free_calls = spent.free_calls.saturating_add(u64::from(tries.max(1)));
        spent.free_tokens = spent.free_tokens.saturating_add(tokens);
    }

    fn close(&mut self, ask: AskId) -> Option<Fare> {
        let place = self.open.iter().position(|reserved| reserved.ask == ask)?;
        Some(self.open.swap_remove(place).fare)
    }

    /// What is used of a share, reservations included. Of what others share, nobody has used more than was theirs:
    /// a provider that tells absurd numbers for one purpose must not end the day for all.
    pub(super) fn used(&self, purpose: SpendingPurpose, scope: SpendingScope, settings: &Settings) -> Used {
        let counts = |other: SpendingPurpose| match scope {
            SpendingScope::Purpose => other == purpose,
            SpendingScope::Background => other != SpendingPurpose::Replies,
            SpendingScope::Everything => true,
        };
        let mut used = Used::default();
        for (other, spent) in self.spent.iter().filter(|(other, _)| counts(**other)) {
            let own = allowed(*other, SpendingScope::Purpose, settings).unwrap_or_default();
            used.add(Used {
                calls: spent.calls.min(own.calls),
                tokens: spent
                    .input_tokens
                    .saturating_add(spent.output_tokens)
                    .min(own.tokens),
                micro_dollars: spent.micro_dollars.min(own.micro_dollars),
            });
        }
        let open = self.open.iter().map(|reserved| &reserved.fare);
        for fare in open.filter(|fare| counts(fare.purpose) && !fare.free) {
            used.add(Used {
                calls: 1,
                tokens: fare.tokens(),
                micro_dollars: fare.micro_dollars,
            });
        }
        for made in self.open_media.iter().filter(|made| counts(made.purpose)) {
            used.add(made.used());
        }
        used
    }

    pub(super) fn spent_on(&self, purpose: SpendingPurpose) -> Spent {
        self.spent.get(&purpose).copied().unwrap_or_default()
    }

    pub(super) fn saved(&self) -> &BTreeMap<SpendingGate, u64> {
        &self.saved
    }

    pub(super) fn under_way(&self, purpose: SpendingPurpose) -> u64 {
        let open = self
            .open
            .iter()
            .filter(|reserved| reserved.fare.purpose == purpose);
        open.count() as u64
    }
}

/// What prices hold for.
fn priced_as(settings: &Settings) -> String {
    let llm = &settings.llm;
    format!("{:?} {} {}", llm.provider, llm.model, llm.compatible_base_url)
}

/// How long it is until the day is over, and when that is.
pub(crate) fn tomorrow(now: Now) -> (Span, Moment) {
    let left = DAY_MS - now.wall.0.rem_euclid(DAY_MS);
    let left = Span(u64::try_from(left).unwrap_or_default());
    (left, now.moment + left)
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod book_tests;
