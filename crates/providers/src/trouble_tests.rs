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
    for (provider, status, body, wait) in [
        (
            Anthropic,
            529,
            r#"{"error":{"type":"overloaded_error","message":"x"}}"#,
            None,
        ),
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
