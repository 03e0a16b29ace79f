//! What every question to a model has in common: its lines in the journal, and how much there is to read.

use vocabulary::{AskId, AskPurpose, ContentPart, ModelAnswer, ModelRequest, SectionFate, Span};

use crate::journal::JournalEvent;

/// The shell gives up an ask at its deadline; the mind does so a little later, in case the shell does not.
pub(crate) const DEADLINE_GRACE: Span = Span::seconds(5);

/// The line that a model is asked.
pub(crate) fn started(ask: AskId, request: &ModelRequest, attempt: u64) -> JournalEvent {
    let with_fate = |fate| {
        let sections = request.sections.iter().filter(|section| section.fate == fate);
        sections.map(|section| section.name.clone()).collect()
    };
    JournalEvent::AskStarted {
        ask,
        purpose: request.purpose,
        provider: request.choice.provider.clone(),
        model: request.choice.model.clone(),
        attempt,
        prompt_characters: request.sections.iter().map(|section| section.kept_chars).sum(),
        sections_trimmed: with_fate(SectionFate::Trimmed),
        sections_dropped: with_fate(SectionFate::Dropped),
    }
}

/// The line that it has answered.
pub(crate) fn completed(ask: AskId, purpose: AskPurpose, answer: &ModelAnswer) -> JournalEvent {
    JournalEvent::AskCompleted {
        ask,
        purpose,
        provider: answer.provider.clone(),
        model: answer.model.clone(),
        took: answer.took,
        first_text: answer.first_text,
        input_tokens: answer.usage.input_tokens,
        output_tokens: answer.usage.output_tokens,
        cost_micro_dollars: answer.usage.cost_micro_dollars,
    }
}

/// The words a model has to read, what tools are described by aside.
pub(crate) fn characters(request: &ModelRequest) -> usize {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let said: usize = parts
        .map(|part| match part {
            ContentPart::Text(text) => text.chars().count(),
            ContentPart::ToolResult(result) => result.text.chars().count(),
            ContentPart::Image { .. } | ContentPart::History { .. } | ContentPart::ToolCall(_) => 0,
        })
        .sum();
    request.system.chars().count() + said
}

/// Everything it has to read: calls it made before, and what tools are described by, included.
pub(crate) fn all_characters(request: &ModelRequest) -> usize {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let called: usize = parts
        .map(|part| match part {
            ContentPart::ToolCall(call) => call.arguments.to_string().chars().count(),
            _ => 0,
        })
        .sum();
    let described = |text: &str| text.chars().count();
    let offered: usize = request
        .tools
        .iter()
        .map(|tool| described(&tool.description) + described(&tool.parameters.to_string()))
        .sum();
    characters(request) + called + offered
}
