//! What models are given: sections within their caps and the budget, turns in good order, every tool call answered.

use mind::Effect;
use vocabulary::{AskPurpose, ChatRole, ChatTurn, ContentPart, ModelRequest};

use super::Report;
use crate::trace::{Stepped, Trace};

/// What twenty long turns and what is known of them may take, beside the conversation before.
const BATCH_TOKENS_MAX: u64 = 24_000;
/// Characters a token is counted as.
const CHARS_PER_TOKEN: usize = 4;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    // A turn may have begun under settings that allowed more.
    let mut steps_allowed = 0;
    for step in &trace.steps {
        let (replies, thoughts) = (&step.settings.reply_followup, &step.settings.initiative);
        steps_allowed = steps_allowed
            .max(replies.max_tool_steps)
            .max(thoughts.max_tool_steps);
        for effect in &step.effects {
            if let Effect::Ask(asking) = effect {
                let faults = faults(step, &asking.request, steps_allowed);
                for (property, what) in faults {
                    report.add(property, step.now.moment, format!("ask {}: {what}", asking.ask));
                }
            }
        }
    }
}

fn faults(step: &Stepped, request: &ModelRequest, steps_allowed: u64) -> Vec<(&'static str, String)> {
    let mut faults = Vec::new();
    for section in &request.sections {
        let (name, kept, cap) = (&section.name, section.kept_chars, section.cap_chars);
        if kept > cap {
            faults.push(("section_caps", format!("{name} takes {kept} characters of {cap}")));
        }
        if section.text.chars().count() != kept {
            faults.push(("section_reports", format!("{name} is not as long as it says")));
        }
    }
    let settings = &step.settings;
    let total: usize = request.sections.iter().map(|section| section.kept_chars).sum();
    // Gems are made with a window of their own.
    let tokens = match request.purpose {
        AskPurpose::GemExtraction => settings.memory.extraction_context_tokens + BATCH_TOKENS_MAX,
        _ => settings.llm.context_tokens,
    };
    let budget = tokens as usize * CHARS_PER_TOKEN;
    if request.purpose != AskPurpose::AddressClassifier && total > budget {
        faults.push(("prompt_budget", format!("{total} characters of {budget}")));
    }
    let images = request.turns.iter().flat_map(|turn| &turn.parts);
    let images = images
        .filter(|part| matches!(part, ContentPart::Image { .. }))
        .count() as u64;
    if images > settings.context.max_images {
        faults.push(("prompt_images", format!("{images} pictures")));
    }
    let rounds = rounds(&request.turns);
    if rounds > steps_allowed {
        faults.push((
            "tool_rounds",
            format!("{rounds} rounds of tools, {steps_allowed} allowed"),
        ));
    }
    if let Some(what) = disorder(&request.turns) {
        faults.push(("prompt_order", what));
    }
    faults
}

fn rounds(turns: &[ChatTurn]) -> u64 {
    turns.iter().filter(|turn| turn.role == ChatRole::Tool).count() as u64
}

/// Neighbours have different roles, the first is the user's, and each call is followed by its result.
fn disorder(turns: &[ChatTurn]) -> Option<String> {
    if turns.first().map(|turn| turn.role) != Some(ChatRole::User) {
        return Some("it does not begin with a user's turn".to_owned());
    }
    for (turn, next) in turns.iter().zip(turns.iter().skip(1).map(Some).chain([None])) {
        if next.is_some_and(|next| next.role == turn.role) {
            return Some(format!("two turns of {:?} in a row", turn.role));
        }
        let calls: Vec<&str> = turn.parts.iter().filter_map(call_id).collect();
        let results: Vec<&str> = next.map_or(Vec::new(), |next| {
            next.parts.iter().filter_map(result_id).collect()
        });
        if calls != results {
            return Some(format!("calls {calls:?} have results {results:?}"));
        }
    }
    None
}

fn call_id(part: &ContentPart) -> Option<&str> {
    match part {
        ContentPart::ToolCall(call) => Some(&call.id),
        _ => None,
    }
}

fn result_id(part: &ContentPart) -> Option<&str> {
    match part {
        ContentPart::ToolResult(result) => Some(&result.call_id),
        _ => None,
    }
}
