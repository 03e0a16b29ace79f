//! How a reply is asked for: with everything that is known, or plainly, as suits a small model.

use settings::{PromptProfile, ProviderOrInherit, Settings};
use vocabulary::{AskPurpose, ReplyModel};

use super::request::inherited;
use crate::reasons::PlainCause;
use crate::step_context::StepContext;

/// Millions of parameters up to which a model is asked plainly.
const SMALL_MODEL_MILLIONS_MAX: u64 = 4_000;
/// Millions of parameters up to which a model that takes no tools is asked plainly; a larger one does without them.
const MIDDLING_MODEL_MILLIONS_MAX: u64 = 15_000;
/// Tokens that a model reads at once, up to which it is asked plainly.
const SHORT_CONTEXT_TOKENS_MAX: u64 = 8_192;
/// Small models whose names do not say how small they are, by the first letters of a name, in millions.
const KNOWN_SMALL: &[(&str, u64)] = &[
    ("tinyllama", 1_100),
    ("smollm", 1_700),
    ("moondream", 1_800),
    ("gemma:2b", 2_000),
    ("phi3:mini", 3_800),
    ("phi-3-mini", 3_800),
    ("phi-3.5-mini", 3_800),
    ("phi3.5", 3_800),
    ("phi4-mini", 3_800),
    ("phi-4-mini", 3_800),
    ("llama3.2", 3_200),
    ("gemma3n", 4_000),
    ("granite3.1-moe", 3_000),
    ("orca-mini", 3_000),
];
/// The longest plain reply: a small model that goes on writes other people's lines, and takes its time for it.
pub(crate) const PLAIN_REPLY_TOKENS_MAX: u64 = 200;
/// Providers whose models may be small: a server that an operator runs.
const OWN_SERVER: &str = "compatible";
/// The built-in model is no language model, and reads what it is given by its own rules.
pub(crate) const BUILT_IN: &str = "offline";

/// How a reply is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Everything that is known, tools, a typed answer.
    Full,
    /// A short script, one question, an answer in plain words.
    Plain(PlainCause),
}

impl Profile {
    /// What the settings want, for the model that writes the replies.
    pub fn of(settings: &Settings, model: Option<&ReplyModel>) -> Self {
        let is_built_in = model.is_some_and(|model| model.provider == BUILT_IN);
        match settings.llm.profile {
            PromptProfile::Full => Profile::Full,
            _ if is_built_in => Profile::Full,
            PromptProfile::Plain => Profile::Plain(PlainCause::Setting),
            PromptProfile::Auto => model.map_or(Profile::Full, by_ability),
        }
    }

    /// The same for a purpose that may have a model of its own. Of that only the name is known, and how much its server reads.
    pub fn of_purpose(
        purpose: AskPurpose,
        provider: &ProviderOrInherit,
        model: &str,
        step: &StepContext<'_>,
    ) -> Self {
        let (settings, outside) = (step.settings, step.outside);
        if provider.own().is_none() && model.is_empty() {
            return Self::of(settings, outside.reply_model.as_ref());
        }
        let known = outside.allowances.get(&purpose);
        let choice = inherited(provider, model, settings);
        let model = ReplyModel {
            provider: choice.provider,
            model: choice.model,
            context_tokens: known.and_then(|known| known.reads_tokens),
            ..ReplyModel::default()
        };
        Self::of(settings, Some(&model))
    }

    /// The tokens of the longest reply.
    pub fn reply_tokens_max(self, settings: &Settings) -> u64 {
        let wanted = settings.llm.max_output_tokens;
        match self {
            Profile::Full => wanted,
            Profile::Plain(_) => wanted.min(PLAIN_REPLY_TOKENS_MAX),
        }
    }

    /// Whether the model is small, or an operator says that it is to be asked as one; one that is asked plainly for want
    /// of tools or of room may be able to more.
    pub fn is_of_small_model(self) -> bool {
        matches!(
            self,
            Profile::Plain(PlainCause::FewParameters | PlainCause::Setting)
        )
    }
}

fn by_ability(model: &ReplyModel) -> Profile {
    if model.provider != OWN_SERVER {
        return Profile::Full;
    }
    let size = model
        .parameters_millions
        .or_else(|| millions_in_name(&model.model));
    match () {
        () if size.is_some_and(|size| size <= SMALL_MODEL_MILLIONS_MAX) => {
            Profile::Plain(PlainCause::FewParameters)
        }
        () if model.refuses_tools && size.is_none_or(|size| size <= MIDDLING_MODEL_MILLIONS_MAX) => {
            Profile::Plain(PlainCause::ToolsRefused)
        }
        () if model
            .context_tokens
            .is_some_and(|tokens| tokens <= SHORT_CONTEXT_TOKENS_MAX) =>
        {
            Profile::Plain(PlainCause::ShortContext)
        }
        () => Profile::Full,
    }
}

/// How large a model is by its name, in millions of parameters: `qwen2.5-coder:1.5b`, `SmolLM2-135M-Instruct`,
/// `mixtral-8x7b`. Of several figures the largest counts: `qwen3-30b-a3b` has to be loaded whole.
fn millions_in_name(name: &str) -> Option<u64> {
    let lower = name.to_ascii_lowercase();
    let file = lower.rsplit(['/', '\\']).next().unwrap_or(&lower);
    let words = file.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    let told = words.filter_map(millions_in_word).max();
    told.or_else(|| {
        let known = KNOWN_SMALL.iter().find(|(begins, _)| file.starts_with(begins));
        known.map(|(_, millions)| *millions)
    })
}

/// The figure of a word such as `1.5b`, `135m`, `8x7b` or `e4b`; none in `4bit`, `128k` or `q4`.
fn millions_in_word(word: &str) -> Option<u64> {
    let word = word.strip_prefix(['e', 'a']).unwrap_or(word);
    let (figure, unit) = match (word.strip_suffix('b'), word.strip_suffix('m')) {
        (Some(figure), _) => (figure, 1_000.0),
        (None, Some(figure)) => (figure, 1.0),
        (None, None) => return None,
    };
    let (times, figure) = match figure.split_once('x') {
        Some((times, figure)) => (times.parse().ok()?, figure),
        None => (1.0, figure),
    };
    let begins_with_digit = figure.starts_with(|letter: char| letter.is_ascii_digit());
    let figure: f64 = figure.parse().ok().filter(|_| begins_with_digit)?;
    let millions: f64 = times * figure * unit;
    (millions >= 1.0).then_some(millions as u64)
}

#[cfg(test)]
#[path = "profile_tests.rs"]
mod tests;
