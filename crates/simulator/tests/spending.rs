//! What models are given to read, by purpose: remembering must not cost a fortune.

use std::collections::BTreeMap;

use mind::{Effect, Input, RoomEvent};
use simulator::{Length, Options, Trace, live_through};
use vocabulary::{AskPurpose, ContentPart, ModelRequest};

const CHARS_PER_TOKEN: usize = 4;

/// Calls and tokens to read, and how many messages there were.
struct Read {
    by_purpose: BTreeMap<AskPurpose, (usize, usize)>,
    messages: usize,
}

impl Read {
    fn of(trace: &Trace) -> Self {
        let mut by_purpose: BTreeMap<AskPurpose, (usize, usize)> = BTreeMap::new();
        let mut messages = 0;
        for step in &trace.steps {
            let arrived = matches!(&step.input, Input::Room(_, RoomEvent::MessageArrived(_)));
            messages += usize::from(arrived);
            for effect in &step.effects {
                if let Effect::Ask(asking) = effect {
                    let (calls, tokens) = by_purpose.entry(asking.request.purpose).or_default();
                    *calls += 1;
                    *tokens += characters(&asking.request) / CHARS_PER_TOKEN;
                }
            }
        }
        Self { by_purpose, messages }
    }

    fn of_purpose(&self, purpose: AskPurpose) -> (usize, usize) {
        self.by_purpose.get(&purpose).copied().unwrap_or_default()
    }
}

/// All there is to read, what is put in by reference at its longest.
fn characters(request: &ModelRequest) -> usize {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let said: usize = parts
        .map(|part| match part {
            ContentPart::Text(text) => text.chars().count(),
            ContentPart::History { max_chars, .. } => *max_chars,
            _ => 0,
        })
        .sum();
    request.system.chars().count() + said
}

#[test]
fn remembering_costs_less_than_a_thousand_tokens_a_message() {
    let fair = Options {
        faults: false,
        twice: false,
    };
    for (seed, length) in [(1, Length::Turns(400)), (2, Length::Hours(4))] {
        let read = Read::of(&live_through(seed, length, fair));
        let (calls, tokens) = read.of_purpose(AskPurpose::GemExtraction);
        let (replies, reply_tokens) = read.of_purpose(AskPurpose::TextReply);
        let told = format!(
            "{length:?}: per 100 messages {} tokens in {} extractions, {} in {} replies",
            tokens * 100 / read.messages,
            calls * 100 / read.messages,
            reply_tokens * 100 / read.messages,
            replies * 100 / read.messages
        );
        println!("{told}");
        assert!(calls > 5 && replies > 5, "{told}");
        assert!(tokens <= 1_000 * read.messages, "{told}");
        assert!(calls * 4 <= read.messages, "{told}");
        // Where it is talked to, remembering takes no more than half as much again as answering.
        if replies * 4 >= read.messages {
            assert!(tokens * 2 <= reply_tokens * 3, "{told}");
        }
    }
}
