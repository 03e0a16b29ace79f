use AskFailureKind::{ContextTooLong, KeyRefused, RateLimited, Refused, Rejected, ServerError};

use super::*;

const KEY: &str = "sk-ant-secret-000111222333";

fn judge(provider: Provider, status: u16, body: &str) -> Trouble {
    let party = Party {
        provider,
        model: "some-model",
        url: "https://llm.example/v1/chat/completions",
        key: Some(KEY),
        keys: settings::ModelKeys::default(),
    };
    party.judge(Some(status), &ErrorReport::from_body(body.as_bytes()), None)
}

#[test]
fn each_providers_words_lead_to_the_right_kind() {
    use Provider::{Anthropic, Compatible, Gemini, OpenAi};
    let table = [
        (
            Anthropic,
            400,
            r#"{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            ContextTooLong,
        ),
        (
            Anthropic,
            413,
            r#"{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
            ContextTooLong,
        ),
        (
            OpenAi,
            400,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#,
            ContextTooLong,
        ),
        (
            Compatible,
            400,
            r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
            ContextTooLong,
        ),
        (
            Compatible,
            400,
            r#"{"error":{"message":"Context too long: 9000 tokens"}}"#,
            ContextTooLong,
        ),
        (
            Compatible,
            400,
            r#"{"error":{"message":"The context is too long for this model"}}"#,
            ContextTooLong,
        ),
        (
            Compatible,
            400,
            r#"{"error":{"message":"input too long (9000 > 8192)"}}"#,
            ContextTooLong,
        ),
        (
            Compatible,
            400,
            r#"{"error":{"message":"The request exceeds the model's context"}}"#,
            ContextTooLong,
        ),
        (
            Compatible,
            400,
            r#"{"error":{"message":"'user' is too long"}}"#,
            Rejected,
        ),
        (
            Gemini,
            400,
            r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
            ContextTooLong,
        ),
        (
            Anthropic,
            529,
            r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            ServerError,
        ),
        (
            OpenAi,
            429,
            r#"{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}"#,
            RateLimited,
        ),
        (
            OpenAi,
            429,
            r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
            AskFailureKind::QuotaSpent,
        ),
        (
            Anthropic,
            400,
            r#"{"error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#,
            AskFailureKind::QuotaSpent,
        ),
        (
            OpenAi,
            400,
            r#"{"error":{"message":"Invalid prompt: flagged as violating our usage policies","code":"invalid_prompt"}}"#,
            Refused,
        ),
        (
            OpenAi,
            401,
            r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#,
            KeyRefused,
        ),
        (
            Gemini,
            400,
            r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
            KeyRefused,
        ),
        (Compatible, 404, "<html>Not Found</html>", Rejected),
        (
            Gemini,
            503,
            r#"{"error":{"code":503,"message":"try again later","status":"UNAVAILABLE"}}"#,
            ServerError,
        ),
        (
            Gemini,
            503,
            r#"{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}"#,
            ServerError,
        ),
        (
            OpenAi,
            503,
            r#"{"error":{"message":"Slow down","type":"slow_down","code":"slow_down"}}"#,
            RateLimited,
        ),
        (Compatible, 502, "<html>Bad Gateway</html>", ServerError),
        (Compatible, 308, "", Rejected),
    ];
    for (provider, status, body, kind) in table {
        let trouble = judge(provider, status, body);
        assert_eq!(
            trouble.failure.kind, kind,
            "{provider} {status} {body}: {}",
            trouble.failure.detail
        );
    }
}

