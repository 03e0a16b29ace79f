//! What a thinking model says: thoughts to post, to hold and to drop, look-ups, and every way in which answers go wrong.

use serde_json::{Value, json};
use vocabulary::{ToolCall, Usage};

use super::feeds::headline;
use crate::chance::Chance;

/// Channels as a model writes them; the last three are nowhere.
const CHANNELS: &[&str] = &[
    "lobby", "dev", "garden", "#lobby", "#Dev", "garden", "lobby", "dev", "", "kitchen", "nowhere", "null",
];

/// Answers that are not what was asked for.
const ODD: &[&str] = &[
    "[SKIP]",
    "[skip] nothing to say",
    "",
    "   ",
    "null",
    "{",
    "{\"action\"",
    "{\"action\": \"post_now\", \"text\": \"half of",
    "{\"action\": \"post_now\", \"text\": \"[SKIP]\", \"channel\": \"lobby\"}",
    "{\"action\": \"post_now\", \"text\": \"\", \"channel\": \"lobby\"}",
    "{\"action\": \"dance\", \"text\": \"la la\", \"channel\": \"dev\"}",
    "{\"action\": \"post_now\", \"text\": \"one\", \"channel\": \"dev\"}{\"action\": \"drop\", \"text\": \"\"}",
    "[{\"action\": \"hold\", \"text\": \"in a list\", \"channel\": \"lobby\"}]",
    "I think I will post something about the garden now.",
    "<think>shall I?</think>",
    "{\"name\": \"web_search\", \"arguments\": {\"query\": \"pizza\"}}",
    "As an AI language model I cannot help with that.",
    "{\"action\": \"hold\", \"media\": {\"kind\": \"hologram\", \"prompt\": \"x\"}, \"channel\": \"dev\"}",
];

/// A sound answer: posted, held or dropped. One that clings to its thought holds it.
pub(crate) fn thought(clings: bool, chance: &mut Chance) -> String {
    let action = match chance.below(100) {
        _ if clings => "hold",
        0..=49 => "post_now",
        50..=84 => "hold",
        _ => "drop",
    };
    // One in ten was thought before.
    let number = match chance.percent(10) {
        true => 1,
        false => chance.below(1_000_000_000),
    };
    let mut text = format!("What if we did number {number}?");
    if chance.percent(30) {
        for _ in 0..chance.between(1, 3) {
            text.push_str(&format!(" {}", headline(chance.below(60))));
        }
    }
    if chance.percent(4) {
        text = format!("{text} ").repeat(chance.between(20, 120) as usize);
    }
    let channel = match clings {
        true => "",
        false => *chance.pick(CHANNELS),
    };
    let mut answer = json!({
        "action": action, "text": text, "channel": channel, "reason": "it came to mind",
    });
    if chance.percent(20) {
        answer["reply_to"] = json!(format!("m{}", chance.between(1, 30)));
    }
    if chance.percent(35) {
        let kind = *chance.pick(&["image", "video", "gif"]);
        answer["media"] = json!({"kind": kind, "prompt": "a garden at night"});
        if chance.percent(30) {
            answer["text"] = Value::from("");
        }
    }
    answer.to_string()
}

/// An answer that something is wrong with.
pub(crate) fn odd_thought(chance: &mut Chance) -> String {
    match chance.below(6) {
        0 => {
            let whole = thought(false, chance);
            let letters = whole.chars().count() as u64;
            whole.chars().take(chance.below(letters) as usize).collect()
        }
        1 => "It goes on and on. ".repeat(chance.between(100, 5_000) as usize),
        _ => (*chance.pick(ODD)).to_owned(),
    }
}

/// Look-ups, some of which make no sense.
pub(crate) fn calls(chance: &mut Chance) -> Vec<ToolCall> {
    let count = match chance.percent(15) {
        true => chance.between(2, 9),
        false => 1,
    };
    (0..count).map(|number| call(number, chance)).collect()
}

fn call(number: u64, chance: &mut Chance) -> ToolCall {
    let source = json!({"family": *chance.pick(&["rss", "reddit", "youtube", "hacker_news", "x", "gopher"]),
        "name": format!("https://own.example/feed{}", chance.below(6)), "reason": "it fits"});
    let (name, arguments) = match chance.below(100) {
        0..=29 => ("web_search", json!({"query": "pizza"})),
        30..=39 => ("memory_search", json!({"query": "pizza"})),
        40..=59 => ("discovery_source_add", source),
        60..=74 => ("discovery_source_remove", source),
        75..=84 => ("discovery_source_list", json!({})),
        85..=92 => ("web_scrape", json!({"wrong": 1})),
        _ => ("launch_rocket", json!({"query": "moon"})),
    };
    ToolCall {
        id: format!("call-{number}"),
        name: name.to_owned(),
        arguments,
    }
}

/// What an answer is said to have taken. A liar says far more or nothing at all.
pub(crate) fn usage(read_chars: usize, lies: bool, chance: &mut Chance) -> Usage {
    let input_tokens = read_chars as u64 / chance.between(4, 6);
    let output_tokens = chance.between(5, 300);
    let honest = Usage {
        input_tokens,
        cached_input_tokens: 0,
        cache_written_tokens: 0,
        output_tokens,
        cost_micro_dollars: chance.percent(80).then_some(input_tokens + 4 * output_tokens),
        cost_assumed: false,
        cache_saved_micro_dollars: 0,
    };
    match lies {
        false => honest,
        true => match chance.below(20) {
            0 => Usage {
                input_tokens: u64::MAX,
                output_tokens: u64::MAX,
                ..honest
            },
            1 => Usage {
                cost_micro_dollars: Some(u64::MAX),
                ..honest
            },
            2..=9 => Usage::default(),
            _ => Usage {
                input_tokens: 40 * input_tokens,
                cost_micro_dollars: Some(900_000),
                ..honest
            },
        },
    }
}
