//! Answers of model servers in pieces: calls that are told apart or put together, and thoughts that take the room.

use serde_json::{Value, json};
use vocabulary::{AskFailureKind, AskPurpose};

use crate::lacking::{bodies, hello, served};
use crate::openai::{chunk, ending, say};
use crate::requests::{ask, rich, simple};
use crate::server::Answer;

#[tokio::test]
async fn calls_that_all_have_the_first_index_are_told_apart() {
    let call = |id: Option<&str>, name: &str, arguments: &str| {
        chunk(
            json!({"tool_calls": [{"index": 0, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}]}),
            None,
        )
    };
    let by_id = call(Some("call_a"), "search_messages", "{\"words\":\"cat\"}")
        + &call(Some("call_b"), "search_messages", "{\"words\":\"dog\"}")
        + &ending("tool_calls");
    let by_name = call(None, "search_messages", "{\"words\":\"cat\"}")
        + &call(None, "search_messages", "{\"words\":\"dog\"}")
        + &ending("tool_calls");
    let in_pieces = call(Some("call_a"), "search_messages", "{\"words\":")
        + &call(Some("call_a"), "", "\"cat\"}")
        + &call(Some("call_b"), "search_messages", "{\"words\":\"dog\"}")
        + &ending("tool_calls");
    for stream in [by_id, by_name, in_pieces] {
        let (_server, models) = served(vec![Answer::stream(&[&stream])]).await;
        let answer = ask(&models, &rich("compatible", "m")).await.answer();
        let calls: Vec<_> = answer
            .tool_calls
            .iter()
            .map(|call| (call.name.as_str(), call.arguments["words"].as_str()))
            .collect();
        assert_eq!(
            calls,
            [("search_messages", Some("cat")), ("search_messages", Some("dog"))],
            "{stream}"
        );
        assert_ne!(answer.tool_calls[0].id, answer.tool_calls[1].id);
    }
}

#[tokio::test]
async fn a_call_whose_id_and_name_come_with_each_of_its_pieces_is_one_call() {
    let piece = |id: Option<&str>, arguments: &str| {
        chunk(
            json!({"tool_calls": [{"index": 0, "id": id, "type": "function", "function": {"name": "search_messages", "arguments": arguments}}]}),
            None,
        )
    };
    for id in [Some("call_a"), None] {
        let pieces = ["", "{\"words\":", "\"cat\"", "}", ""];
        let stream: String = pieces.iter().map(|arguments| piece(id, arguments)).collect();
        let (_server, models) = served(vec![Answer::stream(&[&(stream + &ending("tool_calls"))])]).await;
        let calls = ask(&models, &rich("compatible", "m")).await.answer().tool_calls;
        assert_eq!(calls.len(), 1, "{calls:?}");
        assert_eq!(
            (calls[0].name.as_str(), &calls[0].arguments),
            ("search_messages", &json!({"words": "cat"}))
        );
    }
}

#[tokio::test]
async fn words_that_come_in_parts_are_read_and_thoughts_among_them_are_not_said() {
    let stream = chunk(
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}),
        None,
    ) + &chunk(
        json!({"content": [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]}),
        None,
    ) + &ending("stop");
    let (_server, models) = served(vec![Answer::stream(&[&stream])]).await;
    let answer = ask(&models, &simple("compatible", "m")).await.answer();
    assert_eq!(answer.text, "Hello");
}

#[tokio::test]
async fn an_answer_without_words_names_the_cap_it_had() {
    let thought = chunk(json!({"reasoning": "hmm"}), None) + &ending("length");
    let torn = say("<think>\nwell, ") + &ending("stop");
    let uncounted = say("<think>\nwell, ") + &chunk(json!({}), Some("stop")) + "data: [DONE]\n\n";
    for stream in [thought, torn, uncounted] {
        let (server, models) = served(vec![Answer::stream(&[&stream])]).await;
        let failure = ask(&models, &simple("compatible", "m")).await.failure();
        assert_eq!(
            (failure.kind, failure.tries),
            (AskFailureKind::OutOfRoom, 2),
            "{stream}"
        );
        assert!(failure.detail.contains("8600 tokens"), "{failure}");
        let caps: Vec<Value> = bodies(&server)
            .iter()
            .map(|body| body["max_tokens"].clone())
            .collect();
        assert_eq!(caps, [json!(600), json!(8_600)], "it is given more room once");
    }
    let (_server, models) = served(vec![Answer::stream(&[&(say("Well, I") + &ending("length"))])]).await;
    let answer = ask(&models, &simple("compatible", "m")).await.answer();
    assert_eq!((answer.cap, answer.tries), (Some(600), 1));
}

#[tokio::test]
async fn a_model_that_spends_its_room_on_thoughts_is_given_more_and_told_to_think_less() {
    let thought = chunk(json!({"reasoning": "hmm, well"}), None) + &ending("length");
    let (server, models) = served(vec![Answer::stream(&[&thought]), hello()]).await;
    let answer = ask(&models, &simple("compatible", "m")).await.answer();
    assert_eq!((answer.text.as_str(), answer.tries), ("Hello", 2));
    ask(&models, &simple("compatible", "m")).await.answer();
    let sent: Vec<(Value, Value)> = bodies(&server)
        .iter()
        .map(|body| (body["max_tokens"].clone(), body["reasoning_effort"].clone()))
        .collect();
    assert_eq!(
        sent,
        [
            (json!(600), Value::Null),
            (json!(8_600), json!("low")),
            (json!(8_600), json!("low"))
        ]
    );
}

#[tokio::test]
async fn a_model_seen_to_think_is_given_room_before_it_runs_out_of_it() {
    let thought = chunk(json!({"reasoning_content": "hmm"}), None) + &say("Hi.") + &ending("stop");
    let (server, models) = served(vec![Answer::stream(&[&thought]), hello()]).await;
    ask(&models, &simple("compatible", "m")).await.answer();
    let mut classifier = simple("compatible", "m");
    classifier.purpose = AskPurpose::AddressClassifier;
    ask(&models, &classifier).await.answer();
    assert_eq!(bodies(&server)[1]["reasoning_effort"], "none");
}
