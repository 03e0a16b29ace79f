//! How much a model has to read, and that nothing in it passes for a mark of its server.

use vocabulary::text::take_marks_out;
use vocabulary::{ContentPart, ModelRequest};

/// A request in which no word of anybody's can end a turn or begin one: messages, names, memories and what tools gave.
pub(crate) fn defused(mut request: ModelRequest) -> ModelRequest {
    take_marks_out(&mut request.system);
    for section in &mut request.sections {
        take_marks_out(&mut section.text);
    }
    for part in request.turns.iter_mut().flat_map(|turn| &mut turn.parts) {
        match part {
            ContentPart::Text(text) => take_marks_out(text),
            ContentPart::ToolResult(result) => take_marks_out(&mut result.text),
            ContentPart::ToolCall(call) => defuse(&mut call.arguments),
            // A model's own words go back to nobody else, and a changed thought is refused.
            ContentPart::Carried(_) | ContentPart::Image { .. } | ContentPart::History { .. } => {}
        }
    }
    for tool in &mut request.tools {
        take_marks_out(&mut tool.description);
        defuse(&mut tool.parameters);
    }
    request
}

/// Every text in a value, the names of its fields aside.
fn defuse(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) => take_marks_out(text),
        serde_json::Value::Array(values) => values.iter_mut().for_each(defuse),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(defuse),
        _ => {}
    }
}

/// The words a model has to read, what tools are described by aside.
pub(crate) fn characters(request: &ModelRequest) -> usize {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let said: usize = parts
        .map(|part| match part {
            ContentPart::Text(text) => text.chars().count(),
            ContentPart::ToolResult(result) => result.text.chars().count(),
            ContentPart::Image { .. }
            | ContentPart::History { .. }
            | ContentPart::ToolCall(_)
            | ContentPart::Carried(_) => 0,
        })
        .sum();
    request.system.chars().count() + said
}

/// Everything it may have to read: calls it made before, what tools are described by, and what is put in by reference
/// included.
pub(crate) fn all_characters(request: &ModelRequest) -> usize {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let called: usize = parts
        .map(|part| match part {
            ContentPart::ToolCall(call) => call.arguments.to_string().chars().count(),
            ContentPart::Carried(carried) => carried.size(),
            // It is put in by the shell, up to so much of it.
            ContentPart::History { max_chars, .. } => *max_chars,
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

/// Pictures a model has to look at.
pub(crate) fn pictures(request: &ModelRequest) -> usize {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    parts
        .filter(|part| matches!(part, ContentPart::Image { .. }))
        .count()
}

#[cfg(test)]
#[path = "asking_tests.rs"]
mod tests;
