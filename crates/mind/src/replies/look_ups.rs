//! What was looked up in a room lately, for the replies that follow: what was asked, how long ago, and how the result began.

use std::collections::VecDeque;

use gist::gems::scrub::{ScrubBrief, scrub_summary};
use serde::{Deserialize, Serialize};
use vocabulary::text::plain_line;
use vocabulary::{ChatTurn, ContentPart, ToolCall, WallTime};

use crate::prompt::{is_own_tool, outside};

/// Look-ups that are remembered.
const LOOK_UPS_MAX: usize = 6;
/// What is told of what was asked, and of what came back.
const ASKED_CHARS_MAX: usize = 160;
const GAVE_CHARS_MAX: usize = 280;

/// One look-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Made {
    at: WallTime,
    tool: String,
    asked: String,
    gave: String,
}

/// The newest look-ups of a room, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct LookUps(VecDeque<Made>);

impl LookUps {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes in what the newest round of a turn brought from outside. What Denizen's own tools find stands elsewhere.
    pub fn take_in(&mut self, turns: &[ChatTurn], at: WallTime) {
        let [.., asked, answered] = turns else { return };
        let calls: Vec<&ToolCall> = asked
            .parts
            .iter()
            .filter_map(|part| match part {
                ContentPart::ToolCall(call) => Some(call),
                _ => None,
            })
            .collect();
        for part in &answered.parts {
            let ContentPart::ToolResult(result) = part else {
                continue;
            };
            let call = calls.iter().find(|call| call.id == result.call_id);
            let Some(call) = call.filter(|call| !result.failed && !is_own_tool(&call.name)) else {
                continue;
            };
            self.0.push_back(Made {
                at,
                tool: plain_line(&call.name, ASKED_CHARS_MAX),
                asked: plain_line(&outside::defused(&said(call)), ASKED_CHARS_MAX),
                gave: plain_line(&outside::defused(&inside(&result.text)), GAVE_CHARS_MAX),
            });
        }
        while self.0.len() > LOOK_UPS_MAX {
            self.0.pop_front();
        }
    }

    /// A line for each, newest last.
    pub fn lines(&self, now: WallTime) -> Vec<String> {
        let line = |made: &Made| {
            let age = age(now, made.at);
            format!("({age} ago) {} {}: {}", made.tool, made.asked, made.gave)
        };
        self.0.iter().map(line).collect()
    }

    /// Lets go of what retells something forgotten.
    pub fn forget(&mut self, brief: &ScrubBrief<'_>) {
        let retells = |text: &str| scrub_summary(text, brief).is_some();
        self.0
            .retain(|made| !retells(&made.asked) && !retells(&made.gave));
    }
}

/// What was asked: the texts among the arguments.
fn said(call: &ToolCall) -> String {
    let texts: Vec<String> = match call.arguments.as_object() {
        Some(arguments) => arguments
            .values()
            .map(|value| match value.as_str() {
                Some(text) => format!("\u{201c}{text}\u{201d}"),
                None => value.to_string(),
            })
            .collect(),
        None => vec![call.arguments.to_string()],
    };
    texts.join(" ")
}

/// The quoted lines of a framed result.
fn inside(text: &str) -> String {
    let quoted: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("| ")).collect();
    if quoted.is_empty() {
        text.to_owned()
    } else {
        quoted.join(" ")
    }
}

fn age(now: WallTime, at: WallTime) -> String {
    let minutes = now.0.saturating_sub(at.0) / 60_000;
    match minutes {
        ..1 => "a moment".to_owned(),
        1 => "1 minute".to_owned(),
        2..120 => format!("{minutes} minutes"),
        120..2_880 => format!("{} hours", minutes / 60),
        _ => format!("{} days", minutes / 1_440),
    }
}