#[test]
fn a_rejected_key_names_what_to_check_and_not_the_key() {
    let body = format!(r#"{{"error":{{"message":"Incorrect key {KEY}, or 'sk-ant-***333'."}}}}"#);
    let detail = judge(Provider::Anthropic, 401, &body).failure.detail;
    assert!(detail.contains("ANTHROPIC_API_KEY"), "{detail}");
    assert!(!detail.contains("sk-"), "{detail}");
}

#[test]
fn a_long_message_is_shortened() {
    let detail = judge(Provider::OpenAi, 400, &"x".repeat(5_000)).failure.detail;
    assert!(detail.len() < 500, "{}", detail.len());
    assert!(detail.contains('…'), "{detail}");
}

#[test]
fn what_a_server_cannot_take_is_recognised() {
    let refuses = |status, message: &str| {
        judge(
            Provider::Compatible,
            status,
            &format!(r#"{{"error":{{"message":"{message}"}}}}"#),
        )
        .refuses
    };
    assert_eq!(
        refuses(400, "Unknown parameter: response_format"),
        Some(Feature::StructuredOutput)
    );
    assert_eq!(
        refuses(400, "output_config.format: not supported"),
        Some(Feature::StructuredOutput)
    );
    assert_eq!(
        refuses(500, "Cannot use custom grammar constraints with tools."),
        Some(Feature::StructuredOutput)
    );
    assert_eq!(
        refuses(400, "Unsupported value: 'temperature' does not support 0.8"),
        Some(Feature::Temperature)
    );
    assert_eq!(refuses(400, "No such model"), None);
    assert_eq!(refuses(429, "response_format quota"), None);
}

#[test]
fn an_account_with_nothing_left_is_left_alone_and_overload_passes() {
    use Provider::{Anthropic, Compatible, Gemini, OpenAi};
    let day = r#"{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[
        {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"x","quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"250"}]},
        {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"43s"}]}}"#;
    let minute = day.replace("PerDayPer", "PerMinutePer");
    for (provider, status, body) in [
        (
            OpenAi,
            429,
            r#"{"error":{"message":"x","type":"insufficient_quota","code":"insufficient_quota"}}"#,
        ),
        (
            OpenAi,
            429,
            r#"{"error":{"message":"x","code":"billing_hard_limit_reached"}}"#,
        ),
        (
            Anthropic,
            400,
            r#"{"error":{"type":"invalid_request_error","message":"Your credit balance is too low to access"}}"#,
        ),
        (
            Anthropic,
            403,
            r#"{"error":{"type":"billing_error","message":"x"}}"#,
        ),
        (
            Anthropic,
            429,
            r#"{"error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}"#,
        ),
        (Gemini, 429, day),
        (
            Compatible,
            402,
            r#"{"error":{"message":"Insufficient credits","code":402}}"#,
        ),
    ] {
        let trouble = judge(provider, status, body);
        assert_eq!(trouble.failure.kind, AskFailureKind::QuotaSpent, "{body}");
        assert_eq!(trouble.failure.retry_after, Some(Span::hours(1)), "{body}");
        assert!(!trouble.failure.kind.is_retryable());
    }
    let overloaded = judge(
        Anthropic,
        529,
        r#"{"error":{"type":"overloaded_error","message":"x"}}"#,
    );
    assert_eq!(overloaded.failure.kind, AskFailureKind::ServerError);
    for (provider, status, body, wait) in [
        (
            Anthropic,
            429,
            r#"{"error":{"type":"rate_limit_error","message":"x","details":{"error_code":"ramp_limit_exceeded"}}}"#,
            None,
        ),
        (Gemini, 429, minute.as_str(), Some(Span::seconds(43))),
        (
            OpenAi,
            429,
            r#"{"error":{"message":"You may check your credit balance","code":"rate_limit_exceeded"}}"#,
            None,
        ),
    ] {
        let trouble = judge(provider, status, body);
        assert_eq!(trouble.failure.kind, RateLimited, "{body}");
        assert_eq!(trouble.failure.retry_after, wait, "{body}");
    }
}

