//! What a question costs: as it usually is, with the thoughts that a trial of it took.

use runtime::ports::Prepared;
use serde::Serialize;
use vocabulary::{AskPurpose, ModelAnswer, Usage};

use crate::Models;
use crate::catalogue::{PriceSource, Provider, today};

/// Fewer tokens that are in no words are not called thoughts.
const THOUGHT_TOKENS_MIN: u64 = 64;
/// What is said in words takes a token for so many bytes at most, and a call of a tool so many more.
const BYTES_PER_TOKEN_MIN: usize = 2;
const CALL_BYTES: usize = 60;

/// What such a question costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialPrice {
    /// Dollars for a usual question of the kind; none where nobody can say.
    pub dollars: Option<f64>,
    /// It runs on this machine.
    pub free: bool,
    /// Where the price is not known, what is taken instead.
    pub assumed: Option<String>,
    /// Tokens of thoughts that are in it: as many as this trial took.
    pub thought_tokens: u64,
    /// Dollars that this trial itself cost.
    pub trial_dollars: Option<f64>,
}

/// What a usual question costs with so many tokens of thoughts.
pub(crate) fn price(
    models: &Models,
    prepared: &Prepared,
    purpose: AskPurpose,
    thought_tokens: u64,
) -> TrialPrice {
    let Some(provider) = Provider::from_name(&prepared.provider) else {
        return TrialPrice {
            dollars: None,
            free: false,
            assumed: None,
            thought_tokens,
            trial_dollars: None,
        };
    };
    let catalogue = models.catalogue();
    let mut usage = usual(purpose);
    usage.output_tokens += thought_tokens;
    let cost = catalogue.cost(provider, &prepared.url, &prepared.model, &usage);
    let (_, source) = catalogue.price_at(provider, &prepared.url, &prepared.model, today());
    TrialPrice {
        dollars: cost.map(|cost| cost as f64 / 1_000_000.0),
        free: source == PriceSource::Free,
        thought_tokens,
        trial_dollars: None,
        assumed: match source {
            PriceSource::Listed | PriceSource::Free | PriceSource::Unknown => None,
            PriceSource::Guessed => Some("a guess of the catalogue".to_owned()),
            PriceSource::DearestOf(model) => Some(format!("that of {model}, the dearest of its family")),
            PriceSource::MakersPrice(maker) => Some(format!("what {maker} asks for it")),
        },
    }
}

/// Tokens that an answer took and that are not in its words: a few more or less are how they were counted.
pub(crate) fn thought_tokens(answer: &ModelAnswer) -> u64 {
    let calls = answer.tool_calls.iter().map(|call| call.arguments.to_string());
    let said = answer.text.len() + calls.map(|call| call.len() + CALL_BYTES).sum::<usize>();
    let said = (said / BYTES_PER_TOKEN_MIN) as u64;
    let unsaid = answer.usage.output_tokens.saturating_sub(said);
    if unsaid >= THOUGHT_TOKENS_MIN { unsaid } else { 0 }
}

/// What a question of this kind usually takes: estimates for a room with a week of history.
fn usual(purpose: AskPurpose) -> Usage {
    let (input_tokens, output_tokens) = match purpose {
        AskPurpose::TextReply | AskPurpose::TextReplyFollowup => (4_000, 120),
        AskPurpose::AddressClassifier => (700, 20),
        AskPurpose::ContextCompaction => (2_500, 200),
        AskPurpose::GemExtraction => (3_500, 400),
        AskPurpose::ScreenNote => (2_200, 60),
        AskPurpose::ScreenCommentary => (4_000, 60),
        AskPurpose::AmbientThought => (5_000, 200),
        AskPurpose::VoiceReply | AskPurpose::VoiceReplyFollowup => (3_500, 60),
        AskPurpose::VoiceReplyDecision => (900, 5),
        AskPurpose::VoiceThought => (3_000, 60),
    };
    Usage {
        input_tokens,
        output_tokens,
        ..Usage::default()
    }
}

#[cfg(test)]
mod tests {
    use vocabulary::{Finish, Span};

    use super::*;

    fn answer(text: &str, output_tokens: u64) -> ModelAnswer {
        ModelAnswer {
            provider: "openai".to_owned(),
            model: "m".to_owned(),
            text: text.to_owned(),
            tool_calls: Vec::new(),
            carried: None,
            finish: Finish::Complete,
            cap: None,
            usage: Usage {
                output_tokens,
                ..Usage::default()
            },
            first_text: None,
            took: Span(1),
            tries: 1,
        }
    }

    #[test]
    fn what_an_answer_took_beyond_its_words_are_thoughts() {
        assert_eq!(thought_tokens(&answer("It is red, as far as I can see.", 9)), 0);
        assert_eq!(thought_tokens(&answer("It is red, as far as I can see.", 60)), 0);
        assert_eq!(thought_tokens(&answer("It is red.", 905)), 900);
    }
}
