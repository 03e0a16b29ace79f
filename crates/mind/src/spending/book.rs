//! The book: what was spent today, what is reserved, what was refused, and what prices were told.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{AskAllowance, AskFailure, AskId, MediaKind, Moment, Now, RoomId, Span, Usage};

use super::limits::{allowed, refused_by};
use super::media::ReservedMedia;
use crate::reasons::{SpendingGate, SpendingPurpose, SpendingRefusal, SpendingScope};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// Characters a token has, about.
const CHARS_PER_TOKEN: usize = 4;
/// Tokens a picture may take.
const PICTURE_TOKENS: u64 = 1_600;
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
    /// What a million tokens cost when a price was last told, in millionths of a dollar.
    rates: BTreeMap<SpendingPurpose, u64>,
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
    /// Calls that were charged as the dearest relative of their model.
    #[serde(skip_serializing_if = "is_zero")]
    pub assumed: u64,
    pub free_calls: u64,
    pub free_tokens: u64,
    pub refused: u64,
    /// The tokens of the question that was refused last.
    #[serde(skip_serializing_if = "is_zero")]
    pub refused_tokens: u64,
}

fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reserved {
    ask: AskId,
    fare: Fare,
}

/// What a question may take, found affordable. Only [`SpendingBook::fare`] makes one, so that nothing is asked unpaid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Fare {
    purpose: SpendingPurpose,
    input_tokens: u64,
    output_tokens: u64,
    /// What it may take beside: thoughts, and asking once more.
    #[serde(default, skip_serializing_if = "is_zero")]
    room_tokens: u64,
    micro_dollars: u64,
    /// The last price that was told was zero.
    free: bool,
}

/// The most that a question can be charged for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MostWanted {
    /// What it has to read.
    pub characters: usize,
    pub pictures: usize,
    /// The longest answer.
    pub output_tokens: u64,
    pub allowance: AskAllowance,
}

impl MostWanted {
    fn input_tokens(&self) -> u64 {
        self.characters.div_ceil(CHARS_PER_TOKEN) as u64 + PICTURE_TOKENS * self.pictures as u64
    }

    /// All tokens, in which a token has so many letters and a picture so many tokens.
    pub fn tokens(&self, chars_per_token: usize, picture_tokens: u64) -> u64 {
        let read = self.characters.div_ceil(chars_per_token) as u64 + picture_tokens * self.pictures as u64;
        let tries = 1 + u64::from(self.allowance.asked_twice);
        (read + self.output_tokens) * tries + self.allowance.thought_tokens
    }
}

impl Fare {
    /// At so many millionths of a dollar for a million tokens, where that is known; what is told of the model's own
    /// prices comes first.
    fn of(purpose: SpendingPurpose, wanted: &MostWanted, rate: Option<u64>) -> Self {
        let MostWanted {
            output_tokens,
            allowance,
            ..
        } = *wanted;
        let input_tokens = wanted.input_tokens();
        let again = u64::from(allowance.asked_twice);
        let room = allowance.thought_tokens.saturating_add(again * output_tokens);
        let cost = |tokens: u64, price: Option<u64>| tokens.saturating_mul(price.or(rate).unwrap_or(0));
        let read = cost(input_tokens.saturating_mul(1 + again), allowance.input_price);
        let written = cost(output_tokens.saturating_add(room), allowance.output_price);
        Self {
            purpose,
            input_tokens,
            output_tokens,
            room_tokens: room.saturating_add(again * input_tokens),
            micro_dollars: read.saturating_add(written).div_ceil(1_000_000),
            free: rate == Some(0),
        }
    }

    pub fn tokens(&self) -> u64 {
        let answered = self.input_tokens.saturating_add(self.output_tokens);
        answered.saturating_add(self.room_tokens)
    }

    pub fn micro_dollars(&self) -> u64 {
        self.micro_dollars
    }
}

/// Calls, tokens and millionths of a dollar that bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub calls: u64,
    pub tokens: u64,
    pub micro_dollars: u64,
}

