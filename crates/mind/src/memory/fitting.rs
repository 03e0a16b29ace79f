//! Makes the question for gems fit a model that reads little: less around the turns, then fewer of them, then one cut short.

use vocabulary::text::token_quarters;
use vocabulary::{ContentPart, ModelRequest};

use super::prompt::{
    Extent, ExtractionBrief, GEM_TOKENS, OUTPUT_TOKENS_MAX, TURN_CHARS_MAX, extraction_request,
};
use crate::prompt::request::CHARS_PER_TOKEN;

/// The answer has such a part of all that a model reads.
const ANSWER_PART: u64 = 4;
/// Less of the conversation before helps nobody to understand.
const HISTORY_CHARS_MIN: usize = 400;
/// How long the only turn of a question is where a longer one does not fit.
const CUTS: [usize; 3] = [2_000, 1_000, 300];

/// The question for as many of the oldest turns as fit a model that reads so many tokens, and how many these are; none
/// where not even one does.
pub(super) fn fitted(brief: &ExtractionBrief<'_>, reads: Option<u64>) -> Option<(ModelRequest, usize)> {
    let Some(reads) = reads else {
        return Some((extraction_request(brief), brief.batch.len()));
    };
    let answer_tokens = u32::try_from(reads / ANSWER_PART).unwrap_or(u32::MAX);
    let (answer_tokens, most) = match answer_tokens < OUTPUT_TOKENS_MAX {
        true => (answer_tokens, (answer_tokens / GEM_TOKENS).max(1) as usize),
        false => (OUTPUT_TOKENS_MAX, usize::MAX),
    };
    let asked = |turns: usize, extent: Extent| {
        let request = extraction_request(&ExtractionBrief {
            batch: &brief.batch[..turns],
            extent,
            ..*brief
        });
        let left = reads.checked_sub(tokens(&request));
        left.map(|left| (request, turns, left))
    };
    let most = brief.batch.len().min(most);
    let whole = Extent {
        answer_tokens,
        ..brief.extent
    };
    let bare = Extent {
        history_chars: 0,
        ..whole
    };
    let with_history = |left: u64| {
        let history_chars = (left as usize * CHARS_PER_TOKEN).min(whole.history_chars);
        let is_of_use = history_chars >= HISTORY_CHARS_MIN.min(whole.history_chars);
        Extent {
            history_chars: if is_of_use { history_chars } else { 0 },
            ..whole
        }
    };
    let around = asked(most, bare).and_then(|(_, turns, left)| asked(turns, with_history(left)));
    let alone = |turn_chars| Extent {
        alone: true,
        turn_chars,
        ..bare
    };
    let fewer = (1..=most).rev().map(|turns| (turns, TURN_CHARS_MAX));
    let mut shorter = fewer.chain(CUTS.map(|chars| (most.min(1), chars)));
    let fitting = around.or_else(|| shorter.find_map(|(turns, chars)| asked(turns, alone(chars))));
    fitting.map(|(request, turns, _)| (request, turns))
}

/// What a question and its answer take of what a model reads, as far as anybody can tell beforehand.
fn tokens(request: &ModelRequest) -> u64 {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let said: usize = parts
        .map(|part| match part {
            ContentPart::Text(text) => token_quarters(text),
            // It is put in by the shell, up to so much of it.
            ContentPart::History { max_chars, .. } => *max_chars,
            _ => 0,
        })
        .sum();
    let quarters = token_quarters(&request.system) + said;
    quarters.div_ceil(CHARS_PER_TOKEN) as u64 + u64::from(request.max_output_tokens)
}

#[cfg(test)]
#[path = "fitting_tests.rs"]
mod fitting_tests;
