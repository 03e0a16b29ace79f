//! What a question may take at most, before it is asked.

use serde::{Deserialize, Serialize};
use vocabulary::{AskAllowance, ModelChoice};

use crate::reasons::SpendingPurpose;

/// Characters a token has, about.
pub(super) const CHARS_PER_TOKEN: usize = 4;
/// Tokens a picture may take.
const PICTURE_TOKENS: u64 = 1_600;

/// What a question may take, found affordable. Only [`SpendingBook::fare`] makes one, so that nothing is asked unpaid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Fare {
    pub(super) purpose: SpendingPurpose,
    /// Who is asked; not known of questions from before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) choice: Option<ModelChoice>,
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    /// What it may take beside: thoughts, and asking once more.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) room_tokens: u64,
    pub(super) micro_dollars: u64,
    /// What reading the question costs, where the model's own price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) read_micro_dollars: Option<u64>,
    /// The last price that was told was zero.
    pub(super) free: bool,
    /// It costs no money, as is known before it was asked for the first time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) free_of_charge: bool,
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
    pub(super) fn of(purpose: SpendingPurpose, wanted: &MostWanted, rate: Option<u64>) -> Self {
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
            choice: None,
            input_tokens,
            output_tokens,
            room_tokens: room.saturating_add(again * input_tokens),
            micro_dollars: read.saturating_add(written).div_ceil(1_000_000),
            read_micro_dollars: allowance
                .input_price
                .map(|price| input_tokens.saturating_mul(price).div_ceil(1_000_000)),
            free: rate == Some(0),
            free_of_charge: allowance.free,
        }
    }

    /// What reading the question costs, where a price is known.
    pub(super) fn reading(&self) -> u64 {
        if let Some(read) = self.read_micro_dollars {
            return read;
        }
        let share = u128::from(self.micro_dollars) * u128::from(self.input_tokens);
        u64::try_from(share.div_ceil(u128::from(self.tokens().max(1)))).unwrap_or(u64::MAX)
    }

    pub fn tokens(&self) -> u64 {
        let answered = self.input_tokens.saturating_add(self.output_tokens);
        answered.saturating_add(self.room_tokens)
    }

    pub fn micro_dollars(&self) -> u64 {
        self.micro_dollars
    }
}

pub(super) fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}