impl Used {
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
        purpose: SpendingPurpose,
        wanted: MostWanted,
        settings: &Settings,
    ) -> Result<Fare, (SpendingRefusal, bool)> {
        let chosen = priced_as(settings);
        if self.priced_for != chosen {
            self.rates.clear();
            self.priced_for = chosen;
        }
        let rate = self.rates.get(&purpose).copied();
        let fare = Fare::of(purpose, &wanted, rate);
        let Some(refusal) = self.refusal(&fare, settings) else {
            return Ok(fare);
        };
        let is_first = self.count_refused(purpose);
        self.spent.entry(purpose).or_default().refused_tokens = fare.tokens();
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
    pub(super) fn used_up(&self, purpose: SpendingPurpose, settings: &Settings) -> Option<SpendingRefusal> {
        let rate = self.rates.get(&purpose).copied();
        let rate = rate.filter(|_| self.priced_for == priced_as(settings));
        let wanted = MostWanted {
            output_tokens: self.spent_on(purpose).refused_tokens.max(1),
            ..MostWanted::default()
        };
        let fare = Fare::of(purpose, &wanted, rate);
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
            self.settle(fare.purpose, tries, &usage);
        }
    }

    /// A question came to nothing. What nobody read costs nothing but its calls; what was lost on the way may have been
    /// read.
    pub fn failed(&mut self, ask: AskId, failure: &AskFailure) {
        let Some(fare) = self.close(ask) else { return };
        let lost = Usage {
            input_tokens: if failure.kind.was_not_read() {
                0
            } else {
                fare.input_tokens
            },
            ..Usage::default()
        };
        match failure.usage {
            Some(usage) => self.settle(fare.purpose, failure.tries, &usage),
            None if fare.free => {
                self.rates.remove(&fare.purpose);
                self.free(fare.purpose, failure.tries, 0);
            }
            None => {
                let spent = self.spent.entry(fare.purpose).or_default();
                spent.calls = spent.calls.saturating_add(u64::from(failure.tries.max(1)));
                spent.input_tokens = spent.input_tokens.saturating_add(lost.input_tokens);
            }
        }
    }

    /// A question was given up: what it had to read was paid for.
    pub fn given_up(&mut self, ask: AskId) {
        if let Some(fare) = self.close(ask) {
            if fare.free {
                return self.free(fare.purpose, 1, fare.input_tokens);
            }
            let spent = self.spent.entry(fare.purpose).or_default();
            spent.calls += 1;
            spent.input_tokens = spent.input_tokens.saturating_add(fare.input_tokens);
            spent.unpriced += 1;
        }
    }

    /// Something else than a question was paid for, such as a picture.
    pub fn paid(&mut self, purpose: SpendingPurpose, micro_dollars: u64) {
        let spent = self.spent.entry(purpose).or_default();
        spent.micro_dollars = spent.micro_dollars.saturating_add(micro_dollars);
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

    fn settle(&mut self, purpose: SpendingPurpose, tries: u32, usage: &Usage) {
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        match usage.cost_micro_dollars {
            Some(cost) => {
                let rate = cost.saturating_mul(1_000_000) / tokens.max(1);
                self.rates.insert(purpose, rate);
                if cost == 0 {
                    return self.free(purpose, tries, tokens);
                }
            }
            // Whoever answered is not the one whose price was known.
            None => drop(self.rates.remove(&purpose)),
        }
        let spent = self.spent.entry(purpose).or_default();
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut spent.calls, u64::from(tries.max(1)));
        add(&mut spent.input_tokens, usage.input_tokens);
        add(&mut spent.cached_tokens, usage.cached_input_tokens);
        add(&mut spent.output_tokens, usage.output_tokens);
        match usage.cost_micro_dollars {
            Some(cost) => {
                add(&mut spent.micro_dollars, cost);
                add(&mut spent.assumed, u64::from(usage.cost_assumed));
            }
            None => add(&mut spent.unpriced, 1),
        }
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
