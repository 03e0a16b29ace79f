use AskFailureKind::{ContextTooLong, RateLimited, Refused, Rejected, ServerError};

use super::*;

const KEY: &str = "sk-ant-secret-000111222333";

fn judge(provider: Provider, status: u16, body: &str) -> Trouble {
    let party = Party {
        provider,
        model: "some-model",
        url: "https://llm.example/v1/chat/completions",
        key: Some(KEY),
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
            Gemini,
            400,
            r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
            ContextTooLong,
        ),
        (
            Anthropic,
            529,
            r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            RateLimited,
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
            Rejected,
        ),
        (
            Anthropic,
            400,
            r#"{"error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#,
            Rejected,
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
            Rejected,
        ),
        (
            Gemini,
            400,
            r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
            Rejected,
        ),
        (Compatible, 404, r#"{"error":"model 'x' not found"}"#, Rejected),
        (
            Gemini,
            503,
            r#"{"error":{"code":503,"message":"try again later","status":"UNAVAILABLE"}}"#,
            ServerError,
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
