use super::*;

fn named(refused: &Refused) -> Vec<&str> {
    refused.parameters.iter().map(Parameter::name).collect()
}

fn typed(body: serde_json::Value) -> Refused {
    Refused::typed(&ErrorReport::from_body(body.to_string().as_bytes()))
}

#[test]
fn each_shape_names_what_it_does_not_take() {
    use serde_json::json;
    let openai = |param: &str, code: Option<&str>, message: &str| {
        typed(
            json!({"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}),
        )
    };
    for (refused, names) in [
        (
            openai("stream_options", Some("unknown_parameter"), "x"),
            vec!["stream_options"],
        ),
        (openai("store", Some("unsupported_parameter"), "x"), vec!["store"]),
        (openai("stream", Some("unsupported_value"), "x"), vec!["stream"]),
        (
            openai(
                "include",
                None,
                "Encrypted content is not supported with this model.",
            ),
            vec!["include"],
        ),
        (
            openai(
                "messages[0].content[1].cache_control",
                Some("unknown_parameter"),
                "x",
            ),
            vec!["messages.*.content.*.cache_control"],
        ),
        // A value that is wrong is no parameter that is not taken.
        (
            openai("max_tokens", None, "max_tokens is too large: 9000"),
            vec![],
        ),
        (
            openai("max_tokens", Some("unsupported_value"), "Unsupported value"),
            vec![],
        ),
        (
            openai(
                "tools",
                Some("array_above_max_length"),
                "Invalid 'tools': array too long.",
            ),
            vec![],
        ),
        // Without these there is no question.
        (openai("model", Some("unknown_parameter"), "x"), vec![]),
        (
            openai("messages[0].content", Some("unknown_parameter"), "x"),
            vec![],
        ),
        (openai("input", Some("unsupported_parameter"), "x"), vec![]),
        (openai("a b; drop", Some("unsupported_parameter"), "x"), vec![]),
        (
            typed(json!({"detail": [
                {"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted", "input": {}},
                {"type": "value_error.extra", "loc": ["body", "seed"], "msg": "extra fields not permitted"},
                {"type": "missing", "loc": ["body", "top_p"], "msg": "Field required"},
                {"type": "extra_forbidden", "loc": ["body", "contents"], "msg": "Extra inputs are not permitted"},
            ]})),
            vec!["stream_options", "seed"],
        ),
        (
            typed(
                json!({"object": "error", "message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "prompt_cache_key"], "msg": "Extra inputs are not permitted"}]}, "type": "invalid_request_error", "param": null, "code": null}),
            ),
            vec!["prompt_cache_key"],
        ),
        (
            typed(
                json!({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "Invalid JSON payload received.", "details": [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [
                    {"field": "generation_config", "description": "Invalid JSON payload received. Unknown name \"thinkingConfig\" at 'generation_config': Cannot find field."},
                    {"field": "generation_config.response_modalities", "description": "This is not supported."},
                    {"field": "contents", "description": "Unknown."},
                ]}]}}),
            ),
            vec![
                "generation_config.thinkingconfig",
                "generation_config.response_modalities",
            ],
        ),
    ] {
        assert_eq!(named(&refused), names, "{refused:?}");
    }
}

#[test]
fn what_is_known_to_be_lacking_at_times_keeps_its_name() {
    let of = |param: &str| {
        let report = ErrorReport {
            param: param.to_owned(),
            codes: vec!["unsupported_parameter".to_owned()],
            ..ErrorReport::default()
        };
        Refused::typed(&report).feature
    };
    assert_eq!(of("tools"), Some(Feature::Tools));
    assert_eq!(of("tools[0].function.strict"), None);
    assert_eq!(of("temperature"), Some(Feature::Temperature));
    assert_eq!(of("reasoning.effort"), Some(Feature::Effort));
    assert_eq!(of("response_format"), Some(Feature::StructuredOutput));
    assert_eq!(of("thinking"), Some(Feature::ThinkingSwitch));
    assert_eq!(of("stream_options"), None);
}

#[test]
fn servers_without_a_field_for_it_are_understood_by_the_name_they_say() {
    for (words, names) in [
        (
            "property 'prompt_cache_key' is unsupported",
            vec!["prompt_cache_key"],
        ),
        (
            "unrecognized request argument supplied: stream_options",
            vec!["stream_options"],
        ),
        (
            "failed to deserialize: unknown field `stream_options`",
            vec!["stream_options"],
        ),
        ("stream: extra inputs are not permitted", vec!["stream"]),
        (
            "messages.3.content.0.cache_control: extra inputs are not permitted",
            vec!["messages.*.content.*.cache_control"],
        ),
        ("you are not allowed to stream this", vec!["stream"]),
        ("streaming is not supported for this model", vec!["stream"]),
        ("streaming is not implemented", vec!["stream"]),
        (
            "this backend does not support streaming with tools",
            vec!["stream"],
        ),
        ("only non-streaming requests are served here", vec!["stream"]),
        ("stream=true is disabled on this deployment", vec!["stream"]),
        ("only complete answers here, no streaming", vec!["stream"]),
        ("please set stream=false", vec!["stream"]),
        ("set 'stream' to false for this model", vec!["stream"]),
        ("retry with \"stream\": false", vec!["stream"]),
        ("sse disabled", vec!["stream"]),
        ("server-sent events are not available", vec!["stream"]),
        ("the model is unsupported for streaming.", vec!["stream"]),
        (
            "this model doesn't support tool use in streaming mode.",
            vec!["stream"],
        ),
        (
            "unsupported value: 'stream' does not support true with this model",
            vec!["stream"],
        ),
        (
            "use a non-streaming request; streaming is turned off",
            vec!["stream"],
        ),
        ("complete responses only", vec!["stream"]),
        ("this endpoint returns complete responses only.", vec!["stream"]),
        ("only complete responses are supported", vec!["stream"]),
        ("this model only supports full responses", vec!["stream"]),
        (
            "the deployment gives whole answers only, please ask again",
            vec!["stream"],
        ),
        ("incremental output is not supported", vec!["stream"]),
        ("token-by-token delivery is disabled", vec!["stream"]),
        // A whole answer may be meant otherwise.
        ("only complete responses count towards the limit", vec![]),
        ("the full response only contains a refusal", vec![]),
        ("a single response format is supported", vec![]),
        (
            "n > 1 is not supported: only a single completion is returned",
            vec![],
        ),
        ("the request did not complete. only responses are kept", vec![]),
        // Some want nothing but pieces.
        ("stream must be set to true", vec![]),
        ("non-streaming requests are not supported", vec![]),
        ("stream=false is not supported for this model", vec![]),
        (
            "this model only support stream mode, please enable the stream parameter to access the model",
            vec![],
        ),
        // A stream that broke, or another thing that is called so, is not that.
        ("upstream not supported", vec![]),
        ("unexpected end of stream", vec![]),
        ("the model is not supported. the stream was closed", vec![]),
        ("application/octet-stream is not supported", vec![]),
        (
            "'stream_options' is not supported when streaming",
            vec!["stream_options"],
        ),
        ("max_tokens is too large", vec![]),
        // What is to be taken instead is not what is refused.
        (
            "unsupported parameter: 'max_tokens' is not supported with this model. use 'max_completion_tokens' instead.",
            vec!["max_tokens"],
        ),
        (
            "max_tokens is not supported, please use max_completion_tokens",
            vec!["max_tokens"],
        ),
        (
            "use `max_completion_tokens` instead of `max_tokens`, which is not supported",
            vec!["max_tokens"],
        ),
        (
            "unknown field \"max_completion_tokens\": did you mean \"max_tokens\"?",
            vec!["max_completion_tokens"],
        ),
        (
            "max_tokens is not supported by this model; max_completion_tokens should be used",
            vec!["max_tokens"],
        ),
        (
            "max_tokens and stream_options are not supported",
            vec!["max_tokens", "stream_options"],
        ),
        (
            "max_tokens and max_completion_tokens are not supported",
            vec!["max_tokens", "max_completion_tokens"],
        ),
        ("unknown model", vec![]),
    ] {
        assert_eq!(named(&Refused::in_words(words)), names, "{words}");
    }
}
