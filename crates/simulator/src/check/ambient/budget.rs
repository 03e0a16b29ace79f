//! The budget of any 24 hours: before each question, what was used and what it may take fit into every limit. So no limit
//! is ever exceeded by more than what one answer took beyond its reservation, whatever a model says.

use std::collections::BTreeMap;

use mind::{Effect, JournalEvent};
use settings::InitiativeBudgetSettings;
use vocabulary::{AskId, AskPurpose, ContentPart, ModelRequest, Moment};

use super::super::Report;
use super::replay::DAY;
use crate::trace::Trace;

/// What was used, as far as it was told.
#[derive(Clone, Copy, Debug)]
struct Used {
    at: Moment,
    calls: u64,
    tokens: u64,
    micro_dollars: u64,
}

pub(super) fn check(trace: &Trace, report: &mut Report) {
    let mut asks: BTreeMap<AskId, Used> = BTreeMap::new();
    let mut media: Vec<Used> = Vec::new();
    for step in &trace.steps {
        let (at, limits) = (step.now.moment, &step.settings.initiative_budget);
        for effect in &step.effects {
            match effect {
                // Those that are said aloud are paid for from the same.
                Effect::Ask(asking)
                    if matches!(
                        asking.request.purpose,
                        AskPurpose::AmbientThought | AskPurpose::VoiceThought
                    ) =>
                {
                    let lately = asks.values().rev().take_while(|used| at.since(used.at) < DAY);
                    let lately = lately.chain(media.iter().filter(|used| at.since(used.at) < DAY));
                    let mut sum = Used {
                        at,
                        calls: 1,
                        tokens: may_take(&asking.request),
                        micro_dollars: 0,
                    };
                    for used in lately {
                        sum.calls += used.calls;
                        sum.tokens = sum.tokens.saturating_add(used.tokens);
                        sum.micro_dollars = sum.micro_dollars.saturating_add(used.micro_dollars);
                    }
                    if let Some(what) = over(&sum, limits) {
                        report.add("budget_of_a_day", at, format!("ask {}: {what}", asking.ask));
                    }
                    let calls = 1;
                    asks.insert(
                        asking.ask,
                        Used {
                            at,
                            calls,
                            tokens: 0,
                            micro_dollars: 0,
                        },
                    );
                }
                Effect::Journal(entry) => match &entry.event {
                    JournalEvent::AskCompleted {
                        ask,
                        input_tokens,
                        output_tokens,
                        cost_micro_dollars,
                        ..
                    } => {
                        if let Some(used) = asks.get_mut(ask) {
                            used.tokens = input_tokens.saturating_add(*output_tokens);
                            used.micro_dollars = cost_micro_dollars.unwrap_or_default();
                        }
                    }
                    JournalEvent::AmbientMediaMade {
                        cost_micro_dollars: Some(cost),
                        ..
                    } => media.push(Used {
                        at,
                        calls: 0,
                        tokens: 0,
                        micro_dollars: *cost,
                    }),
                    _ => {}
                },
                _ => {}
            }
        }
    }
}

fn over(sum: &Used, limits: &InitiativeBudgetSettings) -> Option<String> {
    let most = (limits.max_dollars_per_day * 1_000_000.0).round() as u64;
    if sum.calls > limits.max_calls_per_day {
        Some(format!(
            "{} calls, {} allowed",
            sum.calls, limits.max_calls_per_day
        ))
    } else if sum.tokens > limits.max_tokens_per_day {
        Some(format!(
            "{} tokens, {} allowed",
            sum.tokens, limits.max_tokens_per_day
        ))
    } else if most == 0 || sum.micro_dollars > most {
        Some(format!(
            "{} millionths of a dollar, {most} allowed",
            sum.micro_dollars
        ))
    } else {
        None
    }
}

/// Tokens that a question may take, sparingly counted: four characters a token, and the whole answer.
fn may_take(request: &ModelRequest) -> u64 {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let said: usize = parts
        .map(|part| match part {
            ContentPart::Text(text) => text.chars().count(),
            ContentPart::ToolResult(result) => result.text.chars().count(),
            _ => 0,
        })
        .sum();
    let read = (request.system.chars().count() + said) / 4;
    read as u64 + u64::from(request.max_output_tokens)
}