#[test]
fn a_long_wait_that_is_asked_for_is_named() {
    let slow_down = |retry_in: &str| {
        let body = format!(
            r#"{{"error":{{"code":429,"status":"RESOURCE_EXHAUSTED","message":"x","details":[
                {{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"{retry_in}"}}]}}}}"#
        );
        judge(Provider::Gemini, 429, &body).failure.detail
    };
    for (retry_in, told) in [
        ("20s", "It passes by itself; "),
        ("1800s", "It passes by itself in about 30 minutes; "),
        ("86400s", "It passes by itself in about 24 hours; "),
    ] {
        let detail = slow_down(retry_in);
        assert!(detail.contains(told), "{retry_in}: {detail}");
    }
}

#[test]
fn that_there_is_no_such_model_is_told_by_the_fields_of_each_provider_and_not_by_our_words() {
    use Provider::{Anthropic, Compatible, Gemini, OpenAi};
    let unknown = [
        // Whatever the words are, where there is a code.
        (
            OpenAi,
            404,
            r#"{"error":{"message":"x","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
        ),
        (
            OpenAi,
            403,
            r#"{"error":{"message":"Project has no access","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
        ),
        (
            OpenAi,
            400,
            r#"{"error":{"message":"x","type":"invalid_request_error","param":"model","code":"model_not_found"}}"#,
        ),
        (
            OpenAi,
            404,
            r#"{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}"#,
        ),
        (
            Anthropic,
            404,
            r#"{"type":"error","error":{"type":"not_found_error","message":"x"},"request_id":"r"}"#,
        ),
        (
            Gemini,
            404,
            r#"{"error":{"code":404,"message":"x","status":"NOT_FOUND"}}"#,
        ),
        // Ollama, vLLM, llama.cpp and OpenRouter.
        (
            Compatible,
            404,
            r#"{"error":{"message":"model 'other' not found","type":"not_found_error","param":null,"code":null}}"#,
        ),
        (Compatible, 404, r#"{"error":"model 'x' not found"}"#),
        (
            Compatible,
            404,
            r#"{"error":{"message":"x","type":"NotFoundError","param":"model","code":404}}"#,
        ),
        (
            Compatible,
            404,
            r#"{"error":{"message":"No endpoints found for some-model.","code":404}}"#,
        ),
    ];
    for (provider, status, body) in unknown {
        let Trouble {
            failure,
            refuses,
            is_missing,
            ..
        } = judge(provider, status, body);
        assert_eq!(
            failure.kind,
            AskFailureKind::UnknownModel,
            "{provider} {status} {body}"
        );
        assert_eq!((refuses, is_missing), (None, false), "{body}");
        assert!(
            failure.detail.contains("`some-model`") && failure.detail.contains("llm.model"),
            "{failure}"
        );
    }
    let others = [
        // Our own sentence is nobody's field.
        (
            OpenAi,
            404,
            r#"{"error":{"message":"openai does not know this address","type":"x"}}"#,
        ),
        (Anthropic, 404, "<html>Not Found</html>"),
        (
            Gemini,
            404,
            "<html>The requested URL was not found on this server</html>",
        ),
        (
            Compatible,
            404,
            r#"{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}"#,
        ),
        (
            Compatible,
            404,
            r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#,
        ),
        (
            OpenAi,
            404,
            r#"{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error","param":"model","code":null}}"#,
        ),
    ];
    for (provider, status, body) in others {
        assert_eq!(
            judge(provider, status, body).failure.kind,
            Rejected,
            "{provider} {body}"
        );
    }
}

#[test]
fn the_name_of_a_model_is_not_taken_for_what_is_wrong() {
    let party = Party {
        provider: Provider::Compatible,
        model: "qwen3-thinking-vision",
        url: "http://127.0.0.1:11434/v1/chat/completions",
        key: None,
        keys: settings::ModelKeys::default(),
    };
    let body = br#"{"error":{"message":"model 'qwen3-thinking-vision' not found"}}"#;
    let trouble = party.judge(Some(404), &ErrorReport::from_body(body), None);
    assert_eq!(
        (trouble.failure.kind, trouble.refuses),
        (AskFailureKind::UnknownModel, None)
    );
}
