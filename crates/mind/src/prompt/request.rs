//! What every request is made with: whose model is asked, and how much there is to read.

use settings::{ProviderOrInherit, Settings};
use vocabulary::{ChatTurn, ContentPart, ModelChoice, ToolSpec};

use super::tool_specs::is_own_tool;

/// Characters that one token takes on average; only used to keep prompts within a model's window.
pub(crate) const CHARS_PER_TOKEN: usize = 4;

/// A purpose's own choice of model, or the main one where it inherits.
pub(crate) fn inherited(provider: &ProviderOrInherit, model: &str, settings: &Settings) -> ModelChoice {
    settings.model_choice(*provider, model)
}

/// What tools from outside take, whose schemas can be long.
pub(crate) fn outside_chars(tools: &[ToolSpec]) -> usize {
    let outside = tools.iter().filter(|tool| !is_own_tool(&tool.name));
    outside
        .map(|tool| tool.name.len() + tool.description.chars().count() + tool.parameters.to_string().len())
        .sum()
}

/// What was called and brought back so far.
pub(crate) fn tool_chars(turns: &[ChatTurn]) -> usize {
    let parts = turns.iter().flat_map(|turn| &turn.parts);
    parts
        .map(|part| match part {
            ContentPart::Text(text) => text.chars().count(),
            ContentPart::ToolResult(result) => result.text.chars().count(),
            ContentPart::ToolCall(_)
            | ContentPart::Carried(_)
            | ContentPart::Image { .. }
            | ContentPart::History { .. } => 0,
        })
        .sum()
}
