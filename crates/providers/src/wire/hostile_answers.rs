//! Answers as no provider sends them: cut at every byte, with parts of another kind, out of order, twice, endless. They
//! end in an error or in the whole answer, and take no more room than what came.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use settings::Settings;
use vocabulary::{AskPurpose, ToolSpec};

use super::*;
use crate::allowance::bare;
use crate::sse::SseParser;

const WIRES: [(Wire, Provider); 5] = [
    (Wire::OpenAiChat, Provider::OpenAi),
    (Wire::OpenAiChat, Provider::Compatible),
    (Wire::OpenAiResponses, Provider::OpenAi),
    (Wire::AnthropicMessages, Provider::Anthropic),
    (Wire::Gemini, Provider::Gemini),
];

fn offering_a_tool() -> ModelRequest {
    let tool = ToolSpec {
        name: "look".to_owned(),
        description: String::new(),
        parameters: json!({"type": "object"}),
    };
    ModelRequest {
        tools: vec![tool],
        ..bare(
            AskPurpose::TextReply,
            Settings::default().choice_for(AskPurpose::TextReply),
        )
    }
}

/// The events of a sound answer with words, thoughts, a call and counts.
fn events(wire: Wire) -> Vec<Value> {
    let chunk = |delta: Value, finish: Value| json!({"model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    let call = |arguments: &str| json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "look", "arguments": arguments}}]});
    match wire {
        Wire::OpenAiChat => vec![
            chunk(json!({"role": "assistant", "reasoning": "hm"}), Value::Null),
            chunk(json!({"content": "<think>why</think>Grüße, "}), Value::Null),
            chunk(json!({"content": "🌍."}), Value::Null),
            chunk(call("{\"words\":"), Value::Null),
            chunk(call("\"cat\"}"), Value::Null),
            chunk(json!({}), json!("tool_calls")),
            json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 1}}}),
        ],
        Wire::OpenAiResponses => vec![
            json!({"type": "response.created", "response": {"status": "in_progress"}}),
            json!({"type": "response.output_item.done", "item": {"type": "reasoning", "id": "r", "encrypted_content": "x"}}),
            json!({"type": "response.output_text.delta", "delta": "Grüße, "}),
            json!({"type": "response.output_text.delta", "delta": "🌍."}),
            json!({"type": "response.output_item.done", "item": {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{\"words\":\"cat\"}"}}),
            json!({"type": "response.completed", "response": {"model": "m", "status": "completed", "output": [], "usage": {"input_tokens": 9, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 1}}}}),
        ],
        Wire::AnthropicMessages => vec![
            json!({"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 8, "cache_read_input_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s"}}),
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Grüße, "}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "🌍."}}),
            json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "a", "name": "look", "input": {}}}),
            json!({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{\"words\":\"cat\"}"}}),
            json!({"type": "content_block_stop", "index": 2}),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 3}}),
            json!({"type": "message_stop"}),
        ],
        _ => vec![
            json!({"candidates": [{"content": {"parts": [{"text": "hm", "thought": true}]}}], "modelVersion": "m"}),
            json!({"candidates": [{"content": {"parts": [{"text": "Grüße, "}, {"text": "🌍."}]}}]}),
            json!({"candidates": [{"content": {"parts": [{"functionCall": {"id": "a", "name": "look", "args": {"words": "cat"}}, "thoughtSignature": "s"}]}, "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 9, "cachedContentTokenCount": 1, "candidatesTokenCount": 1, "thoughtsTokenCount": 2}}),
        ],
    }
}

fn stream(events: &[Value]) -> Vec<u8> {
    let told = events.iter().map(|event| {
        let name = event["type"].as_str().map(|name| format!("event: {name}\n"));
        format!("{}data: {event}\n\n", name.unwrap_or_default())
    });
    told.collect::<String>().into_bytes()
}

/// What comes of bytes that come in pieces.
fn read((wire, provider): (Wire, Provider), bytes: &[u8], piece: usize) -> Result<Decoded, StreamTrouble> {
    let mut decoder = Decoder::new(wire, provider, &offering_a_tool()).expect("it travels");
    let (mut parser, mut events) = (SseParser::default(), Vec::new());
    let mut told = String::new();
    for piece in bytes.chunks(piece) {
        let pushed = parser.push(piece, &mut events);
        pushed.map_err(|error| StreamTrouble::Malformed(error.to_string()))?;
        for event in events.drain(..) {
            told.push_str(&decoder.take(&event)?);
        }
    }
    parser.finish(&mut events);
    for event in &events {
        told.push_str(&decoder.take(event)?);
    }
    let counted = decoder.usage();
    let decoded = decoder.finish()?;
    assert!(
        decoded.text.starts_with(&told) || told.ends_with(&decoded.text),
        "{told:?} {decoded:?}"
    );
    // A byte that is no letter becomes a mark of three.
    assert!(
        decoded.text.len() <= 3 * bytes.len(),
        "{} of {}",
        decoded.text.len(),
        bytes.len()
    );
    assert!(
        decoded.tool_calls.len() <= TOOL_CALLS_MAX,
        "{}",
        decoded.tool_calls.len()
    );
    let counts = [
        counted.input_tokens,
        counted.output_tokens,
        counted.cached_input_tokens,
        counted.cache_written_tokens,
    ];
    assert!(counts.iter().all(|count| *count <= TOKENS_MAX), "{counted:?}");
    Ok(decoded)
}

fn sound(of: (Wire, Provider)) -> Decoded {
    read(of, &stream(&events(of.0)), 7).expect("it is sound")
}

#[test]
fn a_sound_answer_is_read_the_same_by_all() {
    for of in WIRES {
        let decoded = sound(of);
        assert_eq!(decoded.text, "Grüße, 🌍.", "{of:?}");
        assert_eq!(decoded.tool_calls.len(), 1, "{of:?}");
        assert_eq!(decoded.tool_calls[0].arguments, json!({"words": "cat"}), "{of:?}");
        assert_eq!(
            (decoded.usage.input_tokens, decoded.usage.output_tokens),
            (9, 3),
            "{of:?}"
        );
        assert_eq!(
            (decoded.finish, decoded.thought),
            (Finish::ToolCalls, true),
            "{of:?}"
        );
    }
}

#[test]
fn an_answer_that_is_cut_at_any_byte_is_an_error_or_the_whole_answer() {
    for of in WIRES {
        let (whole, bytes) = (sound(of), stream(&events(of.0)));
        for end in 0..bytes.len() {
            if let Ok(decoded) = read(of, &bytes[..end], 11) {
                assert_eq!(
                    (&decoded.text, &decoded.tool_calls),
                    (&whole.text, &whole.tool_calls),
                    "{of:?} cut at {end}"
                );
            }
        }
    }
}

#[test]
fn ends_that_come_twice_and_calls_that_come_again_change_nothing() {
    for of in WIRES {
        let once = events(of.0);
        let count = once.len();
        let mut twice = once.clone();
        twice.push(once[count - 1].clone());
        if of.0 == Wire::OpenAiResponses {
            twice.insert(count - 1, once[count - 2].clone());
        }
        let decoded = read(of, &stream(&twice), 64).expect("it is whole");
        let whole = sound(of);
        assert_eq!(decoded.text, whole.text, "{of:?}");
        match of.0 {
            // Its last event is the call itself.
            Wire::Gemini => {}
            _ => assert_eq!(decoded.tool_calls, whole.tool_calls, "{of:?}"),
        }
    }
}

#[test]
fn calls_whose_pieces_come_in_turn_are_kept_apart() {
    let chat = |index: usize, arguments: &str| json!({"choices": [{"delta": {"tool_calls": [{"index": index, "id": format!("c{index}"), "function": {"name": "look", "arguments": arguments}}]}}]});
    let chat = [
        chat(1, "{\"a\":"),
        chat(0, "{\"b\":"),
        chat(1, "1}"),
        chat(0, "2}"),
        json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    let begin = |index: usize| json!({"type": "content_block_start", "index": index, "content_block": {"type": "tool_use", "id": format!("c{index}"), "name": "look"}});
    let piece = |index: usize, text: &str| json!({"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": text}});
    let anthropic = [
        begin(1),
        begin(0),
        piece(1, "{\"a\":"),
        piece(0, "{\"b\":"),
        piece(1, "1}"),
        piece(0, "2}"),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ];
    for (of, events) in [(WIRES[1], chat.to_vec()), (WIRES[3], anthropic.to_vec())] {
        let calls = read(of, &stream(&events), 5).expect("whole").tool_calls;
        let mut read: Vec<(String, Value)> =
            calls.into_iter().map(|call| (call.id, call.arguments)).collect();
        read.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(
            read,
            [
                ("c0".to_owned(), json!({"b": 2})),
                ("c1".to_owned(), json!({"a": 1}))
            ],
            "{of:?}"
        );
    }
}

#[test]
fn counts_of_another_kind_cost_nobody_the_answer() {
    for count in [
        Value::Null,
        json!(-1),
        json!(u64::MAX),
        json!(1e308),
        json!("12"),
        json!({}),
        json!(3.0),
    ] {
        for of in WIRES {
            let mut told = events(of.0);
            for event in &mut told {
                recount(event, &count);
            }
            let decoded = read(of, &stream(&told), 64);
            assert_eq!(decoded.expect("whole").text, "Grüße, 🌍.", "{of:?} {count}");
        }
    }
}

/// Every number of tokens becomes another.
fn recount(value: &mut Value, count: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let name = name.to_lowercase();
                match name.contains("token") && !field.is_object() {
                    true => *field = count.clone(),
                    false => recount(field, count),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| recount(item, count)),
        _ => {}
    }
}

fn samples() -> Vec<Vec<u8>> {
    WIRES.iter().map(|of| stream(&events(of.0))).collect()
}

fn documents() -> Vec<Value> {
    let told = WIRES.iter().map(|of| Value::Array(events(of.0)));
    told.collect()
}

proptest! {
    #![proptest_config(hostile::cases(150))]

    #[test]
    fn damaged_bytes_break_nothing(bytes in hostile::wounded(samples()), piece in 1..300_usize) {
        for of in WIRES {
            let _ = read(of, &bytes, piece);
        }
    }

    #[test]
    fn parts_of_another_kind_break_nothing(document in hostile::mangled(documents())) {
        let events = document.as_array().cloned().unwrap_or_else(|| vec![document]);
        for of in WIRES {
            let _ = read(of, &stream(&events), 64);
        }
    }

    #[test]
    fn events_in_any_order_break_nothing(places in vec(any::<prop::sample::Index>(), 1..20)) {
        for of in WIRES {
            let sound = events(of.0);
            let shuffled: Vec<Value> = places.iter().map(|place| sound[place.index(sound.len())].clone()).collect();
            let _ = read(of, &stream(&shuffled), 64);
        }
    }

    #[test]
    fn an_error_of_any_shape_is_told_with_the_name_of_the_provider(bytes in hostile::wounded(errors()), status in 300..600_u16) {
        for (_, provider) in WIRES {
            let party = crate::trouble::Party { provider, model: "m", url: "https://llm.example/v1", key: None, keys: settings::ModelKeys::default() };
            let trouble = party.judge(Some(status), &ErrorReport::from_body(&bytes), None);
            let detail = trouble.failure.detail;
            prop_assert!(detail.contains(&provider.to_string()) || detail.contains("llm.example"), "{}", detail);
            prop_assert!(detail.len() < 2_000);
        }
    }
}

fn errors() -> Vec<Vec<u8>> {
    let shapes = [
        json!({"error": {"message": "Unknown parameter", "type": "invalid_request_error", "param": "tools[0].x", "code": "unknown_parameter"}}),
        json!({"detail": [{"type": "extra_forbidden", "loc": ["body", "messages", 0, "x"], "msg": "Extra inputs are not permitted"}]}),
        json!([{"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "x", "details": [{"fieldViolations": [{"field": "generation_config", "description": "Unknown name \"x\""}]}, {"retryDelay": "3.5s"}]}}]),
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "stream: Extra inputs"}}),
    ];
    shapes
        .iter()
        .map(|shape| shape.to_string().into_bytes())
        .collect()
}
