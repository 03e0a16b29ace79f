//! What models say: good answers, silences, and every way in which answers go wrong.

use serde_json::json;
use vocabulary::{AskFailure, AskFailureKind, AskOutcome, Finish, ModelAnswer, Span, ToolCall, Usage};

use crate::chance::Chance;

const REMARKS: &[&str] = &[
    "I think the second one is better.",
    "No.",
    "Good question, I would start with the manual.",
    "Ja, das passt so.",
    "Nobody knows, honestly.",
    "Skip the first page and read on.",
    "Let me see… yes, that works. And it is cheaper!",
    "@everyone come and see this",
    "@Alice you were right, ask @Bob too",
    "Here: `let x = [1, 2];` and that is all.",
    "👍",
];

/// Answers that are not what was asked for.
const ODD: &[&str] = &[
    "[SKIP]",
    "[skip]",
    "**[SKIP]**",
    "[SKIP] because they talk among themselves",
    "I would rather not. [SKIP]",
    "",
    "   \n",
    "null",
    "{",
    "{\"act",
    "{\"action\"",
    "{\"action\": \"reply\"",
    "{\"action\": \"skip\"",
    "{\"text\": \"half of it",
    "{\"confidence\": 0.4, \"action\": \"reply\", \"text\": \"half of",
    "[{\"action\": \"reply\", \"text\": \"in a list\", \"reason\": \"\"}]",
    "Sure! {\"action\": \"reply\", \"text\": \"hello there\", \"reason\": \"asked\"}",
    "Hm.\n```json\n{\"action\": \"skip\", \"text\": \"\", \"reason\": \"not for me\"}\n```",
    "{\"action\": \"reply\", \"text\": \"[SKIP]\", \"reason\": \"\"}",
    "{\"action\": \"reply\", \"text\": \"\", \"reason\": \"nothing\"}",
    "{\"action\": \"dance\", \"text\": \"la la\", \"reason\": \"\"}",
    "{\"action\": \"reply\", \"text\": \"No\", \"reason\": \"asked yes or no\"}",
    "<think>they want to know the time</think>It is noon.",
    "<think>they want to know",
    "Denizen: as I said, yes.",
    "[12:03] Denizen: as I said, yes.",
    "![a cat](https://example.org/cat.png)",
    "Look at this ![a cat](https://example.org/cat.png) one",
    "< skip that",
    "[s",
];

/// A sound answer, typed or plain.
pub(crate) fn sound(chance: &mut Chance) -> String {
    let words = *chance.pick(REMARKS);
    match chance.below(10) {
        0..=5 => json!({"action": "reply", "text": words, "reason": "asked"}).to_string(),
        6 => format!(
            "```json\n{:#}\n```",
            json!({"action": "reply", "text": words, "reason": "asked"})
        ),
        7 => json!({"action": "skip", "text": "", "reason": "not for me"}).to_string(),
        _ => words.to_owned(),
    }
}

/// An answer that something is wrong with.
pub(crate) fn odd(chance: &mut Chance) -> String {
    match chance.below(6) {
        0 => {
            let whole = sound(chance);
            let letters = whole.chars().count() as u64;
            whole.chars().take(chance.below(letters) as usize).collect()
        }
        1 => {
            let line = "It goes on and on, and then some more of it follows. ";
            let fence = if chance.percent(30) {
                "```\ncode\n\nmore code\n"
            } else {
                ""
            };
            format!(
                "{fence}{}",
                line.repeat(chance.between(30, 400) as usize).trim_end()
            )
        }
        _ => (*chance.pick(ODD)).to_owned(),
    }
}

/// Tool calls, some of which make no sense.
pub(crate) fn tool_calls(chance: &mut Chance) -> Vec<ToolCall> {
    let count = if chance.percent(15) {
        chance.between(2, 7)
    } else {
        1
    };
    let repeats_itself = chance.percent(10);
    (0..count)
        .map(|number| ToolCall {
            id: format!("call-{}", if repeats_itself { 0 } else { number }),
            name: match chance.below(10) {
                0..=5 => "search_messages",
                6 => "memory_search",
                7 => "web_search",
                8 => "wiki_read",
                _ => "launch_rocket",
            }
            .to_owned(),
            arguments: match chance.below(12) {
                0 => json!({"wrong": 1}),
                1 => json!({"words": 7, "query": null}),
                2 => json!("{oops"),
                3 => json!(["pizza"]),
                _ => json!({"words": "pizza", "query": "pizza"}),
            },
        })
        .collect()
}

pub(crate) fn answered(text: String, tool_calls: Vec<ToolCall>, finish: Finish, took: Span) -> AskOutcome {
    AskOutcome::Answered(ModelAnswer {
        provider: "simulated".to_owned(),
        model: "script".to_owned(),
        text,
        finish: if tool_calls.is_empty() {
            finish
        } else {
            Finish::ToolCalls
        },
        tool_calls,
        carried: None,
        cap: None,
        usage: Usage::default(),
        first_text: None,
        took,
        tries: 1,
    })
}

pub(crate) fn failed(kind: AskFailureKind, retry_after: Option<Span>) -> AskOutcome {
    AskOutcome::Failed(AskFailure {
        kind,
        detail: "as simulated".to_owned(),
        retry_after,
        usage: None,
        tries: 1,
    })
}

/// Cuts a text into the pieces in which it is streamed.
pub(crate) fn pieces(text: &str, chance: &mut Chance) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    // Long answers come in longer pieces, so that a run stays quick.
    let longest = (letters.len() as u64 / 12).max(7);
    let mut pieces = Vec::new();
    let mut rest = &letters[..];
    while !rest.is_empty() {
        let length = chance.between(1, longest).min(rest.len() as u64) as usize;
        let (piece, left) = rest.split_at(length);
        pieces.push(piece.iter().collect());
        rest = left;
    }
    pieces
}
