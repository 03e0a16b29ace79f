//! What a question will take at the least, before anybody has asked it: whoever runs Denizen hears of a budget that is too
//! small for a single one before a room does.

use std::collections::BTreeMap;

use vocabulary::{AskAllowance, AskPurpose};

use super::book::Spent;
use super::fare::{CHARS_PER_TOKEN, MostWanted};
use crate::reasons::SpendingPurpose;

/// Tokens that every prompt has.
const PROMPT_TOKENS_MIN: u64 = 100;
/// The longest answer of the shortest that is asked for, replies aside.
const ANSWER_TOKENS_MIN: u64 = 16;

/// What is known of questions to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreseen<'a> {
    /// What they may take beside their words and answers, by what they are for.
    pub allowances: &'a BTreeMap<AskPurpose, AskAllowance>,
    /// The longest reply.
    pub reply_tokens: u64,
}

impl Foreseen<'_> {
    /// The question that was refused last, or else the smallest that there can be.
    pub(super) fn least(&self, purpose: SpendingPurpose, spent: Spent) -> MostWanted {
        let answer = match purpose {
            SpendingPurpose::Replies => self.reply_tokens,
            _ => ANSWER_TOKENS_MIN,
        };
        let prompt = spent.refused_input.max(PROMPT_TOKENS_MIN);
        MostWanted {
            characters: usize::try_from(prompt).unwrap_or(usize::MAX / CHARS_PER_TOKEN) * CHARS_PER_TOKEN,
            pictures: 0,
            output_tokens: spent.refused_output.max(answer),
            allowance: self.allowance(purpose),
        }
    }

    /// Whether its model is known to cost no money.
    pub(super) fn is_free(&self, purpose: SpendingPurpose) -> bool {
        self.allowance(purpose).free
    }

    fn allowance(&self, purpose: SpendingPurpose) -> AskAllowance {
        let allowance = self.allowances.get(&purpose.usual());
        allowance.copied().unwrap_or_default()
    }
}

#[cfg(test)]
#[path = "foreseen_tests.rs"]
pub(super) mod tests;
